// A campaign, running or not: its numbers, plots, tables and findings.
import { LinePlot } from "../plots/line.jsx";
import { Panel, Tag } from "../ui/parts.jsx";
import { FindingsTable } from "./findings.jsx";
import { plotsOf } from "./series.js";
import { Division, Numbers } from "./summary.jsx";
import { YieldTables } from "./tables.jsx";

/** `exported`: the data is that of a report, and stays as it is. */
export function CampaignView({ data, rate = null, error, opening, onFinding, exported = false }) {
  if (!data) return <Panel title="Campaign" says={error || "Reading the campaign …"} />;
  const { summary = {}, series = [], findings = [], statistics = {} } = data;
  return (
    <div class="campaign">
      <header class="campaign-head">
        <h2 title={data.name}>{data.name?.split("/").filter(Boolean).at(-1)}</h2>
        <Tag kind={data.running ? "agree" : ""}>{stateOf(data, exported)}</Tag>
        {error && <span class="problem">{error}</span>}
      </header>
      <Numbers summary={summary} statistics={statistics} findings={findings} rate={data.running ? rate : null} />
      <Panel
        title="Over time"
        says={series.length < 2 ? "Plots appear when two tests have ended." : ""}
        tools={series.length >= 2 && <span class="soft">time of runs, all jobs together</span>}
      >
        <div class="plots">
          {series.length >= 2 && plotsOf(series).map((plot) => <LinePlot key={plot.title} {...plot} />)}
        </div>
        <Division summary={summary} statistics={statistics} />
      </Panel>
      <FindingsTable findings={findings} opening={opening} onFinding={onFinding} />
      <YieldTables statistics={statistics} />
    </div>
  );
}

// Whether it has made all of its tests, nothing here tells: it may have been stopped or killed.
function stateOf({ running }, exported) {
  if (exported) return "as it was exported";
  return running ? "running" : "not running";
}
