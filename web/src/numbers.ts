// Numbers for readers: six digits at a glance, all digits where the balance is shown.

const minus = "\u2212";

export function brief(x: number | null, digits = 6): string {
  if (x === null || Number.isNaN(x)) return "–";
  if (!Number.isFinite(x)) return x > 0 ? "∞" : minus + "∞";
  if (x === 0) return "0";
  const size = Math.abs(x);
  let text =
    size >= 1e6 || size < 1e-4 ? x.toExponential(digits - 1).replace(/\.?0+e/, "e") : String(Number(x.toPrecision(digits)));
  text = text.replace("e+", "e");
  return text.replaceAll("-", minus);
}

// The shortest text that reads back as the same double.
export const full = (x: number): string => String(x).replaceAll("-", minus);

export const seconds = (t: number, span: number): string => {
  const decimals = span > 0 ? Math.min(6, Math.max(2, 3 - Math.floor(Math.log10(span)))) : 3;
  return t.toFixed(decimals).replace("-", minus);
};

export const withUnit = (text: string, unit: string): string => (unit ? `${text} ${unit}` : text);
