// The buttons over the scene.
import { button, el, icon } from "./dom";
import { exaggerationChoice } from "./exaggeration";
import { filmButton } from "./film";
import type { Stage } from "./scene";
import { trailsMenu } from "./trails_menu";

export function stageTools(stage: Stage, title: string): HTMLElement {
  const names = button("Show all names (n)", "Names", () => names.setAttribute("aria-pressed", String(stage.toggleNames())), { "aria-pressed": "false", class: "names-button" });
  return el(
    "div",
    { class: "stage-tools", role: "toolbar", "aria-label": "view" },
    button("Fit to the window (f)", icon("M2 6V2h4M10 2h4v4M14 10v4h-4M6 14H2v-4"), () => stage.fit()),
    ...(["x", "y", "z"] as const).map((v) => button(`Look along ${v} (${v})`, v, () => stage.view(v))),
    button("Look from a corner (i)", "iso", () => stage.view("iso")),
    names,
    trailsMenu(stage),
    stage.exaggerates ? exaggerationChoice(stage.alone, (times) => stage.exaggerate(times)) : null,
    stage.followButton,
    filmButton(stage.canvas, stage.clock, title, (on) => stage.solid(on)),
    button("Save this view as PNG", icon("M8 2v8M4.5 7 8 10.5 11.5 7M2.5 13.5h11"), () => stage.picture(title)),
  );
}
