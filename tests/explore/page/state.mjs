// What the page keeps and whose it is, without a browser: documents in a storage that is full or blocked, runs whose
// document is left, answers that come too late, streams that are cancelled. The server is made of what each case sends.
import assert from "node:assert/strict";
import { webcrypto } from "node:crypto";

globalThis.crypto ??= webcrypto; // Node 18 has it behind a flag

/** As much of localStorage as is used; `most` is how many characters it takes. */
class Storage {
  #most;
  constructor(most = Infinity) {
    this.#most = most;
  }
  getItem(key) {
    return this[key] ?? null;
  }
  setItem(key, text) {
    const others = Object.keys(this).filter((one) => one !== key);
    if (others.reduce((sum, one) => sum + this[one].length, text.length) > this.#most) throw new Error("quota");
    this[key] = text;
  }
  removeItem(key) {
    delete this[key];
  }
}

const keep = (storage) =>
  Object.defineProperty(globalThis, "localStorage", { configurable: true, get: () => storage });
const block = (name) =>
  Object.defineProperty(globalThis, name, {
    configurable: true,
    get: () => {
      throw new Error("blocked");
    },
  });

keep(new Storage());
globalThis.sessionStorage = new Storage();
globalThis.location = { hash: "", pathname: "/", search: "?token=t" };
globalThis.history = { replaceState: () => {} };

// What was asked, the newest last: {path, body}, and of streams `send(event, data)` and `end()`.
const asked = [];
const never = new Promise(() => {});
// Answers by path; what has none is a stream.
const answers = {};

function streamed(signal) {
  let out;
  const encoder = new TextEncoder();
  const body = new ReadableStream({ start: (controller) => void (out = controller) });
  signal.addEventListener("abort", () => out.error(new DOMException("cut", "AbortError")));
  const send = (event, data = {}) =>
    out.enqueue(encoder.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`));
  const end = () => (send("ended"), out.close());
  return { response: new Response(body), send, end };
}

globalThis.fetch = async (path, { body, signal }) => {
  const request = { path, body: JSON.parse(body ?? "{}") };
  asked.push(request);
  if (answers[path]) return Response.json(await answers[path](request.body));
  signal?.throwIfAborted();
  const { response, ...stream } = streamed(signal);
  Object.assign(request, stream);
  return response;
};

const from = (path) => import(`../../../explore/page/src/${path}`);
const { answerOf, stream } = await from("api/stream.js");
const { campaign, openFinding } = await from("campaign/store.js");
const { cancel, followDocument, isOld, run, runAll, runs } = await from("run/runs.js");
const { verdictWord } = await from("run/words.js");
const { openFile } = await from("state/files.js");
const { addSteps, current, moveStep, openDocument, programNow, session, toggleStep } = await from("state/session.js");
const storage = await from("state/storage.js");

const last = (path) => asked.findLast((one) => one.path === path);
async function until(condition, what) {
  for (let i = 0; i < 500; i++) {
    const value = condition();
    if (value) return value;
    await new Promise((done) => setTimeout(done, 10));
  }
  assert.fail(`waited in vain: ${what}`);
}

/** [what `act` gives, the stream that it opens]. */
async function opens(path, act) {
  const before = asked.length;
  const given = act();
  const open = () => asked.slice(before).find((one) => one.path === path && one.send);
  return [given, await until(open, `${path} is asked`)];
}

const kept = (name, size, past = []) => ({ present: { name, steps: [], text: "x".repeat(size) }, past, future: [] });
const names = () => storage.recent().map(({ name }) => name);

function a_large_document_takes_no_other_away() {
  keep(new Storage(10000));
  assert.ok(storage.save("a", kept("first", 3000)));
  assert.ok(storage.save("b", kept("second", 3000)));
  for (let i = 0; i < 5; i++) assert.equal(storage.save("c", kept("huge", 20000)), false);
  assert.deepEqual(names().sort(), ["first", "second"]);
}

function what_undo_brings_back_goes_first() {
  keep(new Storage(10000));
  assert.ok(storage.save("a", kept("first", 3000)));
  assert.ok(storage.save("b", kept("own", 3000, [kept("before", 6000)])));
  assert.deepEqual(storage.load("b").past, []);
  assert.deepEqual(names().sort(), ["first", "own"]);
}

async function the_oldest_other_goes_where_that_helps() {
  keep(new Storage(10000));
  for (const id of ["a", "b", "c"]) {
    assert.ok(storage.save(id, kept(id, 2500)));
    await new Promise((done) => setTimeout(done, 2)); // the next one is younger
  }
  assert.ok(storage.save("a", kept("a", 6000)));
  assert.deepEqual(names().sort(), ["a", "c"]);
}

async function a_browser_may_keep_nothing() {
  const { sessionStorage } = globalThis;
  block("localStorage");
  block("sessionStorage");
  try {
    assert.equal(storage.save("a", kept("first", 10)), false);
    assert.deepEqual(storage.recent(), []);
    storage.forgetBeyondLimit();
    assert.equal(storage.load("a"), null);
    assert.equal(storage.keepResults("a", {}, {}), false);
    assert.deepEqual(storage.keptResults("a"), { rows: {}, previous: {} });
    assert.equal(storage.choice("scheme", "system"), "system");
    storage.choose("scheme", "dark");
  } finally {
    Object.defineProperty(globalThis, "sessionStorage", { configurable: true, value: sessionStorage });
    keep(new Storage());
  }
}

const RESULT = { verdict: { kind: "diverge" }, outcomes: [] };
const program = (source) => ({ source, entry: "program", inputs: "make_inputs" });

function begins() {
  answers["/api/cancel"] = () => ({});
  answers["/api/replay"] = ({ program: { source }, steps }) => ({
    source,
    steps: steps.map((text) => ({ text, source, error: "", exactness: "bitwise" })),
  });
  session.set({ start: { torch: "2", backends: [{ name: "eager" }, { name: "inductor" }] } });
  followDocument();
  openDocument({ name: "one", program: program("a = 1") });
}

async function a_run_of_a_left_document_shows_nothing() {
  const [left, old] = await opens("/api/run", runAll);
  old.send("started", { run: "r1" });
  old.send("progress", { says: "runs", seconds: 1 });
  await until(() => runs.get().rows.eager.says === "runs", "progress");
  openDocument({ name: "two", program: program("b = 2") });
  assert.deepEqual(runs.get().rows, {});
  assert.equal(runs.get().all, false);
  await until(() => last("/api/cancel")?.body.run === "r1", "the old run is cancelled");
  old.send("progress", { says: "runs", seconds: 2 });
  await new Promise((done) => setTimeout(done, 30));
  assert.deepEqual(runs.get().rows, {}, "a row of another program");

  const [own, mine] = await opens("/api/run", () => run("eager"));
  mine.send("started", { run: "r2" });
  old.send("result", RESULT);
  old.end();
  await left;
  assert.equal(runs.get().rows.eager.state, "running");
  assert.equal(runs.get().rows.eager.result, undefined, "another program's result");
  cancel("eager");
  await until(() => last("/api/cancel").body.run === "r2", "the own run can be cancelled");
  mine.send("cancelled");
  mine.end();
  await own;
  assert.equal(runs.get().rows.eager.state, "cancelled");
  assert.equal(asked.filter(({ path }) => path === "/api/run").length, 2, "the other backends of the left document run");
  assert.equal(verdictWord({ says: "runs" }).word, "not run");
}

async function a_run_ends_with_its_result() {
  const [own, mine] = await opens("/api/run", () => run("eager"));
  mine.send("started", { run: "r3" });
  mine.send("result", RESULT);
  mine.end();
  await own;
  const { rows, chosen } = runs.get();
  assert.deepEqual([rows.eager.state, rows.eager.error, chosen], ["done", undefined, "eager"]);
  assert.deepEqual(storage.keptResults(session.get().id).rows.eager.result.verdict, RESULT.verdict);
}

async function all_backends_run_in_turn_until_one_is_cancelled() {
  openDocument({ name: "all", program: program("x = 1") });
  const given = (stream, verdict) => (stream.send("result", { verdict, outcomes: [] }), stream.end());
  let [all, stream] = await opens("/api/run", runAll);
  [, stream] = await opens("/api/run", () => given(stream, { kind: "diverge" }));
  assert.equal(stream.body.backend, "inductor");
  given(stream, { kind: "agree" });
  await all;
  assert.deepEqual([runs.get().all, runs.get().chosen], [false, "eager"], "not the one that diverges");

  const before = asked.filter(({ path }) => path === "/api/run").length;
  [all] = await opens("/api/run", runAll);
  cancel("eager");
  await all;
  assert.deepEqual([runs.get().all, runs.get().rows.eager.state], [false, "cancelled"]);
  assert.equal(asked.filter(({ path }) => path === "/api/run").length, before + 1, "the next backend runs");
}

async function a_run_is_of_the_program_that_the_server_still_makes() {
  openDocument({ name: "late", program: program("p = 1"), steps: ["a@s1", "b@s2"] });
  const { "/api/replay": replay } = answers;
  const questions = [];
  answers["/api/replay"] = () => new Promise((done) => questions.push(done));
  answers["/api/sites"] = () => ({ sites: [] });
  session.set({ replayed: { key: programNow().key, source: "p = 12", steps: [] } });
  toggleStep(current().steps[1].key);
  const after = current();

  const [ran, stream] = await opens("/api/run", () => run("eager"));
  assert.equal(runs.get().rows.eager.source, null, "the program before the change");
  stream.send("result", RESULT);
  stream.end();
  await ran;
  const row = () => runs.get().rows.eager;
  assert.equal(isOld(row(), programNow()), false, "while its program is made");
  questions.at(-1)({ source: "p = 11", steps: [] });
  await until(() => row().source === "p = 11", "the row has its program");
  assert.equal(isOld(row(), programNow()), false, "once its program is made");

  toggleStep(current().steps[1].key);
  assert.equal(isOld(row(), programNow()), true, "a program that isn't made yet");
  const before = questions.length;
  await until(() => questions.length > before, "the server is asked again");
  questions.at(-1)({ source: "p = 11", steps: [] });
  await until(() => programNow().source, "the server has made it");
  assert.notEqual(current(), after);
  assert.equal(isOld(row(), programNow()), false, "other steps, the same program");
  answers["/api/replay"] = replay;
  delete answers["/api/sites"];
}

async function a_late_answer_moves_no_step() {
  openDocument({ name: "three", program: program("c = 3"), steps: ["a@s1", "b@s2"] });
  const { "/api/replay": replay } = answers;
  let answer;
  answers["/api/replay"] = () => new Promise((done) => (answer = () => done(replay(last("/api/replay").body))));
  const moving = moveStep(current().steps[0].key, 1);
  await until(() => answer, "a question whether the order goes");
  openDocument({ name: "four", program: program("d = 4") });
  answer();
  await moving;
  answers["/api/replay"] = replay;
  assert.deepEqual([current().name, current().steps], ["four", []]);
}

function added_steps_leave_those_that_are_off() {
  openDocument({ name: "five", program: program("e = 5"), steps: [{ text: "a@s1", on: false }] });
  addSteps(["b@s2"]);
  assert.deepEqual(
    current().steps.map(({ text, on }) => [text, on]),
    [
      ["a@s1", false],
      ["b@s2", true],
    ],
  );
}

const file = (name, value, size) => {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return { name, size: size ?? text.length, text: async () => text };
};

async function what_is_no_session_is_told() {
  openDocument({ name: "six", program: program("f = 6") });
  const sound = { name: "seven", program: program("g = 7"), steps: [{ text: "a@s1", on: true }] };
  for (const wrong of [
    { ...sound, steps: {} },
    { ...sound, steps: "a@s1" },
    { ...sound, steps: null },
    { ...sound, name: 7 },
    { ...sound, typed: 7 },
    { ...sound, program: { source: "g = 7", entry: 7 } },
    null,
    [],
    "{",
  ]) {
    session.set({ notice: null });
    await openFile(file("kept.json", wrong));
    assert.equal(session.get().notice?.text, "kept.json is no session of this page.", JSON.stringify(wrong));
    assert.equal(current().name, "six");
  }
  await openFile(file("large.py", "h = 8", 2 ** 20 + 1));
  assert.match(session.get().notice.text, /programs up to 1 MiB/);
  await openFile(file("kept.json", { ...sound, name: undefined }, 2 ** 20 + 1));
  assert.deepEqual([current().name, current().steps.length], ["kept.json", 1]);
}

async function the_finding_asked_for_last_is_shown() {
  const waiting = {};
  answers["/api/finding"] = ({ id }) => new Promise((done) => (waiting[id] = () => done({ title: id })));
  const both = [openFinding("aa"), openFinding("bb")];
  await until(() => waiting.aa && waiting.bb, "both are asked for");
  waiting.bb();
  await both[1];
  waiting.aa();
  await both[0];
  assert.deepEqual([campaign.get().finding.id, campaign.get().opening], ["bb", ""]);
}

// No connection is free for the request to cancel.
async function a_cancelled_stream_is_cut() {
  answers["/api/cancel"] = () => never;
  const seen = [];
  const on = { progress: () => seen.push("progress"), cancelled: () => seen.push("cancelled") };
  const [{ finished, cancel: end }, request] = await opens("/api/run", () => stream("/api/run", {}, on));
  request.send("started", { run: "r4" });
  request.send("progress");
  await until(() => seen.length > 0, "the run has begun");
  end();
  await finished;
  assert.deepEqual(seen, ["progress", "cancelled"]);
  const controller = new AbortController();
  const answer = answerOf("/api/sites", {}, "sites", controller.signal);
  controller.abort();
  await assert.rejects(answer, { name: "AbortError" });
}

for (const one of [
  a_large_document_takes_no_other_away,
  what_undo_brings_back_goes_first,
  the_oldest_other_goes_where_that_helps,
  a_browser_may_keep_nothing,
  begins,
  a_run_of_a_left_document_shows_nothing,
  a_run_ends_with_its_result,
  all_backends_run_in_turn_until_one_is_cancelled,
  a_run_is_of_the_program_that_the_server_still_makes,
  a_late_answer_moves_no_step,
  added_steps_leave_those_that_are_off,
  what_is_no_session_is_told,
  the_finding_asked_for_last_is_shown,
  a_cancelled_stream_is_cut,
]) {
  await one();
  console.log(`${one.name}: passed`);
}
process.exit(0);
