// How much of a graph is drawn, and how large.

const READABLE = 0.75; // of a label's size; below it labels are hard to read. Chosen by eye.
const SMALLEST = 0.02;
export const LARGEST_SCALE = 2;

/** The scale to begin with: the graph as wide as the frame where it is still readable then, else its own size. */
export function readableScale(width, frameWidth) {
  const fit = Math.min(1, frameWidth / width);
  return fit >= READABLE ? fit : 1;
}

/** The scale at which all of it is seen at once. */
export const wholeScale = (width, height, frameWidth, frameHeight) =>
  Math.max(SMALLEST, Math.min(1, frameWidth / width, frameHeight / height));

const isInput = (node) => node.args.length === 0 && (node.op === "placeholder" || node.op === "get_attr");

/** The nodes without inputs, parameters and constants of the module: of a model they are most, and each is read once. */
export const withoutInputs = (nodes) => nodes.filter((node) => !isInput(node));

/** Names of the nodes that hold all words of a text; none for an empty text. */
export function found(nodes, text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const has = (node) => `${node.name} ${node.target} ${node.arguments ?? ""}`.toLowerCase();
  return nodes.filter((node) => words.every((word) => has(node).includes(word))).map(({ name }) => name);
}
