# Sourced by dev: a folder with all that a machine needs on which nothing can be installed (docs/gpu.md): the driver and
# the guard with the libraries that they were linked with, what they read of this tree, what the worker is built from, and
# scripts/carried.sh as the command there. Nothing in it names this tree. The faster g++ stays here: its plugin fits the g++
# of this machine alone, and without it kernels are compiled by g++ as it is.

# What is written there, besides build, which its command makes.
carried_parts=(jitprobe carried.txt bin lib cmake core corpus fleet include page pyrunner scripts)

# Where the driver and the guard were built.
carried_build=$root/build/release

# Parts of glibc and of g++'s runtime, which are the other machine's own, since its loader and its g++ fit them.
of_the_system='^lib(c|m|mvec|dl|rt|util|pthread|resolv|anl|stdc\+\+|gcc_s)\.so'

# libraries_of PROGRAM: the files of all other libraries that it loads, also by way of one another.
libraries_of() {
  local found line
  found=$(ldd "$1") || die "ldd can't read $1"
  ! grep 'not found' <<<"$found" >&2 || die "$1 lacks the libraries above on this machine: run ./dev setup"
  while read -r line; do
    # "libz.so.1 => /lib/libz.so.1 (0x…)"; the loader and the kernel's part have no arrow
    [[ $line != *' => '* || ${line%% *} =~ $of_the_system ]] || sed 's/.* => //; s/ (0x[0-9a-f]*)$//' <<<"$line"
  done <<<"$found"
}

# What is run, with its libraries in the folder beside it: an entry of each program has them looked for there.
carry_programs() {
  local to=$1 program file
  mkdir -p "$to/bin" "$to/lib"
  for program in "$carried_build/app/jitprobe" "$carried_build/jitprobe-guard"; do
    cp "$program" "$to/bin"
    libraries_of "$program" | while read -r file; do cp -L "$file" "$to/lib/$(basename "$file")"; done
    libraries_of "$to/bin/$(basename "$program")" | while read -r file; do
      [ "$(dirname "$(readlink -f "$file")")" = "$to/lib" ] || die "$program takes $file from elsewhere: build it again with ./dev build"
    done
  done
}

# The headers of nlohmann-json are found where g++ finds them.
carry_json_header() {
  local to=$1/include found
  found=$(g++ -x c++ -E -M - <<<'#include <nlohmann/json.hpp>' | grep -oE '[^ ]*/nlohmann/json\.hpp' | head -n 1) ||
    die "g++ does not find nlohmann/json.hpp: run ./dev setup"
  mkdir -p "$to"
  cp -RL "$(dirname "$found")" "$to/nlohmann"
  cat >"$to/nlohmann_jsonConfig.cmake" <<'CMAKE'
add_library(nlohmann_json::nlohmann_json INTERFACE IMPORTED)
set_target_properties(nlohmann_json::nlohmann_json PROPERTIES INTERFACE_INCLUDE_DIRECTORIES ${CMAKE_CURRENT_LIST_DIR})
CMAKE
}

# Copies get the time of now, so that a worker that was built there from earlier ones is built again.
carry_files() {
  local to=$1 part
  mkdir -p "$to/cmake" "$to/fleet" "$to/scripts"
  for part in pyrunner core corpus; do cp -R "$root/$part" "$to/$part"; done
  find "$to/pyrunner" "$to/core" "$to/corpus" -name __pycache__ -prune -exec rm -rf {} +
  cp "$root/cmake/faster.cmake" "$to/cmake"
  cp "$root/fleet/ray_leases.py" "$to/fleet"
  cp "$root/scripts/setup.sh" "$root/scripts/build.sh" "$to/scripts"
  if [ -e "$root/build/page/page.html" ]; then
    mkdir "$to/page"
    cp "$root/build/page/"*.html "$to/page"
  else
    say "the page of explore is not built (./dev page), so it is not carried"
  fi
}

# make_carried_folder FOLDER: one that is empty, or that was written before.
make_carried_folder() {
  if [ -e "$1" ] && [ ! -e "$1/carried.txt" ] && [ -n "$(ls -A "$1" 2>&1)" ]; then
    die "--to $1 holds other files, or is no folder: give a new one, or one that carry wrote"
  fi
  { mkdir -p "$1" && [ -w "$1" ]; } 2>/dev/null || die "--to $1 can't be written"
}

# write_carried FOLDER: the command comes last, so a folder without it was not finished.
write_carried() {
  local to
  to=$(cd "$1" && pwd -P)
  rm -rf "${carried_parts[@]/#/$to/}"
  {
    echo "Written by ./dev carry, of $(git -C "$root" describe --always --dirty 2>/dev/null || echo 'a tree without git')."
    echo "Built with $(g++ --version | head -n 1) and glibc $(getconf GNU_LIBC_VERSION | cut -d' ' -f2), $(uname -m)."
  } >"$to/carried.txt"
  carry_programs "$to"
  carry_json_header "$to"
  carry_files "$to"
  cp "$root/scripts/carried.sh" "$to/jitprobe.new"
  chmod +x "$to/jitprobe.new"
  mv "$to/jitprobe.new" "$to/jitprobe"
  say "$to is ready ($(du -sh "$to" | cut -f1)): there, $(basename "$to")/jitprobe --python PATH doctor"
}

carry_steps() {
  set_up_steps
  build_folder release jitprobe jitprobe-guard
  write_carried "$1"
}

run_carry() {
  local to=
  while [ $# -gt 0 ]; do
    case "$1" in
      --to)
        [ $# -ge 2 ] && [ -n "$2" ] || die "--to needs a folder"
        to=$2
        shift 2
        ;;
      *) die "carry takes --to FOLDER, not '$1'" ;;
    esac
  done
  [ -n "$to" ] || die "carry needs --to FOLDER, where everything is written"
  [ -z "$tested_python" ] || die "carry takes no --python: the worker is built there, for the Python there"
  case "$to" in /*) ;; *) to=$cd_from/$to ;; esac
  make_carried_folder "$to"
  with_lock carry_steps "$to"
}
