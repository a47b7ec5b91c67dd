// A graph as a picture. A click on a node chooses it: its edges are drawn stronger, its line is shown in the editor. The
// picture begins at a size at which labels are read; it is moved by scrolling or dragging, and made larger and smaller.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { Button, plural } from "../ui/parts.jsx";
import { layout } from "./layout.js";
import { found, LARGEST_SCALE, readableScale, wholeScale, withoutInputs } from "./view.js";

const LARGEST = 600; // nodes
const MANY = 60; // nodes from which inputs are folded at first: a program's own graphs have fewer, models more
const SEARCHED = 12; // nodes from which there is a search
const MARGIN = 12;
const STEP = 1.25; // of the buttons that zoom
const FRAME = 0.65; // of the window's height, which the frame has at most (runs.css)
const BORDERS = 2; // px of that, above and below

export function Picture({ nodes, onChoose }) {
  const calls = useMemo(() => withoutInputs(nodes), [nodes]);
  const canFold = calls.length < nodes.length && calls.length > 1;
  const [wanted, setWanted] = useState(null); // whether inputs are folded; null: by their number
  const folded = canFold && (wanted ?? nodes.length > MANY);
  const shown = folded ? calls : nodes;
  const drawn = useMemo(() => (shown.length <= LARGEST ? layout(shown) : null), [shown]);
  const [chosen, setChosen] = useState("");
  const [text, setText] = useState("");
  const matches = useMemo(() => found(shown, text), [shown, text]);
  const frame = useRef(null);
  const { scale, zoom, show } = useScale(frame, drawn);
  const choose = (node) => {
    setChosen(node.name === chosen ? "" : node.name);
    onChoose?.(node);
  };
  const goOn = (event) => {
    event.preventDefault();
    if (matches.length === 0) return;
    const next = matches[(matches.indexOf(chosen) + 1) % matches.length];
    setChosen(next);
    onChoose?.(shown.find(({ name }) => name === next));
    show(next);
  };
  const node = shown.find((one) => one.name === chosen);
  return (
    <figure class="graph">
      <div class="toolbar">
        {nodes.length > SEARCHED && (
          <form role="search" class="inline" onSubmit={goOn}>
            <input
              type="search"
              aria-label="Find a node by name, operator or argument; Enter goes to the next"
              placeholder="Find a node"
              value={text}
              onInput={(event) => setText(event.target.value)}
            />
            <span class="soft" role="status">
              {text.trim() && `${matches.length} found`}
            </span>
          </form>
        )}
        {canFold && (
          <label class="inline">
            <input type="checkbox" checked={!folded} onChange={() => setWanted(!folded)} />
            inputs
          </label>
        )}
        <Zoom zoom={zoom} scale={scale} />
      </div>
      {drawn ? (
        <Frame frame={frame} zoom={zoom}>
          <Drawing drawn={drawn} scale={scale} chosen={chosen} matches={matches} onChoose={choose} />
        </Frame>
      ) : (
        <p class="empty">This graph has {shown.length} nodes, too many for a picture: read it as text.</p>
      )}
      <figcaption class="soft">
        {node ? nodeText(node) : `${plural(nodes.length, "node")}${folded ? `, ${nodes.length - calls.length} of them inputs and parameters that are not drawn` : ""}. Choose one to see its line and arguments.`}
      </figcaption>
    </figure>
  );
}

/** The scale of the picture. `zoom(to)`: "whole", "own", "smaller", "larger"; `show(name)` brings a node into view. */
function useScale(frame, drawn) {
  const [scale, setScale] = useState(1);
  const width = (drawn?.width ?? 0) + 2 * MARGIN;
  const height = (drawn?.height ?? 0) + 2 * MARGIN;
  const middleOf = (name) => {
    const box = drawn.boxes.find((one) => one.node.name === name) ?? drawn.boxes[0];
    return [box.x + box.width / 2 + MARGIN, box.y + box.height / 2 + MARGIN];
  };
  // Draws at a scale, with a point of the graph in the middle of the frame.
  const put = (next, [x, y]) => {
    setScale(next);
    requestAnimationFrame(() => {
      if (!frame.current) return;
      const { clientWidth, clientHeight } = frame.current;
      frame.current.scrollTo(x * next - clientWidth / 2, y * next - clientHeight / 2);
    });
  };
  // A graph that is wider than the frame begins with its first node in the middle.
  useLayoutEffect(() => {
    if (drawn) put(readableScale(width, frame.current.clientWidth), [middleOf(drawn.boxes[0].node.name)[0], 0]);
  }, [drawn]);
  const whole = () => wholeScale(width, height, frame.current.clientWidth, innerHeight * FRAME - BORDERS);
  const scaleOf = {
    whole,
    own: () => 1,
    smaller: () => Math.max(whole(), scale / STEP),
    larger: () => Math.min(LARGEST_SCALE, scale * STEP),
  };
  const zoom = (to) => {
    const { clientWidth, clientHeight, scrollLeft, scrollTop } = frame.current;
    put(scaleOf[to](), [(scrollLeft + clientWidth / 2) / scale, (scrollTop + clientHeight / 2) / scale]);
  };
  const show = (name) => put(Math.max(scale, readableScale(width, frame.current.clientWidth)), middleOf(name));
  return { scale, zoom, show };
}

