// A layered layout: each node one layer below its lowest argument, nodes of a layer ordered so that few edges cross. An
// edge over several layers has a narrow box of its own in each layer between, so that it passes beside the nodes there.
import { constantsOf } from "./constants.js";

const ROW = 64;
const HEIGHT = 28;
const TALL = 42; // of a box with constants below its label
const GAP = 16;
const CHARACTER = 7.2; // width of one in the font of labels, 12 px
const LONGEST = 26; // characters of a label
const SMALLER = 6.4; // width of a character of the constants, 10.5 px
const LONGEST_CONSTANTS = 32;
const SWEEPS = 6;
const BETWEEN = 6; // width of an edge in a layer that it passes

export const shortTarget = (text) =>
  text
    .replace(/^torch\.ops\./, "")
    .replace(/^torch\./, "")
    .replace(/\.default$/, "");
// In the middle: names of parameters begin alike and differ at their ends.
const cut = (text) => {
  if (text.length <= LONGEST) return text;
  const head = Math.floor(LONGEST / 3);
  return `${text.slice(0, head)}…${text.slice(text.length - (LONGEST - 1 - head))}`;
};

export function labelOf(node) {
  if (node.op === "placeholder" || node.op === "output") return cut(node.name);
  return cut(shortTarget(String(node.target ?? node.name)));
}

const cutEnd = (text) => (text.length <= LONGEST_CONSTANTS ? text : `${text.slice(0, LONGEST_CONSTANTS - 1)}…`);

function layersOf(nodes, byName) {
  const depth = new Map();
  for (const node of nodes) depth.set(node.name, Math.max(0, ...node.args.map((name) => (depth.get(name) ?? -1) + 1)));
  // An input, a parameter, a constant stands just above its first use: a model has hundreds of them.
  for (const node of [...nodes].reverse()) {
    if (node.args.length > 0) continue;
    const users = nodes.filter((user) => user.args.includes(node.name)).map((user) => depth.get(user.name));
    if (users.length) depth.set(node.name, Math.min(...users) - 1);
  }
  const layers = [];
  for (const node of nodes) (layers[depth.get(node.name)] ??= []).push(byName.get(node.name));
  return layers.map((layer) => layer ?? []);
}

const middle = (box) => box.x + box.width / 2;

const mean = (boxes) => boxes.reduce((sum, box) => sum + middle(box), 0) / boxes.length;

// Sorts by where the neighbours are. Gives where each box is to stand: below its nodes, whatever edges pass there, so that
// a chain stays straight beside the edges that go around its parts.
function orderBy(layer, neighbours) {
  const weight = new Map(layer.map((box, i) => [box, neighbours(box).length ? mean(neighbours(box)) : middle(box) + i * 1e-6]));
  layer.sort((one, other) => weight.get(one) - weight.get(other));
  for (const box of layer) {
    const nodes = neighbours(box).filter((one) => one.node);
    if (box.node && nodes.length) weight.set(box, mean(nodes));
  }
  return weight;
}

// Each box as near to where its neighbours are as the box before allows.
function place(layer, weight) {
  let x = -Infinity;
  for (const box of layer) {
    box.x = Math.max(x, (weight?.get(box) ?? 0) - box.width / 2);
    x = box.x + box.width + GAP;
  }
}

function boxOf(node) {
  const label = labelOf(node);
  const constants = cutEnd(constantsOf(node).join(", "));
  const width = Math.max(40, label.length * CHARACTER + 20, constants.length * SMALLER + 20);
  return { node, label, constants, x: 0, y: 0, width, height: constants ? TALL : HEIGHT, above: [], below: [] };
}

/** {width, height, boxes: [{node, label, constants, x, y, width, height}], edges: [{from, to, path}]} in pixels. */
export function layout(nodes) {
  const boxes = nodes.map(boxOf);
  const byName = new Map(boxes.map((box) => [box.node.name, box]));
  const layers = layersOf(
    nodes.map((node) => ({ ...node, args: node.args.filter((name) => byName.has(name)) })),
    byName,
  );
  layers.forEach((layer, i) =>
    layer.forEach((box) => {
      box.y = i * ROW;
    }),
  );
  const routes = boxes.flatMap((box) =>
    [...new Set(box.node.args)]
      .map((name) => byName.get(name))
      .filter(Boolean)
      .map((from) => route(from, box, layers)),
  );
  layers.forEach((layer) => place(layer, null));
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const down = sweep % 2 === 0;
    for (const layer of down ? layers : [...layers].reverse())
      place(
        layer,
        orderBy(layer, (box) => (down ? box.above : box.below)),
      );
  }
  const all = layers.flat();
  const left = Math.min(...all.map((box) => box.x));
  for (const box of all) box.x -= left;
  return {
    width: Math.max(...all.map((box) => box.x + box.width)),
    height: Math.max(...all.map((box) => box.y + box.height)),
    boxes,
    edges: routes.map((stops) => ({ from: stops[0], to: stops.at(-1), path: pathOver(stops) })),
  };
}

/** The boxes that an edge goes over, with narrow new ones in the layers between. */
function route(from, to, layers) {
  const stops = [from];
  for (let layer = from.y / ROW + 1; layer < to.y / ROW; layer++) {
    const between = { x: 0, y: layer * ROW, width: BETWEEN, height: HEIGHT, above: [], below: [] };
    layers[layer].push(between);
    stops.push(between);
  }
  stops.push(to);
  for (let i = 1; i < stops.length; i++) {
    stops[i].above.push(stops[i - 1]);
    stops[i - 1].below.push(stops[i]);
  }
  return stops;
}

function pathOver(stops) {
  let path = `M${middle(stops[0]).toFixed(1)} ${stops[0].y + stops[0].height}`;
  for (let i = 1; i < stops.length; i++) {
    const x1 = middle(stops[i - 1]).toFixed(1);
    const x2 = middle(stops[i]).toFixed(1);
    const y1 = stops[i - 1].y + stops[i - 1].height;
    const y2 = stops[i].y;
    const bend = (y2 - y1) / 2;
    path += `C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2}`;
    if (i < stops.length - 1) path += `V${y2 + stops[i].height}`;
  }
  return path;
}
