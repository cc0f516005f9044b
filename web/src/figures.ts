// Curves that have their own abscissa: spectra, figures of a reproduction, places on a map.
import uPlot from "uplot";
import type { Figure } from "./data";
import { button, el } from "./dom";
import { saveCsv, savePng } from "./export";
import { brief } from "./numbers";
import { axis, axisHeight, axisWidth, linearRange, logRange, swatch } from "./axes";
import { curveColour, curveDash, onTheme } from "./theme";
import { unpack } from "./unpack";

type Range = [number, number];
type Points = { xs: Float32Array; ys: Float32Array };

const padding: [number, number, number, number] = [8, 14, 0, 0];

export function figureGroups(figures: Figure[]): HTMLElement[] {
  const groups = new Map<string, Figure[]>();
  for (const f of figures) groups.set(f.group, [...(groups.get(f.group) ?? []), f]);
  return [...groups].map(([group, members]) =>
    el(
      "section",
      { class: members.length > 1 ? "figures several" : "figures", "aria-label": group || "Figures" },
      group ? el("h2", {}, group) : null,
      el("div", { class: "plot-grid" }, ...members.map((f) => new FigureCard(f).element)),
    ),
  );
}

// By the style object: the page's policy refuses style attributes.
function dot(colour: string): HTMLElement {
  const mark = el("span", { class: "swatch dot" });
  mark.style.background = colour;
  return mark;
}

export class FigureCard {
  readonly element: HTMLElement;
  private readonly body = el("div", { class: "plot-body" });
  private readonly legend = el("div", { class: "plot-legend" });
  private readonly readout = el("output", { class: "readout" });
  private readonly visible: boolean[];
  private u: uPlot | null = null;
  private window: { x: Range; y: Range } | null = null;

  constructor(
    private readonly figure: Figure,
    private readonly points: Points[] = figure.curves.map((c) => ({ xs: unpack(c.xs), ys: unpack(c.ys) })),
  ) {
    this.visible = figure.curves.map(() => true);
    this.body.style.height = `${this.height()}px`;
    this.element = el(
      "article",
      { class: "card plot", "data-figure": figure.title },
      el(
        "header",
        {},
        el("h3", {}, figure.title),
        this.readout,
        el("div", { class: "tools" }, button("Save as PNG", "PNG", () => this.png()), button("Save as CSV", "CSV", () => this.csv())),
      ),
      this.body,
      this.legend,
    );
    this.fillLegend();
    onTheme(() => this.recreate());
    const watch = new IntersectionObserver(
      (entries) => {
        if (!entries.some((e) => e.isIntersecting)) return;
        watch.disconnect();
        this.create();
        new ResizeObserver(() => this.u?.setSize({ width: this.width(), height: this.height() })).observe(this.body);
      },
      { rootMargin: "300px" },
    );
    watch.observe(this.element);
  }

  private height(): number {
    return this.figure.map ? 340 : 270;
  }

  private width(): number {
    return Math.max(120, this.body.clientWidth);
  }

  private create(): void {
    const { figure } = this;
    this.u = new uPlot(
      {
        width: this.width(),
        height: this.height(),
        pxAlign: false,
        padding,
        legend: { show: false },
        series: [{}, { paths: () => null, points: { show: false } }],
        scales: {
          x: { time: false, distr: figure.x.log ? 3 : 1, range: () => this.ranges().x },
          y: { distr: figure.y.log ? 3 : 1, range: () => this.ranges().y },
        },
        axes: [axis(figure.x.label, figure.x.log, false), { ...axis(figure.y.label, figure.y.log, true), size: axisWidth - 12 }],
        cursor: { x: true, y: true, points: { show: false }, drag: { x: true, y: true, uni: 20, setScale: false, dist: 4 }, bind: { dblclick: () => () => null } },
        hooks: {
          draw: [(u) => this.draw(u)],
          setSelect: [(u) => this.selected(u)],
          setCursor: [(u) => this.read(u)],
        },
      },
      [
        [1, 2],
        [1, 2],
      ],
      this.body,
    );
    this.u.over.addEventListener("dblclick", () => {
      this.window = null;
      this.rescale();
    });
  }

  private recreate(): void {
    this.fillLegend();
    if (!this.u) return;
    this.u.destroy();
    this.create();
  }

  private rescale(): void {
    if (!this.u) return;
    const { x, y } = this.ranges();
    const { u } = this;
    u.batch(() => {
      u.setScale("x", { min: x[0], max: x[1] });
      u.setScale("y", { min: y[0], max: y[1] });
    });
  }

