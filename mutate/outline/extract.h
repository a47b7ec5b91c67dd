// What a run of statements needs when it becomes a function of its own: which names come in, which go out, and how.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mutate/names/scopes.h"
#include "mutate/rewrite/rewrite.h"
#include "mutate/syntax/syntax.h"

namespace jp::mutate {

/// A name that the run binds.
struct BoundName {
  std::string name;
  /// It must be given to the function, which reads it or may leave it as it was.
  bool comes_in = false;
  /// It may come back as a value (return, container, attribute).
  bool by_value = false;
  /// It may be declared nonlocal in the function.
  bool by_nonlocal = false;
  /// For nonlocal, nothing else binds it in the function around: `name = None` must come first.
  bool needs_prelude = false;
  /// The binding that comes first must not run: somebody else (a callee, a handler) may look at the name before the run
  /// has bound it, and nested functions may have bound it already.
  bool unbound_prelude = false;
  /// It may stay inside: nobody else uses it.
  bool stays = false;
};

/// A run that can become a function.
struct Extraction {
  std::vector<const Statement*> run;
  std::vector<BoundName> bound;  // by name, ascending
  /// Names that the run only reads and that may just as well be handed over as arguments.
  std::vector<std::string> readable;
  /// Names that are global (or nonlocal) in the function around and bound by the run.
  std::vector<std::string> globals;
  std::vector<std::string> nonlocals;
};

/// The run [first, last] as a function, or nothing when it can't be one: it leaves (return, break, yield, await), it
/// declares, deletes or annotates names, defines a class, uses super(), or some name can't come back. The caller has
/// seen to watches_itself(). `known_before` and `known_after` are names that facts saw bound there, beside those that
/// the flow of the program proves.
std::optional<Extraction> find_extraction(const Parsed& parsed, const Statement& first, const Statement& last,
                                          const NameSet& known_before, const NameSet& known_after);

/// The statement can be part of no run: something in it only makes sense where it is.
bool is_rooted(const Parsed& parsed, const Statement& statement);

/// A run that grows by one statement at a time, judged without following branches: a cheap test before
/// find_extraction. It says yes only where that would, whatever facts know.
class StraightRun {
 public:
  StraightRun(const Parsed& parsed, const Statement& first);
  /// Adds the next statement, which must not be rooted; false when the run up to it needs the full test.
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

/// A loop (or an enclosing try or with, which may swallow exceptions) of the same function stands around the statement.
bool in_loop(const Parsed& parsed, const Statement& statement);
bool in_guard(const Parsed& parsed, const Statement& statement);

}  // namespace jp::mutate
