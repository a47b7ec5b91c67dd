// Findings of a campaign, by the mock server: known ones are listed when they are asked for, and an export is cancelled,
// outlives a change of tabs, and ends with the view of its finding.
import { accessible, check, mock, newPage, run } from "./harness.mjs";

let page;

const rows = () => page.locator(".findings tbody tr").count();
const make = () => page.getByRole("button", { name: "Make the export" });
const cancel = () => page.getByRole("button", { name: "Cancel the export" });
const tab = (name) => page.getByRole("tab", { name }).click();

async function opens(settings) {
  const { url } = await mock({ campaign: true, ...settings });
  page = await newPage();
  await page.goto(url);
  await page.waitForSelector(".findings tbody tr");
}

async function known_findings_are_asked_for() {
  await opens({ campaign: "finished" });
  await page.waitForSelector('.campaign-head .tag >> text="not running"');
  check((await rows()) === 1, `${await rows()} findings are listed`);
  await page.getByLabel("1 known or put aside").check();
  check((await rows()) === 2, `${await rows()} findings are listed`);
  await page.getByLabel("1 known or put aside").uncheck();
  check((await rows()) === 1, `${await rows()} findings are listed`);
}

async function opens_exports() {
  await page.click(".findings .link");
  await page.waitForSelector(".verdict");
  await tab("Exports");
}

async function an_export_is_made() {
  await opens_exports();
  await make().click();
  await page.waitForSelector("text=was run by itself and shows the difference");
  check((await page.textContent(".code-block")).includes("# repro of 15ffd94c6e181e11"), "another export");
  await page.locator(".segments").getByRole("button", { name: "Program", exact: true }).click();
  await make().click();
  await page.waitForFunction(() => document.querySelector(".code-block")?.textContent.includes("# program of"));
  await tab("Lineage");
  await tab("Exports");
  check((await page.textContent(".code-block")).includes("# program of"), "the export is gone with its tab");
}

async function an_export_is_cancelled() {
  await opens({ exportTime: 600000 });
  await opens_exports();
  await make().click();
  await cancel().waitFor();
  await page.waitForSelector("text=runs the file by itself");
  await accessible(page, "an export that is made");
  await tab("Lineage");
  await tab("Exports");
  await cancel().click();
  await make().waitFor();
}

async function an_export_ends_with_its_view() {
  await make().click();
  await page.waitForSelector("text=runs the file by itself");
  const [asked] = await Promise.all([
    page.waitForRequest((request) => request.url().endsWith("/api/cancel")),
    page.getByRole("button", { name: "Back to the campaign" }).click(),
  ]);
  check(/"run":"\w+"/.test(asked.postData()), `cancelled: ${asked.postData()}`);
}

run([known_findings_are_asked_for, an_export_is_made, an_export_is_cancelled, an_export_ends_with_its_view]);
