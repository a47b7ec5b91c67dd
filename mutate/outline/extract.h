// What a statement range needs to become a function of its own: which names are passed in, which come back, and how.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mutate/names/scopes.h"
#include "mutate/rewrite/rewrite.h"
#include "mutate/syntax/syntax.h"

namespace jp::mutate {

/// A name that the range binds.
struct BoundName {
  std::string name;
  /// It must be passed to the function, which reads it before binding it or may not bind it.
  bool comes_in = false;
  /// It may be returned by value (by return, container or attribute).
  bool by_value = false;
  /// It may be declared nonlocal in the function.
  bool by_nonlocal = false;
  /// If it is nonlocal: nothing else binds it in the enclosing function, so a line `name = None` must come first.
  bool needs_prelude = false;
  /// That line must not be executed (it is put under `if False:`): a callee or a handler may read the name before the
  /// range has bound it, and nested functions may have bound it already.
  bool unbound_prelude = false;
  /// It may stay local to the function: nothing else uses it.
  bool stays = false;
};

/// A statement range that can become a function.
struct Extraction {
  std::vector<const Statement*> run;
  std::vector<BoundName> bound;  // by name, ascending
  /// Names that the range only reads and that may be passed as arguments instead of being captured.
  std::vector<std::string> readable;
  /// Names that the range binds and that are declared global (or nonlocal) in the enclosing function.
  std::vector<std::string> globals;
  std::vector<std::string> nonlocals;
};

/// The statements [first, last] as a function. Nothing if they can't become one: control leaves them (return, break,
/// yield, await), they declare, delete or annotate names, define a class whose qualified name may be visible, use
/// super(), or bind a name that can't come back. The caller must have checked uses_introspection(). `known_before` and
/// `known_after` are names that facts saw bound there; names that are surely bound by the program's flow need not be in
/// them.
std::optional<Extraction> find_extraction(const Parsed& parsed, const Statement& first, const Statement& last,
                                          const NameSet& known_before, const NameSet& known_after);

/// The statement can't be moved into a function, because something in it would be invalid or mean something else there.
bool is_rooted(const Parsed& parsed, const Statement& statement);

/// A range that grows by one statement at a time: a cheap sufficient test before find_extraction, without branches. If
/// it says yes, find_extraction accepts the range whatever facts know.
class StraightRun {
 public:
  StraightRun(const Parsed& parsed, const Statement& first);
  /// Adds the next statement, which must not be rooted. Returns false if the range up to it needs the full test.
  bool take(const Statement& statement);

 private:
  bool settled(std::string_view name, std::size_t end) const;

  const Parsed& parsed_;
  std::size_t begin_;
  int frame_;
  bool loop_;
  bool straight_ = true;
  std::vector<std::string_view> bound_;
  std::vector<std::string_view> early_;
};

/// The statement is in a loop (in_loop), or in a `try` or `with` which may swallow exceptions (in_guard), of the same
/// function.
bool in_loop(const Parsed& parsed, const Statement& statement);
bool in_guard(const Parsed& parsed, const Statement& statement);

}  // namespace jp::mutate
