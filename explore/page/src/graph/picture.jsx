// A graph as a picture. A click on a node chooses it: its edges are drawn stronger, its line is shown in the editor.
import { useMemo, useState } from "preact/hooks";
import { plural, Segments } from "../ui/parts.jsx";
import { layout } from "./layout.js";

const LARGEST = 600; // nodes
const MARGIN = 12;

export function Picture({ nodes, onChoose }) {
  const drawn = useMemo(() => (nodes.length <= LARGEST ? layout(nodes) : null), [nodes]);
  const [chosen, setChosen] = useState("");
  const [size, setSize] = useState("fit");
  if (!drawn) return <p class="empty">This graph has {nodes.length} nodes, too many for a picture: read it as text.</p>;
  const choose = (node) => {
    setChosen(node.name === chosen ? "" : node.name);
    onChoose?.(node);
  };
  const { width, height } = { width: drawn.width + 2 * MARGIN, height: drawn.height + 2 * MARGIN };
  const node = nodes.find((one) => one.name === chosen);
  return (
    <figure class="graph">
      <div class="graph-frame" tabIndex={0} role="group" aria-label="Picture of the graph">
        <svg
          viewBox={`${-MARGIN} ${-MARGIN} ${width} ${height}`}
          width={width}
          height={height}
          role="group"
          aria-label={`Graph of ${plural(nodes.length, "node")}`}
          class={size}
        >
          <defs>
            {["", "chosen"].map((kind) => (
              <marker
                key={kind}
                id={`arrow-${kind}`}
                viewBox="0 0 8 8"
                refX="7"
                refY="4"
                markerWidth="7"
                markerHeight="7"
                markerUnits="userSpaceOnUse"
                orient="auto"
              >
                <path class={`arrow ${kind}`} d="M0 0L8 4L0 8z" />
              </marker>
            ))}
          </defs>
          {drawn.edges.map((edge, i) => (
            <Edge
              key={i}
              path={edge.path}
              kind={edge.from.node.name === chosen || edge.to.node.name === chosen ? "chosen" : ""}
            />
          ))}
          {drawn.boxes.map((box) => (
            <Node key={box.node.name} box={box} chosen={box.node.name === chosen} onChoose={choose} />
          ))}
        </svg>
      </div>
      <figcaption class="toolbar">
        <span class="soft">
          {node ? nodeText(node) : `${plural(nodes.length, "node")}. Choose one to see its line and arguments.`}
        </span>
        <Segments
          label="Size"
          value={size}
          onChange={setSize}
          options={[
            ["fit", "Fit"],
            ["full", "100 %"],
          ]}
        />
      </figcaption>
    </figure>
  );
}

const Edge = ({ path, kind }) => <path d={path} class={`edge ${kind}`} marker-end={`url(#arrow-${kind})`} />;

const nodeText = (node) =>
  `${node.name} = ${node.target}(${node.args.join(", ")})${node.line ? `, line ${node.line}` : ""}`;

function Node({ box, chosen, onChoose }) {
  const { node, label, x, y, width, height } = box;
  const kind =
    node.op === "placeholder"
      ? "input"
      : node.op === "output"
        ? "output"
        : node.op === "get_attr"
          ? "constant"
          : "call";
  const onKeyDown = (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    onChoose(node);
  };
  return (
    <g
      class={`node ${kind} ${chosen ? "chosen" : ""}`}
      role="button"
      tabIndex={0}
      aria-pressed={chosen}
      aria-label={nodeText(node)}
      onClick={() => onChoose(node)}
      onKeyDown={onKeyDown}
    >
      <title>{nodeText(node)}</title>
      <rect x={x} y={y} width={width} height={height} rx="6" />
      <text x={x + width / 2} y={y + height / 2 + 4} text-anchor="middle">
        {label}
      </text>
    </g>
  );
}
