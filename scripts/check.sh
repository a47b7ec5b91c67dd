# Sourced by dev: formatting, clang-tidy, the include rules of the rooms, names of registrations against file names.
# Every check looks at everything before the whole fails. clang-tidy costs some twenty seconds a file, so it runs as
# part of a build: only over what changed since it last passed.

run_check() {
  with_lock install_packages "$root/scripts/debian-packages.txt" "$root/scripts/debian-packages-check.txt"
  set_up_tools
  local failed=0
  cd "$root"
  python3 scripts/check_rooms.py || failed=1
  git ls-files -z --cached --others --exclude-standard '*.cpp' '*.h' ':!scripts/templates' |
    xargs -0 clang-format --dry-run --Werror || failed=1
  with_lock tidy
  [ $failed = 0 ] && say "check passed"
  return $failed
}

# Sets run_check's `failed`. What clang-tidy reads beside the sources is unknown to ninja: with other checks every file
# is looked at again.
tidy() {
  local checks
  checks=$(stamp tidy "$(cat "$root/.clang-tidy")" "$(clang-tidy --version)")
  [ -e "$checks" ] || { rm -rf "$root/build/tidy" && touch "$checks"; }
  configure_folder tidy
  run_ninja "$root/build/tidy" -k 0 || failed=1
}
