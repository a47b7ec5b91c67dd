// Guards and recompiles, call by call.
import { plural, secondsText } from "../ui/parts.jsx";
import { LineButton } from "./breaks.jsx";

export function GuardsView({ report }) {
  const graphs = (report.graphs ?? []).filter((graph) => graph.guards?.length);
  return (
    <>
      <Recompiles report={report} />
      <Calls calls={report.calls ?? []} />
      <h3>Guards</h3>
      <p class="soft">
        Conditions under which a compiled graph may be used again; a call that breaks one makes the compiler compile
        again.
      </p>
      {graphs.length === 0 && <p class="empty">No guard was reported for this run.</p>}
      {graphs.map((graph) => (
        <details key={graph.id} class="group" open={graphs.length === 1}>
          <summary>
            <span class="name">graph {graph.id}</span>
            <span class="soft">{graph.frame}</span>
            <span class="soft count">{plural(graph.guards.length, "guard")}</span>
          </summary>
          <ul class="rows">
            {graph.guards.map((guard, i) => (
              <li class="row" key={i}>
                {guard.line > 0 ? <LineButton line={guard.line} /> : <span class="soft">{i + 1}</span>}
                <code class="wrap">{guard.text}</code>
              </li>
            ))}
          </ul>
        </details>
      ))}
    </>
  );
}

function Recompiles({ report }) {
  const recompiles = report.recompiles ?? [];
  return (
    <>
      <h3>Recompiles</h3>
      {recompiles.length === 0 ? (
        <p class="empty">Nothing was compiled again: every later call met the guards.</p>
      ) : (
        <ul class="rows">
          {recompiles.map((one, i) => (
            <li class="row" key={i}>
              <LineButton line={one.line} />
              <div>
                {one.call !== undefined && one.call !== null && <span class="soft">call {one.call}: </span>}
                {one.says && <span>{one.says} </span>}
                <code class="wrap">{one.reason}</code>
              </div>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Calls({ calls }) {
  if (calls.length === 0) return null;
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label="Calls">
      <table class="table">
        <thead>
          <tr>
            <th>call</th>
            <th class="right">graphs before</th>
            <th class="right">graphs after</th>
            <th class="right">time</th>
          </tr>
        </thead>
        <tbody>
          {calls.map((one) => (
            <tr key={one.call}>
              <td>{one.call}</td>
              <td class="right">{one.graphs_before}</td>
              <td class="right">
                {one.graphs_after}
                {one.graphs_after > one.graphs_before && (
                  <span class="soft"> (+{one.graphs_after - one.graphs_before})</span>
                )}
              </td>
              <td class="right">{one.seconds === undefined ? "–" : secondsText(one.seconds)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
