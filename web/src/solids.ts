// Unit shapes and their materials, and how they are laid into space.
import {
  BoxGeometry,
  type BufferGeometry,
  Curve,
  CylinderGeometry,
  type Matrix4,
  MeshLambertMaterial,
  OctahedronGeometry,
  Quaternion,
  SphereGeometry,
  TorusGeometry,
  TubeGeometry,
  Vector3,
} from "three";
import type { Shape, Solid } from "./data";
import { drawnInSoftware } from "./graphics";
import type { Quat, Vec } from "./unpack";

// Lines on the surface, drawn by the fragment shader: edges of boxes, rims of cylinders, great circles of balls. They show how a body
// turns and cost no geometry.
const outlines = {
  box: `vec3 a = abs(vLocal); float lo = min(a.x, min(a.y, a.z)), hi = max(a.x, max(a.y, a.z));
        float d = 0.5 - (a.x + a.y + a.z - lo - hi); return stroke(d);`,
  ball: `return stroke(min(abs(vLocal.x), min(abs(vLocal.y), abs(vLocal.z))));`,
  cylinder: `float rim = abs(vLocal.z) > 0.4999 ? 1.0 - length(vLocal.xy) : 0.5 - abs(vLocal.z);
        return max(stroke(rim), vLocal.x > 0.0 ? stroke(abs(vLocal.y)) : 0.0);`,
};
export type Outline = keyof typeof outlines;

export function material(options: { colour?: string; ghost?: string | null; opacity?: number; outline?: Outline }): MeshLambertMaterial {
  const opacity = options.ghost ? 0.3 : (options.opacity ?? 1);
  const m = new MeshLambertMaterial({
    color: options.ghost ?? options.colour ?? "#ffffff",
    transparent: opacity < 1,
    opacity,
    depthWrite: opacity === 1,
  });
  const outline = options.outline;
  if (outline) {
    m.onBeforeCompile = (s) => {
      s.vertexShader = s.vertexShader
        .replace("#include <common>", "#include <common>\nvarying vec3 vLocal;")
        .replace("#include <begin_vertex>", "#include <begin_vertex>\nvLocal = position;");
      s.fragmentShader = s.fragmentShader
        .replace(
          "#include <common>",
          `#include <common>
          varying vec3 vLocal;
          float stroke(float d) { float w = fwidth(d); return (1.0 - smoothstep(0.7 * w, 1.7 * w, d)) * (1.0 - smoothstep(0.12, 0.3, w)); }
          float outline() { ${outlines[outline]} }`,
        )
        .replace("#include <color_fragment>", "#include <color_fragment>\ndiffuseColor.rgb *= 1.0 - 0.6 * outline();");
    };
    m.customProgramCacheKey = () => outline;
  }
  return m;
}

export const alongZ = (g: BufferGeometry): BufferGeometry => g.rotateX(Math.PI / 2);
export const unitBox = (): BufferGeometry => new BoxGeometry(1, 1, 1);
// As fine as there is time for so many of them.
export const unitBall = (count: number): BufferGeometry => {
  const [fine, coarse] = drawnInSoftware() ? [0, 300] : [500, 20_000];
  return new SphereGeometry(1, ...(count < fine ? [28, 18] : count < coarse ? [14, 9] : [8, 5]));
};
export const unitCylinder = (sides: number): BufferGeometry => alongZ(new CylinderGeometry(1, 1, 1, sides));

const slender = 24; // length of a spring over the radius of its coils, for which its wire is round

class Helix extends Curve<Vector3> {
  constructor(private readonly turns: number) {
    super();
  }
  override getPoint(t: number, out = new Vector3()): Vector3 {
    const body = Math.min(1, Math.max(0, (t - 0.1) / 0.8));
    const radius = Math.min(1, Math.min(t, 1 - t) / 0.1); // straight ends, then coils
    const angle = 2 * Math.PI * this.turns * body;
    return out.set(radius * Math.cos(angle), radius * Math.sin(angle), slender * (t - 0.5));
  }
}

// A spring of length and radius 1.
export const coil = (many: boolean): BufferGeometry => new TubeGeometry(new Helix(9), many ? 72 : 126, 0.13, many ? 3 : 4).scale(1, 1, 1 / slender);

// Symbols of joints.
export const solids: Record<Solid, () => BufferGeometry> = {
  octahedron: () => new OctahedronGeometry(1),
  cylinder: () => unitCylinder(24),
  box: unitBox,
  ball: () => unitBall(1),
  ring: () => new TorusGeometry(1, 0.16, 8, 28),
  link: () => unitCylinder(10),
};

const p = new Vector3();
const q = new Quaternion();
const s = new Vector3();
const zAxis = new Vector3(0, 0, 1);

export function compose(out: Matrix4, x: Vec, turn: Quat, scale: Vec): void {
  out.compose(p.set(...x), q.set(turn[1], turn[2], turn[3], turn[0]), s.set(...scale));
}

// A unit shape along z laid from a to b.
export function lay(out: Matrix4, a: Vec, b: Vec, radius: number): void {
  const d: Vec = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
  const length = Math.hypot(...d);
  p.set((a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2);
  if (length > 0) q.setFromUnitVectors(zAxis, s.set(d[0] / length, d[1] / length, d[2] / length));
  else q.identity();
  out.compose(p, q, s.set(radius, radius, Math.max(length, 1e-9)));
}

export function turnTo(axis: ArrayLike<number> | null): Quat {
  if (!axis) return [1, 0, 0, 0];
  const length = Math.hypot(axis[0], axis[1], axis[2]) || 1;
  q.setFromUnitVectors(zAxis, s.set(axis[0] / length, axis[1] / length, axis[2] / length));
  return [q.w, q.x, q.y, q.z];
}

// Of the box a shape lies in.
export function halfEdges(shape: Shape): Vec {
  const [a, b = a, c = a] = shape.size;
  switch (shape.kind) {
    case "box":
      return [a / 2, b / 2, c / 2];
    case "plate":
      return [a / 2, b / 2, 0];
    case "cylinder":
      return [a, a, b / 2];
    case "sphere":
      return [a, a, a];
    case "rod":
      return [a / 2, 0, 0];
    case "ellipsoid":
      return [a, b, c];
  }
}

export const reachOf = (shape: Shape): number => Math.hypot(...shape.position) + Math.hypot(...halfEdges(shape));

// Of the unit shape that stands for it: box of edge 1, ball of radius 1, cylinder of radius 1 and length 1.
export function scaleOf(h: Shape, size: number, unit: number): Vec {
  const thin = Math.min(0.006 * size, 0.5 * unit);
  const [x, y, z] = halfEdges(h);
  switch (h.kind) {
    case "box":
      return [2 * x, 2 * y, 2 * z];
    case "plate":
      return [2 * x, 2 * y, 0.03 * Math.max(x, y)];
    case "cylinder":
      return [x, y, 2 * z];
    case "rod":
      return [thin, thin, 2 * x];
    default:
      return [x, y, z];
  }
}
