# Sourced by dev: tests. Labels: fast (no Python with torch), torch, campaign (whole campaigns),
# page (the page of explore in Chromium). The last line is ctest's.
#
# --sanitize builds the tests without torch under the address and undefined-behaviour sanitizers, and those in which
# several threads work under the thread sanitizer; --fuzz has libFuzzer look for inputs of tests/fuzz that break a reader.

fuzz_names=(program_file frames lineage_text known_head graph_json)
# What the sanitizers build, and the tests of theirs that run.
address_targets=(test_core test_codec test_seedgen test_mutate test_oracle test_reduce test_report test_campaign test_fleet test_app
  "${fuzz_names[@]/#/fuzz_}")
address_tests='^((core|codec|seedgen|mutate|oracle|reduce|report|campaign|fleet|app)\.[A-Z]|fuzz\.)'
thread_targets=(test_report test_campaign test_fleet)
thread_tests='^(report|campaign|fleet)\.[A-Z]'

# run_sanitized PRESET TESTS TARGET…: of the label fast, those whose names match, in that build.
run_sanitized() {
  local preset=$1 tests=$2
  with_lock build_folder "$preset" "${@:3}"
  (cd "$root/build/$preset" && ctest --output-on-failure --no-tests=error -j "$(test_jobs)" -L fast -R "$tests")
}

run_sanitizers() {
  set_up_tools
  run_sanitized asan "$address_tests" "${address_targets[@]}"
  run_sanitized tsan "$thread_tests" "${thread_targets[@]}"
}

# run_fuzzing SECONDS: each target for so long. What breaks one is left in build/fuzz as crash-… or timeout-….
run_fuzzing() {
  local seconds=${1:-60} name inputs
  [[ $seconds =~ ^[0-9]+$ ]] || die "--fuzz takes seconds for each target, not '$seconds'"
  command -v clang++-19 >/dev/null || die "fuzzing needs clang++-19: apt-get install --no-install-recommends clang-19 libclang-rt-19-dev"
  set_up_tools
  with_lock build_folder fuzz "${fuzz_names[@]/#/fuzz_}"
  cd "$root/build/fuzz"
  for name in "${fuzz_names[@]}"; do
    mkdir -p "found/$name"
    inputs=("$root/tests/fuzz/seeds/$name")
    [ "$name" = program_file ] && inputs=("$root/tests/mutate/programs" "$root/tests/goldens/programs")
    say "fuzzing $name for $seconds s"
    "tests/fuzz_$name" -max_total_time="$seconds" -timeout=20 -max_len=8192 -print_final_stats=1 -print_funcs=0 -verbosity=0 \
      "found/$name" "${inputs[@]}" || die "$name: the input that breaks it is in $PWD"
  done
}

run_tests() {
  case "${1:-}" in
    --sanitize)
      run_sanitizers
      return
      ;;
    --fuzz)
      run_fuzzing "${2:-}"
      return
      ;;
  esac
  local label=${1:-}
  case "$label" in '' | fast | torch | campaign | page) ;; *) die "there is no label '$label': fast, torch, campaign, page, --sanitize or --fuzz" ;; esac
  prepare
  case "$label" in '' | page) with_lock build_page_if_possible ;; esac
  export_tools
  cd "$root/build/release"
  # Most commands that tests run start below warm workers; those of `pyrunner` don't. Where there can be no server (the
  # path of the temporary folder is too long for a socket), none do.
  local below=(app/jitprobe warm --)
  "${below[@]}" true 2>/dev/null || below=()
  "${below[@]+"${below[@]}"}" ctest --output-on-failure --no-tests=error -j "$(test_jobs)" ${label:+-L "$label"}
}

# Three tests for two cores: those of the labels torch and campaign wait a third of their time, for processes that start
# and for runs that sleep. Each may need two gibibytes.
test_jobs() { jobs_of_size 2 3/2; }

# Rewrites goldens, the expected texts of case files and the pictures of the page; look at `git diff` afterwards.
bless() {
  prepare
  with_lock build_page_if_possible
  export_tools
  cd "$root/build/release"
  JITPROBE_BLESS=1 ctest --output-on-failure -L 'fast|page' -j "$(test_jobs)" || true
  (cd "$root" && git --no-pager diff --stat -- tests corpus docs)
}
