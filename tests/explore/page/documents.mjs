// Documents of one tab, one after the other: a run shows in its own document only, the editor's undo takes back typing
// only, steps that are off outlive a search, and a browser that keeps nothing loses only that.
import { check, mock, newPage, run } from "./harness.mjs";

const HANGS = "import torch\n\n\ndef program():\n    while True:\n        pass\n";
let page;

const steps = () => page.locator(".step").count();
const content = () => page.textContent(".cm-content");
const runsUnder = (backend) => page.getByRole("button", { name: `Run under ${backend}`, exact: true }).click();

async function applies() {
  const before = await steps();
  await page.click(".site-mark:visible >> nth=0");
  await page.click(".popover .site-apply >> nth=1");
  await page.waitForFunction((count) => document.querySelectorAll(".step").length === count, before + 1);
  await page.waitForSelector(".site-mark:visible");
}

async function a_run_shows_in_its_own_document() {
  const { url } = await mock();
  page = await newPage();
  await page.goto(url);
  await page.setInputFiles("input[type=file]", {
    name: "hanging.py",
    mimeType: "text/x-python",
    buffer: Buffer.from(HANGS),
  });
  await page.waitForFunction(() => document.querySelector(".cm-content")?.textContent.includes("while True"));
  await runsUnder("eager");
  await page.waitForFunction(() => / s$/.test(document.querySelector(".backend-name .soft").textContent));
  await page.locator("text=Open…").click();
  await page.click("dialog .example >> nth=2");
  await page.waitForFunction(() => document.querySelector(".cm-content").textContent.includes("torch.relu"));
  const shown = () => page.locator(".backend .status").allTextContents();
  check((await shown()).length === 0, `a run of another program is shown: ${await shown()}`);
  await page.waitForTimeout(700); // the other run would have told of its progress
  check((await shown()).length === 0, `a run of another program is shown later: ${await shown()}`);
  await runsUnder("eager");
  await page.waitForFunction(() => document.querySelector(".backend .status .tag")?.textContent === "agrees");
}

async function undo_in_the_editor_takes_back_typing() {
  await page.waitForSelector(".site-mark:visible");
  await applies();
  await page.waitForSelector(".cm-changedLine, .cm-deletedChunk", { state: "attached" });
  const before = await content();
  const is = (text) => page.waitForFunction((wanted) => document.querySelector(".cm-content").textContent === wanted, text);
  await page.click(".cm-line >> nth=0");
  await page.keyboard.press("Control+z");
  await page.waitForTimeout(300);
  check((await content()) === before && (await steps()) === 1, "undo takes back what the page put into the editor");
  check((await page.locator("text=You changed the mutated program").count()) === 0, "undo counts as typing");
  await page.keyboard.type("#");
  await page.waitForSelector("text=You changed the mutated program");
  await page.keyboard.press("Control+z");
  await is(before);
  await page.waitForSelector("text=You changed the mutated program", { state: "detached" });
}

async function a_search_leaves_steps_that_are_off() {
  const name = await page.textContent(".step .name");
  await page.click(".step:nth-child(2) input");
  await page.waitForSelector(".step.off");
  await page.getByRole("button", { name: "Mutate until it diverges…" }).click();
  await page.getByRole("button", { name: "Begin" }).click();
  await page.waitForSelector("text=Diverges after 3 steps");
  await page.getByRole("button", { name: "Show the program" }).click();
  check((await steps()) === 3, "the steps of the mutant are not there");
  check((await page.textContent(".step.off .name")) === name, "a step that is off lost its text");
}

async function a_browser_may_keep_nothing() {
  const { url } = await mock({ opened: true });
  page = await newPage();
  await page.addInitScript(() => {
    for (const name of ["localStorage", "sessionStorage"])
      Object.defineProperty(globalThis, name, {
        get: () => {
          throw new DOMException("blocked", "SecurityError");
        },
      });
  });
  await page.goto(url);
  await page.waitForSelector(".site-mark:visible");
  await applies();
  await page.waitForSelector("text=This browser keeps nothing more");
  await runsUnder("eager");
  await page.waitForFunction(() => document.querySelector(".backend .status .tag")?.textContent === "agrees");
}

run([
  a_run_shows_in_its_own_document,
  undo_in_the_editor_takes_back_typing,
  a_search_leaves_steps_that_are_off,
  a_browser_may_keep_nothing,
]);
