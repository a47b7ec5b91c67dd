// Two texts as one: removed and added lines, with a few lines around.
import { useMemo } from "preact/hooks";
import { plural } from "../ui/parts.jsx";
import { diffLines, hunks } from "./lines.js";

const SIGNS = { same: " ", removed: "−", added: "+" };

export function Diff({ before, after, label }) {
  const lines = useMemo(() => diffLines(before.trimEnd(), after.trimEnd()), [before, after]);
  const count = (kind) => lines.filter((line) => line.kind === kind).length;
  if (lines.every((line) => line.kind === "same"))
    return <p class="empty">Nothing changed: both texts are the same.</p>;
  const { parts, rest } = hunks(lines);
  return (
    <>
      <p class="soft">
        {plural(count("added"), "line")} added, {plural(count("removed"), "line")} removed.
      </p>
      <pre class="code-block diff" tabIndex={0} role="group" aria-label={label}>
        {parts.map((part, i) => (
          <span key={i}>
            {part.skipped > 0 && <Skipped count={part.skipped} />}
            {part.lines.map((line, k) => (
              <span key={k} class={`code-line ${line.kind}`}>
                <span class="code-number" aria-hidden="true">
                  {line.after ?? ""}
                </span>
                <span class="sign">{SIGNS[line.kind]}</span>
                {line.text}
                {"\n"}
              </span>
            ))}
          </span>
        ))}
        {rest > 0 && <Skipped count={rest} />}
      </pre>
    </>
  );
}

const Skipped = ({ count }) => (
  <span class="code-line skipped">
    {plural(count, "unchanged line")}
    {"\n"}
  </span>
);
