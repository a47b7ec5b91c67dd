// Who is refused: a wrong token, a foreign origin, another host's name, a path outside of what was opened.
import { request } from "node:http";
import { join } from "node:path";
import { check, explore, HERE, newPage, run } from "./harness.mjs";

let url;

/** {status, body, headers} of a request; `with` replaces headers. */
function ask(method, path, { token = url.searchParams.get("token"), headers = {}, body = "" } = {}) {
  return new Promise((done, failed) => {
    const sent = request(
      {
        host: "127.0.0.1",
        port: url.port,
        method,
        path,
        headers: { "X-Jitprobe-Token": token, "Content-Type": "application/json", ...headers },
      },
      (answer) => {
        let text = "";
        answer.on("data", (piece) => {
          text += piece;
        });
        answer.on("end", () => done({ status: answer.statusCode, body: text, headers: answer.headers }));
      },
    );
    sent.on("error", failed);
    sent.end(body);
  });
}

async function begins() {
  url = new URL((await explore(join(HERE, "small.py"))).url);
  check((await ask("GET", "/api/start")).status === 200, "the right token is refused");
}

async function a_wrong_token() {
  for (const token of ["", "0".repeat(32), `${url.searchParams.get("token")}0`]) {
    check((await ask("GET", "/api/start", { token })).status === 403, `the token "${token}" is taken`);
    check((await ask("GET", `/?token=${token}`, { token })).status === 403, `the page is given for "${token}"`);
  }
  check((await ask("GET", "/")).status === 403, "the page is given without a token in the URL");
}

async function a_foreign_origin() {
  for (const origin of ["http://evil.example", "null", "http://127.0.0.1:1", `https://127.0.0.1:${url.port}`])
    check(
      (await ask("GET", "/api/start", { headers: { Origin: origin } })).status === 403,
      `the origin ${origin} is taken`,
    );
  check(
    (await ask("GET", "/api/start", { headers: { Origin: `http://127.0.0.1:${url.port}` } })).status === 200,
    "its own origin is refused",
  );
  check(
    (await ask("GET", "/api/start", { headers: { Host: "evil.example" } })).status === 403,
    "another host's name is taken",
  );
}

async function a_path_outside() {
  for (const path of ["/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd", "/etc/passwd"]) {
    const answer = await ask("GET", path);
    check(answer.status >= 400 && !answer.body.includes("root:"), `${path}: ${answer.status}`);
  }
  for (const name of ["../../../etc/passwd", "/etc/passwd", "trophies/../../README"]) {
    const answer = await ask("POST", "/api/example", { body: JSON.stringify({ name }) });
    check(answer.status === 404 || answer.status === 400, `the example ${name}: ${answer.status}`);
  }
  const answer = await ask("POST", "/api/finding", { body: JSON.stringify({ id: "../../../etc" }) });
  check(answer.status === 404 || answer.status === 400, `a finding outside: ${answer.status}`);
}

async function a_page_elsewhere() {
  const page = await newPage();
  await page.goto("data:text/html,<h1>elsewhere</h1>");
  const seen = await page.evaluate(
    (target) =>
      fetch(target, { headers: { "X-Jitprobe-Token": new URL(target).searchParams.get("token") } }).then(
        (answer) => answer.status,
        () => "refused",
      ),
    `${url.origin}/api/start${url.search}`,
  );
  check(seen === "refused" || seen === 403, `a page elsewhere reads ${seen}`);
}

async function large_and_broken_bodies() {
  check((await ask("POST", "/api/replay", { body: "{" })).status === 400, "broken JSON");
  check((await ask("POST", "/api/replay", { body: "[]" })).status === 400, "an array");
  check(
    (
      await ask("POST", "/api/replay", {
        body: JSON.stringify({ program: { source: "x".repeat(5 << 20) }, steps: [] }),
      })
    ).status === 413,
    "a large body",
  );
}

run([begins, a_wrong_token, a_foreign_origin, a_path_outside, a_page_elsewhere, large_and_broken_bodies]);
