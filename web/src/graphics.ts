// Without a graphics card every pixel costs: then smooth edges are not worth their price, half the pixels do while the model
// moves, and shapes are coarser.
let known: boolean | null = null;

export function drawnInSoftware(): boolean {
  if (known !== null) return known;
  const context = document.createElement("canvas").getContext("webgl2");
  const info = context?.getExtension("WEBGL_debug_renderer_info");
  const name = context ? String(context.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : context.RENDERER)) : "";
  context?.getExtension("WEBGL_lose_context")?.loseContext();
  known = /swiftshader|llvmpipe|software|basic render/i.test(name);
  return known;
}
