// What the tests of the page share: servers, a browser, checks.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { serve } from "../../../explore/page/test/mock_server.mjs";

export const HERE = dirname(fileURLToPath(import.meta.url));
export const ROOT = resolve(HERE, "../../..");
const require = createRequire(join(ROOT, "explore/page/package.json"));
const JITPROBE = join(process.env.JITPROBE_BINARY_DIR ?? join(ROOT, "build/release"), "app/jitprobe");

// A first run starts a warm process that imports torch; others wait for compilers.
export const SLOW = 240000;

export function check(condition, message) {
  if (!condition) throw new Error(message);
}

const closing = [];
export const atEnd = (close) => closing.push(close);

export function folder() {
  const path = mkdtempSync(join(tmpdir(), "jitprobe-page-"));
  atEnd(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** Starts `jitprobe WORDS…`; gives its process. */
export function jitprobe(...words) {
  const child = spawn(JITPROBE, words.map(String), { stdio: ["ignore", "pipe", "pipe"] });
  child.said = "";
  child.stderr.on("data", (piece) => {
    child.said += piece;
  });
  child.ended = new Promise((done) => child.once("exit", (status) => done(status)));
  atEnd(async () => {
    child.kill("SIGINT");
    await child.ended;
  });
  return child;
}

/** Starts `jitprobe explore WORDS…`; gives its URL and process. */
export async function explore(...words) {
  const child = jitprobe("explore", "--no-open", ...words);
  const url = await new Promise((found, failed) => {
    child.stdout.once("data", (piece) => found(String(piece).trim()));
    child.once("exit", (status) => failed(new Error(`explore ended with ${status}: ${child.said}`)));
  });
  return { url, child };
}

export async function mock(settings = {}) {
  const server = await serve({ page: readFileSync(join(ROOT, "build/page/page.html"), "utf8"), ...settings });
  atEnd(server.close);
  return server;
}

let browser = null;

/** A page of a new context. Errors of its scripts fail the test. */
export async function newPage({ width = 1280, height = 900, context = {} } = {}) {
  if (!browser) {
    browser = await require("playwright-core").chromium.launch({
      executablePath: process.env.JITPROBE_CHROMIUM,
      args: process.getuid() === 0 ? ["--no-sandbox"] : [],
    });
    atEnd(() => browser.close());
  }
  const made = await browser.newContext({ viewport: { width, height }, ...context });
  return follow(await made.newPage());
}

const errors = [];
export function follow(page) {
  page.setDefaultTimeout(20000);
  page.on("pageerror", (error) => errors.push(error.stack));
  page.on("console", (message) => {
    if (/Content Security Policy/.test(message.text())) errors.push(message.text());
  });
  return page;
}

/** No serious or critical violation of axe-core's rules. */
export async function accessible(page, where) {
  await page.evaluate(readFileSync(require.resolve("axe-core/axe.min.js"), "utf8"));
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  const serious = violations.filter(({ impact }) => ["serious", "critical"].includes(impact));
  const text = serious.map(
    ({ id, nodes }) =>
      `${id}: ${nodes
        .slice(0, 3)
        .map((node) => `${node.html.slice(0, 160)} ${node.any[0]?.message ?? ""}`)
        .join("; ")}`,
  );
  check(serious.length === 0, `axe-core, ${where}: ${text.join("\n")}`);
}

/** Nothing is wider than the window. */
export async function noSidewaysScroll(page, where) {
  const { wide, inner, names } = await page.evaluate(() => {
    const inner = document.documentElement.clientWidth;
    const over = [...document.querySelectorAll("body *")].filter(
      (one) =>
        one.getBoundingClientRect().right > inner + 1 &&
        !one.closest(".scroll, .cm-scroller, .code-block, .tabs, .graph-frame, .grid-of-elements, .hidden"),
    );
    return {
      wide: document.documentElement.scrollWidth,
      inner,
      names: over.slice(0, 5).map((one) => one.outerHTML.slice(0, 90)),
    };
  });
  check(wide <= inner, `${where}: ${wide} px wide in a window of ${inner} px: ${names.join(" | ")}`);
}

/** Presses Tab until the focused element matches; nothing but the keyboard is used. */
export async function tabTo(page, selector, most = 400) {
  for (let i = 0; i < most; i++) {
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not lead to ${selector}`);
}

/** A picture for the documentation, when goldens are rewritten. */
export async function picture(page, name) {
  if (process.env.JITPROBE_BLESS !== "1") return;
  await page.screenshot({ path: join(ROOT, "docs/images", `${name}.png`), animations: "disabled" });
}

async function closeAll() {
  for (const close of closing.splice(0).reverse()) await close();
}

/** Runs the cases in order; the first that fails ends the test. Whatever ends it, what it started ends with it. */
export async function run(cases) {
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => closeAll().then(() => process.exit(1)));
  let status = 0;
  try {
    for (const one of cases) {
      const begun = performance.now();
      await one();
      check(errors.length === 0, `errors in the page: ${errors.join("\n")}`);
      console.log(`${one.name}: ${((performance.now() - begun) / 1000).toFixed(1)} s`);
    }
  } catch (error) {
    await browser
      ?.contexts()
      .at(-1)
      ?.pages()
      .at(-1)
      ?.screenshot({ path: process.env.JITPROBE_FAILED_PICTURE ?? "/dev/null" })
      .catch(() => {});
    console.log("FAILED:", error.message, errors.join("\n"));
    console.log(error.stack);
    status = 1;
  }
  await closeAll();
  process.exit(status);
}
