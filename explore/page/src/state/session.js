// The document that this tab works on (a program and the steps on it), with undo and redo, and what the server says of
// it: the program after each step (`replayed`) and the sites where a mutation applies (`sites`).
//
// document: {name, program: {source, entry, inputs}, steps: [{key, text, on}], finding: id or null, backend, oracle};
// the last two are those of a finding, or "".
import { api, onServer } from "../api/client.js";
import { answerOf } from "../api/stream.js";
import * as histories from "./history.js";
import { keptStep, moved, newStep, reordered, sent } from "./lineage.js";
import * as storage from "./storage.js";
import { createStore } from "./store.js";

const NO_SITES = { key: "", rows: [], statements: [], error: "", asking: false, stopped: false };

export const session = createStore({
  id: "",
  start: null, // the answer of /api/start
  history: null,
  replayed: null, // {key, source, steps: [{text, source, error, exactness}]} for the key of the document
  replaying: false,
  sites: NO_SITES,
  compare: "last", // what the editor shows changes against: "none", "last" step, the "start", or a step's key
  line: 0, // the line whose sites are listed; 0: all
  draft: null, // {text, onSteps}: what is typed and not taken over; on the program after steps, or on one without
  working: null, // {says, seconds} of a step that is being made
  notice: null, // {kind, text, action: {says, run}}: about the last action, until the document changes
  copyOf: "", // the id of which this tab's document became a copy
  ended: false, // no server answers
});

/** The document, or null before one is chosen. */
export const current = () => session.get().history?.present ?? null;

/** Equal for documents that give the same program at each step. */
export const keyOf = (document) =>
  JSON.stringify([document.program.source, document.program.entry, document.program.inputs, sent(document.steps)]);

/** The sites of a mutation in the present program, or none: those of another program say nothing of this one. */
export const sitesNow = ({ history, sites } = session.get()) =>
  history && sites.key === keyOf(history.present) ? sites.rows : NO_SITES.rows;

const hasNoSteps = (document) => document.steps.every((step) => !step.on);

/** The program after all steps, as far as it is known; the start otherwise. */
export function sourceNow({ history, replayed } = session.get()) {
  if (!history) return "";
  const document = history.present;
  if (hasNoSteps(document)) return document.program.source;
  return replayed?.source ?? document.program.source;
}

/** The key of the present document, and the program after its steps: null while the server still makes it. */
export function programNow(value = session.get()) {
  const document = value.history?.present;
  if (!document) return { key: "", source: null };
  const key = keyOf(document);
  const known = value.replayed?.key === key || hasNoSteps(document);
  return { key, source: known ? sourceNow(value) : null };
}

export function tell(kind, text, action = null) {
  session.set({ notice: { kind, text, action } });
}

/** Says what went wrong, unless it was cancelled or no server is there. */
export const fail = (error) => {
  if (error.name !== "AbortError" && !error.gone) tell("problem", error.message);
};

// --- Following a change -------------------------------------------------------------------------------------------

let saving = 0;
function keep() {
  clearTimeout(saving);
  saving = setTimeout(keepNow, 150);
}

function keepNow() {
  const { id, history, draft } = session.get();
  if (!history) return;
  const { present, past, future } = history;
  const kept = { present, past: past.slice(-20), future: future.slice(0, 20), draft };
  if (!storage.save(id, kept))
    tell("problem", "This browser keeps nothing more: save the program as a file before you close the page.");
}

let following = null;
/** Asks for the program after each step and for the sites, each unless the answer is there. */
async function follow() {
  following?.abort();
  const mine = (following = new AbortController());
  const document = current();
  const key = keyOf(document);
  try {
    if (session.get().replayed?.key !== key) await replay(document, key, mine.signal);
    if (session.get().sites.key !== key) await findSites(document, key, mine.signal);
  } catch (error) {
    if (!mine.signal.aborted) fail(error);
  } finally {
    if (following === mine) session.set({ replaying: false, sites: { ...session.get().sites, asking: false } });
  }
}

