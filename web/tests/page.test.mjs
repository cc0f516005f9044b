// The built page, in a browser, from a file without a network, against the formulas its data were made of.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { after, before, describe, test } from "node:test";
import { fileOf, launch, open, pixels, project, share } from "./browser.mjs";
import * as fixture from "./fixture.mjs";

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

const near = (a, b, tolerance, what) => assert.ok(Math.abs(a - b) <= tolerance, `${what}: ${a}, expected ${b}`);
const drawnAgain = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))));
const setTime = async (page, t) => {
  await page.evaluate((s) => window.trompo.setTime(s), t);
  await drawnAgain(page);
};

describe("template", () => {
  const text = readFileSync(new URL("../dist/index.html", import.meta.url), "utf8");
  test("has one place for the data and names no other file", () => {
    assert.equal(text.split("__TROMPO_DATA__").length, 2);
    assert.match(text, /<script type="application\/json" id="trompo-data">__TROMPO_DATA__<\/script>/);
    assert.doesNotMatch(text, /<(script|link|img)[^>]+(src|href)="(?!data:)/);
    assert.match(text, /Content-Security-Policy/);
  });
  test("is small", () => assert.ok(text.length < 900_000, `${text.length} bytes`));
});

describe("scene", () => {
  test("a named body is where its formula says, in its colour, at two times", async () => {
    const { page, said, asked, close } = await open(browser, fileOf(fixture.chain()));
    const names = fixture.links;
    const seen = [];
    for (const t of [3.21, 16.9]) {
      await setTime(page, t);
      const camera = await page.evaluate(() => ({ ...window.trompo.camera, box: window.trompo.camera.box.toJSON() }));
      const state = fixture.chainAt(t, names);
      for (const name of ["link 1", "link 4", "link 9", "link 16"]) {
        const expected = project(camera, state[names.indexOf(name)].position);
        const told = await page.evaluate((n) => window.trompo.project(n), name);
        near(told.x, expected.x, 0.5, `${name} x at ${t}`);
        near(told.y, expected.y, 0.5, `${name} y at ${t}`);
        const colour = await page.evaluate((n) => window.trompo.colour(n), name);
        const part = share(await pixels(page, told), colour);
        assert.ok(part > 0.4, `${name} at ${t}: ${part} of the pixels have its colour`);
        seen.push({ name, t, ...told, colour });
      }
    }
    // Where link 9 was, nothing of its colour is left: the pixels above could have been wrong. (Link 16 leaves a trail.)
    const [old, now] = seen.filter((s) => s.name === "link 9");
    assert.ok(Math.hypot(old.x - now.x, old.y - now.y) > 25);
    assert.ok(share(await pixels(page, old), old.colour) < 0.2);
    assert.deepEqual(said, []);
    assert.deepEqual(asked, []);
    await close();
  });

  test("nodes and bars move, a still page draws nothing", async () => {
    const { page, close } = await open(browser, fileOf(fixture.bars()));
    await setTime(page, 4.4);
    const camera = await page.evaluate(() => ({ ...window.trompo.camera, box: window.trompo.camera.box.toJSON() }));
    const expected = project(camera, fixture.barsAt(4.4)[20]);
    const told = await page.evaluate(() => window.trompo.project("node 20"));
    near(told.x, expected.x, 0.5, "x");
    near(told.y, expected.y, 0.5, "y");
    await page.waitForTimeout(300);
    const n = await page.evaluate(() => window.trompo.framesDrawn);
    await page.waitForTimeout(500);
    assert.equal(await page.evaluate(() => window.trompo.framesDrawn), n);
    await close();
  });

  test("a rod is where its arc is, in the colours of what it carries; loads point as they act", async () => {
    const { page, said, close } = await open(browser, fileOf(fixture.rolled()));
    const camera = () => page.evaluate(() => ({ ...window.trompo.camera, box: window.trompo.camera.box.toJSON() }));
    const at = async (x, colour) => share(await pixels(page, project(await camera(), x), 2), colour);
    const [high, low, load] = ["#c44601", "#0f5ba7", "#6f2da8"];
    await setTime(page, 9);
    assert.ok((await at(fixture.rolledAt(9, 0.875), high)) > 0.6, "the last element carries the most, half way between its nodes");
    assert.equal(await at(fixture.rolledAt(9, 0.2), high), 0, "the first carries nothing");
    assert.ok((await at(fixture.rolledAt(9, 0), load)) > 0.6, "a ball for the load that nobody knows");
    assert.match(await page.locator(".force-legend").innerText(), /0\s+120 N m/);

    // At the start the load pushes up along z, at the end along y: the arrow stands off the tube, behind its tip.
    const shaft = (t, k) => fixture.rolledAt(t, 1).map((x, j) => x - (j === k ? 0.3 : 0));
    for (const [t, k, other] of [[0.001, 2, 1], [9.999, 1, 2]]) {
      await setTime(page, t);
      assert.ok((await at(shaft(t, k), load)) > 0.25, `along ${"xyz"[k]} at ${t}`);
      assert.ok((await at(shaft(t, other), load)) < 0.1, `not along ${"xyz"[other]} at ${t}`);
    }

    await page.locator(".force-legend select").selectOption("axial force");
    await setTime(page, 10);
    assert.ok((await at(fixture.rolledAt(10, 0.15), low)) > 0.6, "the first element is pressed");
    assert.match(await page.locator(".force-legend").innerText(), /−800\s+0 N\s+\+800/);
    assert.deepEqual(said, []);
    await close();
  });

  test("a click on a node draws its path, the list knows, a second click takes it away", async () => {
    const { page, close } = await open(browser, fileOf(fixture.bars()));
    const place = await page.evaluate(() => window.trompo.project("node 20"));
    const on = async () => {
      await page.locator(".menu summary").click();
      await page.locator(".menu input[type=search]").fill("node 20");
      const checked = await page.locator(".trail-list li", { hasText: "node 20" }).locator("input").isChecked();
      await page.locator(".menu summary").click();
      return checked;
    };
    assert.equal(await on(), false);
    await page.mouse.click(place.x, place.y);
    assert.equal(await on(), true);
    assert.deepEqual(await page.locator(".names .tag").allTextContents(), ["node 20"]);
    await page.mouse.click(place.x, place.y);
    assert.equal(await on(), false);
    await close();
  });

  test("names of what is under the pointer", async () => {
    const { page, close } = await open(browser, fileOf(fixture.chain()));
    const place = await page.evaluate(() => window.trompo.project("link 4"));
    await page.mouse.move(place.x, place.y);
    await page.waitForFunction(() => !document.querySelector(".tag.hover").hidden);
    assert.equal(await page.locator(".tag.hover").textContent(), "link 4");
    await close();
  });

  test("without WebGL a sentence stands in its place and the plots work", async () => {
    const { page, said, close } = await open(browser, fileOf(fixture.chain()), {
      before: () => {
        const get = HTMLCanvasElement.prototype.getContext;
        HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
          return kind.startsWith("webgl") ? null : get.call(this, kind, ...rest);
        };
      },
    });
    assert.match(await page.locator(".no-webgl").textContent(), /no WebGL/);
    await setTime(page, 7);
    for (const c of await page.evaluate(() => window.trompo.cursors())) assert.equal(c, 7);
    assert.deepEqual(said, []);
    await close();
  });

  test("two thousand bodies", async () => {
    const { page, said, close } = await open(browser, fileOf(fixture.many()));
    await setTime(page, 2.5);
    const camera = await page.evaluate(() => ({ ...window.trompo.camera, box: window.trompo.camera.box.toJSON() }));
    const expected = project(camera, [10, 0, Math.sin(2.5 + 1)]);
    const told = await page.evaluate(() => window.trompo.project("body 11"));
    near(told.x, expected.x, 0.5, "x");
    near(told.y, expected.y, 0.5, "y");
    assert.deepEqual(said, []);
    await close();
  });
});

