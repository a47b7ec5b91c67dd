// A running campaign is watched; one of its findings is opened, exported, and opened in the editor; a report of the
// campaign is read without a server.
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import {
  accessible,
  check,
  explore,
  folder,
  jitprobe,
  newPage,
  noSidewaysScroll,
  picture,
  ROOT,
  run,
  SLOW,
} from "./harness.mjs";

const BACKEND = join(ROOT, "tests/puzzles/lost_side_effect.py");
const work = join(folder(), "campaign");
let page;
let fuzzing;
let reduced;

const rowOf = (id) => page.locator(`.findings tbody tr:has-text("${id}")`);

// The id of a listed finding whose reduction has left its file.
async function listedAndReduced() {
  const findings = join(work, "findings");
  for (const id of existsSync(findings) ? readdirSync(findings) : [])
    if (existsSync(join(findings, id, "reduced.json")) && (await rowOf(id).count()) > 0) return id;
  return undefined;
}

async function watches_a_running_campaign() {
  fuzzing = jitprobe(
    "fuzz",
    "--known",
    "none",
    "--backend",
    BACKEND,
    "--backend",
    "aot_eager",
    "--seed",
    7,
    "--jobs",
    1,
    "--reduce",
    6,
    "--epoch",
    1,
    "--no-finish",
    "--time",
    "5m",
    "--campaign",
    work,
  );
  for (let i = 0; i < 1200 && !existsSync(join(work, "campaign.db")); i++)
    await new Promise((done) => setTimeout(done, 100));
  const { url } = await explore("--campaign", work);
  page = await newPage({ height: 1000 });
  await page.goto(url);
  await page.waitForSelector('.campaign-head .tag >> text="running"');
  const tests = () =>
    page.evaluate(() => Number(document.querySelector(".cards strong").textContent.replace(/\D/g, "")));
  await page.waitForFunction(
    () => Number(document.querySelector(".cards strong").textContent.replace(/\D/g, "")) > 0,
    null,
    { timeout: SLOW },
  );
  const before = await tests();
  await page.waitForFunction(
    (count) => Number(document.querySelector(".cards strong").textContent.replace(/\D/g, "")) > count,
    before,
    { timeout: SLOW },
  );
  await page.waitForSelector(".plot .series", { timeout: SLOW });
  for (let waited = 0; !reduced && waited < SLOW; waited += 100) {
    await new Promise((done) => setTimeout(done, 100));
    reduced = await listedAndReduced();
  }
  check(reduced, "no finding was reduced");
  await accessible(page, "a running campaign");
  // A picture shows more than a beginning.
  if (process.env.JITPROBE_BLESS === "1")
    await page.waitForFunction(
      () => Number(document.querySelector(".cards strong").textContent.replace(/\D/g, "")) > 24,
      null,
      { timeout: SLOW },
    );
}

async function sees_it_end() {
  fuzzing.kill("SIGINT");
  await page.waitForSelector('.campaign-head .tag >> text="not running"', { timeout: SLOW });
  await fuzzing.ended;
  await noSidewaysScroll(page, "a campaign at 1280 px");
  await picture(page, "explore-campaign");
}

async function opens_a_finding() {
  await rowOf(reduced).locator(".link").click();
  await page.waitForSelector(".verdict.diverge", { timeout: SLOW });
  check((await page.locator(".code-block").count()) > 0, "the reduced form is not shown");
  for (const tab of ["As found", "Outputs", "Lineage", "Reduction", "Exports"]) {
    await page.getByRole("tab", { name: tab }).click();
    await accessible(page, tab);
  }
}

async function exports_it() {
  await page.getByRole("button", { name: "Reproducer" }).click();
  await page.getByRole("button", { name: "Make the export" }).click();
  await page.waitForSelector(".code-block", { timeout: SLOW });
  const text = await page.textContent(".code-block");
  check(text.includes("import torch") && text.includes("sys.exit"), text.slice(0, 400));
  await page.waitForSelector("text=was run by itself and shows the difference");
}

async function opens_it_in_the_editor() {
  await page.getByRole("tab", { name: "Reduced form" }).click();
  await page.getByRole("button", { name: "Open reduced form" }).click();
  await page.waitForSelector(".cm-content");
  check((await page.textContent(".cm-content")).includes("def program"), "the program is not in the editor");
}

async function reads_a_report() {
  const file = join(folder(), "report.html");
  const made = jitprobe("explore", "--campaign", work, "--export", file);
  check((await made.ended) === 0, made.said);
  const size = statSync(file).size;
  check(size < 2e6, `${size} bytes`);
  console.log("report:", size, "bytes");
  const report = await newPage({ width: 400 });
  const asked = [];
  report.on(
    "request",
    (request) => request.url().startsWith("file:") || request.url().startsWith("data:") || asked.push(request.url()),
  );
  await report.goto(`file://${file}`);
  await report.waitForSelector(".findings tbody tr");
  await noSidewaysScroll(report, "a report at 400 px");
  await report.click(".findings tbody tr .link");
  await report.waitForSelector(".verdict.diverge");
  await noSidewaysScroll(report, "a finding of a report at 400 px");
  await accessible(report, "a report");
  check(asked.length === 0, `a report asks for ${asked}`);
}

run([watches_a_running_campaign, sees_it_end, opens_a_finding, exports_it, opens_it_in_the_editor, reads_a_report]);
