// Nodes of a graph that is known only as text: the code that FX prints of a graph module,
//     # File: program.py:5 in program, code: total = x + y
//     add: "f32[3]" = torch.ops.aten.add.Tensor(x_1, y_1);  x_1 = None
// or its table of instructions,
//     %add : [num_users=1] = call_function[target=torch.ops.aten.add.Tensor](args = (%x_1, %y_1), kwargs = {})

const INSTRUCTION = /^\s*%(\w+)\s*:.*?=\s*(\w+)\[target=([^\]]+)\](.*)$/;
const ASSIGNMENT = /^\s*(\w+)(?:\s*:\s*"[^"]*")?\s*=\s*(.+?)\s*$/;
const DEFINITION = /^\s*def \w+\((.*)\).*:\s*$/;
const RETURN = /^\s*return\s+(.*)$/;
const PLACE = /^\s*# File: .*?:(\d+) in /;

/** Lines without comments, those of one pair of parentheses joined: [{text, line}] with the program's line, or 0. */
function statements(text) {
  const found = [];
  let line = 0;
  let open = "";
  for (const raw of text.split("\n")) {
    const place = PLACE.exec(raw);
    if (place) line = Number(place[1]);
    open += raw.replace(/(^|\s)#.*$/, "");
    if (depth(open) > 0) continue;
    if (open.trim()) found.push({ text: open, line });
    open = "";
  }
  return found;
}

function depth(text) {
  let level = 0;
  for (const c of text.replace(/"[^"]*"/g, "")) level += "([{".includes(c) ? 1 : ")]}".includes(c) ? -1 : 0;
  return level;
}

/** [{name, op, target, args, arguments, line}] in order; args are names of earlier nodes, arguments the text of all. */
export function nodesOfText(text) {
  const nodes = [];
  const known = new Set();
  const add = (name, op, target, rest, line) => {
    const words = rest.replace(/"[^"]*"|'[^']*'/g, "").match(/\b[A-Za-z_]\w*\b/g) ?? [];
    const args = [...new Set(words)].filter((word) => known.has(word) && word !== name);
    if (!known.has(name)) nodes.push({ name, op, target, args, arguments: rest, line });
    known.add(name);
  };
  for (const { text: statement, line } of statements(text)) {
    const definition = DEFINITION.exec(statement);
    const returned = RETURN.exec(statement);
    const instruction = INSTRUCTION.exec(statement);
    if (definition) parameters(definition[1]).forEach((name) => add(name, "placeholder", name, "", 0));
    else if (returned) add("output", "output", "output", returned[1], 0);
    else if (instruction)
      add(instruction[1], instruction[2], instruction[3], argumentsOf(instruction[4]), line);
    else assignment(statement, line, add);
  }
  return nodes;
}

// "(args = (%x, 1), kwargs = {dim: 0})" is "x, 1, dim=0".
function argumentsOf(text) {
  const parts = /^\(args = \((.*?),?\), kwargs = \{(.*)\}\)\s*$/.exec(text);
  if (!parts) return text;
  const named = parts[2].replace(/(\w+): /g, "$1=");
  return [parts[1], named].filter(Boolean).join(", ").replaceAll("%", "");
}

// Annotations hold commas: x: "f32[2, 3]".
function parameters(text) {
  return text
    .replace(/:\s*("[^"]*"|[^,]+)/g, "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name && name !== "self");
}

function assignment(statement, line, add) {
  const parts = ASSIGNMENT.exec(statement.split(";")[0]);
  if (!parts || parts[2] === "None") return;
  const call = /^([\w.]+)\((.*)\)$/.exec(parts[2]);
  const item = /^(\w+)\[(\d+)\]$/.exec(parts[2]);
  if (call) add(parts[1], "call_function", call[1], call[2], line);
  else if (item) add(parts[1], "call_function", "getitem", `${item[1]}, ${item[2]}`, line);
  else add(parts[1], "get_attr", parts[2], parts[2], line);
}
