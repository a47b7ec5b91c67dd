// Nothing is lost: a server that ended, a reload, a second tab; steps as a line of text; files saved and opened.
import { readFileSync } from "node:fs";
import { check, follow, mock, newPage, run } from "./harness.mjs";

let page;
let server;

const steps = (where = page) => where.locator(".step").count();
const shown = (where = page) => where.textContent(".cm-content");

async function applies(where = page, line = 0, which = 0) {
  const before = await steps(where);
  await where.click(`.site-mark:visible >> nth=${line}`);
  await where.click(`.popover .site-apply >> nth=${which}`);
  await where.waitForFunction((count) => document.querySelectorAll(".step").length === count, before + 1);
  await where.waitForSelector(".site-mark:visible");
}

async function begins() {
  server = await mock({ opened: true });
  page = await newPage();
  await page.goto(server.url);
  await page.waitForSelector(".site-mark:visible");
  await applies(page, 0, 1);
  await applies(page, 2, 4);
}

async function shares_a_line() {
  const before = await shown();
  await page.getByRole("button", { name: "Share or paste…" }).click();
  const line = await page.inputValue("textarea[readonly]");
  check(/^\w+@s\d+=.*; \w+@s\d+=/.test(line) && !line.includes("\n"), line);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Remove step 1" }).click();
  await page.waitForFunction(() => document.querySelectorAll(".step").length === 1);
  await page.getByRole("button", { name: "Share or paste…" }).click();
  await page.fill("textarea:not([readonly])", "nonsense");
  await page.getByRole("button", { name: "Replace the steps by these" }).click();
  check((await page.textContent("[role=alert]")).includes("no step"), "nonsense is taken");
  await page.fill("textarea:not([readonly])", line);
  await page.getByRole("button", { name: "Replace the steps by these" }).click();
  await page.waitForFunction((text) => document.querySelector(".cm-content").textContent === text, before);
  check((await steps()) === 2, "the steps of the line are not there");
}

async function moves_a_step() {
  const names = () => page.locator(".step .name").allTextContents();
  const before = await names();
  await page.getByRole("button", { name: "Move step 1 up" }).click();
  await page.waitForFunction((name) => document.querySelector(".step .name").textContent === name, before[1]);
  await page.getByRole("button", { name: /^Undo/ }).click();
  await page.waitForFunction((name) => document.querySelector(".step .name").textContent === name, before[0]);
}

async function a_second_tab_has_its_own() {
  const other = follow(await page.context().newPage());
  await other.goto(page.url());
  await other.waitForSelector(".step");
  check((await steps(other)) === 2, "the second tab lacks the steps");
  await other.waitForSelector(".site-mark:visible");
  await applies(other);
  // The tab that hears first that another one writes the same document goes on with a copy.
  const copies = (where) => where.waitForSelector("text=This tab goes on with a copy of its own");
  await Promise.any([copies(page), copies(other)]);
  check((await steps()) === 2, "the first tab has the other's step");
  await page.reload();
  await page.waitForSelector(".step");
  check((await steps()) === 2, "the first tab lost its copy");
  await other.reload();
  await other.waitForSelector(".step");
  check((await steps(other)) === 3, "the second tab lost its step");
  await other.close();
}

async function a_refusal_is_told_until_the_next_change() {
  const paste = async (line) => {
    await page.getByRole("button", { name: "Share or paste…" }).click();
    await page.fill("textarea:not([readonly])", line);
    await page.getByRole("button", { name: "Replace the steps by these" }).click();
    await page.waitForSelector("dialog", { state: "detached" });
  };
  // The second step's statement is there only after the first one.
  await paste("true_block@s5=1,'x'; break_graph@s16=1");
  await page.waitForFunction(() => /break_graph/.test(document.querySelector(".step:last-child").textContent));
  await page.getByRole("button", { name: "Move step 1 up" }).click();
  await page.waitForSelector("text=The order stays");
  await page.getByRole("button", { name: /^Undo/ }).click();
  await page.waitForSelector("text=The order stays", { state: "detached" });
  check((await steps()) === 2, "undo did not bring the steps back");
}

const isFocused = (selector) => page.waitForFunction((wanted) => document.activeElement.matches(wanted), selector);

async function escape_gives_the_focus_back() {
  await page.waitForFunction(() => !document.querySelector(".groups.waiting"));
  await page.evaluate(() => document.activeElement.blur());
  await page.click(".site-mark:visible >> nth=0");
  await page.waitForSelector(".popover");
  await isFocused(".popover .button");
  await page.keyboard.press("Escape");
  await page.waitForSelector(".popover", { state: "detached" });
  await isFocused(".cm-content");
  await page.focus(".filter input[type=search]");
  await page.click(".site-mark:visible >> nth=1");
  await page.waitForSelector(".popover");
  await page.keyboard.press("Escape");
  await page.waitForSelector(".popover", { state: "detached" });
  await isFocused(".filter input[type=search]");
}

