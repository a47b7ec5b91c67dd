// What a call is given besides other nodes: numbers, dtypes, dimensions.

/** The parts of a text of arguments, split at commas outside of brackets and quotes. */
export function splitArguments(text) {
  const parts = [""];
  let level = 0;
  let quote = "";
  for (const c of text) {
    if (quote) quote = c === quote ? "" : quote;
    else if (c === "'" || c === '"') quote = c;
    else if ("([{".includes(c)) level++;
    else if (")]}".includes(c)) level--;
    if (c === "," && level === 0 && !quote) parts.push("");
    else parts[parts.length - 1] += c;
  }
  return parts.map((part) => part.trim()).filter(Boolean);
}

/** Those of a node's arguments that no edge shows: all that hold more than names of other nodes. */
export function constantsOf(node) {
  if (node.op === "placeholder" || node.op === "output" || node.op === "get_attr") return [];
  return splitArguments(node.arguments ?? "").filter((part) => {
    const words = part.match(/[\w.]+/g) ?? [];
    return words.length > 0 && !words.every((word) => node.args.includes(word));
  });
}
