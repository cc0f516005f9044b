// Curves over time. All plots share one cursor, which is the time of the scene, and one window in time.
import uPlot from "uplot";
import type { Clock } from "./clock";
import type { Event, Run, TimePlot } from "./data";
import { button, el } from "./dom";
import { type LegendEntry, saveCsv, savePng } from "./export";
import { drawnInSoftware } from "./graphics";
import { brief } from "./numbers";
import { curveColour, curveDash, onTheme, styleColour } from "./theme";
import { indexBefore, unpack } from "./unpack";

export type Column = (number | null)[];
export type Window = { from: number; to: number };

export const axisWidth = 66; // px: the same for all, so that cursors stand below each other
export const axisHeight = 44;
const plotHeight = 230;

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

const column = (packed: string, log: boolean): Column =>
  Array.from(unpack(packed), (v) => (!Number.isFinite(v) || (log && v <= 0) ? null : v));

export class Board {
  readonly element = el("section", { class: "plots", "aria-label": "Plots over time" });
  private cards: Card[] = [];
  private readonly grid = el("div", { class: "plot-grid" });
  private readonly waiting = el("details", { class: "waiting" });
  private window: Window | null = null;
  private served = location.protocol.startsWith("http");
  private asking = 0;
  private run: Run | null = null;
  readonly observer = new IntersectionObserver(
    (entries) => {
      for (const e of entries) if (e.isIntersecting) this.cards.find((c) => c.element === e.target)?.create();
    },
    { rootMargin: "300px" },
  );

  constructor(
    readonly clock: Clock,
    private readonly onlyRun: boolean,
  ) {
    this.element.append(this.grid, this.waiting);
    clock.listen(() => (clock.onBeat || !drawnInSoftware()) && this.cards.forEach((c) => c.showTime()));
    onTheme(() => this.cards.forEach((c) => c.recreate()));
  }

  get axis(): string {
    return this.run?.axis ?? "time [s]";
  }

  get events(): Event[] {
    return this.run?.events ?? [];
  }

  // Another run, or the same one grown.
  show(run: Run): void {
    const same =
      this.run !== null &&
      this.run.label === run.label &&
      this.run.plots.length === run.plots.length &&
      this.run.plots.every((p, i) => p.id === run.plots[i].id && p.curves.length === run.plots[i].curves.length);
    this.run = run;
    if (same) {
      for (const card of this.cards) {
        const plot = run.plots.find((p) => p.id === card.plot.id);
        if (plot) card.take(plot);
      }
      return;
    }
    const chosen = new Set(this.cards.map((c) => c.plot.id));
    for (const card of this.cards) card.remove();
    this.cards = [];
    for (const plot of run.plots) if (chosen.size ? chosen.has(plot.id) : plot.shown) this.add(plot);
    this.listWaiting();
  }

  cursors(): number[] {
    return this.cards.map((c) => c.cursorTime).filter((t): t is number => t !== null);
  }

  range(): [number, number] {
    return this.window ? [this.window.from, this.window.to] : [this.clock.start, this.clock.end];
  }

  zoom(window: Window | null): void {
    this.window = window;
    for (const c of this.cards) {
      c.detail(null);
      c.applyWindow();
    }
    const asking = ++this.asking;
    if (!window || !this.served || !this.onlyRun) return;
    // The tool that serves the page may have more points of this window.
    setTimeout(() => {
      if (asking !== this.asking) return;
      for (const card of this.cards.filter((c) => c.created)) {
        const query = new URLSearchParams({ plot: card.plot.id, from: String(window.from), to: String(window.to) });
        fetch(`curves.json?${query}`)
          .then((answer) => (answer.ok ? (answer.json() as Promise<TimePlot>) : null))
          .then((plot) => {
            if (plot && asking === this.asking) card.detail(plot);
          })
          .catch(() => {});
      }
    }, 200);
  }

  drop(card: Card): void {
    this.cards = this.cards.filter((c) => c !== card);
    card.remove();
    this.listWaiting();
  }

