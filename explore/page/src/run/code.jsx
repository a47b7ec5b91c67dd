// The code that the backend generated, whole or as a diff against the run before.
import { useState } from "preact/hooks";
import { Diff } from "../diff/diff.jsx";
import { Code } from "../ui/code.jsx";
import { Copy, Segments } from "../ui/parts.jsx";

const codeOf = (report) =>
  (report?.graphs ?? [])
    .map((graph) => graph.code)
    .filter(Boolean)
    .join("\n\n");

export function CodeView({ report, before }) {
  const code = codeOf(report);
  const earlier = codeOf(before);
  const [chosen, setChosen] = useState(null);
  if (!code)
    return <p class="empty">This backend generates no code: only Inductor writes C++ and Python of its own.</p>;
  const as = earlier ? (chosen ?? "diff") : "whole";
  return (
    <>
      <div class="toolbar">
        <Segments
          label="Shown as"
          value={as}
          onChange={setChosen}
          options={
            earlier
              ? [
                  ["diff", "Diff to the previous program"],
                  ["whole", "Whole"],
                ]
              : [["whole", "Whole"]]
          }
        />
        <Copy text={code} kind="small" />
        {!earlier && <span class="soft">Run again after a further step to see what it changed here.</span>}
      </div>
      {as === "diff" ? (
        <Diff before={earlier} after={code} label="Generated code against that of the previous program" />
      ) : (
        <Code text={code} label="Generated code" />
      )}
    </>
  );
}
