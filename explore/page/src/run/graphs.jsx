// The graphs that the compiler captured: as pictures and as text.
import { useMemo, useState } from "preact/hooks";
import { nodesOfText } from "../graph/parse.js";
import { Picture } from "../graph/picture.jsx";
import { Code } from "../ui/code.jsx";
import { Copy, Segments, Select } from "../ui/parts.jsx";
import { pointTo } from "./line_marks.js";

const STAGES = [
  ["fx", "FX", "What Dynamo captured of the Python code"],
  ["aot_forward", "AOT forward", "After AOTAutograd: functional, in primitive operators"],
  ["aot_backward", "AOT backward", "The gradient's graph that AOTAutograd derived"],
];

const nodesOf = (graph, stage) =>
  stage === "fx" && graph.nodes?.length ? graph.nodes : nodesOfText(graph[stage] ?? "");

export function GraphsView({ report }) {
  const graphs = report.graphs ?? [];
  const [id, setId] = useState(null);
  const [stage, setStage] = useState("fx");
  const [as, setAs] = useState("picture");
  const graph = graphs.find((one) => String(one.id) === String(id)) ?? graphs[0];
  const shown = graph && (graph[stage] || (stage === "fx" && graph.nodes?.length)) ? stage : "fx";
  const nodes = useMemo(() => (graph ? nodesOf(graph, shown) : []), [graph, shown]);
  if (!graph) return <p class="empty">No graph was captured: the compiler left every line to Python.</p>;
  const stages = STAGES.filter(([name]) => name === "fx" || graph[name]);
  return (
    <>
      <div class="toolbar">
        {graphs.length > 1 && (
          <Select
            label="Graph"
            value={String(graph.id)}
            onChange={setId}
            options={graphs.map((one) => [
              String(one.id),
              `graph ${one.id}: ${one.frame ?? "frame"}${one.line ? `, line ${one.line}` : ""}`,
            ])}
          />
        )}
        <Segments label="Stage" options={stages} value={shown} onChange={setStage} />
        <Segments
          label="Shown as"
          options={[
            ["picture", "Picture"],
            ["text", "Text"],
          ]}
          value={as}
          onChange={setAs}
        />
      </div>
      {graph.recompiled_because && (
        <p class="bar">
          Compiled again because: <code class="wrap">{graph.recompiled_because}</code>
        </p>
      )}
      {as === "picture" && nodes.length > 0 ? (
        <Picture nodes={nodes} onChoose={(node) => pointTo(node.line)} />
      ) : (
        <Text text={graph[shown] ?? ""} />
      )}
    </>
  );
}

function Text({ text }) {
  if (!text) return <p class="empty">This stage left no text.</p>;
  return (
    <div class="with-copy">
      <Copy text={text} kind="small" />
      <Code text={text} label="Graph as text" />
    </div>
  );
}
