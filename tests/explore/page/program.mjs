// The first case, with the keyboard alone: a file is opened, three mutations are applied, one is switched off, all
// backends run, and a planted fault's divergence is seen with its element marked.
import { join } from "node:path";
import { accessible, check, explore, HERE, newPage, noSidewaysScroll, picture, run, SLOW, tabTo } from "./harness.mjs";

const FAULT = join(HERE, "one_wrong_element.py");
let page;

const steps = () => page.locator(".step").count();
const enter = () => page.keyboard.press("Enter");

async function opens_a_file() {
  const { url } = await explore(join(HERE, "small.py"), "--backend", FAULT);
  page = await newPage({ height: 1200 });
  await page.goto(url);
  await page.waitForSelector(".site-mark:visible", { timeout: SLOW });
  check((await page.textContent(".cm-content")).includes("total = x * 2"), "the program is not shown");
  await accessible(page, "a program");
  await noSidewaysScroll(page, "a program at 1280 px");
}

// With a seed the draws are the same each time: drawn ones sooner or later meet a fault of the compiler itself.
async function applies(mutation, number, seed) {
  await page.keyboard.press("Escape");
  await tabTo(page, "button");
  await page.keyboard.press("/");
  await page.keyboard.press("Control+a");
  await page.keyboard.type(mutation);
  await page.waitForFunction(
    (name) => [...document.querySelectorAll(".group .name")].some((one) => one.textContent === name),
    mutation,
  );
  await tabTo(page, seed === undefined ? ".site-apply" : ".site .button");
  await enter();
  if (seed !== undefined) {
    await tabTo(page, "dialog input[type=number]");
    await page.keyboard.press("Control+a");
    await page.keyboard.type(String(seed));
    await enter();
  }
  await page.waitForFunction((count) => document.querySelectorAll(".step").length === count, number, { timeout: SLOW });
  await page.waitForSelector(".cm-changedLine, .cm-deletedChunk", { state: "attached" });
  await page.waitForFunction(() => !document.querySelector(".groups.waiting"), null, { timeout: SLOW });
}

async function applies_three_mutations() {
  await applies("true_block", 1, 1);
  await applies("wrap_loop", 2, 1);
  await applies("wrap_try", 3);
  const before = await page.textContent(".cm-content");
  await tabTo(page, ".step:nth-child(4) input");
  await page.keyboard.press("Space");
  await page.waitForFunction((text) => document.querySelector(".cm-content").textContent !== text, before);
  check((await steps()) === 3, "a step that is off is still listed");
  check(!(await page.isChecked(".step:nth-child(4) input")), "the step is not off");
  await page.keyboard.press("Control+z");
  await page.waitForFunction(() => document.querySelector(".step:nth-child(4) input").checked);
  await page.keyboard.press("Control+Shift+z");
  await page.waitForFunction(() => !document.querySelector(".step:nth-child(4) input").checked);
}

async function clicks_are_quick() {
  const times = await page.evaluate(() => performance.getEntriesByName("click to diff").map((entry) => entry.duration));
  console.log("from choice to diff, ms:", times.map((ms) => ms.toFixed(0)).join(", "));
  check(times.length === 3, `measured ${times.length} times`);
}

async function runs_all_backends() {
  await page.keyboard.press("Control+Enter");
  await page.waitForFunction(
    () =>
      document.querySelectorAll(".backend").length === 5 &&
      document.querySelectorAll(".backend .status .tag").length >= 5 &&
      !document.querySelector(".spinner"),
    null,
    { timeout: SLOW },
  );
  const words = await page.locator(".backend .status .tag").allTextContents();
  check(words.at(-1) === "diverges", `the planted fault is not seen: ${words}`);
  check(
    words.slice(0, 4).every((word) => word === "agrees"),
    `the ladder: ${words}; if the compiler is at fault, take another seed`,
  );
  await page.waitForSelector(".verdict.diverge");
  const marked = await page.locator("td.wrong").evaluateAll((cells) => cells.map((cell) => cell.title));
  check(marked.length === 2 && marked.every((title) => title.startsWith("[1, 2]")), `marked: ${marked}`);
  await accessible(page, "a divergence");
  await picture(page, "explore-program");
}

async function shows_what_compiling_did() {
  await tabTo(page, ".backend-name[aria-pressed]");
  await page.locator(".backend-name").nth(3).focus();
  await enter();
  await page.waitForFunction(() => document.querySelector(".backend.chosen .name").textContent === "inductor");
  await tabTo(page, "[role=tab][aria-selected=true]");
  for (const [tab, selector] of [
    ["Breaks", ".row strong"],
    ["Graphs", ".graph .node"],
    ["Code", ".code-block"],
    ["Guards", "h3"],
    ["Counters", ".counters .bar-after"],
  ]) {
    await page.keyboard.press("ArrowRight");
    await page.waitForSelector(selector);
    check((await page.textContent("[role=tab][aria-selected=true]")).startsWith(tab), `the tab ${tab}`);
    await accessible(page, tab);
    if (tab === "Graphs") await picture(page, "explore-graph");
  }
  check((await page.locator(".line-break").count()) > 0, "no line of a graph break is marked in the editor");
}

async function keeps_everything_over_a_reload() {
  const before = await page.textContent(".cm-content");
  await page.reload();
  await page.waitForSelector(".step");
  check((await steps()) === 3, "steps are lost");
  await page.waitForFunction((text) => document.querySelector(".cm-content").textContent === text, before);
  // Which backends there are is the server's answer.
  await page.waitForSelector(".backend");
  const shown = await page
    .waitForFunction(() => document.querySelectorAll(".backend .status .tag").length === 5, null, { timeout: SLOW })
    .catch(() => null);
  check(shown, `results are lost: ${await page.locator(".backends").innerText()}`);
  check((await page.locator("text=open in another tab").count()) === 0, "the tab takes itself for another one");
  await page.emulateMedia({ colorScheme: "dark" });
  await page.waitForSelector(".site-mark:visible", { timeout: SLOW });
  await accessible(page, "dark");
  await picture(page, "explore-program-dark");
}

run([
  opens_a_file,
  applies_three_mutations,
  clicks_are_quick,
  runs_all_backends,
  shows_what_compiling_did,
  keeps_everything_over_a_reload,
]);
