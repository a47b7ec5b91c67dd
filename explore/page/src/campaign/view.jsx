// A campaign, running or finished: its rates, plots, phases, tables and findings.
import { LinePlot } from "../plots/line.jsx";
import { Shares } from "../plots/shares.jsx";
import { Panel, secondsText, Tag } from "../ui/parts.jsx";
import { FindingsTable } from "./findings.jsx";
import { plotsOf } from "./series.js";
import { YieldTables } from "./tables.jsx";

export function CampaignView({ data, error, opening, onFinding }) {
  if (!data) return <Panel title="Campaign" says={error || "Reading the campaign …"} />;
  const { summary = {}, series = [], findings = [], statistics = {} } = data;
  return (
    <div class="campaign">
      <header class="campaign-head">
        <h2>{data.name}</h2>
        <Tag kind={data.running ? "agree" : ""}>{data.running ? "running" : "finished"}</Tag>
        {error && <span class="problem">{error}</span>}
      </header>
      <Numbers summary={summary} findings={findings} />
      <Panel title="Over time" says={series.length < 2 ? "Plots appear when the campaign has been measured twice." : ""}>
        <div class="plots">{plotsOf(series).map((plot) => <LinePlot key={plot.title} {...plot} />)}</div>
        <Phases summary={summary} />
      </Panel>
      <FindingsTable findings={findings} opening={opening} onFinding={onFinding} />
      <YieldTables statistics={statistics} />
    </div>
  );
}

function Numbers({ summary, findings }) {
  const cards = [
    ["tests", summary.tests, "made and judged"],
    ["tests/s", summary.tests_per_second?.toFixed(1), "over the whole campaign"],
    ["valid", share(summary.valid, summary.tests), "of tests ran in eager"],
    ["findings", summary.findings ?? findings.length, "confirmed and not known"],
    ["known bugs", summary.known, "met again, not reported"],
    ["time", secondsText(summary.seconds), "of fuzzing"],
  ].filter(([, value]) => value !== undefined && value !== "");
  return (
    <ul class="cards">
      {cards.map(([name, value, says]) => (
        <li key={name}><strong>{typeof value === "number" ? value.toLocaleString("en") : value}</strong><span>{name}</span><span class="soft">{says}</span></li>
      ))}
    </ul>
  );
}

const share = (part, whole) => (whole > 0 && part !== undefined ? `${((100 * part) / whole).toFixed(1)} %` : undefined);

// The share of time by phase: the campaign's own phases where it has them, or what its totals say.
function Phases({ summary }) {
  const percent = (value) => `${(100 * value).toFixed(1)} %`;
  if (summary.phases) {
    const parts = Object.entries(summary.phases).map(([name, value]) => ({ name: name.replaceAll("_", " "), value }));
    return <Shares title="Phases of time" parts={parts} text={secondsText} />;
  }
  const { overhead_share: overhead = 0, reduce_share: reducing = 0 } = summary;
  if (!overhead && !reducing) return null;
  const parts = [
    { name: "running programs", value: Math.max(0, 1 - overhead - reducing) },
    { name: "jitprobe itself", value: overhead },
    { name: "reducing findings", value: reducing },
  ];
  return <Shares title="Phases of time" parts={parts} text={percent} />;
}
