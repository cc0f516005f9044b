// Files for the user: a curve as CSV, a plot as PNG.
import { styleColour } from "./theme";

export function save(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const a = document.createElement("a");
  a.href = address;
  a.download = name;
  a.click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

export const fileName = (title: string, ending: string): string =>
  (title.replace(/[^\p{L}\p{N}]+/gu, "_").replace(/^_+|_+$/g, "") || "plot") + ending;

// As csv_cell does in the tool: what a spreadsheet would take for a formula begins with an apostrophe.
const cell = (s: string): string => {
  const text = /^[=+\-@\t\r]/.test(s) ? `'${s}` : s;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

// Columns side by side; a gap is an empty field.
export function saveCsv(title: string, headings: string[], columns: ArrayLike<number | null>[]): void {
  const lines = [headings.map(cell).join(",")];
  const rows = Math.max(...columns.map((c) => c.length));
  for (let i = 0; i < rows; ++i) {
    lines.push(columns.map((c) => (i < c.length && c[i] !== null && !Number.isNaN(c[i]) ? String(c[i]) : "")).join(","));
  }
  save(new Blob([lines.join("\n") + "\n"], { type: "text/csv" }), fileName(title, ".csv"));
}

export interface LegendEntry {
  name: string;
  colour: string;
  dash: number[];
  area: boolean;
}

// The canvas of a plot with its title above and its legend below.
export function savePng(title: string, plot: HTMLCanvasElement, legend: LegendEntry[]): void {
  const scale = plot.width / (plot.clientWidth || plot.width);
  const width = plot.width;
  const canvas = document.createElement("canvas");
  const c = canvas.getContext("2d");
  if (!c) return;
  const font = (weight: number, size: number): string => `${weight} ${size * scale}px system-ui, sans-serif`;
  const line = 20 * scale;
  const pad = 12 * scale;
  c.font = font(400, 13);
  const places: { x: number; row: number }[] = [];
  let x = pad;
  let row = 0;
  for (const e of legend) {
    const need = 36 * scale + c.measureText(e.name).width;
    if (x + need > width - pad && x > pad) {
      x = pad;
      ++row;
    }
    places.push({ x, row });
    x += need + 14 * scale;
  }
  const top = 32 * scale;
  canvas.width = width;
  canvas.height = top + plot.height + (legend.length ? (row + 1) * line + pad : 0);
  c.fillStyle = styleColour("--card");
  c.fillRect(0, 0, canvas.width, canvas.height);
  c.fillStyle = styleColour("--ink");
  c.textBaseline = "middle";
  c.font = font(600, 15);
  c.fillText(title, pad, top / 2 + 2 * scale, width - 2 * pad);
  c.drawImage(plot, 0, top);
  c.font = font(400, 13);
  legend.forEach((e, i) => {
    const y = top + plot.height + places[i].row * line + line / 2;
    c.strokeStyle = c.fillStyle = e.colour;
    if (e.area) c.fillRect(places[i].x, y - 5 * scale, 26 * scale, 10 * scale);
    else {
      c.lineWidth = 2 * scale;
      c.setLineDash(e.dash.map((d) => d * scale));
      c.beginPath();
      c.moveTo(places[i].x, y);
      c.lineTo(places[i].x + 26 * scale, y);
      c.stroke();
    }
    c.fillStyle = styleColour("--ink");
    c.fillText(e.name, places[i].x + 34 * scale, y);
  });
  canvas.toBlob((blob) => blob && save(blob, fileName(title, ".png")));
}