async function what_is_hovered_closes_behind_the_pointer() {
  await page.waitForFunction(() => !document.querySelector(".groups.waiting"));
  const mark = page.locator(".site-mark:visible").first();
  for (const [right, down] of [
    [-60, 0],
    [0, -300],
  ]) {
    await mark.hover();
    await page.waitForSelector(".popover");
    const { x, y } = await mark.boundingBox();
    await page.mouse.move(Math.max(1, x + right), Math.max(1, y + down));
    await page.waitForSelector(".popover", { state: "detached" });
  }
  await mark.hover();
  await page.hover(".popover .panel-head");
  await page.waitForTimeout(500);
  check((await page.locator(".popover").count()) === 1, "it closes while the pointer is in it");
  await page.mouse.move(1, 1);
  await page.waitForSelector(".popover", { state: "detached" });
}

async function edits_are_asked_about() {
  await page.click(".cm-line >> nth=0");
  await page.keyboard.type("# mine\n");
  await page.waitForSelector("text=You changed the mutated program");
  await page.reload();
  await page.waitForSelector("text=You changed the mutated program");
  check((await shown()).includes("# mine"), "what was typed is lost by a reload");
  check((await steps()) === 2, "a reload lost steps");
  // A change of the steps is no decision about it either.
  await page.click(".step:nth-child(2) input");
  await page.waitForSelector(".step.off");
  check((await shown()).includes("# mine"), "what was typed is lost by a switch");
  await page.click(".step:nth-child(2) input");
  await page.waitForSelector(".step.off", { state: "detached" });
  await page.getByRole("button", { name: "Discard" }).click();
  await page.waitForFunction(() => !document.querySelector(".cm-content").textContent.includes("# mine"));
  check((await steps()) === 2, "discarding took steps away");
}

// Without steps it is the start; the pause after which it is one is not waited for.
async function a_reload_keeps_what_was_just_typed() {
  const other = follow(await page.context().newPage());
  await other.goto(server.url);
  await other.waitForSelector(".site-mark:visible");
  await other.click(".cm-line >> nth=0");
  await other.keyboard.type("# quick");
  await other.reload();
  await other.waitForFunction(() => document.querySelector(".cm-content")?.textContent.includes("# quick"));
  await other.waitForSelector(".site-mark:visible");
  await other.getByRole("button", { name: /^Undo/ }).click();
  await other.waitForFunction(() => !document.querySelector(".cm-content").textContent.includes("# quick"));
  await other.close();
}

async function results_outlive_a_reload() {
  const inductor = page.locator(".backend").last();
  const runIt = async () => {
    await inductor.getByRole("button", { name: "Run under inductor" }).click();
    await page.waitForFunction(() => document.querySelector(".result") && !document.querySelector(".spinner"));
  };
  await runIt();
  await applies();
  await runIt();
  const code = page.getByRole("tab", { name: "Code" });
  await code.click();
  await page.waitForSelector("text=Diff to the previous program");
  await page.reload();
  await code.click();
  await page.waitForSelector("text=Diff to the previous program");
  await page.getByRole("button", { name: /^Undo/ }).click();
  await page.waitForFunction(() => document.querySelectorAll(".step").length === 2);
}

async function the_server_ends() {
  await page.waitForSelector(".site-mark:visible");
  const before = await shown();
  await server.close();
  await page.click(".site-mark:visible >> nth=0");
  await page.click(".popover .site-apply >> nth=0");
  await page.waitForSelector("text=The server has ended.");
  check((await shown()) === before && (await steps()) === 2, "something is lost");
  await page.click(".cm-line >> nth=0");
  await page.keyboard.type("# late ");
  await page.waitForSelector("text=You changed the mutated program");
  const typed = await shown();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Save start and steps" }).click(),
  ]);
  const path = await download.path();
  const saved = JSON.parse(readFileSync(path, "utf8"));
  check(saved.steps.length === 2 && saved.program.source.includes("def program"), JSON.stringify(saved));
  const another = await mock({ opened: false });
  const elsewhere = await newPage();
  await elsewhere.goto(another.url);
  await elsewhere.setInputFiles("input[type=file]", {
    name: "small.json",
    mimeType: "application/json",
    buffer: readFileSync(path),
  });
  await elsewhere.waitForFunction((text) => document.querySelector(".cm-content")?.textContent === text, typed);
  check((await steps(elsewhere)) === 2, "the saved file lacks steps");
  await elsewhere.getByRole("button", { name: "Discard" }).click();
  await elsewhere.waitForFunction((text) => document.querySelector(".cm-content")?.textContent === text, before);
}

run([
  begins,
  shares_a_line,
  moves_a_step,
  a_refusal_is_told_until_the_next_change,
  escape_gives_the_focus_back,
  what_is_hovered_closes_behind_the_pointer,
  a_second_tab_has_its_own,
  edits_are_asked_about,
  a_reload_keeps_what_was_just_typed,
  results_outlive_a_reload,
  the_server_ends,
]);
