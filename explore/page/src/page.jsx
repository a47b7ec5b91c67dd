// The page of `jitprobe explore`.
import { render } from "preact";
import { App } from "./app/app.jsx";
import { followColours } from "./app/colours.js";
import { followDocument } from "./run/runs.js";
import { DocsView } from "./docs/view.jsx";
import { mutationInUrl } from "./sites/docs.js";
import { begin } from "./state/session.js";
import "./styles/base.css";
import "./styles/parts.css";
import "./styles/layout.css";
import "./styles/program.css";
import "./styles/runs.css";
import "./styles/code.css";
import "./styles/campaign.css";
import "./styles/docs.css";

const MOST_WAIT = 150; // ms for what the server has open, chosen: long for an answer of this machine

// The first view has the program in it, unless the server takes longer to say what is open.
async function show() {
  followColours();
  const ofDocs = mutationInUrl() !== "";
  // The documents and the program are pages of their own, under one path.
  addEventListener("hashchange", () => (mutationInUrl() !== "") !== ofDocs && location.reload());
  if (!ofDocs) {
    followDocument();
    await Promise.race([begin(), new Promise((done) => setTimeout(done, MOST_WAIT))]);
  }
  const root = document.getElementById("root");
  root.textContent = "";
  render(ofDocs ? <DocsView /> : <App />, root);
  performance.mark("first view");
}

show();
