// The whole page: what stands at its top, and the view that is chosen.
import { useEffect, useState } from "preact/hooks";
import { CampaignView } from "../campaign/view.jsx";
import { FindingView } from "../campaign/finding.jsx";
import { askExport, campaign, closeFinding, followCampaign, openFinding, rateOf } from "../campaign/store.js";
import { ProgramView } from "../editor/view.jsx";
import { LineagePanel } from "../lineage/panel.jsx";
import { RunView } from "../run/view.jsx";
import { openDocument, session } from "../state/session.js";
import { useStore } from "../state/store.js";
import { Segments } from "../ui/parts.jsx";
import { Begin } from "./begin.jsx";
import { Notices } from "./notices.jsx";
import { useShortcuts } from "./shortcuts.jsx";
import { Top } from "./top.jsx";

export function App() {
  const start = useStore(session, (value) => value.start);
  const has = useStore(session, (value) => value.history !== null);
  const [view, setView] = useState("");
  const shown = view || (start?.campaign && !has ? "campaign" : "program");
  useShortcuts();
  return (
    <>
      <Top view={shown} onView={setView} />
      <Notices />
      <main class="page">
        {shown === "campaign" ? <Campaign onProgram={() => setView("program")} /> : has ? <Workbench /> : <Begin />}
      </main>
    </>
  );
}

const COLUMNS = [
  ["program", "Program"],
  ["steps", "Steps"],
  ["runs", "Results"],
];

function Workbench() {
  const [column, setColumn] = useState("program");
  return (
    <>
      <div class="column-choice">
        <Segments label="Shown" options={COLUMNS} value={column} onChange={setColumn} />
      </div>
      <div class={`workbench show-${column}`}>
        <ProgramView />
        <div class="column lineage-column">
          <LineagePanel />
        </div>
        <RunView />
      </div>
    </>
  );
}

function Campaign({ onProgram }) {
  const { data, error, finding, opening, seen } = useStore(campaign);
  useEffect(followCampaign, []);
  const open = (form) => {
    openDocument(documentOf(finding, form));
    onProgram();
  };
  const ask = (id) => {
    scrollTo(0, 0);
    openFinding(id);
  };
  if (finding)
    return (
      <FindingView key={finding.id} finding={finding} onClose={closeFinding} onOpen={open} askExport={askExport} />
    );
  return <CampaignView data={data} rate={rateOf(seen)} error={error} opening={opening} onFinding={ask} />;
}

function documentOf(finding, form) {
  const name = `finding ${finding.id.slice(0, 8)}`;
  const shared = {
    finding: finding.id,
    backend: finding.backend ?? finding.plan?.runs?.find((run) => run.backend)?.backend,
    oracle: finding.oracle ?? finding.plan?.oracle,
  };
  if (form === "reduced") return { name: `${name}, reduced`, program: finding.reduced, ...shared };
  return { name, program: finding.program, steps: finding.steps ?? [], ...shared };
}
