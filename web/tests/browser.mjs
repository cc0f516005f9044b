// Debian's chromium, without a screen and without a network.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { writePage } from "./fixture.mjs";

export const launch = () =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--enable-unsafe-swiftshader"],
  });

const directory = mkdtempSync(join(tmpdir(), "trompo-page-"));
let written = 0;

export function fileOf(data) {
  const path = join(directory, `${++written}.html`);
  writePage(path, data);
  return path;
}

// A screenshot in software rendering makes the browser itself speak of ReadPixels; that is not the page's doing.
const ofTheBrowser = (text) => text.includes("GPU stall due to ReadPixels");

// Opens a page: a path from its file with the network off, an address over the network. `said` collects what the console says,
// `asked` whatever the page asks for beyond its own file.
export async function open(browser, place, { width = 1440, height = 900, dark = false, touch = false, before } = {}) {
  const served = place.startsWith("http");
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: dark ? "dark" : "light", hasTouch: touch });
  if (!served) await context.setOffline(true);
  context.setDefaultTimeout(90_000); // a busy machine is slow, not wrong
  const page = await context.newPage();
  if (before) await page.addInitScript(before);
  const said = [];
  const asked = [];
  page.on("console", (m) => ["error", "warning"].includes(m.type()) && !ofTheBrowser(m.text()) && said.push(m.text()));
  page.on("pageerror", (e) => said.push(String(e)));
  page.on("request", (r) => !/^(file|data|blob):/.test(r.url()) && asked.push(r.url()));
  await page.goto(served ? place : `file://${place}`);
  await page.waitForFunction(() => window.trompo?.ready, null, { polling: 100 });
  return { page, said, asked, close: () => context.close() };
}

// By hand, from the matrices of the camera: where a point of space is on the page.
export function project({ view, projection, box }, x) {
  const times = (m, v) => [0, 1, 2, 3].map((row) => m[row] * v[0] + m[row + 4] * v[1] + m[row + 8] * v[2] + m[row + 12] * v[3]);
  const c = times(projection, times(view, [...x, 1]));
  return { x: box.x + ((c[0] / c[3] + 1) / 2) * box.width, y: box.y + ((1 - c[1] / c[3]) / 2) * box.height };
}

// Colours of the screen in a square about a place, as [r, g, b] of each pixel.
export async function pixels(page, { x, y }, half = 3) {
  const shot = await page.screenshot({ clip: { x: Math.round(x) - half, y: Math.round(y) - half, width: 2 * half + 1, height: 2 * half + 1 } });
  return page.evaluate(async (data) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.width, image.height];
    const c = canvas.getContext("2d");
    c.drawImage(image, 0, 0);
    const raw = c.getImageData(0, 0, image.width, image.height).data;
    return Array.from({ length: raw.length / 4 }, (_, i) => [raw[4 * i], raw[4 * i + 1], raw[4 * i + 2]]);
  }, shot.toString("base64"));
}

// Hue in degrees and colourfulness from 0 to 1.
export function hue([r, g, b]) {
  const [low, high] = [Math.min(r, g, b), Math.max(r, g, b)];
  const d = high - low;
  if (d === 0) return { hue: 0, chroma: 0 };
  const h = high === r ? ((g - b) / d + 6) % 6 : high === g ? (b - r) / d + 2 : (r - g) / d + 4;
  return { hue: 60 * h, chroma: d / 255 };
}

// The share of the pixels that have the hue of a colour like "#6f9fc4", under whatever light.
export function share(found, colour) {
  const want = hue([1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16)));
  const alike = found.map(hue).filter((c) => c.chroma > 0.12 && Math.abs(((c.hue - want.hue + 540) % 360) - 180) < 15);
  return alike.length / found.length;
}
