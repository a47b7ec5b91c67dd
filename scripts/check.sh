# Sourced by dev: what is looked at without a compiler, in seconds: formatting, the include rules of the libraries, names of
# registrations, private names of torch, imports of the runtime, templates, the picture of docs/architecture.md. All
# checks run before the whole fails.
#
# With --tidy, clang-tidy too. It costs some twenty seconds a file, over an hour for all, so it looks only at files whose
# text, or the text of a header of ours that they include, has changed: since the commit that --since names, or else since
# they last passed here.

run_check() {
  local failed=0 since='' with_tidy=0
  while [ $# -gt 0 ]; do
    case "$1" in
      --tidy) with_tidy=1 && shift ;;
      --since)
        [ $# -ge 2 ] || die "--since needs a commit, for example HEAD~3"
        since=$2
        shift 2
        ;;
      *) die "check takes --tidy, --since COMMIT and --python PATH, not '$1'" ;;
    esac
  done
  [ -z "$since" ] || [ $with_tidy = 1 ] || die "--since is for --tidy: it says which files clang-tidy looks at"
  [ -z "$since" ] || since=$(git -C "$root" rev-parse --verify --quiet "$since^{commit}") ||
    die "--since names no commit of this repository"
  with_lock install_packages "$root/scripts/debian-packages.txt" "$root/scripts/debian-packages-check.txt"
  [ -z "$tested_python" ] || resolve_python
  cd "$root"
  python3 scripts/check_includes.py || failed=1
  python3 scripts/check_python.py || failed=1
  python3 scripts/check_templates.py || failed=1
  python3 scripts/picture.py --check || failed=1
  python3 scripts/mutation_docs.py --check || failed=1
  python3 scripts/check_lists.py || failed=1
  check_operators || failed=1
  cpp_files | xargs -0 clang-format --dry-run --Werror || failed=1
  if [ $with_tidy = 1 ]; then
    # By itself: behind || a step of it that fails would not end the script.
    with_lock set_up_tidy
    with_lock tidy "$since" || failed=1
  fi
  [ $failed = 0 ] && say "check passed"
  return $failed
}

# What the installed torch says of its operators otherwise than core/operators.tsv. Only the torch of the table's own
# version can fail it. It takes half a minute, so a table, script and torch that agreed are not asked again.
check_operators() {
  local python=${tested_python:-$default_python} agreed log=$root/.deps/operators.log version
  version=$("$python" -c 'import torch; print(torch.__version__)' 2>/dev/null) || {
    say "$python has no torch: core/operators.tsv is not compared with it (./dev setup installs one)"
    return 0
  }
  agreed=$(stamp operators "$python" "$version" "$(cat core/operators.tsv scripts/operator*.py)")
  [ ! -e "$agreed" ] || return 0
  # Torch's own warnings about odd samples go to the log.
  if "$python" -B scripts/operators.py --check 2>"$log"; then
    touch "$agreed"
  else
    tail -n 20 "$log" >&2
    return 1
  fi
}

# The C++ in the folders that git knows, each name ended by a zero byte: other folders of a clone are its user's.
cpp_files() {
  local folders
  mapfile -t folders < <(git ls-files | grep -o '^[^/]*/' | sort -u)
  git ls-files -z --cached --others --exclude-standard "${folders[@]/%/*.cpp}" "${folders[@]/%/*.h}" | existing
}

# Those of the names on standard input, each ended by a zero byte, that are there.
existing() { while IFS= read -r -d '' file; do [ ! -e "$file" ] || printf '%s\0' "$file"; done; }

# Flags come from the compile commands of the release build, which is configured and not built.
set_up_tidy() {
  set_up_steps
  configure_folder release
}

# tidy COMMIT: what changed since the commit, or since it passed.
tidy() {
  python3 "$root/scripts/tidy.py" --build "$root/build/release" --passed "$root/.deps/tidy-passed.json" \
    --jobs "$(nproc)" ${1:+--since "$1"}
}
