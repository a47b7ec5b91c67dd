#!/bin/sh
# Runs one test of the page: run.sh NAME. Ends with 77 and a sentence where Chromium, npm's packages or the built page
# are missing; in CI all of them are there.
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
skip() {
  echo "skipped: $*"
  exit 77
}
command -v node >/dev/null || skip "node is missing, which builds and tests the page (Debian: npm, nodejs)"
[ -d "$root/explore/page/node_modules" ] || skip "what the page is built with is not installed: ./dev page installs it"
[ -e "$root/build/page/page.html" ] || skip "the page is not built: ./dev page builds it"
case "$1" in
  units | graphs | state) ;;
  *)
    JITPROBE_CHROMIUM=${JITPROBE_CHROMIUM:-$(command -v chromium || command -v chromium-browser || command -v google-chrome)} ||
      skip "Chromium is missing (Debian: chromium)"
    export JITPROBE_CHROMIUM
    ;;
esac
exec node "$here/$1.mjs"
