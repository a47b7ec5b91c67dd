// What the page of explore takes on the real server: page.mjs JITPROBE PROGRAM CAMPAIGN prints one JSON object. Times in
// ms: "paint" to the first text, "text" to the program in the editor, "usable" to the marks of the sites, each from the
// beginning of the navigation, in a new browser profile each; "cold" is the first one of a server. "click": from a click
// on a mutation until the browser has painted its diff. Bytes: "page"; with the campaign open, "heap" of the page's
// JavaScript and "server", what jitprobe has in memory.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const { chromium } = createRequire(join(root, "explore/page/package.json"))("playwright-core");
const [jitprobe, program, campaign] = process.argv.slice(2);
const LOADS = 6;
const CLICKS = 20;
const PATIENCE = 300000;

const median = (numbers) => [...numbers].sort((one, other) => one - other)[numbers.length >> 1];

async function serve(...words) {
  const child = spawn(jitprobe, ["explore", "--no-open", ...words], { stdio: ["ignore", "pipe", "inherit"] });
  const url = await new Promise((found) => child.stdout.once("data", (piece) => found(String(piece).trim())));
  const end = () => (child.kill("SIGINT"), new Promise((ended) => child.once("exit", ended)));
  return { url, end, pid: child.pid };
}

async function opened(browser) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  // The page's own clock: polling from here would add its own time.
  await context.addInitScript(() => {
    const seen = (globalThis.seen = {});
    const look = () => {
      if (document.querySelector(".cm-line")) seen.text ??= performance.now();
      // The editor has a hidden mark, too, by which it measures the width of their column.
      const marks = [...document.querySelectorAll(".site-mark")];
      if (marks.some((mark) => getComputedStyle(mark).visibility === "visible")) seen.usable ??= performance.now();
    };
    new MutationObserver(look).observe(document, { childList: true, subtree: true });
  });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  return page;
}

async function load(browser, url) {
  const page = await opened(browser);
  await page.goto(url);
  await page.waitForSelector(".site-mark:visible");
  const times = await page.evaluate(() => ({
    paint: performance.getEntriesByName("first-contentful-paint")[0].startTime,
    ...globalThis.seen,
    page: performance.getEntriesByType("navigation")[0].decodedBodySize,
  }));
  return { page, times };
}

// Clicks on sites in turn; each step is undone, so that all are applied to the same program.
async function clicks(page) {
  const times = [];
  for (let i = 0; i < CLICKS; i++) {
    await page.waitForFunction(() => !document.querySelector(".groups.waiting") && document.querySelector(".group"));
    await page.evaluate((at) => (document.querySelectorAll(".group")[at].open = true), i);
    await page.waitForFunction((at) => document.querySelectorAll(".group")[at].querySelector(".site-apply"), i);
    times.push(
      await page.evaluate(async (at) => {
        const button = document.querySelectorAll(".group")[at].querySelector(".site-apply");
        const begun = performance.now();
        button.click();
        while (!document.querySelector(".step") || !document.querySelector(".cm-changedLine, .cm-deletedChunk"))
          await new Promise((done) => requestAnimationFrame(done));
        await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
        return performance.now() - begun;
      }, i),
    );
    await page.getByRole("button", { name: "Undo (" }).click();
    await page.waitForFunction(() => !document.querySelector(".step"));
  }
  return times;
}

async function memoryWith(browser) {
  const { url, end, pid } = await serve("--campaign", campaign);
  const page = await opened(browser);
  await page.goto(url);
  await page.waitForSelector(".cards");
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("HeapProfiler.collectGarbage");
  const { usedSize } = await devtools.send("Runtime.getHeapUsage");
  const resident = Number(readFileSync(`/proc/${pid}/status`, "utf8").match(/VmRSS:\s+(\d+)/)[1]) * 1024;
  await end();
  return { heap: usedSize, server: resident };
}

const browser = await chromium.launch({
  executablePath: process.env.JITPROBE_CHROMIUM,
  args: process.getuid() === 0 ? ["--no-sandbox"] : [],
});
const { url, end } = await serve(program);
const cold = await load(browser, url);
const click = await clicks(cold.page);
const warm = [];
for (let i = 0; i < LOADS; i++) {
  const { page, times } = await load(browser, url);
  warm.push(times);
  await page.context().close();
}
await end();
const figures = { page: cold.times.page, "click median": median(click), "click most": Math.max(...click) };
for (const name of ["paint", "text", "usable"]) {
  figures[`${name} cold`] = cold.times[name];
  figures[`${name} warm median`] = median(warm.map((times) => times[name]));
  figures[`${name} warm most`] = Math.max(...warm.map((times) => times[name]));
}
Object.assign(figures, await memoryWith(browser));
await browser.close();
console.log(JSON.stringify(figures));
