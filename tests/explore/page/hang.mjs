// A hanging run is cancelled, and its processes are gone.
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { check, explore, HERE, newPage, run, SLOW } from "./harness.mjs";

let page;
let server;

// "" of a process that has ended and waits for its parent.
function executableOf(process) {
  try {
    return readlinkSync(`/proc/${process}/exe`);
  } catch {
    return "";
  }
}

// Every process: its parent, what it executes, and whether it computes at this moment.
function processes() {
  const found = new Map();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      found.set(Number(name), { parent: Number(parent), executable: executableOf(name), computes: state === "R" });
    } catch {
      // It ended meanwhile.
    }
  }
  return found;
}

function withDescendants(of, all) {
  const children = [...all].filter(([, { parent }]) => parent === of).map(([child]) => child);
  return [of, ...children.flatMap((child) => withDescendants(child, all))];
}

// The process of the hanging run, which is a fork of a warm one, and all below it. The warm one stays: others use it, too.
function hangingTree() {
  const all = processes();
  const hangs = (process) => {
    const { parent, executable, computes } = all.get(process);
    return computes && executable && all.get(parent)?.executable === executable;
  };
  return withDescendants(server.child.pid, all)
    .filter(hangs)
    .flatMap((process) => withDescendants(process, all));
}

function alive(tree) {
  const all = processes();
  return tree.filter((process) => all.has(process));
}

async function begins_a_hanging_run() {
  server = await explore(join(HERE, "hanging.py"));
  page = await newPage();
  await page.goto(server.url);
  await page.waitForSelector(".site-mark:visible", { timeout: SLOW });
  await page.getByRole("button", { name: "Run under eager", exact: true }).click();
  await page.waitForFunction(() => / s$/.test(document.querySelector(".backend-name .soft").textContent), null, {
    timeout: SLOW,
  });
}

// One that computes may stand still for a moment.
async function whatHangs() {
  const end = Date.now() + SLOW;
  let tree = hangingTree();
  for (; tree.length === 0 && Date.now() < end; tree = hangingTree()) await page.waitForTimeout(20);
  return tree;
}

async function cancel_ends_it() {
  const before = await whatHangs();
  check(before.length > 0, "no process computes");
  await page.getByRole("button", { name: "Cancel the run under eager" }).click();
  await page.waitForSelector("text=You cancelled this run");
  const word = await page.textContent(".backend .status .tag");
  check(word === "cancelled", `the run is ${word}`);
  for (let i = 0; i < 100 && alive(before).length > 0; i++) await page.waitForTimeout(100);
  check(alive(before).length === 0, `still there after 10 s: ${alive(before)}`);
}

async function stops_looking_for_sites() {
  await page.locator("text=Open…").click();
  await page.setInputFiles("input[type=file]", join(HERE, "hanging_plain.py"));
  await page.getByRole("button", { name: "Stop looking for sites" }).click({ timeout: SLOW });
  await page.waitForSelector("text=You stopped the run that tells where mutations apply");
  await page.getByRole("button", { name: "Look for sites", exact: true }).click();
  await page.waitForSelector("text=looking for sites");
  await page.getByRole("button", { name: "Stop looking for sites" }).click();
}

// Steps are drawn on a program that never ends: no run of it is left when they are cancelled.
async function cancels_steps_that_are_drawn() {
  await page.getByRole("button", { name: "Apply random ones…" }).click();
  await page.getByRole("button", { name: "Apply", exact: true }).click();
  await page.waitForSelector("text=draws mutations", { timeout: SLOW });
  const before = await whatHangs();
  check(before.length > 0, "no process computes");
  await page.getByRole("button", { name: "Cancel what is being made" }).click();
  for (let i = 0; i < 100 && alive(before).length > 0; i++) await page.waitForTimeout(100);
  check(alive(before).length === 0, `still there after 10 s: ${alive(before)}`);
  check((await page.locator(".step").count()) === 0, "a step was added");
}

async function another_program_runs() {
  await page.locator("text=Open…").click();
  await page.setInputFiles("input[type=file]", join(HERE, "small.py"));
  await page.waitForFunction(() => document.querySelector(".cm-content").textContent.includes("torch.relu"));
  await page.getByRole("button", { name: "Run under eager", exact: true }).click();
  await page.waitForFunction(() => document.querySelector(".backend .status .tag")?.textContent === "agrees", null, {
    timeout: SLOW,
  });
}

run([begins_a_hanging_run, cancel_ends_it, stops_looking_for_sites, cancels_steps_that_are_drawn, another_program_runs]);
