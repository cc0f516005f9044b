// How soon the page of sixteen bodies can be read, and how fast it plays, in software rendering. Plain lines: name, value, unit.
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { fileOf, launch, open } from "./tests/browser.mjs";
import { chain } from "./tests/fixture.mjs";

const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];
const line = (name, value, unit) => console.log(`${name.padEnd(44)} ${String(value).padStart(10)} ${unit}`);

const path = process.argv[2] ? resolve(process.argv[2]) : fileOf(chain());
line("template", statSync(fileURLToPath(new URL("dist/index.html", import.meta.url))).size, "bytes");
line("page", statSync(path).size, "bytes");

const browser = await launch();
const paints = [];
const scenes = [];
let last;
for (let i = 0; i < 5; ++i) {
  if (last) await last.close();
  last = await open(browser, path);
  await last.page.waitForFunction(() => window.trompo.firstPaint > 0);
  paints.push(await last.page.evaluate(() => window.trompo.firstPaint));
  scenes.push(await last.page.evaluate(() => window.trompo.firstScene));
}
line("first paint, median of 5", Math.round(median(paints)), "ms");
line("scene drawn, median of 5", Math.round(median(scenes)), "ms");

const { page } = last;
await page.keyboard.press(" ");
await page.waitForTimeout(500);
const rates = [];
for (let i = 0; i < 3; ++i) {
  rates.push(
    await page.evaluate(async () => {
      const [n, t] = [window.trompo.framesDrawn, performance.now()];
      await new Promise((done) => setTimeout(done, 2000));
      return (1000 * (window.trompo.framesDrawn - n)) / (performance.now() - t);
    }),
  );
}
line("frames a second while playing, 1440 x 900", median(rates).toFixed(1), "1/s");
await browser.close();