/** Resolves when the program after all steps is known: true; false if another document took its place. */
export function followed() {
  const document = current();
  const key = keyOf(document);
  return new Promise((done) => {
    const look = ({ replayed, history }) => {
      if (history.present === document && replayed?.key !== key) return;
      stop();
      done(history.present === document);
    };
    const stop = session.subscribe(look);
    look(session.get());
  });
}

async function replay(document, key, signal) {
  if (document.steps.length === 0) {
    session.set({ replayed: { key, source: document.program.source, steps: [] } });
    return;
  }
  session.set({ replaying: true });
  const answer = await api.replay(document.program, sent(document.steps), signal);
  session.set({ replayed: { key, ...answer }, replaying: false });
}

async function findSites(document, key, signal) {
  session.set({ sites: { ...session.get().sites, asking: true, stopped: false } });
  const asked = { program: document.program, steps: sent(document.steps) };
  const answer = await answerOf("/api/sites", asked, "sites", signal).catch((error) => {
    // A program that can't be read has no sites: the panel says why.
    if (error.status !== 400) throw error;
    return { sites: [], error: error.message, unread: true };
  });
  const rows = [...answer.sites].sort((one, other) => one.line - other.line);
  if (!session.get().start?.torch) askVersions();
  const { statements = [], error = "", unread = false } = answer;
  session.set({ sites: { key, rows, statements, error, unread, asking: false } });
}

/** Ends the looking for sites, with the run that it waits for. A change of the program looks anew. */
export function stopSites() {
  following?.abort();
  following = null;
  session.set({ replaying: false, sites: { ...NO_SITES, stopped: true } });
}

export const lookForSites = () => follow();

// The server knows its torch only after the first run.
async function askVersions() {
  session.set({ start: await api.start() });
}

function show(history, more = {}) {
  session.set({ history, notice: null, ...more });
  keep();
  follow();
}

/** One change that undo takes back. */
export function change(members, more = {}) {
  const { history } = session.get();
  show(histories.change(history, { ...history.present, ...members }), { line: 0, ...more });
}

// --- Opening ------------------------------------------------------------------------------------------------------

/**
 * Another document in this tab. What was there stays under its own id among the recent ones. `typed` is a text that was
 * typed into the program after the steps and not taken over.
 */
export function openDocument({ name, program, steps = [], finding = null, backend = "", oracle = "", typed = null }) {
  keepNow();
  const id = storage.newId();
  const present = {
    name,
    program: { entry: "program", inputs: "make_inputs", ...program },
    steps: steps.map((step) => keptStep(step ?? "")),
    finding,
    backend: backend ?? "",
    oracle: oracle ?? "",
  };
  storage.putIdInUrl(id);
  show(histories.begin(present), { id, copyOf: "", compare: "last", line: 0, draft: draftOf(typed), sites: NO_SITES });
}

const draftOf = (text) => (text === null ? null : { text, onSteps: true });

export function openRecent(id) {
  const kept = storage.load(id);
  if (!kept?.present) return false;
  storage.putIdInUrl(id);
  const history = { past: kept.past ?? [], present: kept.present, future: kept.future ?? [] };
  show(history, { id, copyOf: "", line: 0, draft: kept.draft ?? null, sites: NO_SITES });
  if (kept.draft && !kept.draft.onSteps) takeDraft();
  return true;
}

export async function openExample(name) {
  try {
    openDocument(await api.example(name));
  } catch (error) {
    fail(error);
  }
}

export async function drawAnother(operators = 12) {
  try {
    const { seed, program } = await api.draw(null, operators);
    openDocument({ name: `drawn ${seed}`, program });
  } catch (error) {
    fail(error);
  }
}

// --- Changing -----------------------------------------------------------------------------------------------------

const PAUSE = 500; // ms without a key until what is typed is taken over: chosen, not measured
let typing = 0;