describe("time", () => {
  test("the slider moves scene and every cursor", async () => {
    const { page, close } = await open(browser, fileOf(fixture.chain()));
    const first = await page.evaluate(() => window.trompo.project("link 16"));
    const box = await page.locator(".scrub").boundingBox();
    await page.mouse.click(box.x + 8 + (box.width - 16) * 0.25, box.y + box.height / 2);
    await drawnAgain(page);
    const t = await page.evaluate(() => window.trompo.time);
    near(t, 7.5, 0.2, "time");
    const cursors = await page.evaluate(() => window.trompo.cursors());
    assert.ok(cursors.length >= 2, `${cursors.length} plots`);
    for (const c of cursors) assert.equal(c, t);
    const then = await page.evaluate(() => window.trompo.project("link 16"));
    assert.ok(Math.hypot(then.x - first.x, then.y - first.y) > 5);
    // The line itself stands where the time is on the axis.
    const line = await page.locator(".time-line").first().boundingBox();
    const over = await page.locator(".u-over").first().boundingBox();
    near(line.x + line.width / 2 - over.x, (over.width * t) / 30, 1.5, "line");
    // So it does in a plot that is made only when it comes into sight.
    const late = page.locator('[data-plot="constraint-errors"]');
    assert.equal(await late.locator("canvas").count(), 0);
    await page.locator(".quality summary").click();
    await late.scrollIntoViewIfNeeded();
    await late.locator(".time-line").waitFor({ state: "visible" });
    near((await late.locator(".time-line").boundingBox()).x + line.width / 2 - over.x, (over.width * t) / 30, 1.5, "late line");
    await close();
  });

  test("the pointer on a plot looks, a click stays, a drag zooms all, a double click goes back", async () => {
    const { page, close } = await open(browser, fileOf(fixture.chain()));
    const over = await page.locator(".u-over").first().boundingBox();
    const at = (part) => [over.x + over.width * part, over.y + over.height / 2];
    await page.mouse.move(...at(0.5));
    near(await page.evaluate(() => window.trompo.time), 15, 0.1, "looked at");
    await page.mouse.move(5, 5);
    near(await page.evaluate(() => window.trompo.time), 0, 1e-9, "back");
    await page.mouse.click(...at(0.4));
    await page.mouse.move(5, 5);
    near(await page.evaluate(() => window.trompo.time), 12, 0.1, "stays");
    await page.mouse.move(...at(0.6));
    await page.mouse.down();
    await page.mouse.move(...at(0.8), { steps: 4 });
    await page.mouse.up();
    await page.mouse.move(5, 5);
    // 12 s is not in the window 18 to 24 s: no plot shows its line.
    const hidden = () => page.evaluate(() => [...document.querySelectorAll(".time-line")].map((l) => l.hidden));
    assert.deepEqual(new Set(await hidden()), new Set([true]));
    await setTime(page, 21);
    const line = await page.locator(".time-line").first().boundingBox();
    near(line.x - over.x, over.width / 2, 4, "in the middle of the window");
    await page.mouse.dblclick(...at(0.3));
    await setTime(page, 12);
    assert.deepEqual(new Set(await hidden()), new Set([false]));
    await close();
  });

  test("keys", async () => {
    const { page, close } = await open(browser, fileOf(fixture.chain()));
    const time = () => page.evaluate(() => window.trompo.time);
    await page.keyboard.press("ArrowRight");
    near(await time(), 1 / 30, 1e-9, "a frame");
    await page.keyboard.press("Shift+ArrowRight");
    near(await time(), 11 / 30, 1e-9, "ten frames");
    await page.keyboard.press("ArrowLeft");
    near(await time(), 10 / 30, 1e-9, "back");
    await page.keyboard.press("End");
    assert.equal(await time(), 30);
    await page.keyboard.press("Home");
    assert.equal(await time(), 0);
    await page.keyboard.press("+");
    assert.equal(await page.locator(".player select").inputValue(), "2");
    await page.keyboard.press("-");
    await page.keyboard.press("-");
    assert.equal(await page.locator(".player select").inputValue(), "0.5");
    await page.keyboard.press(" ");
    await page.waitForFunction(() => window.trompo.time > 0.1);
    assert.equal(await page.evaluate(() => window.trompo.playing), true);
    await page.keyboard.press(" ");
    assert.equal(await page.evaluate(() => window.trompo.playing), false);
    const before = await page.evaluate(() => window.trompo.camera.view);
    await page.keyboard.press("x");
    await drawnAgain(page);
    assert.notDeepEqual(await page.evaluate(() => window.trompo.camera.view), before);
    await page.keyboard.press("?");
    assert.equal(await page.locator("dialog.help").isVisible(), true);
    await page.keyboard.press("Escape");
    assert.equal(await page.locator("dialog.help").isVisible(), false);
    await page.keyboard.press("t");
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
    await close();
  });

  test("what happens is marked and described", async () => {
    const { page, close } = await open(browser, fileOf(fixture.chain()));
    const marks = await page.locator(".mark").evaluateAll((list) => list.map((m) => m.getAttribute("aria-label")));
    assert.deepEqual(marks.map((m) => m.split(" (")[0]), ["joint 3: stiffness 50", "two steps were halved", "gust along x"]);
    await page.locator(".mark").first().click();
    assert.equal(await page.evaluate(() => window.trompo.time), 10);
    assert.equal(await page.locator(".caption").textContent(), "joint 3: stiffness 50");
    await setTime(page, 20);
    assert.equal(await page.locator(".caption").textContent(), "gust along x");
    await setTime(page, 5);
    assert.equal(await page.locator(".caption").textContent(), "");
    await close();
  });
});

