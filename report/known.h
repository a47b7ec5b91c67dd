// Known bugs: one runnable reproducer each, whose head describes the bug.
//
//     # aot_eager: zero_() through a view of a bool argument does not compile.
//     # link: https://github.com/pytorch/pytorch/issues/12345
//     # signature: 0123456789abcdef v7 compiler_error aot_eager
//     # pattern: kind=compiler_error; backend=aot_eager; frame=with two bool tensors; call=zero_
//     # avoid: torch._functorch.config.some_flag = False
//     # here: 2.13.0
//     # gone: 2.15.0
//     # state: open
//
// link       where it is reported, or "unreported"
// signature  the signature of a reduced finding that is this bug: its id, its version, the kind of mismatch and the
//            backend (the id alone is enough). Any number of lines; `recheck --signatures` writes them
// pattern    what a finding that may be this bug must match: kind, backend and stage are equal, a frame of the
//            signature contains the text, the reduced program calls the name. It makes a candidate, which `avoid` then
//            judges. Any number of lines, of which one must match; one without frame, stage or a second call needs an
//            `avoid` line as well
// avoid      one line of Python that runs before the program and mends this bug, and no other, without changing what
//            eager gives; or "switch NAME" of the backend. Any number of lines, each sufficient by itself
// around     such a line that mends nothing, but has something else compiled, or an operator run by eager's kernel:
//            other bugs may disappear, too. It is asked only where a pattern, a signature or the form fits
// oracle     which oracle judges the file's own program: eager_vs_compiled, or rejects_alike if eager refuses the
//            program and the compiler fails on it. Without the line it is the former
// here, gone torch versions on which the file exits with 1, with 0; `recheck --update` writes them
// state      open, fixed (upstream: releases from then on must not show it), wontfix
//
// The file exits with 1 if the bug is there, 0 if it is not, 2 if that can't be judged.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/program.h"
#include "core/result.h"
#include "core/verdict.h"

namespace jp::report {

/// A line `signature:` of a known bug.
struct KnownSignature {
  std::string id;
  int version = 0;  // of signatures; 0, and no kind and backend, if the line has the id alone
  std::string kind = "";
  std::string backend = "";
  bool operator==(const KnownSignature&) const = default;
};

struct KnownBug {
  std::string name;   // the file's, without ".py"
  std::string title;  // its first line
  std::string link;
  std::vector<KnownSignature> signatures;
  /// Each a list of (key, value) that all must match.
  std::vector<std::vector<std::pair<std::string, std::string>>> patterns;
  std::vector<std::string> avoid;
  std::vector<std::string> around;
  std::vector<std::string> here;
  std::vector<std::string> gone;
  std::string state;
  /// The oracle that judges the file's own program.
  std::string oracle = "eager_vs_compiled";
  std::string text;  // of the whole file

  /// All lines under which it disappears: those of `avoid`, then those of `around`.
  std::vector<std::string> lines() const;
  bool has_signature(const std::string& id) const;
  /// Whether one of its patterns matches. `calls`: names that the reduced program calls; a pattern that asks for calls
  /// does not match without them.
  bool has_pattern(const Signature& signature, const std::vector<std::string>& calls) const;
};

/// Reads the head of such a file; an Error names the line that is missing or wrong.
Result<KnownBug> parse_known(const std::string& name, const std::string& text);

/// All of a folder's *.py, by name; none if there is no such folder. An Error names the file.
Result<std::vector<KnownBug>> load_known(const std::string& folder);

/// "2.13.0+cpu" -> "2.13.0": how heads name a torch version.
std::string release_of(const std::string& torch);

/// Whether the head says that the bug is not there on this release: `gone` lists it; or the newest older release that
/// is listed is in `gone`; or it is fixed, and no newer one is in `gone`. If `here` lists the release itself, the
/// answer is no.
bool said_gone(const KnownBug& bug, const std::string& release);

/// The sentence that announces a bug which reproduces although its head says that it is gone.
std::string regression_text(const KnownBug& bug, const std::string& release);

}  // namespace jp::report
