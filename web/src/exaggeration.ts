// How many times larger than they are small motions are drawn.
import { el } from "./dom";

const choices = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

export function exaggerationChoice(chosen: (times: number) => void): HTMLSelectElement {
  const choice = el(
    "select",
    { class: "exaggeration", "aria-label": "Exaggeration of the motion", title: "Draws what is away from the start so many times larger" },
    ...choices.map((times) => el("option", { value: times }, times === 1 ? "true size" : `${times}× motion`)),
  );
  choice.addEventListener("change", () => chosen(Number(choice.value)));
  return choice;
}
