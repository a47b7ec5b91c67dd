#!/usr/bin/env bash
# jitprobe on a machine on which nothing can be installed; ./dev carry wrote this folder, and carried.txt says of what.
# The first call with a Python builds the worker for it in build/workers. What jitprobe needs of a Python it gets from
# --python; commands without programs need none.
set -euo pipefail
cd_from=$PWD
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
source "$root/scripts/setup.sh"
source "$root/scripts/build.sh"

say() { echo "jitprobe: $*" >&2; }

die() {
  say "$*"
  exit 2
}

usage() {
  cat <<'TEXT'
usage: jitprobe --python PATH COMMAND …

  --python PATH   the Python whose torch is tested, 3.10 to 3.13, with pybind11 (python3 of PATH if it isn't given).
                  The first call builds the worker for it, with cmake, ninja and g++ of PATH or of that Python's folder

TEXT
  JITPROBE_ROOT=$root "$root/bin/jitprobe" --help
}

# Commands that run no program, and every command's help.
needs_python() {
  case "${1:-}" in generate | list | merge | -*) return 1 ;; esac
  local word
  for word in "$@"; do
    case "$word" in --help | -h) return 1 ;; esac
  done
}

# cmake and ninja may be packages of that Python, whose folder is not in PATH.
find_tools() {
  local tool
  for tool in cmake ninja; do
    command -v "$tool" >/dev/null || PATH=$PATH:$(dirname "$tested_python")
    command -v "$tool" >/dev/null ||
      die "$tool is missing, with which the worker is built: put it on PATH, or install it for $tested_python with pip"
  done
  command -v "${CXX:-g++}" >/dev/null || die "the compiler ${CXX:-g++} is missing: put a g++ on PATH, or name one in CXX"
}

# In a subshell: what the build needs of PATH is nothing for programs under test.
build_carried_worker() (
  [ -w "$root" ] || die "$root can't be written, and the worker is built in it: copy it to a folder of your own"
  find_tools
  pybind_python=$tested_python
  worker_settings=(-DJITPROBE_WARNINGS=OFF -Dnlohmann_json_DIR="$root/include")
  with_lock build_worker jitprobe-worker
)

rest=()
tested_python=
take_python "$@"
set -- "${rest[@]+"${rest[@]}"}"
case "${1:-}" in '' | help | --help | -h) usage && exit ;; esac
if needs_python "$@"; then
  tested_python=${tested_python:-python3}
  resolve_python
  build_carried_worker
  export_tools
fi
export JITPROBE_ROOT=$root
exec "$root/bin/jitprobe" "$@"
