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

followColours();
const root = document.getElementById("root");
root.textContent = "";
render(<App />, root);
performance.mark("first view");
followDocument();
begin();
