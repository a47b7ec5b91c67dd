// Bugs that are known: one runnable reproducer each, whose head says what it is.
//
//     # aot_eager: zero_() through a view of a bool argument does not compile.
//     # link: https://github.com/pytorch/pytorch/issues/12345
//     # signature: 0123456789abcdef
//     # pattern: kind=compiler_error; backend=aot_eager; frame=with two bool tensors; call=zero_
//     # versions: 2.13.0
//     # state: open
//
// link       where it is reported, or "unreported"
// signature  the id of a finding that is this bug; any number of lines
// pattern    what holds for each finding that is this bug: kind, backend and stage are equal, a frame of the signature
//            contains the text, the reduced program calls the name. Any number of lines, one of which is enough
// versions   of torch that show it
// state      open (it shows), fixed (in a release: it must not show any more), wontfix
//
// The file exits with 1 when the bug is there, 0 when it is not, 2 when that can't be judged.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/program.h"
#include "core/result.h"
#include "core/verdict.h"

namespace jp::report {

struct KnownBug {
  std::string name;   // the file's, without ".py"
  std::string title;  // its first line
  std::string link;
  std::vector<std::string> signatures;
  /// Each a list of (key, value) that all must hold.
  std::vector<std::vector<std::pair<std::string, std::string>>> patterns;
  std::vector<std::string> versions;
  std::string state;
};

/// Reads the head of such a file; an Error names the line that is missing or wrong.
Result<KnownBug> parse_known(const std::string& name, const std::string& text);

/// All of a folder's *.py, by name; none when there is no such folder. An Error names the file.
Result<std::vector<KnownBug>> load_known(const std::string& folder);

/// The bug that a finding is, or nullptr. `reduced`: its reduced program; without one a pattern that asks for calls
/// matches nothing, since a large program calls everything.
const KnownBug* find_known(const std::vector<KnownBug>& known, const Signature& signature, const Program* reduced);

}  // namespace jp::report
