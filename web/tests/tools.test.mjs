// What a reader does with a page: follows the model, looks from the other side, draws curves of his own, takes a film home.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { fileOf, launch, open, pixels } from "./browser.mjs";
import * as fixture from "./fixture.mjs";

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

const drawnAgain = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))));
const setTime = async (page, t) => {
  await page.evaluate((s) => window.trompo.setTime(s), t);
  await drawnAgain(page);
};
const view = (page) => page.evaluate(() => window.trompo.camera.view);
const download = async (page, act) => {
  const [file] = await Promise.all([page.waitForEvent("download"), act()]);
  return { name: file.suggestedFilename(), path: await file.path() };
};

describe("camera", () => {
  test("it goes along with the model, and stays when told to", async () => {
    const { page, close } = await open(browser, fileOf(fixture.leaving()));
    const follow = page.getByRole("button", { name: /Follow/ });
    assert.equal(await follow.getAttribute("aria-pressed"), "true", "what leaves its place is followed from the start");
    const place = () => page.evaluate(() => window.trompo.project("b"));
    await setTime(page, 0);
    const first = await place();
    await setTime(page, 8);
    const later = await place();
    assert.ok(Math.hypot(later.x - first.x, later.y - first.y) < 1, `${JSON.stringify([first, later])}`);
    await page.keyboard.press("c");
    await setTime(page, 2);
    const gone = await place();
    assert.ok(Math.hypot(gone.x - later.x, gone.y - later.y) > 200);
    await page.keyboard.press("f"); // fits the box of the start, wherever the model is
    await page.keyboard.press("c");
    await page.keyboard.press("f");
    const { x, y, width, height } = await page.locator(".stage canvas").boundingBox();
    const fitted = await place();
    assert.ok(Math.hypot(fitted.x - x - width / 2, fitted.y - y - height / 2) < 0.3 * width, "in the middle again");
    await close();
  });

  test("the same view twice is the one from the other side", async () => {
    const { page, close } = await open(browser, fileOf(fixture.chain()));
    await page.keyboard.press("x");
    const front = await view(page);
    await page.keyboard.press("x");
    const back = await view(page);
    // The third row of the view turns the axis of the camera into x.
    assert.ok(Math.abs(front[2] - 1) < 1e-3 && Math.abs(back[2] + 1) < 1e-3, `${front[2]}, ${back[2]}`);
    await close();
  });

  test("a link shows what its sender saw", async () => {
    const file = fileOf(fixture.chain());
    const { page, close } = await open(browser, file);
    await page.keyboard.press("y");
    await setTime(page, 7.25);
    await page.waitForFunction(() => location.hash.includes("t=7.25"));
    const [sent, hash] = [await view(page), await page.evaluate(() => location.hash)];
    await close();
    const again = await open(browser, `${file}${hash}`);
    assert.equal(await again.page.evaluate(() => window.trompo.time), 7.25);
    const seen = await view(again.page);
    sent.forEach((x, i) => assert.ok(Math.abs(x - seen[i]) < 1e-3 * Math.max(1, Math.abs(x)), `${i}: ${x}, ${seen[i]}`));
    await again.close();
  });

  test("small motions can be drawn larger, large ones cannot", async () => {
    const { page, close } = await open(browser, fileOf(fixture.trembling()));
    const at = async (t) => {
      await setTime(page, t);
      return page.evaluate(() => window.trompo.project("a"));
    };
    const [still, peak] = [await at(0), await at(Math.PI / 2)];
    const seen = Math.hypot(peak.x - still.x, peak.y - still.y);
    await page.getByLabel("Exaggeration of the motion").selectOption("100");
    const large = await at(Math.PI / 2);
    const factor = Math.hypot(large.x - still.x, large.y - still.y) / seen;
    assert.ok(factor > 90 && factor < 115, `${factor}`); // in perspective, and of a time between two frames
    assert.deepEqual(await at(0), still);
    await close();
    const far = await open(browser, fileOf(fixture.leaving()));
    assert.equal(await far.page.getByLabel("Exaggeration of the motion").count(), 0);
    await far.close();
  });

  test("shapes of vibration stand before the model at rest, and can be drawn smaller", async () => {
    const data = fixture.trembling();
    const run = data.runs[0];
    data.kind = "modes";
    const times = Array.from({ length: 49 }, (_, k) => k / 48);
    const phase = times.map((t) => Math.sin(2 * Math.PI * t));
    run.frames = { ...run.frames, count: 49, times, positions: fixture.pack(phase.flatMap((s) => [0, 0, 0.4 * s, 1, 0, 0])), quaternions: fixture.pack(phase.flatMap(() => [1, 0, 0, 0, 1, 0, 0, 0])) };
    data.runs.push({ ...run, label: "mode 2" });
    const { page, close } = await open(browser, fileOf(data));
    const at = async (t) => {
      await setTime(page, t);
      return page.evaluate(() => window.trompo.project("a"));
    };
    const [still, peak] = [await at(0), await at(0.25)];
    const light = async (place) => (await pixels(page, place, 2)).flat().reduce((a, b) => a + b, 0) / 75;
    const [rest, nothing] = [await light(still), await light({ x: still.x, y: 2 * still.y - peak.y })];
    assert.ok(rest < nothing - 10, `a ghost where it rests: ${rest}, ${nothing}`);
    await page.getByLabel("Exaggeration of the motion").selectOption("0.5");
    const half = await at(0.25);
    const ratio = Math.hypot(half.x - still.x, half.y - still.y) / Math.hypot(peak.x - still.x, peak.y - still.y);
    assert.ok(Math.abs(ratio - 0.5) < 0.06, `${ratio}`);
    await close();
  });

  test("names do not lie over each other", async () => {
    const { page, close } = await open(browser, fileOf(fixture.bars()));
    await page.keyboard.press("n");
    await drawnAgain(page);
    const boxes = await page.locator(".names .tag").evaluateAll((tags) =>
      tags.filter((t) => t.style.visibility === "visible").map((t) => t.getBoundingClientRect().toJSON()),
    );
    assert.ok(boxes.length >= 10);
    for (const [i, a] of boxes.entries())
      for (const b of boxes.slice(0, i))
        assert.ok(a.left >= b.right - 0.5 || b.left >= a.right - 0.5 || a.top >= b.bottom - 0.5 || b.top >= a.bottom - 0.5);
    await close();
  });
});