  private add(plot: TimePlot): Card {
    const card = new Card(this, plot);
    this.cards.push(card);
    this.grid.append(card.element);
    this.observer.observe(card.element);
    return card;
  }

  private listWaiting(): void {
    const shown = new Set(this.cards.map((c) => c.plot.id));
    const others = (this.run?.plots ?? []).filter((p) => !shown.has(p.id));
    this.waiting.hidden = others.length === 0;
    const list = el("ul", { class: "choices" });
    const search = el("input", { type: "search", placeholder: "Search plots", "aria-label": "Search plots" });
    const fill = (): void => {
      const asked = search.value.trim().toLowerCase();
      const found = others.filter((p) => p.title.toLowerCase().includes(asked));
      list.replaceChildren(
        ...found.slice(0, 100).map((p) =>
          el(
            "li",
            {},
            el(
              "button",
              {
                type: "button",
                click: () => {
                  const card = this.add(p);
                  this.listWaiting();
                  card.create();
                  card.element.scrollIntoView({ block: "nearest" });
                },
              },
              `+ ${p.title}`,
            ),
          ),
        ),
        found.length > 100 ? el("li", { class: "muted" }, `${found.length - 100} more: search for them`) : "",
      );
    };
    search.addEventListener("input", fill);
    fill();
    this.waiting.replaceChildren(el("summary", {}, `More curves (${others.length})`), others.length > 8 ? search : "", list);
  }
}

class Card {
  readonly element: HTMLElement;
  private readonly body = el("div", { class: "plot-body" });
  private readonly legend = el("div", { class: "plot-legend" });
  private u: uPlot | null = null;
  private readonly line = el("div", { class: "time-line" });
  private readonly values: HTMLElement[] = [];
  private visible: boolean[];
  private shown: TimePlot; // plot itself, or its window in detail
  private times: number[] = [];
  private columns: Column[] = [];
  private lineTime: number | null = null;
  private linePlace = "";
  private lastValues = 0;
  private readonly resizes = new ResizeObserver(() => this.u?.setSize({ width: this.width(), height: plotHeight }));

  constructor(
    private readonly board: Board,
    public plot: TimePlot,
  ) {
    this.visible = plot.curves.map(() => true);
    this.shown = plot;
    this.body.style.height = `${plotHeight}px`;
    this.element = el(
      "article",
      { class: "card plot", "data-plot": plot.id },
      el(
        "header",
        {},
        el("h3", {}, plot.title, plot.unit ? el("span", { class: "unit" }, ` [${plot.unit}]`) : null),
        el(
          "div",
          { class: "tools" },
          button("Save as PNG", "PNG", () => this.png()),
          button("Save as CSV", "CSV", () => this.csv()),
          button("Put this plot away", "×", () => this.board.drop(this), { class: "away" }),
        ),
      ),
      this.body,
      this.legend,
    );
    this.fillLegend();
  }

  get created(): boolean {
    return this.u !== null;
  }

  get cursorTime(): number | null {
    return this.u ? this.lineTime : null;
  }

  create(): void {
    if (this.u) return;
    this.unpack();
    this.u = new uPlot(this.options(), this.data(), this.body);
    this.u.over.append(this.line);
    this.listen(this.u);
    this.resizes.observe(this.body);
    this.applyWindow();
    this.showTime();
  }

  recreate(): void {
    this.fillLegend();
    if (!this.u) return;
    this.resizes.disconnect();
    this.u.destroy();
    this.u = null;
    this.create();
  }

  remove(): void {
    this.board.observer.unobserve(this.element);
    this.resizes.disconnect();
    this.u?.destroy();
    this.u = null;
    this.element.remove();
  }

  take(plot: TimePlot): void {
    const detailed = this.shown !== this.plot;
    this.plot = plot;
    if (detailed) return;
    this.shown = plot;
    this.renew();
  }

  detail(plot: TimePlot | null): void {
    const next = plot ?? this.plot;
    if (next === this.shown || next.curves.length !== this.plot.curves.length) return;
    this.shown = next;
    this.renew();
  }

  applyWindow(): void {
    const [min, max] = this.board.range();
    if (this.u && max > min) this.u.setScale("x", { min, max });
    this.showTime();
  }

