// Light and dark, and the colours that mean something. Hues follow Okabe and Ito, so that they stay apart for every eye; dash patterns
// tell curves apart without colour.

export type Theme = "light" | "dark";

const listeners: (() => void)[] = [];
const system = matchMedia("(prefers-color-scheme: dark)");
let chosen: Theme | null = null;

export const theme = (): Theme => chosen ?? (system.matches ? "dark" : "light");

export function onTheme(f: () => void): void {
  listeners.push(f);
}

function apply(): void {
  document.documentElement.dataset.theme = theme();
  for (const f of listeners) f();
}

export function toggleTheme(): void {
  chosen = theme() === "dark" ? "light" : "dark";
  apply();
}

export function startTheme(): void {
  document.documentElement.dataset.theme = theme();
  system.addEventListener("change", () => {
    if (!chosen) apply();
  });
}

const curves = {
  light: ["#0072b2", "#d55e00", "#009e73", "#b0508c", "#b87a00", "#2f97d0", "#4d5761"],
  dark: ["#56b4e9", "#f0863c", "#2fc79b", "#dd8fc0", "#e6b422", "#8fa8ff", "#b4bec7"],
};
const dashes: number[][] = [[], [8, 4], [2, 3], [11, 3, 2, 3]];

export const curveColour = (i: number): string => curves[theme()][i % curves.light.length];
export const curveDash = (i: number): number[] => dashes[i % dashes.length];

// Of a variable of style/page.css.
export const styleColour = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// Bodies: calm tints of the same hues. The first is the run itself; others follow round.
export const bodyColours = ["#6f9fc4", "#d99a6c", "#6fb39b", "#c592b4", "#c9b06a", "#8f9bc9", "#a3adb5"];

export const nodeColour = "#8793a0";

// Compression blue, tension orange, nothing grey. `s` from -1 to 1.
const stops: [number, number, number][] = [
  [0, 84, 159],
  [86, 160, 211],
  [186, 190, 194],
  [233, 147, 68],
  [194, 65, 0],
];
export function forceColour(s: number): [number, number, number] {
  const u = (Math.min(1, Math.max(-1, s)) + 1) * 2;
  const i = Math.min(3, Math.floor(u));
  const w = u - i;
  return [0, 1, 2].map((k) => stops[i][k] + w * (stops[i + 1][k] - stops[i][k])) as [number, number, number];
}
export const forceGradient = (): string =>
  `linear-gradient(to right, ${stops.map((c) => `rgb(${c.join(" ")})`).join(", ")})`;
