// Runs of the present program under each backend: what is running, what came out, and what came out before.
import { stream } from "../api/stream.js";
import { sent } from "../state/lineage.js";
import { current, programNow, session } from "../state/session.js";
import * as storage from "../state/storage.js";
import { createStore } from "../state/store.js";

// rows[backend]: {state, says, seconds, error, key, source, result, compiled}; state is "running", "done", "failed" or
// "cancelled". key tells the document that ran; source is the program after its steps, or null until the server has
// made it. previous[backend]: the last done row whose program was another one.
export const runs = createStore({ rows: {}, previous: {}, chosen: "", all: false });

const cancels = new Map();
// By backend, the run that its row belongs to: events of any other run are not this program's.
const owners = new Map();
// Of all backends in turn: {cancelled}, or null.
let sequence = null;

function put(backend, members) {
  const { rows } = runs.get();
  runs.set({ rows: { ...rows, [backend]: { ...rows[backend], ...members } } });
}

function startRow(backend, program) {
  const { rows, previous, chosen } = runs.get();
  const last = rows[backend];
  const keep = last?.state === "done" && isOld(last, program);
  runs.set({
    rows: { ...rows, [backend]: { state: "running", says: "starting", seconds: 0, ...program } },
    previous: keep ? { ...previous, [backend]: last } : previous,
    chosen: chosen || backend,
  });
}

/** Gives the row its source once the server has made it; not if another program takes its place before. */
function noteSource(backend, key) {
  const stop = session.subscribe((value) => {
    const { key: now, source } = programNow(value);
    if (now === key && source === null) return;
    stop();
    if (now === key && runs.get().rows[backend]?.key === key) put(backend, { source });
  });
}

/** Ends what runs, and lets go of its rows. */
function leaveRuns() {
  const ends = [...cancels.values()];
  owners.clear();
  cancels.clear();
  sequence = null;
  for (const end of ends) end();
}

// Results are this document's, and survive a reload; a run that was under way does not.
export function followDocument() {
  let id = "";
  const keepRows = () => {
    const { rows, previous } = runs.get();
    if (Object.values(rows).every((row) => row.state !== "running")) storage.keepResults(id, rows, previous);
  };
  session.subscribe((value) => {
    if (value.id === id) return;
    const copied = id !== "" && value.copyOf === id;
    id = value.id;
    if (copied) return keepRows();
    leaveRuns();
    const { rows, previous } = storage.keptResults(id);
    runs.set({ rows, previous, chosen: Object.keys(rows).at(-1) ?? current()?.backend ?? "", all: false });
  });
  runs.subscribe(keepRows);
}

// Control runs are many, and nobody looks at their values.
function withComparedRuns(result) {
  const { reference, under_test: tested } = result.verdict ?? {};
  const shown = [reference || "eager", tested || "compiled"];
  return { ...result, outcomes: result.outcomes?.filter(({ role }) => shown.includes(role)) };
}

const bodyOf = (document, backend) => ({
  program: document.program,
  steps: sent(document.steps),
  backend,
  oracle: document.oracle || "eager_vs_compiled",
  finding: document.oracle ? document.finding : null,
  explain: true,
});

const NO_RESULT = { error: "The run ended without a result." };
const diverges = (row) => row?.result?.verdict?.kind === "diverge";

/** Runs the present program; resolves when the run has ended in whatever way. */
export async function run(backend) {
  if (runs.get().rows[backend]?.state === "running") return;
  const document = current();
  const mine = Symbol(backend);
  const isMine = () => owners.get(backend) === mine;
  const row = () => runs.get().rows[backend];
  const update = (members) => isMine() && put(backend, members);
  const end = (state, members = {}) => isMine() && row().state === "running" && put(backend, { state, ...members });
  owners.set(backend, mine);
  const program = programNow();
  startRow(backend, program);
  if (program.source === null) noteSource(backend, program.key);
  const { finished, cancel } = stream("/api/run", bodyOf(document, backend), {
    progress: (data) => update({ says: data.says, seconds: data.seconds }),
    result: (result) => update({ result: withComparedRuns(result) }),
    explained: (compiled) => update({ compiled }),
    failed: (data) =>
      data.part === "explain" ? update({ unexplained: data.error }) : end("failed", { error: data.error }),
    cancelled: () => end("cancelled"),
    ended: () => isMine() && (row().result ? end("done") : end("failed", NO_RESULT)),
  });
  cancels.set(backend, cancel);
  await finished;
  end("failed", NO_RESULT);
  if (!isMine()) return;
  cancels.delete(backend);
  owners.delete(backend);
  if (current() === document && diverges(row())) runs.set({ chosen: backend });
}

/** The backends in turn, the lowest first. */
export async function runAll() {
  const mine = (sequence = { cancelled: false });
  const { backends } = session.get().start;
  runs.set({ all: true });
  for (const { name } of backends) {
    runs.set({ chosen: name });
    await run(name);
    if (mine.cancelled || sequence !== mine) break;
  }
  if (sequence !== mine) return; // of another document
  const diverging = backends.find(({ name }) => diverges(runs.get().rows[name]));
  runs.set({ all: false, ...(diverging ? { chosen: diverging.name } : {}) });
}

export function cancel(backend) {
  if (sequence) sequence.cancelled = true;
  cancels.get(backend)?.();
}

export function cancelAll() {
  for (const backend of cancels.keys()) cancel(backend);
}

export const isRunning = () => Object.values(runs.get().rows).some((row) => row.state === "running");

/** True if the row shows a run of another program than this one, as `programNow` tells it. */
export const isOld = (row, { key, source }) =>
  row !== undefined && row.key !== key && (source === null || row.source !== source);

// --- Mutating until something diverges -----------------------------------------------------------------------------

export const hunt = createStore({ state: "idle", tried: 0, says: "", seconds: 0, error: "", backend: "" });
let cancelHunt = null;

/** `onFound({steps, source, verdict})` gets the steps of the mutant that are to be added to the document's. */
export async function beginHunt({ backend, seed, only, onFound }) {
  hunt.set({ state: "running", tried: 0, says: "starting", seconds: 0, error: "", backend });
  const document = current();
  const { finished, cancel } = stream(
    "/api/hunt",
    {
      program: document.program,
      steps: sent(document.steps),
      backend,
      seed,
      only,
    },
    {
      progress: (data) => hunt.set(data),
      diverged: (data) => {
        if (current() !== document) return hunt.set({ state: "failed", error: "The program changed meanwhile." });
        hunt.set({ state: "found" });
        onFound(data);
      },
      failed: ({ error }) => hunt.set({ state: "failed", error }),
      cancelled: () => hunt.set({ state: "cancelled" }),
    },
  );
  cancelHunt = cancel;
  await finished;
  cancelHunt = null;
  if (hunt.get().state === "running") hunt.set({ state: "failed", error: "Nothing diverged before the search ended." });
}

export const stopHunt = () => cancelHunt?.();
