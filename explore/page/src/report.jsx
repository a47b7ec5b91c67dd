// A report: a campaign or one finding, read from the data that the file carries, without a server.
//
// data: {campaign: the answer of /api/campaign or null, findings: answers of /api/finding without recorded values,
// left_out: how many findings did not fit}
import { render } from "preact";
import { useState } from "preact/hooks";
import { ColoursButton, followColours } from "./app/colours.js";
import { FindingView } from "./campaign/finding.jsx";
import { CampaignView } from "./campaign/view.jsx";
import { Panel, plural, Sentence } from "./ui/parts.jsx";
import "./styles/base.css";
import "./styles/parts.css";
import "./styles/layout.css";
import "./styles/runs.css";
import "./styles/code.css";
import "./styles/campaign.css";

const CUT = {
  findings: "the findings",
  pair: "the pairs of mutations",
  mutation: "the mutations",
  call: "the operators",
  source: "the sources",
};

function readData() {
  try {
    return JSON.parse(document.getElementById("data").textContent);
  } catch {
    return null;
  }
}

function Report({ data }) {
  const findings = new Map((data?.findings ?? []).map((finding) => [finding.id ?? finding.signature?.id, finding]));
  const [chosen, setChosen] = useState(data?.campaign ? "" : [...findings.keys()][0]);
  const [missing, setMissing] = useState("");
  const open = (id) => {
    setMissing(findings.has(id) ? "" : id);
    if (findings.has(id)) setChosen(id);
    scrollTo(0, 0);
  };
  return (
    <>
      <header class="top">
        <h1 class="brand">
          jitprobe <span class="soft">report</span>
        </h1>
        <div class="top-tools">
          <ColoursButton />
        </div>
      </header>
      <main class="page">
        {missing && (
          <p class="bar" role="status">
            This report holds the row of {missing}, and not the finding itself: it would be too large.{" "}
            <code>jitprobe findings show {missing}</code> shows it.
          </p>
        )}
        {data?.left_out > 0 && (
          <p class="bar">
            {data.left_out} of the findings did not fit into this file: at most their rows are here.
          </p>
        )}
        {Object.keys(data?.campaign?.cut ?? {}).length > 0 && (
          <p class="bar">
            The longest tables of this campaign did not fit as a whole. Left out:{" "}
            {Object.entries(data.campaign.cut)
              .map(([table, rows]) => `${plural(rows, "row")} of ${CUT[table] ?? table}`)
              .join(", ")}
            .
          </p>
        )}
        {!data && (
          <Panel
            title="Report"
            says={<Sentence text="This file carries no data: `jitprobe explore --export report.html` writes one that does." />}
          />
        )}
        {data &&
          (chosen ? (
            <FindingView
              key={chosen}
              finding={{ ...findings.get(chosen), id: chosen }}
              onClose={data.campaign ? () => setChosen("") : null}
              onOpen={null}
              askExport={null}
            />
          ) : (
            <CampaignView data={{ ...data.campaign, running: false }} onFinding={open} exported />
          ))}
      </main>
    </>
  );
}

followColours();
const root = document.getElementById("root");
root.textContent = "";
render(<Report data={readData()} />, root);
