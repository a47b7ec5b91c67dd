# Sourced by dev: the page of `jitprobe explore`, built by npm's tools into build/page. The built page needs none of them.

have_npm() { command -v npm >/dev/null && command -v node >/dev/null; }
have_chromium() { [ -n "${JITPROBE_CHROMIUM:-}" ] || command -v chromium chromium-browser google-chrome >/dev/null; }

# install_for_page WHY PACKAGE…: installs Debian packages, or says in a sentence what is missing and fails.
install_for_page() {
  local why=$1
  shift
  [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || {
    say "$why; as root: apt-get install --no-install-recommends $*"
    return 1
  }
  say "installing $*: $why"
  apt_install "$@" || {
    say "apt-get could not install $*: see its message above"
    return 1
  }
}

set_up_npm() { have_npm || install_for_page "the page of explore is built with npm, which is missing" npm nodejs; }
set_up_chromium() { have_chromium || install_for_page "the page of explore is tested in Chromium, which is missing" chromium; }

page_sources() {
  local from=("$root/docs/mutations.md" "$root/oracle/judge/rules.h" "$root/report/known_head.h" "$root/explore/page.h")
  (cd "$root/explore/page" && find package.json package-lock.json build.mjs src -type f | LC_ALL=C sort | xargs cat "${from[@]}")
}

# What the lock file names, and nothing else: also what the page's tests need.
install_page_packages() {
  local done_stamp
  done_stamp=$(stamp page-packages "$(cat "$root/explore/page/package-lock.json")" "$(node --version)")
  [ -e "$done_stamp" ] && [ -d "$root/explore/page/node_modules" ] && return
  begin_step "$done_stamp"
  say "installing what the page of explore is built with"
  (cd "$root/explore/page" && quietly "$root/.deps/page-packages.log" npm ci --no-audit --no-fund) || exit 2
  touch "$done_stamp"
}

build_page() {
  local done_stamp
  done_stamp=$(stamp page "$(page_sources)")
  [ -e "$done_stamp" ] && [ -e "$root/build/page/page.html" ] && [ -e "$root/build/page/report.html" ] && return
  set_up_npm || die "the page of explore can't be built without npm"
  install_page_packages
  begin_step "$done_stamp"
  say "building the page of explore"
  quietly "$root/.deps/page.log" node "$root/explore/page/build.mjs" "$root/build/page"
  touch "$done_stamp"
}

# For tests: what is missing is said in a sentence, and its tests are skipped.
build_page_if_possible() {
  (build_page) || say "the page of explore was not built, so its tests are skipped"
  set_up_chromium || say "the tests of the page are skipped"
}
