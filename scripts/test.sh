# Sourced by dev: tests. Labels: fast (no Python with torch), torch, campaign (whole campaigns),
# page (the page of explore in Chromium). The last line is ctest's.

run_tests() {
  local label=${1:-}
  case "$label" in '' | fast | torch | campaign | page) ;; *) die "there is no label '$label': fast, torch, campaign or page" ;; esac
  prepare
  case "$label" in '' | page) with_lock build_page_if_possible ;; esac
  export_tools
  cd "$root/build/release"
  ctest --output-on-failure --no-tests=error -j "$(test_jobs)" ${label:+-L "$label"}
}

# A test of the labels torch and campaign keeps one core busy and may need two gibibytes.
test_jobs() { jobs_of_size 2; }

# Rewrites goldens, the expected texts of case files and the pictures of the page; look at `git diff` afterwards.
bless() {
  prepare
  with_lock build_page_if_possible
  export_tools
  cd "$root/build/release"
  JITPROBE_BLESS=1 ctest --output-on-failure -L 'fast|page' -j "$(test_jobs)" || true
  (cd "$root" && git --no-pager diff --stat -- tests corpus docs)
}
