// Server-sent events read with fetch: EventSource can send neither a body nor the token's header.
import { api, open, RequestError } from "./client.js";

/**
 * Splits text that arrives in pieces into events: returns a function that takes a piece and gives {event, data}s. The
 * pieces of an event, of which there may be thousands, are joined when its end is there.
 */
export function eventParser() {
  let pieces = [];
  let last = ""; // characters before the next piece, in which an end may begin
  return (piece) => {
    pieces.push(piece);
    const seam = last + piece;
    last = seam.slice(-2);
    if (!/\n\r?\n/.test(seam)) return [];
    const blocks = pieces.join("").replaceAll("\r\n", "\n").split("\n\n");
    pieces = [blocks.pop()];
    return blocks.map(eventOf).filter(Boolean);
  };
}

function eventOf(block) {
  let event = "message";
  const data = [];
  for (const line of block.split("\n")) {
    if (line.startsWith("event:")) event = line.slice(6).trim();
    else if (line.startsWith("data:")) data.push(line.slice(5).replace(/^ /, ""));
  }
  if (data.length === 0 && event === "message") return null;
  return { event, data: data.length ? JSON.parse(data.join("\n")) : {} };
}

/** The answer of the one event of that name, or a RequestError. A signal that aborts cuts the connection: the server
 * then kills what runs. `onProgress` gets what the events `progress` say. */
export async function answerOf(path, body, event, signal, onProgress) {
  let answer;
  let problem = new RequestError("The server ended the request before it was answered.");
  const { finished, cancel } = stream(path, body, {
    [event]: (data) => (answer = data),
    progress: onProgress,
    failed: ({ error, gone }) => (problem = new RequestError(error, { gone })),
  });
  signal.addEventListener("abort", cancel);
  await finished;
  signal.removeEventListener("abort", cancel);
  signal.throwIfAborted();
  if (answer === undefined) throw problem;
  return answer;
}

const PATIENCE = 1500; // ms that a run has to end by itself after it was cancelled: chosen, not measured

/**
 * Makes the request and calls `on[event](data)` for each event. Gives {finished, cancel}: `finished` resolves when the
 * stream has ended; `cancel` tells the server to kill the run, and cuts the connection should it not end by itself.
 */
export function stream(path, body, on) {
  const controller = new AbortController();
  let run = null;
  let over = false;
  const cut = (error) => on.failed?.({ error, gone: true });
  const dispatch = ({ event, data }) => {
    if (event === "started") run = data.run;
    if (event === "ended") over = true;
    on[event]?.(data);
  };
  const read = async () => {
    const response = await open(path, body, controller.signal);
    const parse = eventParser();
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      parse(value).forEach(dispatch);
    }
    if (!over) cut("The connection ended before the run did: the server has ended, or was restarted.");
  };
  const finished = read().catch((error) => {
    if (over) return;
    if (error.name === "AbortError") on.cancelled?.({});
    else if (error instanceof RequestError) on.failed?.({ error: error.message, gone: error.gone });
    else cut("The connection was cut before the run ended: the server has ended, or was restarted.");
  });
  // The request to cancel may wait for one of the few connections that a browser opens, so its answer is not waited for.
  const cancel = () => {
    if (run === null) return controller.abort();
    setTimeout(() => over || controller.abort(), PATIENCE);
    api.cancel(run).catch(() => {});
  };
  return { finished, cancel };
}
