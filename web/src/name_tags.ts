// Names beside what they name; one that would lie over another waits until there is room.
import { el } from "./dom";

export interface Tag {
  text: string;
  x: number; // CSS pixels
  y: number;
  visible: boolean;
  selected: boolean;
}

export class NameTags {
  readonly element = el("div", { class: "names", "aria-hidden": "true" });
  private readonly sizes = new Map<string, { w: number; h: number }>();

  show(tags: Tag[]): void {
    while (this.element.childElementCount > tags.length) this.element.lastElementChild?.remove();
    while (this.element.childElementCount < tags.length) this.element.append(el("div", { class: "tag" }));
    const taken: { x: number; y: number; w: number; h: number }[] = [];
    const elements = [...this.element.children] as HTMLElement[];
    const order = tags.map((_, i) => i).sort((a, b) => Number(tags[b].selected) - Number(tags[a].selected));
    tags.forEach((tag, i) => {
      if (elements[i].textContent !== tag.text) elements[i].textContent = tag.text;
    });
    for (const i of order) {
      const { text, x, y, visible, selected } = tags[i];
      const tag = elements[i];
      let size = this.sizes.get(text);
      if (!size) this.sizes.set(text, (size = { w: tag.offsetWidth, h: tag.offsetHeight }));
      const box = { x: x + 9, y: y - 24, ...size };
      const free = taken.every((t) => box.x >= t.x + t.w || t.x >= box.x + box.w || box.y >= t.y + t.h || t.y >= box.y + box.h);
      tag.classList.toggle("selected", selected);
      tag.style.visibility = visible && free ? "visible" : "hidden";
      tag.style.transform = `translate(${box.x.toFixed(1)}px, ${box.y.toFixed(1)}px)`;
      if (visible && free) taken.push(box);
    }
  }
}
