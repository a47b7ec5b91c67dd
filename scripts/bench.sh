# Sourced by dev: benchmarks and long tests. Each figure is one JSON line: name, value, unit, commit, machine.

run_bench() {
  prepare >&2
  export_tools
  exec "$root/.venv/bin/python" "$root/bench/run.py" "$@"
}

run_soak() {
  prepare >&2
  export_tools
  exec "$root/.venv/bin/python" "$root/tests/soak.py" "$@"
}
