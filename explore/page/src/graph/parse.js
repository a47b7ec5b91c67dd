// Nodes of a graph that is known only as text: the code that FX prints of a graph module,
//     add: "f32[3]" = torch.ops.aten.add.Tensor(x_1, y_1);  x_1 = None
// or its table of instructions,
//     %add : [num_users=1] = call_function[target=torch.ops.aten.add.Tensor](args = (%x_1, %y_1), kwargs = {})

const INSTRUCTION = /^\s*%(\w+)\s*:.*?=\s*(\w+)\[target=([^\]]+)\](.*)$/;
const ASSIGNMENT = /^\s*(\w+)(?:\s*:\s*"[^"]*")?\s*=\s*(.+?);?\s*(?:;.*)?$/;
const DEFINITION = /^\s*def \w+\((.*)\).*:\s*$/;

export function nodesOfText(text) {
  const nodes = [];
  const known = new Set();
  const add = (name, op, target, rest) => {
    const args = [...new Set(rest.match(/\b[A-Za-z_]\w*\b/g) ?? [])].filter((word) => known.has(word) && word !== name);
    if (!known.has(name)) nodes.push({ name, op, target, args, line: 0 });
    known.add(name);
  };
  for (const raw of text.split("\n")) {
    const line = raw.replace(/(^|\s)#.*$/, "");
    const returned = /^\s*return\s+(.*)$/.exec(line);
    const definition = DEFINITION.exec(line);
    const instruction = INSTRUCTION.exec(line);
    if (definition) parameters(definition[1]).forEach((name) => add(name, "placeholder", name, ""));
    else if (returned) add("output", "output", "output", returned[1]);
    else if (instruction) add(instruction[1], instruction[2], instruction[3], instruction[4]);
    else assignment(line, add);
  }
  return nodes;
}

// Annotations hold commas: x: "f32[2, 3]".
function parameters(text) {
  return text.replace(/:\s*("[^"]*"|[^,]+)/g, "").split(",").map((name) => name.trim()).filter((name) => name && name !== "self");
}

function assignment(line, add) {
  const parts = ASSIGNMENT.exec(line.split(";")[0]);
  if (!parts || parts[2] === "None") return;
  const call = /^([\w.]+)\((.*)\)?$/.exec(parts[2]);
  add(parts[1], call ? "call_function" : "get_attr", call ? call[1] : parts[2], call ? call[2] : parts[2]);
}
