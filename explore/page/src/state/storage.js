// What survives a reload and a closed tab: each document under a key of its own in localStorage, its id in the URL's
// fragment. A browser that keeps nothing (private mode, storage full) loses only that.
const PREFIX = "jitprobe.document.";
const KEPT = 20;

/** What `act` gives; `otherwise` where there is no room, or the browser keeps nothing for this site: all of it throws. */
function attempt(act, otherwise) {
  try {
    return act();
  } catch {
    return otherwise;
  }
}

const read = (key) => attempt(() => JSON.parse(localStorage.getItem(key)), null);
const put = (key, text) => attempt(() => (localStorage.setItem(key, text), true), false);
const drop = (key) => attempt(() => localStorage.removeItem(key));

export const newId = () => crypto.randomUUID().slice(0, 8);

// A tab's own id: in sessionStorage, so that a reload keeps it. A browser copies that into a duplicate of a tab, so a
// tab asks whether another one that is open has its id, and takes a new one if so.
const TAB = "jitprobe.tab";
let tab = "";

// Where it can't be kept, it holds until the page is loaded anew.
function nameTab(id) {
  tab = id;
  attempt(() => sessionStorage.setItem(TAB, id));
}

function beginTab() {
  nameTab(attempt(() => sessionStorage.getItem(TAB), null) || newId());
  attempt(() => askOtherTabs(new BroadcastChannel("jitprobe.tabs")));
}

function askOtherTabs(channel) {
  let asking = true;
  channel.onmessage = ({ data }) => {
    if (data.asks === tab) channel.postMessage({ taken: tab });
    else if (data.taken === tab && asking) nameTab(newId());
  };
  setTimeout(() => (asking = false), 1000); // chosen, not measured: an open tab answers within milliseconds
  channel.postMessage({ asks: tab });
}

/** The id of this tab's document: the URL's, or "". */
export const idInUrl = () => new URLSearchParams(location.hash.slice(1)).get("document") ?? "";

export function putIdInUrl(id) {
  history.replaceState(null, "", `${location.pathname}${location.search}#document=${id}`);
}

export const load = (id) => read(PREFIX + id);

/**
 * False if the browser would not keep it. Where there is no room for the document with what undo and redo bring back, it
 * is kept without; then in the place of the oldest other one, which stays where that would not help either.
 */
export function save(id, kept) {
  const keeps = (members) => put(PREFIX + id, JSON.stringify({ ...members, at: Date.now(), tab }));
  const alone = { ...kept, past: [], future: [] };
  if (keeps(kept) || keeps(alone)) return true;
  const oldest = recent().findLast((row) => row.id !== id);
  if (!oldest) return false;
  const text = localStorage.getItem(PREFIX + oldest.id);
  drop(PREFIX + oldest.id);
  if (keeps(alone)) return true;
  put(PREFIX + oldest.id, text);
  return false;
}

/** Documents of this and earlier tabs, the newest first: {id, name, at, steps}. */
export function recent() {
  const rows = [];
  for (const key of attempt(() => Object.keys(localStorage), [])) {
    if (!key.startsWith(PREFIX)) continue;
    const kept = read(key);
    if (kept?.present)
      rows.push({
        id: key.slice(PREFIX.length),
        name: kept.present.name,
        at: kept.at,
        steps: kept.present.steps.length,
      });
  }
  return rows.sort((one, other) => other.at - one.at);
}

export function forgetBeyondLimit() {
  for (const row of recent().slice(KEPT)) drop(PREFIX + row.id);
}

/**
 * Calls `listener` when another tab writes the document with the id that `current` gives. What this tab wrote as it was
 * left is heard after a reload, and has this tab's id.
 */
export function onOtherTab(current, listener) {
  beginTab();
  addEventListener("storage", (event) => {
    if (event.key !== PREFIX + current() || event.newValue === null) return;
    if (JSON.parse(event.newValue).tab !== tab) listener();
  });
}

const RESULTS = "jitprobe.results";

/**
 * Results of runs, for this tab until it is closed: too large for more. `previous` are those of the program before, kept
 * where there is room for both. False if there is none.
 */
export function keepResults(id, rows, previous) {
  for (const kept of [{ id, rows, previous }, { id, rows }]) {
    if (attempt(() => (sessionStorage.setItem(RESULTS, JSON.stringify(kept)), true), false)) return true;
    attempt(() => sessionStorage.removeItem(RESULTS));
  }
  return false;
}

/** {rows, previous} of the document with that id. */
export function keptResults(id) {
  const kept = attempt(() => JSON.parse(sessionStorage.getItem(RESULTS)), null);
  if (kept?.id !== id) return { rows: {}, previous: {} };
  return { rows: kept.rows ?? {}, previous: kept.previous ?? {} };
}

/** Small choices of the reader's: colours, what is folded. */
export const choice = (name, otherwise) => read(`jitprobe.choice.${name}`) ?? otherwise;
export function choose(name, value) {
  put(`jitprobe.choice.${name}`, JSON.stringify(value)); // else it holds until the page is closed
}
