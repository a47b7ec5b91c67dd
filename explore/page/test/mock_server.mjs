// A server that answers as docs/formats.md says, from data made by hand: for developing the page, and for tests of what
// is hard to bring about with the real one.
//
//   node mock_server.mjs [--campaign] [--opened] [--page FILE]     prints its URL
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import * as data from "./mock_data.mjs";

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

function replay({ program, steps }) {
  let source = program.source;
  const rows = steps.map((text, number) => {
    if (!text) return { text: "", source, error: "", exactness: "" };
    const { source: next, error } = data.applied(source, text, number);
    if (next) source = next;
    return { text, source, error: error ?? "", exactness: "bitwise" };
  });
  return { steps: rows, source, lineage: steps.filter(Boolean).join("\n") };
}

const withDraws = (text, seed) => (text.includes("=") ? text : `${text}=${seed ?? 7},'x > 0'`);

function answers(settings) {
  const began = Date.now();
  return {
    "/api/start": () =>
      data.start(
        settings.opened
          ? {
              kind: "program",
              name: "small.py",
              program: { source: data.EXAMPLE, entry: "program", inputs: "make_inputs" },
              steps: [],
              finding: null,
            }
          : null,
        settings.campaign ? { name: "campaigns/night", running: true } : null,
      ),
    "/api/example": ({ name }) => ({
      name,
      program: { source: data.EXAMPLE, entry: "program", inputs: "make_inputs" },
    }),
    "/api/draw": ({ seed }) => ({
      seed: seed ?? 4711,
      program: { source: data.EXAMPLE.replace("relu", "tanh"), entry: "program", inputs: "make_inputs" },
    }),
    "/api/replay": replay,
    "/api/lineage": ({ text }) => {
      const steps = text.split(/[;\n]/).map((part) => part.trim().replace(/^-$/, ""));
      while (steps.at(-1) === "") steps.pop();
      const wrong = steps.find((step) => step && !step.includes("@"));
      return wrong ? { refused: 400, error: `'${wrong}' is no step` } : { steps };
    },
    "/api/campaign": () => data.campaignAt(300 + (Date.now() - began) / 100, settings.campaign !== "finished"),
    "/api/finding": ({ id }) => data.finding(id),
  };
}

const cancelled = new Map();

function events(response) {
  response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
  return (event, value) => response.write(`event: ${event}\ndata: ${JSON.stringify(value)}\n\n`);
}

function applied(body) {
  const { source } = replay(body);
  const step = withDraws(body.step, body.seed);
  const after = data.applied(source, step, body.steps.length);
  return after.error ? { error: after.error } : { step, source: after.source, exactness: "bitwise" };
}

function drawn(body) {
  const steps = data
    .sitesOf(replay(body).source)
    .slice(0, body.count)
    .map((site) => withDraws(site.apply, body.seed));
  return { steps, source: replay({ ...body, steps: [...body.steps, ...steps] }).source };
}

const exported = ({ id, as }) => ({
  text: `# ${as} of ${id}\nimport torch\n`,
  works: as === "program" ? null : true,
  name: `${as}.py`,
});

// Streams of one answer: the event's name, how long it takes in ms, the answer, and what is said meanwhile.
const streams = ({ exportTime = 300 }) => ({
  "/api/sites": ["sites", 60, (body) => ({ sites: data.sitesOf(replay(body).source), statements: [] })],
  "/api/apply": ["applied", 0, applied],
  "/api/random": ["drawn", 600000, drawn],
  "/api/export": ["exported", exportTime, exported, "runs the file by itself"],
});

async function answer([event, ms, made, says = "runs it in eager"], body, response) {
  const send = events(response);
  const id = randomBytes(4).toString("hex");
  const stopped = new Promise((stop) => {
    cancelled.set(id, () => stop(true));
    response.on("close", () => stop(true));
  });
  send("started", { run: id });
  send("progress", { says, seconds: 0 });
  if (await Promise.race([wait(ms), stopped])) send("cancelled", {});
  else {
    const value = made(body);
    send(value.error ? "failed" : event, value);
  }
  send("ended", {});
  response.end();
  cancelled.delete(id);
}

async function run(body, response, hunting) {
  const send = events(response);
  const id = randomBytes(4).toString("hex");
  let stop = false;
  cancelled.set(id, () => {
    stop = true;
  });
  response.on("close", () => {
    stop = true;
  });
  send("started", { run: id });
  const hangs = body.program.source.includes("while True");
  const rounds = hangs ? 600 : hunting ? 8 : 2;
  for (let i = 0; i < rounds && !stop; i++) {
    send(
      "progress",
      hunting
        ? { tried: i, says: "running a mutant", seconds: i * 0.2 }
        : { says: i ? "running compiled" : "running plain", seconds: i * 0.2 },
    );
    await wait(200);
  }
  if (stop) send("cancelled", {});
  else if (hunting)
    send("diverged", {
      steps: ["true_block@s5=1,'x > 0'", "break_graph@s6=2"],
      source: "",
      verdict: data.runResult(body.backend, true).verdict,
    });
  else {
    const { source } = replay(body);
    send("result", data.runResult(body.backend, body.backend === "inductor"));
    send("explained", data.compileReport(body.backend, source));
  }
  send("ended", {});
  response.end();
  cancelled.delete(id);
}

async function bodyOf(request) {
  let text = "";
  for await (const piece of request) text += piece;
  return text ? JSON.parse(text) : {};
}

/** Gives {url, close}. settings: {page: text, campaign: bool or "finished", opened: bool, exportTime: ms} */
export function serve(settings) {
  const token = randomBytes(16).toString("hex");
  const table = answers(settings);
  const ofOneAnswer = streams(settings);
  const server = createServer(async (request, response) => {
    const url = new URL(request.url, "http://127.0.0.1");
    const reply = (status, value) => {
      response.writeHead(status, { "Content-Type": "application/json" });
      response.end(JSON.stringify(value));
    };
    if (url.pathname === "/") {
      if (url.searchParams.get("token") !== token) return reply(403, { error: "The token is wrong." });
      response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" });
      return response.end(settings.page);
    }
    if (request.headers["x-jitprobe-token"] !== token) return reply(403, { error: "The token is missing or wrong." });
    const body = await bodyOf(request);
    if (url.pathname === "/api/cancel") {
      cancelled.get(body.run)?.();
      return reply(200, {});
    }
    if (ofOneAnswer[url.pathname]) return answer(ofOneAnswer[url.pathname], body, response);
    if (url.pathname === "/api/run" || url.pathname === "/api/hunt")
      return run(body, response, url.pathname === "/api/hunt");
    if (!table[url.pathname]) return reply(404, { error: "There is no such thing." });
    const { refused = 200, ...value } = await table[url.pathname](body);
    return reply(refused, value);
  });
  return new Promise((resolve) =>
    server.listen(0, "127.0.0.1", () =>
      resolve({
        url: `http://127.0.0.1:${server.address().port}/?token=${token}`,
        close: () => {
          server.closeAllConnections();
          return new Promise((done) => server.close(done));
        },
      }),
    ),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const has = (name) => process.argv.includes(name);
  const file = has("--page")
    ? process.argv[process.argv.indexOf("--page") + 1]
    : fileURLToPath(new URL("../../../build/page/page.html", import.meta.url));
  const { url } = await serve({
    page: readFileSync(file, "utf8"),
    campaign: has("--campaign"),
    opened: has("--opened"),
  });
  console.log(url);
}
