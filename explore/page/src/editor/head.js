// The head of a known bug: comments at the beginning of a file, some of them for machines ("# link: unreported").
const FEWEST = 3; // such lines make a head

/**
 * {from, to} of what stands below the first comment of a head with these keys. Null where a program has no such head.
 */
export function headWith(keys, text) {
  const lines = text.split("\n");
  const end = lines.findIndex((line) => !line.startsWith("#"));
  const head = lines.slice(0, Math.max(end, 0));
  const isForMachines = (line) => keys.some((key) => line.startsWith(`# ${key}: `));
  if (head.filter(isForMachines).length < FEWEST) return null;
  return { from: head[0].length + 1, to: head.join("\n").length };
}
