// The right side: the ladder of backends with their verdicts, and what came out of the chosen one.
import { useState } from "preact/hooks";
import { programNow, session } from "../state/session.js";
import { useStore } from "../state/store.js";
import { Button, Panel, secondsText, Sentence, Tabs, Tag } from "../ui/parts.jsx";
import { BreaksView } from "./breaks.jsx";
import { CodeView } from "./code.jsx";
import { CountersView } from "./counters.jsx";
import { GraphsView } from "./graphs.jsx";
import { GuardsView } from "./guards.jsx";
import { OutputsView } from "./outputs.jsx";
import { cancel, cancelAll, isOld, run, runAll, runs } from "./runs.js";
import { Verdict } from "./verdict.jsx";
import { backendTitle, verdictWord } from "./words.js";

export function RunView() {
  const { rows, previous, chosen, all } = useStore(runs);
  const backends = useStore(session, (value) => value.start?.backends ?? null) ?? [];
  useStore(session, ({ history }) => history?.present);
  useStore(session, ({ replayed }) => replayed);
  const program = programNow();
  const running = Object.values(rows).some((row) => row.state === "running");
  const tools = running ? (
    <Button kind="danger small" onClick={cancelAll}>
      {all ? "Cancel all" : "Cancel"}
    </Button>
  ) : (
    <Button
      kind="primary small"
      label="Run all backends (Ctrl+Enter)"
      disabled={backends.length === 0}
      onClick={runAll}
    >
      Run all
    </Button>
  );
  const row = rows[chosen];
  return (
    <div class="column runs">
      <Panel
        title="Backends"
        tools={tools}
        says={
          Object.keys(rows).length === 0
            ? "Run the program plain and compiled. Each backend does one step more of what torch.compile does; the first one that diverges tells where the bug is."
            : ""
        }
      >
        <ul class="backends">
          {backends.map((backend) => (
            <Backend
              key={backend.name}
              {...backend}
              row={rows[backend.name]}
              old={isOld(rows[backend.name], program)}
              chosen={chosen === backend.name}
            />
          ))}
        </ul>
      </Panel>
      {row && <Result backend={chosen} row={row} before={previous[chosen]} old={isOld(row, program)} />}
    </div>
  );
}

function Backend({ name, says, row, old, chosen }) {
  const running = row?.state === "running";
  return (
    <li class={`backend ${chosen ? "chosen" : ""}`}>
      <button
        type="button"
        class="backend-name"
        aria-pressed={chosen}
        title={name}
        onClick={() => runs.set({ chosen: name })}
      >
        <span class="name">{backendTitle(name)}</span>
        <span class="soft">
          {running
            ? `${row.says} · ${secondsText(row.seconds)}`
            : says || "a backend that was named when the page was started"}
        </span>
      </button>
      {row && <Status row={row} old={old} />}
      {running ? (
        <Button kind="danger small" label={`Cancel the run under ${backendTitle(name)}`} onClick={() => cancel(name)}>
          Cancel
        </Button>
      ) : (
        <Button
          kind="small"
          label={`Run under ${backendTitle(name)}`}
          onClick={() => {
            runs.set({ chosen: name });
            run(name);
          }}
        >
          Run
        </Button>
      )}
    </li>
  );
}

function Status({ row, old }) {
  const { kind, word } = verdictWord(row);
  return (
    <span class="status" role="status">
      <Tag kind={kind}>
        {row.state === "running" && <span class="spinner" aria-hidden="true" />}
        {word}
      </Tag>
      {old && row.state !== "running" && <Tag title="The program has changed since this run">earlier program</Tag>}
    </span>
  );
}

function Result({ backend, row, before, old }) {
  const [tab, setTab] = useState("outputs");
  if (row.state === "running" && !row.result) {
    return (
      <Panel title={`Under ${backendTitle(backend)}`} says={`${row.says} …`}>
        <div
          class="progress"
          role="progressbar"
          aria-label={`Run under ${backendTitle(backend)}`}
          aria-valuetext={`${row.says}, ${secondsText(row.seconds)}`}
        >
          <span />
        </div>
        <p class="soft">{secondsText(row.seconds)} so far. Cancel ends the whole process tree.</p>
      </Panel>
    );
  }
  if (row.state === "cancelled" && !row.result)
    return (
      <Panel
        title={`Under ${backendTitle(backend)}`}
        says="You cancelled this run; its processes have been ended. Run starts it again."
      />
    );
  if (!row.result)
    return (
      <Panel title={`Under ${backendTitle(backend)}`}>
        <p class="problem" role="alert">
          <Sentence text={row.error} />
        </p>
      </Panel>
    );
  const report = row.compiled;
  const tabs = [
    { id: "outputs", title: "Outputs" },
    { id: "breaks", title: "Breaks", badge: report?.breaks?.length || "" },
    { id: "graphs", title: "Graphs", badge: report?.graphs?.length || "" },
    { id: "code", title: "Code" },
    { id: "guards", title: "Guards", badge: guardsOf(report) || "" },
    { id: "counters", title: "Counters" },
  ];
  return (
    <Panel
      title={`Under ${backendTitle(backend)}`}
      class="result"
      tools={old && <Tag title="The program has changed since this run">earlier program</Tag>}
    >
      <Verdict result={row.result} />
      <Tabs label="What came out" tabs={tabs} chosen={tab} onChoose={setTab}>
        {tab === "outputs" ? (
          <OutputsView result={row.result} />
        ) : (
          <Compiled tab={tab} row={row} report={report} before={before} />
        )}
      </Tabs>
    </Panel>
  );
}

const guardsOf = (report) => report?.graphs?.reduce((sum, graph) => sum + (graph.guards?.length ?? 0), 0);

function Compiled({ tab, row, report, before }) {
  if (!report) {
    return (
      <p class="empty">
        {row.state === "running"
          ? `${row.says} …`
          : row.unexplained ||
            "What compiling did was not reported: this backend may compile nothing, or the run ended first."}
      </p>
    );
  }
  return (
    <>
      {report.error && <p class="problem">The report is incomplete: {report.error}</p>}
      {tab === "breaks" && <BreaksView report={report} />}
      {tab === "graphs" && <GraphsView report={report} />}
      {tab === "code" && <CodeView report={report} before={before?.compiled} />}
      {tab === "guards" && <GuardsView report={report} />}
      {tab === "counters" && <CountersView report={report} />}
      {report.missing?.length > 0 && <p class="soft footnote">This torch cannot tell: {report.missing.join("; ")}.</p>}
    </>
  );
}
