import { el } from "./dom";
import type { Stage } from "./scene";

// All names with a search: which of them draw their path.
export function trailsMenu(stage: Stage): HTMLElement {
  const list = el("ul", { class: "trail-list" });
  const search = el("input", { type: "search", placeholder: "Search names", "aria-label": "Search names" });
  const fill = (): void => {
    const asked = search.value.trim().toLowerCase();
    const on = stage.trails;
    const found = stage.frames.map((name, i) => ({ name, i })).filter(({ name }) => name.toLowerCase().includes(asked));
    found.sort((a, b) => Number(on.has(b.i)) - Number(on.has(a.i)) || a.i - b.i);
    list.replaceChildren(
      ...found.slice(0, 200).map(({ name, i }) => {
        const box = el("input", { type: "checkbox" });
        box.checked = on.has(i);
        box.addEventListener("change", () => {
          stage.setTrail(i, box.checked);
          stage.select(i);
        });
        return el("li", {}, el("label", {}, box, el("span", { class: "trail-name" }, name), el("span", { class: "muted" }, i < stage.nodeCount ? "node" : "body")));
      }),
      found.length > 200 && el("li", { class: "muted" }, `${found.length - 200} more: search for them`) || "",
    );
  };
  search.addEventListener("input", fill);
  const menu = el("details", { class: "menu" }, el("summary", { title: "Paths of nodes and bodies" }, "Trails"), el("div", { class: "menu-body" }, search, list));
  menu.addEventListener("toggle", () => menu.open && fill());
  stage.onSelect = () => menu.open && fill();
  document.addEventListener("pointerdown", (e) => {
    if (!menu.contains(e.target as Node) && e.target !== stage.canvas) menu.open = false;
  });
  menu.addEventListener("keydown", (e) => {
    if (e.key === "Escape") menu.open = false;
  });
  return menu;
}
