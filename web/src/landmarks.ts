// What tells the eye where it is: a grid, the axes, the colours of forces.
import { BufferGeometry, type Camera, Float32BufferAttribute, LineBasicMaterial, LineSegments, Vector3 } from "three";
import { type Box, diagonalOf } from "./bounds";
import { el, svg } from "./dom";
import { brief } from "./numbers";
import { forceGradient } from "./theme";
import type { Vec } from "./unpack";

// A floor under the motion, or graph paper behind a plane one; its squares have a round size.
export function gridOf({ low, high }: Box, plane: string, up: Vec): { grid: LineSegments; step: number; normal: number } {
  const size = Math.max(...diagonalOf({ low, high })) || 1;
  const raw = size / 8;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * ([1, 2, 5, 10].find((s) => s * power >= raw) ?? 10);
  const normal = plane ? ["yz", "xz", "xy"].indexOf(plane) : up.findIndex((c) => c !== 0);
  const [a, b] = [(normal + 1) % 3, (normal + 2) % 3];
  const sign = plane ? (normal === 1 ? -1 : 1) : up[normal];
  const level = sign > 0 ? low[normal] - 0.02 * size : high[normal] + 0.02 * size;
  const cells = (k: number): [number, number] => [
    Math.floor(low[k] / step - 0.6) * step,
    Math.ceil(high[k] / step + 0.6) * step,
  ];
  const [a0, a1] = cells(a);
  const [b0, b1] = cells(b);
  const points: number[] = [];
  const push = (u: number, w: number): void => {
    const x: Vec = [0, 0, 0];
    x[a] = u;
    x[b] = w;
    x[normal] = level;
    points.push(...x);
  };
  for (let u = a0; u <= a1 + 0.01 * step; u += step) push(u, b0), push(u, b1);
  for (let w = b0; w <= b1 + 0.01 * step; w += step) push(a0, w), push(a1, w);
  const geometry = new BufferGeometry().setAttribute("position", new Float32BufferAttribute(points, 3));
  const grid = new LineSegments(geometry, new LineBasicMaterial({ color: "#888888" }));
  grid.raycast = () => {};
  return { grid, step, normal };
}

// Three axes and gravity, as the camera sees them.
export function axesOf(camera: Camera, gravity: Vec): SVGElement[] {
  const toCamera = camera.matrixWorldInverse;
  const arrows: { d: Vector3; name: string; className: string }[] = (["x", "y", "z"] as const).map((name, k) => ({
    d: new Vector3(k === 0 ? 1 : 0, k === 1 ? 1 : 0, k === 2 ? 1 : 0).transformDirection(toCamera),
    name,
    className: `axis-${name}`,
  }));
  const g = new Vector3(...gravity);
  if (g.length() > 0) arrows.push({ d: g.transformDirection(toCamera), name: "g", className: "axis-g" });
  arrows.sort((a, b) => a.d.z - b.d.z);
  return arrows.map(({ d, name, className }) => {
      const reach = name === "g" ? 27 : 34;
      const x = d.x * reach;
      const y = -d.y * reach;
      const flat = Math.hypot(x, y);
      const group = svg("g", { class: className }, svg("line", { x1: 0, y1: 0, x2: x, y2: y }));
      if (flat > 6) {
        const [ux, uy] = [x / flat, y / flat];
        group.append(svg("path", { d: `M${x + 5 * ux},${y + 5 * uy} L${x - 3.2 * uy},${y + 3.2 * ux} L${x + 3.2 * uy},${y - 3.2 * ux} Z` }));
        const text = svg("text", { x: x + 12 * ux, y: y + 12 * uy });
        text.textContent = name;
        group.append(text);
      }
      return group;
    });
}

// `ends`: what is below and above zero; null where nothing is below.
export function forceLegend(title: string, largest: number, ends: [string, string] | null, unit = ""): HTMLElement[] {
  const ramp = el("div", { class: "ramp" });
  ramp.style.backgroundImage = forceGradient();
  if (!ends) { // the upper half of the colours alone
    ramp.style.backgroundSize = "200% 100%";
    ramp.style.backgroundPosition = "right";
  }
  const row = (...texts: string[]): HTMLElement => el("div", { class: "legend-ends" }, ...texts.map((text) => el("span", {}, text)));
  return [
    ...(title ? [el("div", { class: "legend-title" }, title)] : []),
    ramp,
    ends ? row(brief(-largest, 3), unit ? `0 ${unit}` : "0", "+" + brief(largest, 3)) : row("0", `${brief(largest, 3)} ${unit}`.trim()),
    ...(ends ? [row(...ends)] : []),
  ];
}
