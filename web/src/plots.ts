// Curves over time. All plots share one cursor, which is the time of the scene, and one window in time.
import type { Clock } from "./clock";
import type { Event, Run, TimePlot } from "./data";
import { el } from "./dom";
import { drawnInSoftware } from "./graphics";
import { OwnCurves } from "./own_curves";
import { Card } from "./plot_card";
import { onTheme } from "./theme";
import { unpack } from "./unpack";

export type Window = { from: number; to: number };

// The story first: what the author of the model asked for, then energy and momenta, then the rest. How well the numbers were computed
// stands folded behind it.
const quality = new Set(["residual", "constraint-errors", "beta", "iterations"]);
const leading = 4; // sensors before the energy; the others after the momenta
function inOrder(plots: TimePlot[]): TimePlot[] {
  const sensors = plots.filter((p) => p.id.startsWith("sensor:")).slice(0, leading);
  const rank = (p: TimePlot): number => (sensors.includes(p) ? 0 : p.id === "factor" ? 1 : p.id === "energy" ? 2 : p.id.startsWith("momentum-") ? 3 : 4);
  return [...plots].sort((a, b) => rank(a) - rank(b));
}

export class Board {
  readonly element = el("section", { class: "plots", "aria-label": "Plots over time" });
  private cards: Card[] = [];
  private readonly grid = el("div", { class: "plot-grid" });
  private readonly checks = el("div", { class: "plot-grid" });
  private readonly folded = el("details", { class: "quality" }, el("summary", {}, "Quality of the numbers: balance, constraints, iterations"), this.checks);
  private readonly own = el("div", { class: "plot-grid" });
  private readonly ownCurves = new OwnCurves(this.own);
  private readonly waiting = el("details", { class: "waiting" });
  private window: Window | null = null;
  private sizes = new Map<string, number>();
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
    this.element.append(this.grid, this.folded, this.own, this.ownCurves.element, this.waiting);
    clock.listen(() => (clock.onBeat || !drawnInSoftware()) && this.cards.forEach((c) => c.showTime()));
    onTheme(() => this.cards.forEach((c) => c.recreate()));
  }

  get axis(): string {
    return this.run?.axis ?? "time [s]";
  }

  // The largest of all that is measured in a unit; beside it, what is 1e-11 of that is round-off.
  sizeOf(unit: string): number {
    return this.sizes.get(unit) ?? 0;
  }

  private measure(run: Run): void {
    this.sizes = new Map([["m", run.scene.size]]);
    for (const plot of run.plots)
      for (const curve of plot.curves) {
        if (!plot.unit || plot.y === "log") continue;
        let most = this.sizes.get(plot.unit) ?? 0;
        for (const x of unpack(curve.values)) if (Math.abs(x) > most) most = Math.abs(x);
        this.sizes.set(plot.unit, most);
      }
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
    this.ownCurves.take(inOrder(run.plots));
    this.measure(run);
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
    for (const plot of inOrder(run.plots)) if (chosen.size ? chosen.has(plot.id) : plot.shown) this.add(plot);
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
    (quality.has(plot.id) ? this.checks : this.grid).append(card.element);
    this.observer.observe(card.element);
    return card;
  }

  private listWaiting(): void {
    this.folded.hidden = !this.checks.childElementCount;
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
                  if (quality.has(p.id)) this.folded.open = true;
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
