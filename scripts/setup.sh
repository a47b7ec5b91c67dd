# Sourced by dev: what the machine needs. Each step leaves a stamp in .deps/stamps when it is done, whose name carries a
# hash of what it depends on; an interrupted step has no stamp and is done again. Steps write to a temporary name and
# rename. One set-up at a time: the others wait for the lock.

stamps=$root/.deps/stamps

# The Python whose torch is tested where --python names none, and the one that .venv is made from, where one is named. Within a
# command of this tree (`./dev run warm -- bash`, tests) JITPROBE_PYTHON means the first; what it was before is handed on.
default_python=$root/.venv/bin/python
venv_from=${JITPROBE_PYTHON:-}
if [ "${JITPROBE_ROOT:-}" -ef "$root" ]; then
  default_python=${JITPROBE_PYTHON:-$default_python}
  venv_from=${JITPROBE_VENV_FROM:-}
fi

say() { echo "dev: $*" >&2; }

# stamp NAME TEXT…: the path of the stamp for a step that depends on TEXT.
stamp() {
  local name=$1
  shift
  echo "$stamps/$name-$(printf '%s\n' "$@" | sha256sum | cut -c1-12)"
}

# begin_step STAMP: before a step changes what it made earlier. The stamps of other states go: they would say that what those
# made is still there.
begin_step() { rm -f "${1%-*}"-????????????; }

# with_lock COMMAND…: with its status, where its caller asks for that; elsewhere what fails in it ends all.
with_lock() {
  local status lock=$root/.deps/lock
  { mkdir -p "$stamps" && [ -w "$stamps" ] && touch "$lock"; } 2>/dev/null ||
    die "$root/.deps can't be written; as root: chown -R $(id -u) $root"
  exec 8>"$lock"
  flock -n 8 || { say "another ./dev is setting up or building; waiting for it" && flock 8; }
  # Not "$@" || …: nothing in it would end at what fails.
  "$@"
  status=$?
  exec 8>&-
  return $status
}

