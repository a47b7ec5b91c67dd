// A layered layout: each node one layer below its lowest argument, nodes of a layer ordered so that few edges cross.
const ROW = 56;
const HEIGHT = 28;
const GAP = 16;
const CHARACTER = 7.2; // width of one in the font of labels, 12 px
const LONGEST = 26; // characters of a label
const SWEEPS = 6;

export const shortTarget = (text) => text.replace(/^torch\.ops\./, "").replace(/^torch\./, "").replace(/\.default$/, "");
const cut = (text) => (text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text);

export function labelOf(node) {
  if (node.op === "placeholder" || node.op === "output") return cut(node.name);
  return cut(shortTarget(String(node.target ?? node.name)));
}

function layersOf(nodes, byName) {
  const depth = new Map();
  for (const node of nodes) depth.set(node.name, Math.max(0, ...node.args.map((name) => (depth.get(name) ?? -1) + 1)));
  // A constant stands just above its first use instead of at the top.
  for (const node of [...nodes].reverse()) {
    if (node.args.length > 0 || node.op === "placeholder") continue;
    const users = nodes.filter((user) => user.args.includes(node.name)).map((user) => depth.get(user.name));
    if (users.length) depth.set(node.name, Math.min(...users) - 1);
  }
  const layers = [];
  for (const node of nodes) (layers[depth.get(node.name)] ??= []).push(byName.get(node.name));
  return layers.map((layer) => layer ?? []);
}

const middle = (box) => box.x + box.width / 2;

function orderBy(layer, neighbours) {
  const weight = new Map(layer.map((box, i) => {
    const near = neighbours(box);
    return [box, near.length ? near.reduce((sum, one) => sum + middle(one), 0) / near.length : box.x + i * 1e-6];
  }));
  layer.sort((one, other) => weight.get(one) - weight.get(other));
  return weight;
}

// Each box as near to where its neighbours are as the box before allows.
function place(layer, weight) {
  let x = 0;
  for (const box of layer) {
    box.x = Math.max(x, (weight?.get(box) ?? 0) - box.width / 2);
    x = box.x + box.width + GAP;
  }
}

/** {width, height, boxes: [{node, label, x, y, width, height}], edges: [{from, to, path}]} in pixels. */
export function layout(nodes) {
  const boxes = nodes.map((node) => {
    const label = labelOf(node);
    return { node, label, x: 0, y: 0, width: Math.max(40, label.length * CHARACTER + 20), height: HEIGHT, above: [], below: [] };
  });
  const byName = new Map(boxes.map((box) => [box.node.name, box]));
  for (const box of boxes) {
    for (const name of new Set(box.node.args)) {
      const from = byName.get(name);
      if (!from) continue;
      box.above.push(from);
      from.below.push(box);
    }
  }
  const layers = layersOf(nodes.map((node) => ({ ...node, args: node.args.filter((name) => byName.has(name)) })), byName);
  layers.forEach((layer, i) => layer.forEach((box) => { box.y = i * ROW; }));
  layers.forEach((layer) => place(layer, null));
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const down = sweep % 2 === 0;
    for (const layer of down ? layers : [...layers].reverse()) place(layer, orderBy(layer, (box) => (down ? box.above : box.below)));
  }
  const left = Math.min(...boxes.map((box) => box.x));
  for (const box of boxes) box.x -= left;
  const edges = boxes.flatMap((box) => box.above.map((from) => ({ from, to: box, path: curve(from, box) })));
  return {
    width: Math.max(...boxes.map((box) => box.x + box.width)),
    height: (layers.length - 1) * ROW + HEIGHT,
    boxes,
    edges,
  };
}

function curve(from, to) {
  const x1 = middle(from);
  const y1 = from.y + from.height;
  const x2 = middle(to);
  const bend = Math.max(14, (to.y - y1) / 2);
  return `M${x1.toFixed(1)} ${y1}C${x1.toFixed(1)} ${y1 + bend} ${x2.toFixed(1)} ${to.y - bend} ${x2.toFixed(1)} ${to.y}`;
}