  showTime(): void {
    if (!this.u) return;
    const t = this.board.clock.time;
    this.lineTime = t;
    const [from, to] = this.board.range();
    const x = this.u.valToPos(t, "x");
    this.line.hidden = !(t >= from && t <= to) || !Number.isFinite(x);
    const place = `translateX(${(Math.round(2 * x) / 2).toFixed(1)}px)`; // what moves by less is not painted again
    if (!this.line.hidden && place !== this.linePlace) this.line.style.transform = this.linePlace = place;
    // Numbers need not run faster than the eye.
    const now = performance.now();
    if (!this.times.length || (this.board.clock.playing && now - this.lastValues < 200)) return;
    this.lastValues = now;
    const i = indexBefore(this.times, t);
    const j = Math.min(i + 1, this.times.length - 1);
    const gap = this.times[j] - this.times[i];
    const s = gap > 0 ? Math.min(1, Math.max(0, (t - this.times[i]) / gap)) : 0;
    this.columns.forEach((c, k) => {
      const [a, b] = [c[i], c[j]];
      const v = a === null || b === null ? (s < 0.5 ? a : b) : a + s * (b - a);
      const text = brief(v, 5);
      if (this.values[k].textContent !== text) this.values[k].textContent = text;
    });
  }

  private width(): number {
    return Math.max(120, this.body.clientWidth);
  }

  private renew(): void {
    if (!this.u) return;
    this.unpack();
    this.u.setData(this.data(), false);
    this.applyWindow();
  }

  private unpack(): void {
    this.times = Array.from(unpack(this.shown.times));
    this.columns = this.shown.curves.map((c) => column(c.values, this.shown.y === "log"));
  }

  private isArea(k: number): boolean {
    return this.plot.stacked && !this.plot.curves[k].line;
  }

  // What is stacked: positive parts upwards, negative parts downwards, each on the ones before it.
  private areas(): number[] {
    return this.plot.curves.map((_, k) => k).filter((k) => this.isArea(k) && this.visible[k]);
  }

  private data(): uPlot.AlignedData {
    const rows: Column[] = [];
    if (this.plot.stacked) {
      const zero = this.times.map(() => 0);
      rows.push(zero);
      for (const sign of [1, -1]) {
        let below: Column = zero;
        for (const k of this.areas()) {
          below = below.map((base, i) => {
            const v = this.columns[k][i];
            return base === null || v === null ? null : base + sign * Math.max(0, sign * v);
          });
          rows.push(below);
        }
      }
    }
    this.columns.forEach((c, k) => {
      if (!this.isArea(k)) rows.push(c);
    });
    return [this.times, ...rows];
  }

  private look(k: number): { colour: string; dash: number[] } {
    const drawnOver = this.plot.stacked && this.plot.curves[k].line;
    return drawnOver ? { colour: styleColour("--ink"), dash: curveDash(k) } : { colour: curveColour(k), dash: this.plot.stacked ? [] : curveDash(k) };
  }

  private options(): uPlot.Options {
    const { plot } = this;
    const log = plot.y === "log";
    const series: uPlot.Series[] = [{}];
    const bands: uPlot.Band[] = [];
    if (plot.stacked) {
      series.push({ stroke: styleColour("--muted"), width: 1, points: { show: false } });
      const areas = this.areas();
      for (const sign of [1, -1]) {
        areas.forEach((k, n) => {
          const me = series.length;
          const below = n === 0 ? 1 : me - 1;
          series.push({ stroke: "transparent", width: 0, points: { show: false } });
          bands.push({ series: sign > 0 ? [me, below] : [below, me], fill: this.look(k).colour + "b8" });
        });
      }
    }
    plot.curves.forEach((_, k) => {
      if (this.isArea(k)) return;
      const { colour, dash } = this.look(k);
      series.push({ show: this.visible[k], stroke: colour, dash, width: plot.stacked ? 1.6 : 1.5, points: { show: false }, spanGaps: false });
    });
    return {
      width: this.width(),
      height: plotHeight,
      pxAlign: false,
      padding: [8, 12, 0, 0],
      legend: { show: false },
      series,
      bands,
      scales: {
        x: { time: false },
        y: log ? { distr: 3, range: (_u, min, max) => logRange(min, max) } : { range: (_u, min, max) => linearRange(min, max) },
      },
      axes: [axis(this.board.axis, false, false), axis("", log, true)],
      cursor: { x: false, y: false, points: { show: false }, drag: { x: true, y: false, setScale: false, dist: 4 }, bind: { dblclick: () => () => null } },
      hooks: {
        setSelect: [(u) => this.selected(u)],
        drawAxes: [(u) => this.drawEvents(u)],
        draw: [() => this.showTime()], // only now does the plot know where a time is
      },
    };
  }

