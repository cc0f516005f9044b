// Where the camera stands.
import { type PerspectiveCamera, Vector3 } from "three";
import { type Box, diagonalOf, length } from "./bounds";
import type { Vec } from "./unpack";

// From the right front, a little above, whatever is up; what is flat is seen rather from its broad side.
export function corner(size: Vec, up: Vec): Vec {
  const k = up.findIndex((c) => c !== 0);
  const [a, b] = [(k + 1) % 3, (k + 2) % 3];
  const v: Vec = [0, 0, 0];
  v[a] = 1;
  v[b] = k === 2 ? -1.5 : 1.5;
  v[k] = 0.9 * up[k];
  const thin = size.indexOf(Math.min(...size));
  const others = size.filter((_, i) => i !== thin);
  if (size[thin] < 0.3 * Math.min(...others)) v[thin] = Math.sign(v[thin]) * 2.6;
  return v;
}

// In direction `d` of the middle, far enough to see the whole box.
export function viewpoint(camera: PerspectiveCamera, box: Box, d: Vector3, upAxis: number): { position: Vector3; target: Vector3 } {
  const { low, high } = box;
  const target = new Vector3((low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2);
  d.normalize();
  if (Math.abs(d.dot(camera.up)) > 0.9999) {
    // Straight from above: the poles are not quite reachable, and need to know which way is up.
    const k = upAxis;
    d.setComponent((k + 1) % 3, d.getComponent((k + 1) % 3) + (k === 2 ? 0 : 1e-3));
    d.setComponent((k + 2) % 3, d.getComponent((k + 2) % 3) + (k === 2 ? -1e-3 : 1e-3)).normalize();
  }
  const right = new Vector3().crossVectors(camera.up, d).normalize();
  const above = new Vector3().crossVectors(d, right);
  const v = Math.tan((camera.fov * Math.PI) / 360);
  const h = v * camera.aspect;
  let distance = 0;
  for (let k = 0; k < 8; ++k) {
    const c = new Vector3(...([0, 1, 2].map((i) => ((k >> i) & 1 ? high[i] : low[i])) as Vec)).sub(target);
    distance = Math.max(distance, Math.abs(c.dot(right)) / h + c.dot(d), Math.abs(c.dot(above)) / v + c.dot(d));
  }
  const size = length(diagonalOf(box)) || 1;
  return { target, position: target.clone().addScaledVector(d, 1.13 * distance + 0.02 * size) };
}
