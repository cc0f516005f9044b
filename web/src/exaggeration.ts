// How many times larger than they are small motions are drawn.
import { el } from "./dom";

const ofMotions = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];
const ofShapes = [0.1, 0.2, 0.5, 1, 2, 5, 10]; // drawn large enough to be seen already

export function exaggerationChoice(vibrates: boolean, chosen: (times: number) => void): HTMLSelectElement {
  const choice = el(
    "select",
    { class: "exaggeration", "aria-label": "Exaggeration of the motion", title: "Draws what is away from rest so many times larger" },
    ...(vibrates ? ofShapes : ofMotions).map((times) =>
      el("option", { value: times, selected: times === 1 }, times === 1 && !vibrates ? "true size" : `${times}× motion`),
    ),
  );
  choice.addEventListener("change", () => chosen(Number(choice.value)));
  return choice;
}
