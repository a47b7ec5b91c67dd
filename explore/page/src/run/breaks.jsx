// Graph breaks: why the compiler gave up a graph, and where.
import { pointTo } from "./line_marks.js";

export function BreaksView({ report }) {
  const breaks = report.breaks ?? [];
  if (breaks.length === 0) return <p class="empty">No graph break: the compiler captured every call of the program as whole graphs.</p>;
  return (
    <>
      <p class="soft">A graph break is a place where the compiler ends a graph, lets Python run, and begins another one. The lines are marked in the editor.</p>
      <ul class="rows">
        {breaks.map((one, i) => (
          <li key={i} class="row">
            <LineButton line={one.line} />
            <div><strong>{one.reason}</strong>{one.says && <p class="soft">{one.says}</p>}</div>
          </li>
        ))}
      </ul>
    </>
  );
}

/** A button that shows a line of the program in the editor. */
export function LineButton({ line }) {
  if (!(line > 0)) return <span class="soft line-button">no line</span>;
  return <button type="button" class="button quiet small line-button" onClick={() => pointTo(line)}>line {line}</button>;
}
