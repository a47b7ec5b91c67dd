// Runs of the present program under each backend: what is running, what came out, and what came out before.
import { stream } from "../api/stream.js";
import { sent } from "../state/lineage.js";
import { current, session, sourceNow } from "../state/session.js";
import * as storage from "../state/storage.js";
import { createStore } from "../state/store.js";

// rows[backend]: {state, says, seconds, error, source, result, compiled}; state is "running", "done", "failed" or
// "cancelled". previous[backend]: the last done row whose program was another one.
export const runs = createStore({ rows: {}, previous: {}, chosen: "", all: false });

const cancels = new Map();
let stopped = false;

function put(backend, members) {
  const { rows } = runs.get();
  runs.set({ rows: { ...rows, [backend]: { ...rows[backend], ...members } } });
}

function startRow(backend, source) {
  const { rows, previous, chosen } = runs.get();
  const last = rows[backend];
  const keep = last?.state === "done" && last.source !== source;
  runs.set({
    rows: { ...rows, [backend]: { state: "running", says: "starting", seconds: 0, source } },
    previous: keep ? { ...previous, [backend]: last } : previous,
    chosen: chosen || backend,
  });
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
    const { rows, previous } = storage.keptResults(id);
    runs.set({ rows, previous, chosen: Object.keys(rows).at(-1) ?? current()?.backend ?? "" });
  });
  runs.subscribe(keepRows);
}

// Control runs are many, and nobody looks at their values.
function withComparedRuns(result) {
  const { reference, under_test: tested } = result.verdict ?? {};
  const shown = [reference || "eager", tested || "compiled"];
  return { ...result, outcomes: result.outcomes?.filter(({ role }) => shown.includes(role)) };
}

/** Runs the present program; resolves when the run has ended in whatever way. */
export async function run(backend) {
  if (runs.get().rows[backend]?.state === "running") return;
  const document = current();
  startRow(backend, sourceNow());
  const end = (state, members = {}) => {
    if (runs.get().rows[backend].state === "running") put(backend, { state, ...members });
  };
  const body = {
    program: document.program,
    steps: sent(document.steps),
    backend,
    oracle: document.oracle || "eager_vs_compiled",
    finding: document.oracle ? document.finding : null,
    explain: true,
  };
  const { finished, cancel } = stream("/api/run", body, {
    progress: (data) => put(backend, { says: data.says, seconds: data.seconds }),
    result: (result) => put(backend, { result: withComparedRuns(result) }),
    explained: (compiled) => put(backend, { compiled }),
    failed: (data) =>
      data.part === "explain" ? put(backend, { unexplained: data.error }) : end("failed", { error: data.error }),
    cancelled: () => end("cancelled"),
    ended: () => end(runs.get().rows[backend].result ? "done" : "failed", { error: "The run ended without a result." }),
  });
  cancels.set(backend, cancel);
  await finished;
  cancels.delete(backend);
  end("failed", { error: "The run ended without a result." });
  if (current() === document && runs.get().rows[backend].result?.verdict?.kind === "diverge")
    runs.set({ chosen: backend });
}

/** The backends in turn, the lowest first. */
export async function runAll() {
  stopped = false;
  runs.set({ all: true });
  for (const { name } of session.get().start.backends) {
    if (stopped) break;
    runs.set({ chosen: name });
    await run(name);
  }
  const rows = runs.get().rows;
  const diverging = session.get().start.backends.find(({ name }) => rows[name]?.result?.verdict?.kind === "diverge");
  runs.set({ all: false, ...(diverging ? { chosen: diverging.name } : {}) });
}

export function cancel(backend) {
  stopped = true;
  cancels.get(backend)?.();
}

export function cancelAll() {
  for (const backend of cancels.keys()) cancel(backend);
}

export const isRunning = () => Object.values(runs.get().rows).some((row) => row.state === "running");

/** True if the row shows a run of another program than the present one. */
export const isOld = (row, source) => row !== undefined && row.source !== source;

// --- Mutating until something diverges -----------------------------------------------------------------------------

export const hunt = createStore({ state: "idle", tried: 0, says: "", seconds: 0, error: "", backend: "" });
let cancelHunt = null;

/** `onFound({steps, added, source, verdict})` gets all steps of the mutant, those of the document first; `added` are new. */
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
        hunt.set({ state: "found" });
        const steps = [...sent(document.steps), ...data.steps];
        onFound({ ...data, steps, added: data.steps.length });
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