describe("words and plots", () => {
  test("the ledger shows the doubles of the summary", async () => {
    const { page, close } = await open(browser, fileOf(fixture.chain()));
    const cells = await page.locator("[data-path]").evaluateAll((list) => list.map((c) => [c.dataset.path, c.textContent]));
    assert.ok(cells.length >= 18, `${cells.length} numbers`);
    const read = (text) => Number(text.replaceAll("−", "-"));
    for (const [path, text] of cells) {
      const value = path.split(".").reduce((v, key) => v[key], fixture.summary);
      assert.deepEqual(Array.isArray(value) ? text.split(", ").map(read) : read(text), value, path);
    }
    for (const must of ["energy.total.initial", "energy.total.final", "energy.accounts.load_work", "energy.accounts.support_work", "energy.accounts.heat", "energy.accounts.numerical", "energy.accounts.events", "energy.balance_residual_max", "energy.balance_residual_relative", "momentum.angular.drift_max", "constraints.position_max"]) {
      assert.ok(cells.some(([path]) => path === must), must);
    }
    const words = await page.locator(".talk").textContent();
    for (const must of ["keeps energy to round-off", "1.2345678901234567", "3.006", "solution error", "0.00000125", "constraint gradient"]) assert.ok(words.includes(must), must);
    await close();
  });

  test("values in the legend are those of the curve", async () => {
    const { page, close } = await open(browser, fileOf(fixture.chain()));
    await setTime(page, 8);
    const card = page.locator('[data-plot="sensor:tip height"]');
    await card.scrollIntoViewIfNeeded();
    await page.waitForFunction(() => document.querySelector('[data-plot="sensor:tip height"] canvas'));
    const text = (await card.locator(".value").textContent()).replace("−", "-");
    near(Number(text), -5 + 2 * Math.cos(1.7 * 8) * Math.exp(-8 / 40), 1e-3, "tip height");
    await close();
  });

  test("curves that wait are made when chosen; CSV holds what was packed", async () => {
    const { page, close } = await open(browser, fileOf(fixture.chain()));
    const made = () => page.locator('[data-plot="iterations"] canvas').count();
    assert.equal(await made(), 0);
    await page.locator(".waiting summary").click();
    await page.locator(".choices button", { hasText: "Newton iterations" }).click();
    await page.locator('[data-plot="iterations"] canvas').waitFor();
    assert.equal(await made(), 1);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.locator('[data-plot="iterations"]').getByRole("button", { name: "Save as CSV" }).click(),
    ]);
    assert.equal(download.suggestedFilename(), "Newton_iterations.csv");
    const lines = readFileSync(await download.path(), "utf8").trim().split("\n");
    assert.equal(lines[0], "time [s],iterations");
    assert.equal(lines.length, 1501);
    const [t, v] = lines[701].split(",").map(Number);
    near(t, (30 * 700) / 1499, 1e-5, "time");
    assert.equal(v, 3 + (Math.sin((11 * 30 * 700) / 1499) > 0.97 ? 1 : 0));
    const [png] = await Promise.all([
      page.waitForEvent("download"),
      page.locator('[data-plot="energy"]').getByRole("button", { name: "Save as PNG" }).click(),
    ]);
    const bytes = readFileSync(await png.path());
    assert.equal(bytes.subarray(1, 4).toString(), "PNG");
    assert.ok(bytes.length > 5000);
    await close();
  });

  test("curves are hidden and shown by their legend", async () => {
    const { page, close } = await open(browser, fileOf(fixture.chain()));
    const picture = () => page.evaluate(() => document.querySelector('[data-plot="energy"] canvas').toDataURL());
    const first = await picture();
    const kinetic = page.locator('[data-plot="energy"] .legend-entry').first();
    await kinetic.click();
    assert.equal(await kinetic.getAttribute("aria-pressed"), "false");
    await drawnAgain(page);
    assert.notEqual(await picture(), first);
    await kinetic.click();
    await drawnAgain(page);
    assert.equal(await picture(), first);
    await close();
  });

  test("a comparison: ghosts to toggle, energy balance of each run", async () => {
    const { page, said, close } = await open(browser, fileOf(fixture.compare()));
    assert.equal(await page.locator(".run-legend label").count(), 3);
    const n = await page.evaluate(() => window.trompo.framesDrawn);
    await page.locator(".run-legend input").nth(1).uncheck();
    await page.waitForFunction((m) => window.trompo.framesDrawn > m, n);
    await page.locator("#run-choice").selectOption("2");
    assert.ok((await page.locator(".talk .big").textContent()).includes("trapezoidal"));
    const rows = await page.locator(".table tbody tr").evaluateAll((list) => list.map((r) => r.querySelector(".verdict").textContent));
    assert.deepEqual(rows, ["✓holds", "✗does not hold", ""]);
    assert.equal(await page.locator(".table tbody tr").first().locator("td.number").first().getAttribute("title"), "1.3e−14");
    assert.deepEqual(said, []);
    await close();
  });

  test("modes: one at a time", async () => {
    const data = fixture.compare();
    data.kind = "modes";
    const { page, said, close } = await open(browser, fileOf(data));
    const choice = page.locator(".run-legend input[type=radio]");
    const checked = () => choice.evaluateAll((all) => all.map((c) => c.checked));
    assert.deepEqual(await checked(), [true, false, false]);
    assert.equal(await page.locator("#run-choice").count(), 0);
    await page.evaluate(() => window.trompo.setTime(20));
    await page.waitForTimeout(300);
    const first = await page.locator("canvas").first().screenshot();
    await choice.nth(2).check();
    await page.waitForTimeout(300);
    assert.deepEqual(await checked(), [false, false, true]);
    assert.notDeepEqual(await page.locator("canvas").first().screenshot(), first); // it is elsewhere
    assert.deepEqual(said, []);
    await close();
  });

  test("a model has no player, no scene is no harm", async () => {
    const still = await open(browser, fileOf(fixture.model()));
    assert.equal(await still.page.locator(".player").count(), 0);
    assert.equal(await still.page.locator(".stage canvas").count(), 1);
    assert.equal(await still.page.locator(".plot").count(), 0);
    assert.deepEqual(still.said, []);
    await still.close();
    const plain = await open(browser, fileOf(fixture.noScene()));
    assert.equal(await plain.page.locator(".stage").count(), 0);
    await plain.page.locator(".quality summary").click();
    await plain.page.waitForFunction(() => document.querySelector('[data-plot="residual"] canvas'));
    await setTime(plain.page, 11);
    const cursors = await plain.page.evaluate(() => window.trompo.cursors());
    assert.ok(cursors.length >= 4);
    for (const c of cursors) assert.equal(c, 11);
    assert.deepEqual(plain.said, []);
    await plain.close();
  });
});

