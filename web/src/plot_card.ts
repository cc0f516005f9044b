// One plot over time: curves, a legend with their values, the line where the time is.
import uPlot from "uplot";
import { axis, linearRange, logRange, swatch } from "./axes";
import type { TimePlot } from "./data";
import { button, el } from "./dom";
import { type LegendEntry, saveCsv, savePng } from "./export";
import { brief } from "./numbers";
import type { Board } from "./plots";
import { curveColour, curveDash, styleColour } from "./theme";
import { indexBefore, unpack } from "./unpack";

type Column = (number | null)[];

const plotHeight = 230;
const roundOff = 1e-11;

const column = (packed: string, log: boolean): Column =>
  Array.from(unpack(packed), (v) => (!Number.isFinite(v) || (log && v <= 0) ? null : v));

export class Card {
  readonly element: HTMLElement;
  private readonly body = el("div", { class: "plot-body" });
  private readonly legend = el("div", { class: "plot-legend" });
  private readonly remark = el("p", { class: "plot-remark", hidden: true });
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
      this.remark,
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
    this.calmRoundOff();
  }

  // What is round-off beside everything of the same unit is drawn as the zero that it is, its size said.
  private calmRoundOff(): void {
    const size = this.board.sizeOf(this.plot.unit);
    if (this.plot.y === "log" || this.plot.stacked || !(size > 0)) return;
    const most = Math.max(...this.columns.map((c) => c.reduce<number>((m, v) => Math.max(m, Math.abs(v ?? 0)), 0)));
    const calm = most > 0 && most < roundOff * size;
    this.remark.hidden = !calm;
    if (!calm) return;
    this.remark.textContent = `zero, but for rounding: at most ${brief(most, 2)} ${this.plot.unit}`;
    this.columns = this.columns.map((c) => c.map((v) => (v === null ? null : 0)));
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
    const columns = this.shown.curves.map((c) => column(c.values, this.shown.y === "log")); // as packed: round-off is no zero here
    const unit = this.plot.unit ? ` [${this.plot.unit}]` : "";
    saveCsv(this.plot.title, [this.board.axis, ...this.plot.curves.map((c) => c.name + unit)], [Array.from(unpack(this.shown.times)), ...columns]);
  }
}
