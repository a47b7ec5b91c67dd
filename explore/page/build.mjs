// Builds page.html and report.html into the folder named by the only argument: each is one file with its script and
// styles inside, which contacts no host but the one that serves it.
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, transform } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));

// What a header of the engine's gives: `read(text)` is its value, `count(text)` how many entries it must have.
const header = (filter, read, count) => ({
  name: String(filter),
  setup: ({ onLoad }) =>
    onLoad({ filter }, async ({ path }) => {
      const text = await readFile(path, "utf8");
      const value = read(text);
      const entries = Object.keys(value).length;
      if (entries === 0 || entries !== count(text))
        throw new Error(`${path}: build.mjs can read ${entries} of ${count(text)} entries`);
      return { contents: JSON.stringify(value), loader: "json" };
    }),
});

// The table of rules as {name: sentence}.
const rules = header(
  /oracle\/judge\/rules\.h$/,
  (text) =>
    Object.fromEntries(
      [...text.matchAll(/Rule\{"(\w+)", DecidedBy::\w+, ("(?:[^"\\]|\\.)+")\}/g)].map(([, name, sentence]) => [
        name,
        JSON.parse(sentence),
      ]),
    ),
  (text) => text.split('Rule{"').length - 1,
);

// The keys of a known bug's head, as a list.
const headKeys = header(
  /report\/known_head\.h$/,
  (text) => [...(text.match(/kHeadKeys = \{([^}]*)\}/)?.[1] ?? "").matchAll(/"(\w+)"/g)].map(([, key]) => key),
  (text) => Number(text.match(/array<std::string_view, (\d+)> kHeadKeys/)?.[1]),
);

async function bundle(entry) {
  const result = await build({
    entryPoints: [join(here, "src", entry)],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: ["es2022"],
    jsx: "automatic",
    jsxImportSource: "preact",
    loader: { ".md": "text" },
    plugins: [rules, headKeys],
    outdir: "out",
    legalComments: "none",
    logLevel: "warning",
  });
  const text = (ending) => result.outputFiles.find((file) => file.path.endsWith(ending))?.text ?? "";
  return { script: text(".js"), styles: text(".css") };
}

// Neither may end its element early.
const inElement = (text, name) => text.replaceAll(`</${name}`, `<\\/${name}`);

async function page(name, data) {
  const template = await readFile(join(here, "src", "page.html"), "utf8");
  const { script, styles } = await bundle(`${name}.jsx`);
  const source = await readFile(join(here, "src", "first.js"), "utf8");
  const first = await transform(source, { minify: true, format: "iife" });
  const parts = {
    FIRST: `<script>${inElement(first.code, "script")}</script>`,
    STYLES: `<style>${inElement(styles, "style")}</style>`,
    VERSION: version,
    DATA: data,
    SCRIPT: `<script>afterFirstPaint(() => {${inElement(script, "script")}});</script>`,
  };
  return template.replace(/<!--(FIRST|STYLES|VERSION|DATA|SCRIPT)-->/g, (_, part) => parts[part]);
}

// kPageVersion of explore/page.h: the server refuses a page that was built for another one.
async function pageVersion() {
  const header = await readFile(join(here, "..", "page.h"), "utf8");
  const found = header.match(/kPageVersion = (\d+);/);
  if (!found) throw new Error("explore/page.h has no kPageVersion");
  return found[1];
}

// A reader of the folder sees a whole file or none.
async function put(path, text) {
  await writeFile(`${path}.part`, text);
  await rename(`${path}.part`, path);
  return text.length;
}

const folder = process.argv[2] ?? join(here, "..", "..", "build", "page");
const version = await pageVersion();
await mkdir(folder, { recursive: true });
await put(join(folder, "report.html"), await page("report", "<!--DATA-->"));
await put(join(folder, "page.html"), await page("page", ""));
