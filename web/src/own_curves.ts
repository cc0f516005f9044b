// Curves that the reader asks for: one quantity against another, a section at even times, a spectrum.
import type { TimePlot } from "./data";
import { el } from "./dom";
import { FigureCard } from "./figures";
import { brief } from "./numbers";
import { against, peakOf, type Signal, spectrum } from "./signal";
import { unpack } from "./unpack";

const label = ({ name, unit }: Signal): string => (unit ? `${name} [${unit}]` : name);

export class OwnCurves {
  readonly element = el("details", { class: "own-curves" });
  private plots: TimePlot[] = [];
  private readonly vertical = el("select", { "aria-label": "Upwards" });
  private readonly horizontal = el("select", { "aria-label": "To the right" });
  private readonly period = el("input", { type: "number", min: 0, step: "any", placeholder: "all times", "aria-label": "Only every so many seconds" });

  constructor(private readonly place: HTMLElement) {
    const draw = el("button", { type: "button", click: () => this.draw() }, "Draw");
    const every = el("label", {}, " every ", this.period, " s");
    this.horizontal.addEventListener("change", () => (every.hidden = this.horizontal.value === "frequency"));
    this.element.append(
      el("summary", {}, "One curve over another, spectra"),
      el("p", { class: "own-choice" }, this.vertical, " over ", this.horizontal, every, " ", draw),
    );
  }

  take(plots: TimePlot[]): void {
    const same = this.plots.length === plots.length && plots.every((p, i) => p.id === this.plots[i].id);
    this.plots = plots;
    if (same) return;
    const options = (): HTMLElement[] =>
      plots.flatMap((p, i) => p.curves.map((_, k) => el("option", { value: `${i} ${k}` }, label({ ...this.named(p, k), unit: p.unit }))));
    this.vertical.replaceChildren(...options());
    this.horizontal.replaceChildren(el("option", { value: "frequency" }, "frequency [Hz]"), ...options());
    this.horizontal.selectedIndex = Math.min(2, this.horizontal.options.length - 1); // not itself
    this.element.hidden = plots.length === 0;
  }

  // "Energy, total", but not "tip height, tip height".
  private named(plot: TimePlot, curve: number): Signal {
    const { name } = plot.curves[curve];
    return { name: plot.curves.length === 1 || name === plot.title ? plot.title : `${plot.title}, ${name}`, unit: plot.unit, times: [], values: [] };
  }

  private signal(choice: string): Signal {
    const [i, k] = choice.split(" ").map(Number);
    const plot = this.plots[i];
    return { ...this.named(plot, k), times: unpack(plot.times), values: unpack(plot.curves[k].values) };
  }

  private draw(): void {
    const y = this.signal(this.vertical.value);
    const inFrequency = this.horizontal.value === "frequency";
    const period = Number(this.period.value) || 0;
    const x = inFrequency ? null : this.signal(this.horizontal.value);
    const points = x ? against(x, y, period) : spectrum(y);
    const at = x ? "" : `, most at ${brief(peakOf(points), 4)} Hz`;
    const card = new FigureCard(
      {
        title: x ? `${y.name} over ${x.name}` : `Spectrum of ${y.name}${at}`,
        x: { label: x ? label(x) : "frequency [Hz]", log: false },
        y: { label: x ? label(y) : `amplitude${y.unit ? ` [${y.unit}]` : ""}`, log: !x },
        map: false,
        curves: [{ name: period && x ? `every ${brief(period)} s` : y.name, xs: "", ys: "", dots: period > 0 && x !== null }],
        group: "",
      },
      [points],
    );
    this.place.append(card.element);
    card.element.scrollIntoView({ block: "nearest" });
  }
}
