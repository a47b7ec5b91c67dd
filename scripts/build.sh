# Sourced by dev: the build in C++, the worker of the Python under test, and Inductor's precompiled header.

# quietly LOG COMMAND…: its output goes to a file, shown only when it fails.
quietly() {
  local log=$1
  shift
  "$@" >"$log" 2>&1 || {
    tail -n 60 "$log" >&2
    die "'$*' failed: the whole output is in $log"
  }
}

# Where a container says what it may have: in bytes, or "max".
memory_limit_file=/sys/fs/cgroup/memory.max

# The memory of the machine, or of the container if that may have less.
memory_kib() {
  local kib limit
  kib=$(awk '/^MemTotal:/ { print $2 }' /proc/meminfo)
  limit=$(cat "$memory_limit_file" 2>/dev/null || true)
  [[ ! $limit =~ ^[0-9]+$ ]] || [ $((limit / 1024)) -ge "$kib" ] || kib=$((limit / 1024))
  echo "$kib"
}

# How many compilers at a time: one a core, and as fit into memory. The largest was measured at 0.7 GiB.
build_jobs() { jobs_of_size 1; }

# jobs_of_size GIB [TIMES]: as many jobs as there are cores, or so many times that, and as fit into memory when each needs
# that much; one at least.
jobs_of_size() {
  local cores fit
  cores=$(($(nproc) * ${2:-1}))
  fit=$(($(memory_kib) / 1048576 / $1))
  [ "$cores" -le "$fit" ] || cores=$fit
  [ "$cores" -ge 1 ] && echo "$cores" || echo 1
}

# run_ninja FOLDER ARGS…: progress on standard error; silent when there is nothing to do.
run_ninja() {
  ninja -j "$(build_jobs)" -C "$@" 2>&1 | { grep --line-buffered -vE 'no work to do|Entering directory|globbed directories' || true; } >&2
}

# The version of g++, and whether its plugin headers are there: what CMake asks once, when it configures.
compiler_here() {
  local headers=without
  [ -e "$(g++ -print-file-name=plugin)/include/gcc-plugin.h" ] && headers=with
  echo "$(g++ -dumpfullversion) $headers plugin headers"
}

# drop_moved FOLDER SOURCE: what CMake has written into a folder for sources that lay elsewhere, in a clone that was moved.
drop_moved() {
  local home
  home=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$1/CMakeCache.txt" 2>/dev/null || true)
  [ -z "$home" ] || [ "$home" -ef "$2" ] || rm -rf "$1"
}

configure_folder() {
  local preset=$1 folder=$root/build/$1 here
  drop_moved "$folder" "$root"
  mkdir -p "$folder"
  here=$(compiler_here)
  [ -e "$folder/build.ninja" ] && [ "$(cat "$folder/compiler_here" 2>/dev/null)" = "$here" ] && return
  say "configuring build/$preset"
  # A plugin of another g++ would be refused by this one.
  rm -f "$folder/compiler/keep_instances.so"
  (cd "$root" && quietly "$folder/configure.log" cmake --preset "$preset") || exit 2
  echo "$here" >"$folder/compiler_here"
}

# build_folder PRESET TARGET…: all targets when none is named.
build_folder() {
  configure_folder "$1"
  run_ninja "$root/build/$1" "${@:2}" || die "the build failed: see above"
}

build_preset() {
  case "$1" in
    release | dev | asan | tsan | fuzz | tidy) with_lock build_folder "$1" ;;
    *) die "there is no preset '$1': release, dev, asan, tsan, fuzz or tidy" ;;
  esac
}

# Takes `--python PATH` out of the arguments, wherever it stands before the command's own arguments end.
take_python() {
  rest=()
  while [ $# -gt 0 ]; do
    case "$1" in
      --python)
        [ $# -ge 2 ] || die "--python needs the path of a Python"
        tested_python=$2
        shift 2
        ;;
      --python=*)
        tested_python=${1#--python=}
        shift
        ;;
      --)
        rest+=("$@")
        break
        ;;
      *)
        rest+=("$1")
        shift
        ;;
    esac
  done
}