describe("plots", () => {
  test("the story comes first, the quality of the numbers waits folded", async () => {
    const { page, close } = await open(browser, fileOf(fixture.chain()));
    const order = await page.locator("[data-plot]").evaluateAll((cards) => cards.map((c) => c.dataset.plot));
    const at = (id) => order.indexOf(id);
    assert.ok(at("sensor:tip height") < at("energy") && at("energy") < at("momentum-linear"), order.join(" "));
    assert.equal(await page.locator('.quality [data-plot="residual"]').count(), 1);
    assert.equal(await page.locator('[data-plot="residual"]').isVisible(), false);
    await page.locator(".quality summary").click();
    await page.locator('[data-plot="residual"] canvas').waitFor({ state: "visible" });
    await close();
  });

  test("round-off is drawn as zero, with its size said; what is small is not", async () => {
    const { page, close } = await open(browser, fileOf(fixture.oscillation()));
    const card = (name) => page.locator(`[data-plot="sensor:${name}"]`);
    await card("sideways").scrollIntoViewIfNeeded();
    await card("sideways").locator("canvas").waitFor();
    assert.equal(await card("sideways").locator(".plot-remark").innerText(), "zero, but for rounding: at most 3e−15 m");
    await setTime(page, 7.013);
    assert.equal(await card("sideways").locator(".value").innerText(), "0");
    const { path } = await download(page, () => card("sideways").getByRole("button", { name: "CSV" }).click());
    const kept = readFileSync(path, "utf8").trim().split("\n").slice(1).map((l) => Math.abs(Number(l.split(",")[1])));
    assert.ok(Math.max(...kept) > 2.9e-15, "the file has what was recorded");
    await card("small").scrollIntoViewIfNeeded();
    await card("small").locator("canvas").waitFor();
    assert.equal(await card("small").locator(".plot-remark").isVisible(), false);
    assert.notEqual(await card("small").locator(".value").innerText(), "0");
    await close();
  });

  test("one quantity over another, at all times and at every so many seconds", async () => {
    const { page, close } = await open(browser, fileOf(fixture.oscillation()));
    await page.locator(".own-curves summary").click();
    await page.getByLabel("Upwards").selectOption({ label: "speed [m/s]" });
    await page.getByLabel("To the right").selectOption({ label: "place [m]" });
    await page.getByRole("button", { name: "Draw" }).click();
    const portrait = page.locator('[data-figure="speed over place"]');
    await portrait.locator("canvas").waitFor();
    const { path } = await download(page, () => portrait.getByRole("button", { name: "CSV" }).click());
    const rows = readFileSync(path, "utf8").trim().split("\n").slice(1).map((l) => l.split(",").map(Number));
    assert.equal(rows.length, 2000);
    // An ellipse: (x/2)^2 + (v/(2 w))^2 = 1.
    for (const [x, v] of rows) assert.ok(Math.abs((x / 2) ** 2 + (v / (2 * fixture.frequency * 2 * Math.PI)) ** 2 - 1) < 1e-4, `${x}, ${v}`);

    await page.getByLabel(/every so many/).fill(String(1 / fixture.frequency));
    await page.getByRole("button", { name: "Draw" }).click();
    const section = page.locator('[data-figure="speed over place"]').nth(1);
    await section.locator("canvas").waitFor();
    const dots = await download(page, () => section.getByRole("button", { name: "CSV" }).click());
    const points = readFileSync(dots.path, "utf8").trim().split("\n").slice(1).map((l) => l.split(",").map(Number));
    assert.equal(points.length, 41);
    // Straight between the points of the plots: (w h)^2/8 of the amplitude.
    for (const [x, v] of points) assert.ok(Math.abs(x - 2) < 4.1e-3 && Math.abs(v) < 0.1, `one point of the orbit: ${x}, ${v}`);
    await close();
  });

  test("a spectrum has its peak at the frequency, as high as the amplitude", async () => {
    const { page, close } = await open(browser, fileOf(fixture.oscillation()));
    await page.locator(".own-curves summary").click();
    await page.getByLabel("Upwards").selectOption({ label: "place [m]" });
    await page.getByLabel("To the right").selectOption("frequency");
    await page.getByRole("button", { name: "Draw" }).click();
    const card = page.locator('[data-figure^="Spectrum of place"]');
    const title = await card.getAttribute("data-figure");
    assert.ok(Math.abs(Number(title.match(/at ([\d.]+) Hz/)[1]) - fixture.frequency) < 0.01 * fixture.frequency, title);
    await card.locator("canvas").waitFor();
    const { path } = await download(page, () => card.getByRole("button", { name: "CSV" }).click());
    const rows = readFileSync(path, "utf8").trim().split("\n").slice(1).map((l) => l.split(",").map(Number));
    const [f, a] = rows.reduce((best, row) => (row[1] > best[1] ? row : best), [0, 0]);
    assert.ok(Math.abs(f - fixture.frequency) < 0.02 && Math.abs(a - 2) < 0.05, `${a} at ${f}`);
    assert.ok(rows.filter(([g]) => Math.abs(g - f) > 0.5).every(([, b]) => b < 1e-3), "and nothing elsewhere");
    await close();
  });
});

