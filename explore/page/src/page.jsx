// The page of `jitprobe explore`.
import { render } from "preact";
import { App } from "./app/app.jsx";
import { followColours } from "./app/colours.js";
import { followDocument } from "./run/runs.js";
import { begin } from "./state/session.js";
import "./styles/base.css";
import "./styles/parts.css";
import "./styles/layout.css";
import "./styles/program.css";
import "./styles/runs.css";
import "./styles/code.css";
import "./styles/campaign.css";

const MOST_WAIT = 150; // ms for what the server has open, chosen: long for an answer of this machine

// The first view has the program in it, unless the server takes longer to say what is open.
async function show() {
  followColours();
  followDocument();
  await Promise.race([begin(), new Promise((done) => setTimeout(done, MOST_WAIT))]);
  const root = document.getElementById("root");
  root.textContent = "";
  render(<App />, root);
  performance.mark("first view");
}

show();
