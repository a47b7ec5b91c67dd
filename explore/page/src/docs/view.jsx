// The documents of the mutations, a page of their own: #mutation=NAME in the URL that the server printed. They are part
// of the built page, so that a link to one needs no other host.
import { useEffect, useState } from "preact/hooks";
import { api } from "../api/client.js";
import { ColoursButton } from "../app/colours.js";
import { DocumentedText, sectionTitle, useMutations } from "../sites/about.jsx";
import { docsUrl, documented, documentedNames, mutationInUrl } from "../sites/docs.js";
import { EXACTNESS } from "../sites/filter.js";
import { session } from "../state/session.js";

export function DocsView() {
  const [mutation, setMutation] = useState(mutationInUrl());
  useEffect(() => {
    const follow = () => {
      setMutation(mutationInUrl());
      scrollTo(0, 0);
    };
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  useEffect(() => {
    document.title = `${mutation}: a mutation of jitprobe`;
  }, [mutation]);
  // The catalogue says what each promises; the text is here without it.
  useEffect(() => {
    api.start().then(
      (start) => session.set({ start }),
      () => {},
    );
  }, []);
  return (
    <>
      <header class="top">
        <h1 class="brand">
          jitprobe <span class="soft">mutations</span>
        </h1>
        <div class="top-tools">
          <ColoursButton />
        </div>
      </header>
      <main class="page docs">
        <Article mutation={mutation} />
        <nav class="panel docs-list" aria-label="All mutations">
          <h2>All mutations</h2>
          <ul>
            {documentedNames().map((name) => (
              <li key={name}>
                <a class="name" href={docsUrl(name)} aria-current={name === mutation ? "page" : undefined}>
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </main>
    </>
  );
}

function Article({ mutation }) {
  const row = useMutations().get(mutation);
  if (!documented(mutation).length)
    return (
      <article class="panel">
        <p class="empty">The documents know no mutation of the name “{mutation}”.</p>
      </article>
    );
  return (
    <article class="panel docs-article">
      <h2 class="name">{mutation}</h2>
      {row && (
        <p class="soft">
          Section {row.section}, {sectionTitle(row.section)}. It is aimed at: {row.aims}.
        </p>
      )}
      <DocumentedText mutation={mutation} />
      {row && (
        <p>
          <strong>{row.exactness}.</strong> {EXACTNESS[row.exactness]}
        </p>
      )}
    </article>
  );
}