  private ranges(): { x: Range; y: Range } {
    if (this.window) return this.window;
    const { figure } = this;
    const over = (rows: Float32Array[], log: boolean): [number | null, number | null] => {
      let low = Infinity;
      let high = -Infinity;
      for (const r of rows) {
        for (const v of r) {
          if (!Number.isFinite(v) || (log && v <= 0)) continue;
          low = Math.min(low, v);
          high = Math.max(high, v);
        }
      }
      return low <= high ? [low, high] : [null, null];
    };
    const shown = this.points.filter((_, i) => this.visible[i]);
    const [x0, x1] = over(shown.map((p) => p.xs), figure.x.log);
    const [y0, y1] = over(shown.map((p) => p.ys), figure.y.log);
    let x: Range = figure.x.log ? logRange(x0, x1) : x0 !== null && x1 !== null && x1 > x0 ? [x0, x1] : linearRange(x0, x1);
    let y: Range = figure.y.range ?? (figure.y.log ? logRange(y0, y1) : linearRange(y0, y1));
    if (figure.map) {
      // The same metres per pixel both ways.
      x = linearRange(x0, x1);
      const wide = this.width() - axisWidth - 6 - padding[1];
      const tall = this.height() - axisHeight - padding[0];
      const scale = Math.max((x[1] - x[0]) / wide, (y[1] - y[0]) / tall);
      const about = (r: Range, span: number): Range => [(r[0] + r[1] - span) / 2, (r[0] + r[1] + span) / 2];
      x = about(x, scale * wide);
      y = about(y, scale * tall);
    }
    return { x, y };
  }

  private draw(u: uPlot): void {
    const { ctx, bbox } = u;
    const dpr = devicePixelRatio;
    const edge = this.window ? 0 : 4 * dpr; // dots on the frame are whole
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left - edge, bbox.top - edge, bbox.width + 2 * edge, bbox.height + 2 * edge);
    ctx.clip();
    this.figure.curves.forEach((curve, k) => {
      if (!this.visible[k]) return;
      const { xs, ys } = this.points[k];
      ctx.strokeStyle = ctx.fillStyle = curveColour(k);
      ctx.lineWidth = 1.6 * dpr;
      ctx.setLineDash(curveDash(k).map((d) => d * dpr));
      ctx.lineJoin = "round";
      ctx.beginPath();
      let pen = false;
      for (let i = 0; i < xs.length; ++i) {
        const good = Number.isFinite(xs[i]) && Number.isFinite(ys[i]) && !(this.figure.x.log && xs[i] <= 0) && !(this.figure.y.log && ys[i] <= 0);
        if (!good) {
          pen = false;
          continue;
        }
        const x = u.valToPos(xs[i], "x", true);
        const y = u.valToPos(ys[i], "y", true);
        if (curve.dots) {
          ctx.moveTo(x + 2.8 * dpr, y);
          ctx.arc(x, y, 2.8 * dpr, 0, 2 * Math.PI);
        } else if (pen) ctx.lineTo(x, y);
        else ctx.moveTo(x, y);
        pen = true;
      }
      if (curve.dots) ctx.fill();
      else ctx.stroke();
    });
    ctx.restore();
  }

  private selected(u: uPlot): void {
    const { left, top, width, height } = u.select;
    if (width < 4 && height < 4) return;
    const now = this.ranges();
    const full = (size: number, whole: number): boolean => size < 4 || size >= whole - 1;
    const box = u.over.getBoundingClientRect();
    this.window = {
      x: full(width, box.width) ? now.x : [u.posToVal(left, "x"), u.posToVal(left + width, "x")],
      y: full(height, box.height) ? now.y : [u.posToVal(top + height, "y"), u.posToVal(top, "y")],
    };
    u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    this.rescale();
  }

  private read(u: uPlot): void {
    const { left, top } = u.cursor;
    this.readout.textContent =
      left === undefined || top === undefined || left < 0 ? "" : `${brief(u.posToVal(left, "x"), 4)}, ${brief(u.posToVal(top, "y"), 4)}`;
  }

  private fillLegend(): void {
    this.legend.replaceChildren(
      ...this.figure.curves.map((c, k) =>
        el(
          "button",
          {
            type: "button",
            class: "legend-entry",
            "aria-pressed": String(this.visible[k]),
            title: `${c.name}: show or hide`,
            click: () => {
              this.visible[k] = !this.visible[k];
              this.fillLegend();
              this.rescale();
              this.legend.querySelectorAll("button")[k]?.focus();
            },
          },
          c.dots ? dot(curveColour(k)) : swatch(curveColour(k), curveDash(k), false),
          el("span", { class: "name" }, c.name),
        ),
      ),
    );
  }

  private png(): void {
    if (!this.u) return;
    savePng(
      this.figure.title,
      this.u.ctx.canvas,
      this.figure.curves
        .map((c, k) => ({ name: c.name, colour: curveColour(k), dash: c.dots ? [2, 4] : curveDash(k), area: false }))
        .filter((_, k) => this.visible[k]),
    );
  }

  private csv(): void {
    const { figure } = this;
    saveCsv(
      figure.title,
      figure.curves.flatMap((c) => [`${c.name}: ${figure.x.label}`, `${c.name}: ${figure.y.label}`]),
      this.points.flatMap((p) => [p.xs, p.ys]),
    );
  }
}
