# Sourced by dev: formatting, clang-tidy, the include rules of the rooms, names of registrations against file names.

run_check() {
  with_lock install_packages "$root/scripts/debian-packages.txt" "$root/scripts/debian-packages-check.txt"
  set_up_tools
  local failed=0
  cd "$root"
  python3 scripts/check_rooms.py || failed=1
  git ls-files '*.cpp' '*.h' ':!scripts/templates' | xargs clang-format --dry-run --Werror || failed=1
  build_preset tidy || failed=1
  [ $failed = 0 ] && say "check passed"
  return $failed
}
