// How one total divides: a bar with a legend. parts: [{name, value, tone}], where a tone is one of six colours and may be
// missing; `text` says a value with its unit.
export function Shares({ title, parts, text }) {
  const total = parts.reduce((sum, part) => sum + part.value, 0);
  if (!(total > 0)) return null;
  const shown = parts.filter((part) => part.value > 0);
  let at = 0;
  return (
    <figure class="shares">
      <figcaption>
        <strong>{title}</strong>
      </figcaption>
      <svg
        width="100%"
        height="16"
        role="img"
        aria-label={shown.map((part) => `${part.name} ${text(part.value)}`).join(", ")}
      >
        {shown.map((part, i) => {
          const x = (100 * at) / total;
          at += part.value;
          return (
            <rect
              key={part.name}
              class={`share-${part.tone ?? i % 6}`}
              x={`${x}%`}
              y="0"
              width={`${(100 * part.value) / total}%`}
              height="16"
            />
          );
        })}
      </svg>
      <ul class="legend">
        {shown.map((part, i) => (
          <li key={part.name}>
            <span class={`swatch share-${part.tone ?? i % 6}`} aria-hidden="true" />
            {part.name} <span class="soft">{text(part.value)}</span>
          </li>
        ))}
      </ul>
    </figure>
  );
}
