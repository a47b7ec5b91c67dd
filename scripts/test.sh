# Sourced by dev: tests. Labels: fast (no Python with torch), torch, campaign (whole campaigns). The last line is ctest's.

run_tests() {
  local label=${1:-}
  case "$label" in '' | fast | torch | campaign) ;; *) die "there is no label '$label': fast, torch or campaign" ;; esac
  prepare
  export_tools
  cd "$root/build/release"
  ctest --output-on-failure --no-tests=error -j "$(test_jobs)" ${label:+-L "$label"}
}

# As many at a time as there are cores, and as fit into memory: a test of the labels torch and campaign keeps one core busy
# and may need two gibibytes.
test_jobs() {
  local cores fit
  cores=$(nproc)
  fit=$(awk '/^MemTotal:/ { print int($2 / 2097152) }' /proc/meminfo)
  [ "$cores" -le "$fit" ] || cores=$fit
  [ "$cores" -ge 1 ] && echo "$cores" || echo 1
}

# Rewrites goldens and the expected texts of case files; look at `git diff` afterwards.
bless() {
  prepare
  export_tools
  cd "$root/build/release"
  JITPROBE_BLESS=1 ctest --output-on-failure -L fast -j "$(test_jobs)" || true
  (cd "$root" && git --no-pager diff --stat -- tests corpus)
}
