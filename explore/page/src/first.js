// Runs before the page's script, which takes a moment to load: asks for the server's first answer meanwhile, and lets the
// browser paint what page.html shows. A report has no server and asks nothing.
const token = new URLSearchParams(location.search).get("token");
if (token)
  globalThis.firstAnswer = fetch("/api/start", { headers: { "X-Jitprobe-Token": token } }).catch(() => null);

// A tab in the background paints nothing.
globalThis.afterFirstPaint = (run) => {
  if (document.hidden) run();
  else requestAnimationFrame(() => setTimeout(run));
};