  private selected(u: uPlot): void {
    if (u.select.width < 4) return;
    const from = u.posToVal(u.select.left, "x");
    const to = u.posToVal(u.select.left + u.select.width, "x");
    u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    this.board.zoom({ from, to });
  }

  private listen(u: uPlot): void {
    const { clock } = this.board;
    const timeAt = (e: MouseEvent): number => u.posToVal(e.clientX - u.over.getBoundingClientRect().left, "x");
    let downAt = 0;
    u.over.addEventListener("pointerdown", (e) => (downAt = e.clientX));
    u.over.addEventListener("pointermove", (e) => {
      if (e.pointerType === "touch") {
        clock.pause();
        clock.set(timeAt(e));
      } else if (!e.buttons) clock.peek(timeAt(e));
    });
    u.over.addEventListener("pointerleave", () => clock.peek(null));
    u.over.addEventListener("click", (e) => {
      if (Math.abs(e.clientX - downAt) < 4) clock.set(timeAt(e));
    });
    u.over.addEventListener("dblclick", () => this.board.zoom(null));
  }

  private drawEvents(u: uPlot): void {
    const { ctx, bbox } = u;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    for (const e of this.board.events) {
      const x = u.valToPos(e.time, "x", true);
      if (e.until !== undefined) {
        ctx.fillStyle = styleColour("--event-fill");
        ctx.fillRect(x, bbox.top, u.valToPos(e.until, "x", true) - x, bbox.height);
      } else {
        ctx.strokeStyle = styleColour("--event");
        ctx.lineWidth = devicePixelRatio;
        ctx.setLineDash([3 * devicePixelRatio, 3 * devicePixelRatio]);
        ctx.beginPath();
        ctx.moveTo(x, bbox.top);
        ctx.lineTo(x, bbox.top + bbox.height);
        ctx.stroke();
      }
    }
    ctx.restore();
  }

  private fillLegend(): void {
    this.values.length = 0;
    this.legend.replaceChildren(
      ...this.plot.curves.map((c, k) => {
        const value = el("span", { class: "value" });
        this.values.push(value);
        const { colour, dash } = this.look(k);
        return el(
          "button",
          {
            type: "button",
            class: "legend-entry",
            "aria-pressed": String(this.visible[k]),
            title: `${c.name}: show or hide`,
            click: () => {
              this.visible[k] = !this.visible[k];
              this.recreate();
              this.legend.querySelectorAll("button")[k]?.focus();
            },
          },
          swatch(colour, dash, this.isArea(k)),
          el("span", { class: "name" }, c.name),
          value,
        );
      }),
    );
  }

  private entries(): LegendEntry[] {
    return this.plot.curves
      .map((c, k) => ({ name: c.name, ...this.look(k), area: this.isArea(k) }))
      .filter((_, k) => this.visible[k]);
  }

  private png(): void {
    this.create();
    if (this.u) savePng(this.plot.unit ? `${this.plot.title} [${this.plot.unit}]` : this.plot.title, this.u.ctx.canvas, this.entries());
  }

  private csv(): void {
    this.unpack();
    const unit = this.plot.unit ? ` [${this.plot.unit}]` : "";
    saveCsv(this.plot.title, [this.board.axis, ...this.plot.curves.map((c) => c.name + unit)], [this.times, ...this.columns]);
  }
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
