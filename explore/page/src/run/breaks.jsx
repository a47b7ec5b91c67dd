// Graph breaks: why the compiler gave up a graph, and where.
import { Sentence } from "../ui/parts.jsx";
import { pointTo } from "./line_marks.js";

export function BreaksView({ report }) {
  const breaks = report.breaks ?? [];
  if (breaks.length === 0)
    return <p class="empty">No graph break: the compiler captured every call of the program as whole graphs.</p>;
  return (
    <>
      <p class="soft">
        A graph break is a place where the compiler ends a graph, lets Python run, and begins another one. The lines are
        marked in the editor.
      </p>
      <ul class="rows">
        {breaks.map((one, i) => (
          <li key={i} class="row">
            <LineButton line={one.line} />
            <div>
              <strong>
                <Sentence text={one.reason} />
              </strong>
              {one.says && one.says !== one.reason && (
                <Says text={one.says.startsWith(`${one.reason}\n`) ? one.says.slice(one.reason.length) : one.says} />
              )}
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}

/** A button that shows a line of the program in the editor. */
export function LineButton({ line }) {
  if (!(line > 0)) return <span class="soft line-button">no line</span>;
  return (
    <button type="button" class="button quiet small line-button" onClick={() => pointTo(line)}>
      line {line}
    </button>
  );
}

// Torch's own words may be long: their first lines, and the rest on demand.
function Says({ text }) {
  const [first, ...rest] = text.trim().split(/\n\s*\n/);
  if (rest.length === 0) return <p class="soft pre">{<Sentence text={first} />}</p>;
  return (
    <details>
      <summary class="soft pre">
        <Sentence text={first} />
      </summary>
      <p class="soft pre">
        <Sentence text={rest.join("\n\n")} />
      </p>
    </details>
  );
}
