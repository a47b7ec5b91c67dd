// What a mutation is, in a sentence, with its promise and its page in the documents.
import { session } from "../state/session.js";
import { useStore } from "../state/store.js";
import { Sentence, Tag } from "../ui/parts.jsx";
import { docsUrl, documented } from "./docs.js";
import { EXACTNESS, SECTIONS } from "./filter.js";

let index = { rows: null, byId: new Map() };

/** A Map from id to the row of the catalogue. */
export function useMutations() {
  const rows = useStore(session, (value) => value.start?.mutations ?? null);
  if (index.rows !== rows) index = { rows, byId: new Map((rows ?? []).map((row) => [row.id, row])) };
  return index.byId;
}

export const ExactnessTag = ({ exactness }) => (
  <Tag kind={exactness} title={EXACTNESS[exactness]}>
    {exactness}
  </Tag>
);

/** `where` adds its section, and where the documents tell of it. */
export function About({ mutation, where = false }) {
  const row = useMutations().get(mutation);
  return (
    <div class="about">
      <div class="about-head">
        <strong class="name">{mutation}</strong>
        {row && <ExactnessTag exactness={row.exactness} />}
      </div>
      {row && <p class="soft">
          <Sentence text={sentence(row)} />
        </p>}
      <Documentation mutation={mutation} />
      {row && where && (
        <p class="soft about-where">
          Section {row.section}, {sectionTitle(row.section)}.
        </p>
      )}
    </div>
  );
}

/** What the documents say of the mutation, opened in place, and a link to its page. Nothing is loaded for either. */
function Documentation({ mutation }) {
  if (!documented(mutation).length) return null;
  return (
    <div class="about-docs">
      <a href={docsUrl(mutation)} target="_blank" rel="noopener">
        Docs page<span class="hidden"> of {mutation}</span>
      </a>
      <details>
        <summary>What it does, with an example</summary>
        <DocumentedText mutation={mutation} />
      </details>
    </div>
  );
}

export const DocumentedText = ({ mutation }) =>
  documented(mutation).map(({ code, text }, at) =>
    code ? (
      <pre key={at} tabIndex={0}>
        {text}
      </pre>
    ) : (
      <p key={at}>
        <Sentence text={text} />
      </p>
    ),
  );

export const sectionTitle = (section) => SECTIONS.find(([id]) => id === section)?.[1].toLowerCase();

function sentence(row) {
  const first = /^[^]*?[.:](?=\s|$)/.exec(documented(row.id)[0]?.text ?? "")?.[0];
  if (!first) return row.says;
  return `${first.replace(/:$/, ".").replaceAll("\n", " ")} It is aimed at: ${row.aims}.`;
}
