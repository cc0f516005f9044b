// Pages the tool itself has written, against its own results: TROMPO is the binary, TROMPO_MODELS a list of model files (commas).
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { launch, open, project } from "./browser.mjs";

const tool = process.env.TROMPO;
const examples = fileURLToPath(new URL("../../examples/", import.meta.url));
const models = process.env.TROMPO_MODELS?.split(",") ?? ["four_bar", "elastic_pendulum", "slider_crank", "cable_net", "duffing"].map((n) => `${examples}${n}.toml`);

// Names may hold commas and quotes.
function readCsv(text) {
  const split = (line) => [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map((m) => m[1].replace(/^"|"$/g, "").replaceAll('""', '"'));
  const [head, ...lines] = text.trim().split("\n");
  const names = split(head);
  const rows = lines.map((l) => l.split(",").map(Number));
  return { rows, column: (name) => names.indexOf(name) };
}

describe("pages of the tool", { skip: tool ? false : "TROMPO is not set" }, () => {
  let browser;
  const results = mkdtempSync(join(tmpdir(), "trompo-real-"));
  before(async () => (browser = await launch()));
  after(() => browser.close());

  for (const model of models) {
    test(basename(model), async () => {
      const directory = join(results, basename(model, ".toml"));
      execFileSync(tool, ["run", model, "--csv", "-o", directory], { stdio: "ignore" });
      const summary = JSON.parse(readFileSync(join(directory, "summary.json"), "utf8"));
      const { rows, column } = readCsv(readFileSync(join(directory, "results.csv"), "utf8"));
      const { page, said, asked, close } = await open(browser, join(directory, "report.html"));

      // Every node and body that has a place is drawn there: at the start, in between, at the end.
      const named = Object.keys(summary.final).filter((n) => summary.final[n].position && column(`${n}.x`) >= 0);
      let compared = 0;
      for (const part of [0, 0.37, 1]) {
        const row = rows[Math.round(part * (rows.length - 1))];
        await page.evaluate((t) => window.trompo.setTime(t), row[column("time")]);
        for (const name of named) {
          const x = ["x", "y", "z"].map((k) => (column(`${name}.${k}`) >= 0 ? row[column(`${name}.${k}`)] : 0));
          const { told, camera } = await page.evaluate(
            (n) => ({ told: window.trompo.project(n), camera: { ...window.trompo.camera, box: window.trompo.camera.box.toJSON() } }),
            name,
          );
          const expected = project(camera, x);
          assert.ok(Math.hypot(told.x - expected.x, told.y - expected.y) < 1, `${name} at ${row[0]} s: ${JSON.stringify({ told, expected })}`);
          ++compared;
        }
        for (const c of await page.evaluate(() => window.trompo.cursors())) assert.equal(c, row[column("time")]);
      }
      assert.equal(compared, 3 * named.length);
      assert.ok(named.length > 0 || (await page.locator(".stage").count()) === 0, "nothing was compared");

      // The doubles of summary.json, to the last bit.
      const cells = await page.locator("[data-path]").evaluateAll((list) => list.map((c) => [c.dataset.path, c.textContent]));
      const read = (text) => (text === "–" ? null : Number(text.replaceAll("−", "-")));
      for (const [path, text] of cells) {
        const value = path.split(".").reduce((v, key) => v[key], summary);
        assert.deepEqual(Array.isArray(value) ? text.split(", ").map(read) : read(text), value, path);
      }
      assert.ok(cells.length >= 15);
      assert.deepEqual(said, []);
      assert.deepEqual(asked, []);
      await close();
    });
  }

  test("trompo view serves the same page, and more points where it is zoomed", async () => {
    const directory = join(results, basename(models[0], ".toml"));
    const server = spawn(tool, ["view", directory, "--no-open"], { stdio: ["ignore", "pipe", "inherit"] });
    try {
      const address = await new Promise((found, lost) => {
        let text = "";
        server.stdout.on("data", (d) => {
          text += d;
          const m = text.match(/http:\/\/127\.0\.0\.1:\d+\/\S*(?=\n)/);
          if (m) found(m[0]);
        });
        server.on("exit", () => lost(new Error(`trompo view ended: ${text}`)));
      });
      const { page, close } = await open(browser, address);
      const over = await page.locator(".u-over").first().boundingBox();
      const answer = page.waitForResponse((r) => r.url().includes("/curves.json"));
      await page.mouse.move(over.x + over.width * 0.2, over.y + 50);
      await page.mouse.down();
      await page.mouse.move(over.x + over.width * 0.3, over.y + 50, { steps: 3 });
      await page.mouse.up();
      const detail = await (await answer).json();
      assert.ok(detail.curves.length > 0);
      await close();
    } finally {
      server.kill();
    }
  });
});