/** What is typed. Without steps it is the start after a pause; with steps it waits until the user says what it is to be. */
export function edit(text) {
  const onSteps = current().steps.length > 0;
  clearTimeout(typing);
  session.set({ draft: { text, onSteps } });
  keep();
  if (!onSteps) typing = setTimeout(takeDraft, PAUSE);
}

/** What is typed becomes the start. The steps that made the program that it was typed into are in it. */
export function takeDraft() {
  const { draft } = session.get();
  clearTimeout(typing);
  if (!draft) return;
  const { program } = current();
  change({ program: { ...program, source: draft.text }, steps: [] }, { draft: null });
}

export function discardDraft() {
  clearTimeout(typing);
  session.set({ draft: null });
  keep();
}

export function setSteps(texts) {
  change({ steps: texts.map((text) => newStep(text ?? "")) });
}

/** Behind those that are there, of which those that are off keep their text. */
export function addSteps(texts, more = {}) {
  change({ steps: [...current().steps, ...texts.map((text) => newStep(text))] }, more);
}

export function toggleStep(key) {
  change({ steps: current().steps.map((step) => (step.key === key ? { ...step, on: !step.on } : step)) });
}

export function removeStep(key) {
  const { steps } = current();
  const gone = steps.findIndex((step) => step.key === key);
  const order = steps.map((_, index) => index).filter((index) => index !== gone);
  change({ steps: reordered(steps, order) });
}

/** Moves a step if every step that applied still does. */
export async function moveStep(key, by) {
  const document = current();
  const from = document.steps.findIndex((step) => step.key === key);
  const to = from + by;
  if (to < 0 || to >= document.steps.length) return;
  const steps = reordered(document.steps, moved(document.steps.length, from, to));
  const next = { ...document, steps };
  try {
    const answer = await api.replay(document.program, sent(steps));
    if (current() !== document) return;
    const failing = (list) => (list ?? []).filter((step) => step.error).length;
    const broken = answer.steps.findIndex((step) => step.error);
    if (failing(answer.steps) > failing(session.get().replayed?.steps)) {
      return tell(
        "note",
        `The order stays: step ${broken} would not apply any more (${answer.steps[broken].error}).`,
      );
    }
    change({ steps }, { replayed: { key: keyOf(next), ...answer } });
  } catch (error) {
    fail(error);
  }
}

/** Replaces the steps by those of a pasted text, which the server reads. Gives a sentence about what is wrong, or "". */
export async function pasteLineage(text) {
  try {
    const { steps } = await api.lineage(text);
    if (steps.length === 0) return "There is no step in this text.";
    setSteps(steps);
    return "";
  } catch (error) {
    return error.message;
  }
}

export const rename = (name) => change({ name });
export const undo = () => show(histories.undo(session.get().history), { line: 0 });
export const redo = () => show(histories.redo(session.get().history), { line: 0 });

// --- Beginning ----------------------------------------------------------------------------------------------------

export async function begin() {
  onServer((answered) => session.get().ended === answered && session.set({ ended: !answered }));
  storage.onOtherTab(
    () => session.get().id,
    () => {
      const id = storage.newId();
      storage.putIdInUrl(id);
      session.set({ id, copyOf: session.get().id });
      keepNow();
      tell("note", "This program is open in another tab too. This tab goes on with a copy of its own.");
    },
  );
  addEventListener("pagehide", keepNow);
  storage.forgetBeyondLimit();
  const restored = openRecent(storage.idInUrl());
  try {
    const start = await api.start();
    session.set({ start });
    if (!restored && start.opened) openDocument({ ...start.opened, finding: start.opened.finding ?? null });
  } catch (error) {
    fail(error);
  }
}

/** Asks whether a server answers again, and follows the document if so. */
export async function tryAgain() {
  try {
    session.set({ start: await api.start() });
    if (current()) follow();
    return true;
  } catch (error) {
    fail(error);
    return false;
  }
}
