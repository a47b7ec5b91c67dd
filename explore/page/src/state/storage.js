// What survives a reload and a closed tab: each document under a key of its own in localStorage, its id in the URL's
// fragment. A browser that keeps nothing (private mode, storage full) loses only that.
const PREFIX = "jitprobe.document.";
const KEPT = 20;

const read = (key) => {
  try {
    return JSON.parse(localStorage.getItem(key));
  } catch {
    return null;
  }
};

export const newId = () => crypto.randomUUID().slice(0, 8);

// A tab's own id: in sessionStorage, so that a reload keeps it. A browser copies that into a duplicate of a tab, so a
// tab asks whether another one that is open has its id, and takes a new one if so.
const TAB = "jitprobe.tab";
let tab = "";

function nameTab(id) {
  tab = id;
  try {
    sessionStorage.setItem(TAB, id);
  } catch {
    // The id holds until the page is loaded anew.
  }
}

function beginTab() {
  try {
    tab = sessionStorage.getItem(TAB) ?? "";
  } catch {
    tab = "";
  }
  nameTab(tab || newId());
  const channel = new BroadcastChannel("jitprobe.tabs");
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

/** False if the browser would not keep it. */
export function save(id, kept) {
  const text = JSON.stringify({ ...kept, at: Date.now(), tab });
  try {
    localStorage.setItem(PREFIX + id, text);
    return true;
  } catch {
    forgetOldest(1);
    try {
      localStorage.setItem(PREFIX + id, text);
      return true;
    } catch {
      return false;
    }
  }
}

/** Documents of this and earlier tabs, the newest first: {id, name, at, steps}. */
export function recent() {
  const rows = [];
  for (const key of Object.keys(localStorage)) {
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

function forgetOldest(count) {
  for (const row of recent().slice(-count)) localStorage.removeItem(PREFIX + row.id);
}

export function forgetBeyondLimit() {
  const surplus = recent().length - KEPT;
  if (surplus > 0) forgetOldest(surplus);
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
  for (const kept of [{ id, rows, previous }, { id, rows }])
    try {
      sessionStorage.setItem(RESULTS, JSON.stringify(kept));
      return true;
    } catch {
      sessionStorage.removeItem(RESULTS);
    }
  return false;
}

/** {rows, previous} of the document with that id. */
export function keptResults(id) {
  try {
    const kept = JSON.parse(sessionStorage.getItem(RESULTS));
    if (kept?.id === id) return { rows: kept.rows ?? {}, previous: kept.previous ?? {} };
  } catch {
    // None, then.
  }
  return { rows: {}, previous: {} };
}

/** Small choices of the reader's: colours, what is folded. */
export const choice = (name, otherwise) => read(`jitprobe.choice.${name}`) ?? otherwise;
export function choose(name, value) {
  try {
    localStorage.setItem(`jitprobe.choice.${name}`, JSON.stringify(value));
  } catch {
    // The choice holds until the page is closed.
  }
}
