// Requests to the server that gave this page. Each carries the token of the page's URL; nothing else is contacted.
const token = new URLSearchParams(globalThis.location?.search ?? "").get("token") ?? "";

/** A refused or failed request. `gone` is true if no server answered. */
export class RequestError extends Error {
  constructor(message, { status = 0, gone = false } = {}) {
    super(message);
    this.status = status;
    this.gone = gone;
  }
}

const listeners = new Set();

/** Calls `listener(true)` when a request was answered, `listener(false)` when no server answered. */
export function onServer(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tell(answered) {
  for (const listener of listeners) listener(answered);
}

async function errorOf(response) {
  const text = await response.text();
  try {
    return JSON.parse(text).error ?? text;
  } catch {
    return text || `the server answered ${response.status}`;
  }
}

// The page's first lines asked for the first answer (first.js). Null if it has been taken, or if no server answered.
function takeFirst(path) {
  if (path !== "/api/start") return null;
  const response = globalThis.firstAnswer;
  globalThis.firstAnswer = null;
  return response ?? null;
}

/** The response of one request, or a RequestError. `body` undefined makes it a GET. */
export async function open(path, body, signal) {
  const headers = { "X-Jitprobe-Token": token };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let response;
  try {
    response =
      (await takeFirst(path)) ??
      (await fetch(path, {
        method: body === undefined ? "GET" : "POST",
        headers,
        body: body === undefined ? undefined : JSON.stringify(body),
        signal,
      }));
  } catch (error) {
    if (error.name === "AbortError") throw error;
    tell(false);
    throw new RequestError("The server does not answer: it has ended, or the connection was cut.", { gone: true });
  }
  tell(true);
  if (!response.ok) throw new RequestError(await errorOf(response), { status: response.status });
  return response;
}

const ask = async (path, body, signal) => (await open(path, body, signal)).json();

export const api = {
  start: () => ask("/api/start"),
  example: (name) => ask("/api/example", { name }),
  draw: (seed, operators) => ask("/api/draw", { seed, operators }),
  replay: (program, steps, signal) => ask("/api/replay", { program, steps }, signal),
  lineage: (text) => ask("/api/lineage", { text }),
  campaign: (signal) => ask("/api/campaign", {}, signal),
  finding: (id) => ask("/api/finding", { id }),
  cancel: (run) => ask("/api/cancel", { run }),
};