describe("paper", () => {
  test("two pages, with a picture of the model", async () => {
    const { page, close } = await open(browser, fileOf(fixture.rolled()));
    await setTime(page, 9);
    const pdf = (await page.pdf({ preferCSSPageSize: true, printBackground: true })).toString("latin1");
    assert.equal(pdf.match(/\/Type\s*\/Page\b/g).length, 2);
    const colours = await page.evaluate(async () => {
      const image = document.querySelector(".print-picture");
      await image.decode();
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
      const c = canvas.getContext("2d");
      c.drawImage(image, 0, 0);
      return new Set(new Uint32Array(c.getImageData(0, 0, canvas.width, canvas.height).data.buffer)).size;
    });
    assert.ok(colours > 50, `${colours} colours`);
    await close();
  });
});

describe("film", () => {
  test("a WebM of the whole motion that plays and is not empty", async () => {
    const { page, said, close } = await open(browser, fileOf(fixture.rolled()));
    await page.getByLabel("Speed of playing").selectOption("10");
    const film = await download(page, () => page.getByRole("button", { name: /film/ }).click());
    assert.equal(film.name, "Rolled_up.webm");
    const screen = await browser.newPage(); // the page of a report lets no film in
    const seen = await screen.evaluate(async (data) => {
      const video = document.createElement("video");
      video.muted = true;
      video.src = URL.createObjectURL(new Blob([Uint8Array.from(atob(data), (c) => c.charCodeAt(0))], { type: "video/webm" }));
      await new Promise((done, lost) => {
        video.addEventListener("loadeddata", done);
        video.addEventListener("error", () => lost(new Error(video.error.message)));
      });
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [video.videoWidth, video.videoHeight];
      const c = canvas.getContext("2d");
      const colours = () => {
        c.drawImage(video, 0, 0);
        return new Set(new Uint32Array(c.getImageData(0, 0, canvas.width, canvas.height).data.buffer)).size;
      };
      const painted = new Promise((done) => video.requestVideoFrameCallback(done));
      await video.play();
      await painted;
      const first = colours();
      await new Promise((done) => video.addEventListener("ended", done));
      return { wide: video.videoWidth, first, last: colours(), long: video.currentTime };
    }, readFileSync(film.path).toString("base64"));
    await screen.close();
    assert.ok(seen.wide > 300 && seen.first > 50 && seen.last > 50, JSON.stringify(seen));
    assert.ok(seen.long > 0.5 && seen.long < 10, `${seen.long} s`);
    assert.deepEqual(said, []);
    assert.equal(await page.getByRole("button", { name: /film/ }).getAttribute("aria-pressed"), "false");
    await close();
  });
});