# With the lists of now: those of an image are old, or missing.
apt_install() {
  { DEBIAN_FRONTEND=noninteractive apt-get update -qq &&
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@"; } >&2
}

package_list() { grep -hv '^#' "$@" | tr '\n' ' '; }

# install_packages LIST_FILE…: installs Debian packages that are missing, or says which and ends with 2.
install_packages() {
  local wanted missing=() package done_stamp
  wanted=$(package_list "$@")
  done_stamp=$(stamp packages "$wanted")
  [ -e "$done_stamp" ] && return
  command -v dpkg-query >/dev/null || die "this set-up knows Debian only; install by hand what provides: $wanted, then: touch $done_stamp"
  for package in $wanted; do
    [ "$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null)" = "install ok installed" ] || missing+=("$package")
  done
  if [ ${#missing[@]} -gt 0 ]; then
    [ "$(id -u)" = 0 ] || die "these Debian packages are missing; as root: apt-get install --no-install-recommends ${missing[*]}"
    say "installing ${#missing[@]} Debian packages: ${missing[*]}"
    apt_install "${missing[@]}" ||
      die "apt-get could not install ${missing[*]}: see its message above, mend that, and run ./dev again"
  fi
  touch "$done_stamp"
}

# Says on standard output whether a Python can be embedded: "3.11 /usr/bin/python3.11", or nothing.
embeddable() {
  "$1" - 2>/dev/null <<'PY'
import glob, os, sys, sysconfig
get = sysconfig.get_config_var
version = "%d.%d" % sys.version_info[:2]
headers = os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h"))
folders = [get("LIBDIR") or "", os.path.join(get("LIBDIR") or "", get("MULTIARCH") or "")]
shared = any(glob.glob(os.path.join(folder, "libpython" + version + "*.so*")) for folder in folders)
if headers and shared and (3, 10) <= sys.version_info[:2] <= (3, 13):
    print(version, sys.executable)
PY
}

choose_python() {
  local candidate found
  if [ -n "$venv_from" ]; then
    [ -n "$(embeddable "$venv_from" || true)" ] ||
      die "JITPROBE_PYTHON=$venv_from can't be embedded: it must be Python 3.10 to 3.13 with headers and a shared libpython"
  fi
  for candidate in ${venv_from:+"$venv_from"} python3 /usr/bin/python3; do
    found=$(embeddable "$candidate" || true)
    [ -n "$found" ] && echo "${found#* }" && return
  done
  die "no Python 3.10 to 3.13 with headers and a shared libpython was found: install python3-dev, or set JITPROBE_PYTHON"
}

# whole_venv FOLDER PYTHON: whether it was made from that Python, and to the end: pip comes last.
whole_venv() {
  local python=$1/bin/python prefix='import sys; print(sys.base_prefix, *sys.version_info[:2])'
  [ -x "$python" ] && [ "$("$python" -c "$prefix" 2>/dev/null)" = "$("$2" -c "$prefix")" ] &&
    "$python" -m pip --version >/dev/null 2>&1
}

# make_venv FOLDER REQUIREMENT…: a venv with these, as pip takes them.
make_venv() {
  local folder=$1 done_stamp base
  shift
  done_stamp=$(stamp "venv$(basename "$folder")" "$(cat "$root/scripts/requirements.txt")" "$*" "$venv_from")
  [ -e "$done_stamp" ] && [ -x "$folder/bin/python" ] && return
  base=$(choose_python)
  begin_step "$done_stamp"
  say "making $(basename "$folder") with $base (some hundred megabytes)"
  whole_venv "$folder" "$base" || { rm -rf "$folder" && "$base" -m venv "$folder" >&2; } ||
    die "$base can't make a venv: see its message above (Debian: python3-venv)"
  "$folder/bin/python" -m pip install --progress-bar off -q "$@" >&2 ||
    die "pip could not install $* in $folder: see its message above; its own settings (index, proxy) are honoured"
  touch "$done_stamp"
}

set_up_venv() { make_venv "$root/.venv" -r "$root/scripts/requirements.txt"; }

# Everything of the requirements file with another torch. A version that pip doesn't have leaves no venv behind.
set_up_other_torch() {
  local others
  [[ $1 =~ ^[0-9][0-9A-Za-z.+]*$ ]] || die "--torch $1 is no version: take one like 2.13.0"
  mapfile -t others < <(grep -v -e '^#' -e '^torch==' "$root/scripts/requirements.txt")
  [ -e "$root/.venv-$1" ] || trap 'rm -rf "$root/.venv-'"$1"'"' EXIT
  with_lock make_venv "$root/.venv-$1" "torch==$1" "${others[@]}"
  trap - EXIT
}

# Ray lives in a venv of its own: what it needs of other packages is no matter of torch's. fleet/ray_leases.py imports
# msgpack too; by Kubernetes' client tests look at deploy/.
set_up_ray() { with_lock make_venv "$root/.venv-ray" ray==2.60.0 msgpack kubernetes pyyaml; }

# The grammar's source distribution lacks the three headers its generated parser includes; they come from the source
# distribution of the tree-sitter bindings of the same series.
set_up_grammar() {
  local grammar=0.23.6 headers=0.23.2 folder=$root/.deps/tree-sitter-python work
  local done_stamp
  done_stamp=$(stamp grammar $grammar $headers)
  [ -e "$done_stamp" ] && [ -e "$folder/src/parser.c" ] && return
  begin_step "$done_stamp"
  say "fetching the tree-sitter-python grammar $grammar"
  work=$(mktemp -d "$root/.deps/grammar.XXXXXX")
  "$root/.venv/bin/python" -m pip download --progress-bar off -q --no-deps --no-binary :all: -d "$work" \
    "tree-sitter-python==$grammar" "tree-sitter==$headers" >&2 ||
    die "pip could not fetch the grammar: see its message above"
  tar -C "$work" -xzf "$work"/tree_sitter_python-$grammar.tar.gz
  mkdir -p "$work/tree_sitter_python-$grammar/src/tree_sitter"
  tar -C "$work" -xzf "$work"/tree*sitter-$headers.tar.gz
  cp "$work"/tree*sitter-$headers/tree_sitter/core/lib/src/{parser,array,alloc,ts_assert}.h \
    "$work/tree_sitter_python-$grammar/src/tree_sitter/"
  rm -rf "$folder"
  mv "$work/tree_sitter_python-$grammar" "$folder"
  rm -rf "$work"
  touch "$done_stamp"
}

# Headers of g++'s own, for the plugin with which Inductor's kernels compile twice as fast. Nothing depends on them: where
# they can't be installed g++ compiles as it is, which jitprobe doctor says.
install_plugin_headers() {
  local package done_stamp
  package=gcc-$(g++ -dumpversion | cut -d. -f1)-plugin-dev
  [ -e "$(g++ -print-file-name=plugin)/include/gcc-plugin.h" ] || [ "$(id -u)" != 0 ] && return
  # Once a day, since a machine without a network would wait for it each time.
  done_stamp=$(stamp plugin "$package $(date +%F)")
  [ -e "$done_stamp" ] && return
  say "installing the Debian package $package"
  apt_install "$package" ||
    say "apt-get could not install $package: Inductor's kernels will take twice as long to compile"
  touch "$done_stamp"
}

set_up_steps() {
  install_packages "$root/scripts/debian-packages.txt"
  install_plugin_headers
  set_up_venv
  set_up_grammar
}

set_up_tools() { with_lock set_up_steps; }
