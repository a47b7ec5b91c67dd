// One quantity over time.
import { shortNumber, ticks, timeUnit } from "./scale.js";

const WIDTH = 360;
const HEIGHT = 150;
const LEFT = 44;
const BOTTOM = 24;
const TOP = 10;
const RIGHT = 12;

/** points: [[second, value]]; `whole` values are counted, so that their axis has no fractions. */
export function LinePlot({ title, unit, points, steps = false, whole = false, says }) {
  const last = points.at(-1);
  if (points.length < 2)
    return (
      <figure class="plot">
        <figcaption>
          <strong>{title}</strong>
        </figcaption>
        <p class="empty">{says ?? "A plot appears after the second measurement."}</p>
      </figure>
    );
  const { factor, unit: time } = timeUnit(last[0]);
  const xs = ticks(last[0] / factor, 5);
  const ys = ticks(Math.max(...points.map(([, y]) => y)), 4, whole ? 1 : 0);
  const x = (second) => LEFT + (second / factor / (last[0] / factor)) * (WIDTH - LEFT - RIGHT);
  const y = (value) => HEIGHT - BOTTOM - (value / ys.at(-1)) * (HEIGHT - BOTTOM - TOP);
  const path = points
    .map(([second, value], i) =>
      i === 0 ? `M${x(second)} ${y(value)}` : `${steps ? `H${x(second)}V${y(value)}` : `L${x(second)} ${y(value)}`}`,
    )
    .join("");
  return (
    <figure class="plot">
      <figcaption>
        <strong>{title}</strong>{" "}
        <span class="soft">
          {shortNumber(last[1])} {unit} now
        </span>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`${title}: ${shortNumber(last[1])} ${unit} after ${shortNumber(last[0] / factor)} ${time}`}
      >
        {ys.map((tick) => (
          <g key={tick}>
            <line class="grid-line" x1={LEFT} x2={WIDTH - RIGHT} y1={y(tick)} y2={y(tick)} />
            <text class="tick" x={LEFT - 6} y={y(tick) + 4} text-anchor="end">
              {shortNumber(tick)}
            </text>
          </g>
        ))}
        {xs
          .filter((tick) => tick * factor <= last[0])
          .map((tick) => (
            <text key={tick} class="tick" x={x(tick * factor)} y={HEIGHT - 8} text-anchor="middle">
              {shortNumber(tick)}
              {tick === 0 ? "" : ` ${time}`}
            </text>
          ))}
        <path class="series-area" d={`${path}V${y(0)}H${x(points[0][0])}Z`} />
        <path class="series" d={path} />
      </svg>
    </figure>
  );
}