const Zoom = ({ zoom, scale }) => (
  <div class="inline zoom" role="group" aria-label="Size of the picture">
    <Button kind="quiet icon" label="Smaller" onClick={() => zoom("smaller")}>
      −
    </Button>
    <Button kind="quiet small" label={`${Math.round(scale * 100)} %: back to its own size`} onClick={() => zoom("own")}>
      {Math.round(scale * 100)} %
    </Button>
    <Button kind="quiet icon" label="Larger" onClick={() => zoom("larger")}>
      +
    </Button>
    <Button kind="small" label="Fit: all of it at once" onClick={() => zoom("whole")}>
      Fit
    </Button>
  </div>
);

/** What scrolls: by its bars and keys, by dragging; with Ctrl the wheel zooms. */
function Frame({ frame, zoom, children }) {
  const handler = useRef(zoom);
  handler.current = zoom;
  useEffect(() => {
    const onWheel = (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      handler.current(event.deltaY < 0 ? "larger" : "smaller");
    };
    const element = frame.current;
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => element.removeEventListener("wheel", onWheel);
  }, []);
  const onPointerDown = (event) => {
    if (event.pointerType !== "mouse" || event.button !== 0 || event.target.closest(".node")) return;
    const element = frame.current;
    const from = [element.scrollLeft + event.clientX, element.scrollTop + event.clientY];
    const move = (at) => element.scrollTo(from[0] - at.clientX, from[1] - at.clientY);
    element.setPointerCapture(event.pointerId);
    element.addEventListener("pointermove", move);
    const end = () => element.removeEventListener("pointermove", move);
    element.addEventListener("lostpointercapture", end, { once: true });
  };
  return (
    <div
      class="graph-frame"
      tabIndex={0}
      role="group"
      aria-label="Picture of the graph"
      ref={frame}
      onPointerDown={onPointerDown}
    >
      {children}
    </div>
  );
}

function Drawing({ drawn, scale, chosen, matches, onChoose }) {
  const width = drawn.width + 2 * MARGIN;
  const height = drawn.height + 2 * MARGIN;
  return (
    <svg
      viewBox={`${-MARGIN} ${-MARGIN} ${width} ${height}`}
      width={width * scale}
      height={height * scale}
      role="group"
      aria-label={`Graph of ${plural(drawn.boxes.length, "node")}`}
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
        <Node
          key={box.node.name}
          box={box}
          chosen={box.node.name === chosen}
          isFound={matches.includes(box.node.name)}
          onChoose={onChoose}
        />
      ))}
    </svg>
  );
}

const Edge = ({ path, kind }) => <path d={path} class={`edge ${kind}`} marker-end={`url(#arrow-${kind})`} />;

const nodeText = (node) =>
  `${node.name} = ${node.target}(${node.arguments ?? node.args.join(", ")})${node.line ? `, line ${node.line}` : ""}`;

const KINDS = { placeholder: "input", output: "output", get_attr: "constant" };

function Node({ box, chosen, isFound, onChoose }) {
  const { node, label, constants, x, y, width, height } = box;
  const onKeyDown = (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    onChoose(node);
  };
  const middle = x + width / 2;
  return (
    <g
      class={`node ${KINDS[node.op] ?? "call"} ${chosen ? "chosen" : ""} ${isFound ? "found" : ""}`}
      role="button"
      tabIndex={0}
      aria-pressed={chosen}
      onClick={() => onChoose(node)}
      onKeyDown={onKeyDown}
    >
      {/* The name that is read out, too. */}
      <title>{nodeText(node)}</title>
      <rect x={x} y={y} width={width} height={height} rx="6" />
      <text x={middle} y={y + 18} text-anchor="middle">
        {label}
      </text>
      {constants && (
        <text class="constants" x={middle} y={y + 34} text-anchor="middle">
          {constants}
        </text>
      )}
    </g>
  );
}
