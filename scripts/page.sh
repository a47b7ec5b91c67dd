# Sourced by dev: the page of `jitprobe explore`, built by npm's tools into build/page. The built page needs none of them.

# The Node that can build it, with npm; installed from Debian where it is missing and that is allowed.
have_npm() { command -v npm >/dev/null && command -v node >/dev/null; }

set_up_npm() {
  have_npm && return
  [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null ||
    die "the page of explore is built with npm, which is missing; as root: apt-get install --no-install-recommends npm nodejs"
  say "installing npm, to build the page of explore"
  { DEBIAN_FRONTEND=noninteractive apt-get update -qq &&
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends npm nodejs; } >&2 ||
    die "apt-get could not install npm: see its message above"
}

page_sources() { (cd "$root/explore/page" && find package.json package-lock.json build.mjs src -type f | LC_ALL=C sort | xargs cat); }

# What the lock file names, and nothing else: also what the page's tests need.
install_page_packages() {
  local done_stamp
  done_stamp=$(stamp page-packages "$(cat "$root/explore/page/package-lock.json")" "$(node --version)")
  [ -e "$done_stamp" ] && [ -d "$root/explore/page/node_modules" ] && return
  say "installing what the page of explore is built with"
  (cd "$root/explore/page" && quietly "$root/.deps/page-packages.log" npm ci --no-audit --no-fund)
  touch "$done_stamp"
}

build_page() {
  local done_stamp
  done_stamp=$(stamp page "$(page_sources)")
  [ -e "$done_stamp" ] && [ -e "$root/build/page/page.html" ] && [ -e "$root/build/page/report.html" ] && return
  set_up_npm
  install_page_packages
  say "building the page of explore"
  quietly "$root/.deps/page.log" node "$root/explore/page/build.mjs" "$root/build/page"
  touch "$done_stamp"
}

# For commands that can do without: says in a sentence what is missing, and goes on.
build_page_if_possible() {
  if have_npm || [ "$(id -u)" = 0 ]; then
    (build_page) || say "the page of explore could not be built: its tests are skipped"
  else
    say "npm is missing, so the page of explore is not built, and its tests are skipped"
  fi
}