describe("safety", () => {
  test("wicked names are text", async () => {
    const { page, said, asked, close } = await open(browser, fileOf(fixture.bars()));
    await page.keyboard.press("n");
    await page.locator("details[data-fold]").last().evaluate((d) => (d.open = true));
    await page.waitForTimeout(300);
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    assert.equal(await page.evaluate(() => document.querySelectorAll("#page img:not(.print-picture), #page script, main b, header b").length), 0);
    const text = await page.locator("#page").textContent();
    for (const name of fixture.wicked) assert.ok(text.includes(name), name);
    assert.ok((await page.locator("h1").textContent()).includes("</script><img src=x onerror=window.hacked=1>"));
    assert.deepEqual(said, []);
    assert.deepEqual(asked, []);
    await close();
  });

  test("a page without data says so", async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(new URL("../dist/index.html", import.meta.url).href);
    assert.match(await page.locator(".trouble").textContent(), /no data/);
    await context.close();
  });
});

describe("every kind at two sizes, light and dark", () => {
  for (const [name, make] of Object.entries(fixture.all)) {
    for (const [width, height, dark] of [[1440, 900, false], [390, 844, true]]) {
      test(`${name} at ${width} x ${height}`, async () => {
        const { page, said, asked, close } = await open(browser, fileOf(make()), { width, height, dark, touch: width < 500 });
        await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
        await page.waitForTimeout(200);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= width, `${wide} px wide`);
        const small = await page.evaluate(() =>
          [...document.querySelectorAll("body *")]
            .filter((e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim()) && !["SCRIPT", "NOSCRIPT"].includes(e.tagName))
            .filter((e) => parseFloat(getComputedStyle(e).fontSize) < 12)
            .map((e) => e.outerHTML.slice(0, 80)),
        );
        assert.deepEqual(small, []);
        // Every control has a name.
        const nameless = await page.evaluate(() =>
          [...document.querySelectorAll("button, input, select")]
            .filter((e) => !(e.getAttribute("aria-label") || e.textContent.trim() || e.labels?.length))
            .map((e) => e.outerHTML.slice(0, 80)),
        );
        assert.deepEqual(nameless, []);
        assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), dark ? "dark" : "light");
        assert.deepEqual(said, []);
        assert.deepEqual(asked, []);
        await close();
      });
    }
  }
});

