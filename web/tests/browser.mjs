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

// Opens a page from a file with the network off; `said` collects what the console says, `asked` what the page asks for.
export async function open(browser, path, { width = 1440, height = 900, dark = false, touch = false } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: dark ? "dark" : "light", hasTouch: touch });
  await context.setOffline(true);
  const page = await context.newPage();
  const said = [];
  const asked = [];
  page.on("console", (m) => ["error", "warning"].includes(m.type()) && said.push(m.text()));
  page.on("pageerror", (e) => said.push(String(e)));
  page.on("request", (r) => !/^(file|data|blob):/.test(r.url()) && asked.push(r.url()));
  await page.goto(`file://${path}`);
  await page.waitForFunction(() => window.trompo?.ready);
  return { page, said, asked, close: () => context.close() };
}
