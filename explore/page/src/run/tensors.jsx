// Two tensors beside each other: all elements of small ones, and a list of those that differ.
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { distance, elementText, indexIn } from "./values.js";

const GRID = 96; // elements of a grid at most
const BEFORE = 4; // elements before the first marked one in a grid that begins within a row
const FEW = 6; // significant digits of elements that are the same: all of them stand in their title
const LISTED = 12; // differing elements listed at most

export function TensorPair({ row }) {
  if (!row.elements)
    return (
      <p class="soft">
        The elements of this tensor cannot be read ({row.one.tensor.unreadable || row.one.tensor.layout}).
      </p>
    );
  const { left, right, indices } = row.elements;
  const marked = new Set(indices ?? []);
  const mark = row.state === "wrong" ? "wrong" : "moved";
  return (
    <>
      <div class="pair">
        <Grid title="plain" elements={left} marked={indices === null ? null : marked} mark={mark} />
        <Grid title="compiled" elements={right} marked={indices === null ? null : marked} mark={mark} />
      </div>
      {indices?.length > 0 && row.state === "wrong" && <Listed left={left} right={right} indices={indices} />}
    </>
  );
}

/** Scrolls the first marked element of a box into its middle. Gives whether the box holds more than it shows. */
function useMarkedInView(box, elements) {
  const [wide, setWide] = useState(false);
  useLayoutEffect(() => {
    const { current } = box;
    const cell = current.querySelector("td.wrong, td.moved");
    if (cell) {
      const { left, width } = cell.getBoundingClientRect();
      current.scrollLeft += left - current.getBoundingClientRect().left - (current.clientWidth - width) / 2;
    }
    setWide(current.scrollWidth > current.clientWidth + 1);
  }, [elements]);
  return wide;
}

/** The first element of the grid: 0, or further on where the first marked one would not be shown. */
function firstShown(marked, count, perRow) {
  const first = marked?.size ? marked.values().next().value : 0;
  if (first < GRID || count <= GRID) return 0;
  return perRow <= GRID / 2 ? first - (first % perRow) : Math.max(first - (first % perRow), first - BEFORE);
}

function Grid({ title, elements, marked, mark }) {
  const box = useRef(null);
  const wide = useMarkedInView(box, elements);
  const { shape, count, digits } = elements;
  const perRow = Math.max(1, shape.at(-1) ?? 1);
  const from = firstShown(marked, count, perRow);
  const end = Math.min(count, from + GRID);
  const rows = [];
  for (let i = from; i < end; i += perRow - (i % perRow))
    rows.push(Array.from({ length: Math.min(perRow - (i % perRow), end - i) }, (_, k) => i + k));
  return (
    <div class="grid-of-elements" ref={box} tabIndex={0} role="group" aria-label={`Elements of the ${title} run`}>
      <div class="soft stays">
        {title} · {elements.dtype}[{shape.join(", ")}]{wide && " · scrolls sideways ↔"}
      </div>
      <table>
        <tbody>
          {rows.map((row) => (
            <tr key={row[0]}>
              {row.map((i) => {
                const differs = marked === null || marked.has(i);
                const whole = elementText(elements.at(i), digits);
                return (
                  <td
                    key={i}
                    class={differs ? mark : ""}
                    title={`[${indexIn(shape, i).join(", ")}]${differs ? ": differs" : ` = ${whole}`}`}
                  >
                    {differs || digits === undefined ? whole : elementText(elements.at(i), Math.min(digits, FEW))}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {count > GRID && (
        <div class="soft stays">
          {from === 0 ? `the first ${end}` : `${from + 1} to ${end}`} of {count.toLocaleString("en")} elements
        </div>
      )}
      {count === 0 && <div class="soft">no elements</div>}
    </div>
  );
}

function Listed({ left, right, indices }) {
  const shown = indices.slice(0, LISTED);
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label="Elements that differ">
      <table class="table listed">
        <thead>
          <tr>
            <th>element</th>
            <th class="right">plain</th>
            <th class="right">compiled</th>
            <th class="right">difference</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((i) => (
            <tr key={i}>
              <td>
                <code>[{indexIn(left.shape, i).join(", ")}]</code>
              </td>
              <td class="right">
                <code>{elementText(left.at(i), left.digits)}</code>
              </td>
              <td class="right">
                <code>{elementText(right.at(i), right.digits)}</code>
              </td>
              <td class="right">
                <code>{elementText(distance(left.at(i), right.at(i)), 4)}</code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="soft">
        {indices.length.toLocaleString("en")} of {left.count.toLocaleString("en")} elements differ
        {shown.length < indices.length ? `; the first ${shown.length} are listed` : ""}.
      </p>
    </div>
  );
}