describe("served", () => {
  // As `trompo view` does it: the page, /data.json, /curves.json.
  const cut = (data, frames, live) => {
    const run = data.runs[0];
    const part = (packed, share) => fixture.pack(unpack(packed).slice(0, share));
    const bodies = run.scene.bodies.length;
    return {
      ...data,
      live,
      runs: [{
        ...run,
        summary: live ? null : run.summary,
        frames: {
          count: frames, times: run.frames.times.slice(0, frames), bar_force: "",
          positions: part(run.frames.positions, frames * bodies * 3), quaternions: part(run.frames.quaternions, frames * bodies * 4),
        },
        plots: run.plots.map((p) => {
          const n = Math.round((1500 * frames) / 901);
          return { ...p, times: part(p.times, n), curves: p.curves.map((c) => ({ ...c, values: part(c.values, n) })) };
        }),
      }],
    };
  };
  const unpack = (text) => {
    const bytes = Buffer.from(text, "base64");
    return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  };

  test("a run under way grows and leaves camera, zoom and cursor alone", async () => {
    const whole = fixture.chain();
    const stages = [cut(whole, 301, true), cut(whole, 601, true), cut(whole, 901, false)];
    let answers = 0;
    let stage = 0;
    const details = [];
    const server = createServer((request, response) => {
      const url = new URL(request.url, "http://127.0.0.1");
      if (url.pathname === "/") response.setHeader("content-type", "text/html").end(fixture.pageText(stages[0]));
      else if (url.pathname === "/data.json") {
        ++answers;
        response.setHeader("content-type", "application/json").end(fixture.asJson(stages[stage]));
      } else if (url.pathname === "/curves.json") {
        details.push(Object.fromEntries(url.searchParams));
        if (url.searchParams.get("plot") !== "energy") return void response.writeHead(404).end();
        const [from, to] = ["from", "to"].map((k) => Number(url.searchParams.get(k)));
        const times = Array.from({ length: 100 }, (_, i) => from + ((to - from) * i) / 99);
        const plot = stages[stage].runs[0].plots[0];
        response.setHeader("content-type", "application/json");
        response.end(JSON.stringify({ ...plot, times: fixture.pack(times), curves: plot.curves.map((c) => ({ ...c, values: fixture.pack(times.map(() => 123.5)) })) }));
      } else response.writeHead(404).end();
    });
    await new Promise((done) => server.listen(0, "127.0.0.1", done));
    try {
      const { page, said, asked, close } = await open(browser, `http://127.0.0.1:${server.address().port}/`);
      assert.equal(await page.locator(".chip.busy").textContent(), "running");
      // Turn, zoom into 2 to 4 s, stand at 3 s.
      const canvas = await page.locator(".stage canvas").boundingBox();
      await page.mouse.move(canvas.x + 200, canvas.y + 300);
      await page.mouse.down();
      await page.mouse.move(canvas.x + 300, canvas.y + 340, { steps: 3 });
      await page.mouse.up();
      const over = await page.locator(".u-over").first().boundingBox();
      await page.mouse.move(over.x + over.width * 0.2, over.y + 50);
      await page.mouse.down();
      await page.mouse.move(over.x + over.width * 0.4, over.y + 50, { steps: 3 });
      await page.mouse.up();
      await page.mouse.move(5, 5);
      await setTime(page, 3);
      await page.waitForFunction(() => document.querySelector('[data-plot="energy"] .value').textContent === "123.5");
      assert.ok(details.some((d) => d.plot === "energy" && Math.abs(d.from - 2) < 0.05 && Math.abs(d.to - 4) < 0.05));
      assert.ok(details.some((d) => d.plot === "sensor:tip height"), "others are asked for too, and answered with 404");
      const camera = await page.evaluate(() => window.trompo.camera.view);
      const line = await page.locator(".time-line").first().boundingBox();
      stage = 1;
      await page.waitForFunction(() => document.querySelector(".now").textContent.includes("/ 20.00"));
      assert.equal(await page.evaluate(() => window.trompo.time), 3);
      assert.deepEqual(await page.evaluate(() => window.trompo.camera.view), camera);
      near((await page.locator(".time-line").first().boundingBox()).x, line.x, 0.6, "zoom kept");
      // Who stands at the end follows.
      await page.keyboard.press("End");
      stage = 2;
      await page.waitForFunction(() => window.trompo.time === 30);
      await page.waitForFunction(() => document.querySelector(".chip.good")?.textContent === "✓ done");
      assert.equal(await page.locator('[data-path="energy.total.final"]').textContent(), String(fixture.summary.energy.total.final));
      const n = answers;
      await page.waitForTimeout(1500);
      assert.equal(answers, n, "a finished run is not asked for again");
      // What the server refuses the browser reports; nothing else.
      assert.deepEqual(said.filter((s) => !s.includes("404")), []);
      assert.ok(asked.every((a) => a.startsWith("http://127.0.0.1")));
      await close();
    } finally {
      server.close();
    }
  });
});
