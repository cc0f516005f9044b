// What the colours of bars and rods say, and the choice of what rods show.
import { el } from "./dom";
import { forceLegend } from "./landmarks";
import { type Carried, carriedByRods, hasSign, largestCarried, unitOf } from "./rods";
import type { Motion } from "./unpack";

export class ForceLegend {
  readonly element = el("div", { class: "force-legend", hidden: true });
  carried: Carried | null = carriedByRods[0];

  constructor(
    private readonly motion: Motion,
    private readonly chosen: () => void,
  ) {}

  show(): void {
    const { motion } = this;
    const [bars, rods] = [motion.forces.length > 0, motion.rodForces.length > 0];
    this.element.hidden = !bars && !rods;
    this.element.replaceChildren(
      ...(bars ? forceLegend("axial force [N]", motion.largestForce, ["compression", "tension"]) : []),
      ...(rods ? this.ofRods() : []),
    );
  }

  private ofRods(): HTMLElement[] {
    const { carried } = this;
    const plain = "one colour";
    const choice = el("select", { "aria-label": "Colours of rods" }, ...[plain, ...carriedByRods].map((what) => el("option", { value: what, selected: what === (carried ?? plain) }, what)));
    choice.addEventListener("change", () => {
      this.carried = carriedByRods.find((what) => what === choice.value) ?? null;
      this.show();
      this.chosen();
    });
    const ramp = carried ? forceLegend("", largestCarried(this.motion, carried), hasSign(carried) ? ["negative", "positive"] : null, unitOf(carried)) : [];
    return [el("label", { class: "legend-title" }, "Rods: ", choice), ...ramp];
  }
}
