// Axes of plots: their labels, their ranges, the swatches of their curves.
import type uPlot from "uplot";
import { el } from "./dom";
import { brief } from "./numbers";
import { styleColour } from "./theme";

export const axisWidth = 66; // px: the same for all, so that cursors stand below each other
export const axisHeight = 44;

// Labels of an axis: as many digits as tell neighbours apart.
export function axisLabels(splits: (number | null)[], increment: number, log: boolean): string[] {
  if (log) {
    const short = (v: number): string => (v >= 0.01 && v < 1000 ? brief(v, 3) : v.toExponential(0).replace("e+", "e").replace("-", "−"));
    return splits.map((v) => (v === null ? "" : short(v)));
  }
  const largest = Math.max(...splits.map((v) => Math.abs(v ?? 0)));
  // Places after the point that the increment needs: 2 for 0.25.
  let steps = Math.ceil(-Math.log10(increment) - 1e-9);
  for (let more = 0; more < 2; ++more) {
    const shifted = increment * 10 ** steps;
    if (Math.abs(shifted - Math.round(shifted)) < 1e-6) break;
    ++steps;
  }
  return splits.map((v) => {
    if (v === null) return "";
    if (v === 0 || Math.abs(v) < increment / 1000) return "0";
    if (largest >= 1e5 || largest < 1e-3) {
      const digits = Math.min(8, Math.max(0, Math.floor(Math.log10(Math.abs(v)) + 1e-9) + steps));
      return v.toExponential(digits).replace("e+", "e").replaceAll("-", "−");
    }
    return v.toFixed(Math.min(10, Math.max(0, steps))).replace("-", "−");
  });
}

// Whole decades, thinned out to `most`; in less than two decades also 2 and 5 of each.
function logSplits(low: number, high: number, most: number): number[] {
  const from = Math.floor(Math.log10(low) + 1e-6);
  const to = Math.ceil(Math.log10(high) - 1e-6);
  const every = Math.max(1, Math.ceil((to - from) / Math.max(2, most)));
  const steps = to - from <= 2 ? [1, 2, 5] : [1];
  const splits: number[] = [];
  for (let k = from; k <= to; k += every) {
    for (const s of steps) {
      const v = s * 10 ** k;
      if (v >= low * (1 - 1e-6) && v <= high * (1 + 1e-6)) splits.push(v);
    }
  }
  return splits;
}

export function axis(label: string, log: boolean, vertical: boolean): uPlot.Axis {
  const ink = styleColour("--muted");
  const faint = styleColour("--rule");
  return {
    stroke: ink,
    font: "12px system-ui, sans-serif",
    labelFont: "12px system-ui, sans-serif",
    label,
    labelSize: label ? 18 : 0,
    labelGap: 0,
    size: vertical ? axisWidth : axisHeight - 18,
    gap: 4,
    grid: { stroke: faint, width: 1 },
    ticks: { stroke: faint, width: 1, size: 4 },
    values: (_u, splits, _i, _space, increment) => axisLabels(splits, increment, log),
    ...(log ? { filter: (_u: uPlot, splits: number[]) => splits, splits: (u: uPlot, _i: number, low: number, high: number) => logSplits(low, high, (vertical ? u.bbox.height / 30 : u.bbox.width / 70) / devicePixelRatio) } : {}),
  };
}

export function swatch(colour: string, dash: number[], area: boolean): HTMLElement {
  const canvas = el("span", { class: area ? "swatch area" : "swatch", "aria-hidden": "true" });
  if (area || dash.length === 0) canvas.style.background = colour;
  else {
    const period = dash.reduce((a, b) => a + b, 0);
    let x = 0;
    const stops = dash.flatMap((d, i) => {
      const from = x;
      x += d;
      const c = i % 2 ? "transparent" : colour;
      return [`${c} ${from}px`, `${c} ${x}px`];
    });
    canvas.style.background = `repeating-linear-gradient(to right, ${stops.join(", ")})`;
    canvas.style.setProperty("--period", `${period}px`);
  }
  return canvas;
}

export function linearRange(min: number | null, max: number | null): [number, number] {
  if (min === null || max === null || !Number.isFinite(min) || !Number.isFinite(max)) return [0, 1];
  const size = Math.max(Math.abs(min), Math.abs(max));
  const room = max - min > 1e-7 * size ? 0.06 * (max - min) : size > 0 ? 0.1 * size : 1; // float32 knows no smaller difference
  return [min === 0 ? 0 : min - room, max === 0 ? 0 : max + room];
}

export function logRange(min: number | null, max: number | null): [number, number] {
  if (min === null || max === null || !(min > 0) || !(max > 0)) return [1e-16, 1];
  // To whole decades, but for the round-off of float32.
  const low = 10 ** Math.floor(Math.log10(min) + 1e-6);
  const high = 10 ** Math.ceil(Math.log10(max) - 1e-6);
  return high > low ? [low, high] : [low / 10, high * 10];
}