# The Python whose torch is tested.
resolve_python() {
  if [ -z "$tested_python" ]; then
    tested_python=$default_python
    return
  fi
  local asked=$tested_python folder
  case "$tested_python" in
    /*) ;;
    */*) tested_python=$cd_from/$tested_python ;;
    *) tested_python=$(command -v "$tested_python" || true) ;;
  esac
  [ -f "$tested_python" ] && [ -x "$tested_python" ] || die "--python $asked is no program"
  # One name for one interpreter; the last part stays, because a venv's python is a link out of it.
  folder=$(cd "$(dirname "$tested_python")" && pwd -P)
  tested_python=$folder/$(basename "$tested_python")
}

# Where the worker for that Python is built: one folder for each interpreter.
worker_folder() { echo "$root/build/workers/$(printf '%s\n' "$tested_python" | sha256sum | cut -c1-12)"; }

# The Python that has pybind11, where it is not .venv's, and more settings for CMake.
pybind_python=
worker_settings=()

# build_worker TARGET…: all, the extension that tests import too, when none is named.
build_worker() {
  local folder pybind settings
  folder=$(worker_folder)
  # A venv that was made anew, of another Python perhaps, needs another worker under the same name.
  settings=$(cat "$(dirname "$tested_python")/../pyvenv.cfg" 2>/dev/null || true)
  [ ! -e "$folder/pyvenv.cfg" ] || [ "$settings" = "$(cat "$folder/pyvenv.cfg")" ] || rm -rf "$folder"
  drop_moved "$folder" "$root/pyrunner/worker"
  mkdir -p "$folder"
  printf '%s\n' "$settings" >"$folder/pyvenv.cfg"
  if [ ! -e "$folder/build.ninja" ]; then
    "$tested_python" -c 'import torch' 2>/dev/null || die "$tested_python has no torch: it must be the Python of a venv with torch"
    [ -n "$(embeddable "$tested_python" || true)" ] ||
      die "$tested_python can't be embedded: it must be Python 3.10 to 3.13 with headers and a shared libpython"
    pybind=$("${pybind_python:-$root/.venv/bin/python}" -m pybind11 --cmakedir 2>/dev/null) ||
      die "${pybind_python:-$root/.venv/bin/python} has no pybind11, with which the worker is built: install it with pip"
    say "configuring the worker for $tested_python"
    quietly "$folder/configure.log" cmake -S "$root/pyrunner/worker" -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release \
      -DPython_EXECUTABLE="$tested_python" -Dpybind11_DIR="$pybind" "${worker_settings[@]+"${worker_settings[@]}"}"
  fi
  run_ninja "$folder" "$@" || die "the build of the worker failed: see above"
  compile_runtime "$folder/bytecode"
}

# The worker writes no bytecode, so that whatever a program imports stays as it is; without any, each start would compile
# the runtime again.
compile_runtime() {
  local done_stamp=$1
  [ -e "$done_stamp" ] && [ -z "$(find "$root/pyrunner/runtime" -name '*.py' -newer "$done_stamp" -print -quit)" ] && return
  "$tested_python" -m compileall -q "$root/pyrunner/runtime" || true
  touch "$done_stamp"
}

export_tools() {
  JITPROBE_WORKER=$(worker_folder)/jitprobe-worker
  export JITPROBE_WORKER JITPROBE_PYTHON=$tested_python JITPROBE_ROOT=$root JITPROBE_VENV_FROM=$venv_from
}

# Inductor precompiles its header at the first compile of a machine (tens of seconds): here, not in the first test.
warm_header() {
  local done_stamp
  done_stamp=$(stamp header "$tested_python" "$(cat "$(dirname "$tested_python")"/../lib/python*/site-packages/torch/version.py 2>/dev/null || true)")
  [ -e "$done_stamp" ] && return
  say "building Inductor's precompiled header"
  export_tools
  quietly "$root/.deps/warm.log" "$root/build/release/app/jitprobe" doctor --warm
  touch "$done_stamp"
}

# prepare_steps TARGET…: what is run, or all that is tested too when nothing is named.
prepare_steps() {
  set_up_steps
  resolve_python
  build_folder release "$@"
  build_worker ${1:+jitprobe-worker}
  warm_header
}

prepare() { with_lock prepare_steps "$@"; }
