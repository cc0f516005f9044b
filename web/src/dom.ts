// Elements by hand. Every text goes through text nodes, so nothing a model says can become markup.

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | undefined | ((event: never) => void)>;

export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") e.addEventListener(name, value as EventListener);
    else if (value === true) e.setAttribute(name, "");
    else if (value !== false && value !== undefined) e.setAttribute(name, String(value));
  }
  for (const c of children) if (c) e.append(c);
  return e;
}

const svgSpace = "http://www.w3.org/2000/svg";

export function svg(tag: string, attributes: Record<string, string | number> = {}, ...children: Child[]): SVGElement {
  const e = document.createElementNS(svgSpace, tag);
  for (const [name, value] of Object.entries(attributes)) e.setAttribute(name, String(value));
  for (const c of children) if (c) e.append(c);
  return e;
}

export function icon(path: string): SVGElement {
  return svg("svg", { viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true", class: "icon" }, svg("path", { d: path }));
}

export function button(label: string, content: Child, click: () => void, attributes: Attributes = {}): HTMLButtonElement {
  return el("button", { type: "button", "aria-label": label, title: label, click, ...attributes }, content);
}
