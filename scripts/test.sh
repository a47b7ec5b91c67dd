# Sourced by dev: tests. Labels: fast (no Python with torch), torch, campaign (whole campaigns). The last line is ctest's.

run_tests() {
  local label=${1:-}
  case "$label" in '' | fast | torch | campaign) ;; *) die "there is no label '$label': fast, torch or campaign" ;; esac
  prepare
  export_tools
  cd "$root/build/release"
  # Two at a time: most tests of the labels torch and campaign keep one core busy each.
  ctest --output-on-failure --no-tests=error -j "$(test_jobs)" ${label:+-L "$label"}
}

test_jobs() { [ "$(nproc)" -gt 1 ] && echo 2 || echo 1; }

# Rewrites goldens and the expected texts of case files; look at `git diff` afterwards.
bless() {
  prepare
  export_tools
  cd "$root/build/release"
  JITPROBE_BLESS=1 ctest --output-on-failure -L fast -j "$(test_jobs)" || true
  (cd "$root" && git --no-pager diff --stat -- tests corpus)
}
