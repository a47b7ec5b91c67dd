// The signature of a statement range that becomes a body of its own (of a function, method, generator, module, ...):
// what goes in, what comes out, what is carried over iterations, and why the range can't become one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "mutate/names/scopes.h"
#include "mutate/rewrite/rewrite.h"
#include "mutate/syntax/syntax.h"

namespace jp::mutate {

/// A name that the range binds.
struct WrittenName {
  std::string name;
  /// It must be passed to the body, which reads it before binding it or may not bind it.
  bool comes_in = false;
  /// It may be returned by value (by return, container or attribute).
  bool by_value = false;
  /// It may be declared nonlocal in the body.
  bool by_nonlocal = false;
  /// If it is nonlocal: nothing else binds it in the enclosing function, so a line `name = None` must come first.
  bool needs_prelude = false;
  /// That line must not be executed (it is put under `if False:`): a callee or a handler may read the name before the
  /// range has bound it, and nested functions may have bound it already.
  bool unbound_prelude = false;
  /// It may stay local to the body: nothing else uses it.
  bool stays = false;
};

/// What a statement range needs to become a body, as plain data. False if it can't become one.
struct BodySignature {
  /// Why it can't, or "": control leaves it (return, break, yield, await), it declares, deletes or annotates names,
  /// defines a function or class whose qualified name may be visible, reads a name that may be unbound where
  /// the program can tell how that fails, uses super(), or binds a name that can't come back.
  std::string_view refused;
  std::vector<const Statement*> range;  // in order
  std::vector<WrittenName> written;     // by name, ascending
  /// Names that the range only reads and that may be passed as arguments instead of being captured.
  std::vector<std::string> readable;
  /// Names that the range binds and that are declared global (or nonlocal) in the enclosing function.
  std::vector<std::string> globals;
  std::vector<std::string> nonlocals;

  explicit operator bool() const { return refused.empty(); }
  const Statement& first() const { return *range.front(); }
  const Statement& last() const { return *range.back(); }
  bool writes(std::string_view name) const;
  /// The range binds the name, or reads it and may be passed it.
  bool knows(std::string_view name) const;
  /// All arguments of a body that captures nothing of the enclosing function.
  std::vector<std::string> inputs() const;
  /// The written names that something else uses.
  std::vector<std::string> outputs() const;
  /// Every output may be returned by value.
  bool returns_all() const;
  /// Every use in the range is of a written or readable name, of a scope inside the range, or of no function's variable
  /// at all.
  bool is_self_contained(const Parsed& parsed) const;
};

/// The signature of the statements [first, last]. The caller must have checked uses_introspection(). `known_before` and
/// `known_after` are names that facts saw bound there; names that are surely bound by the program's flow need not be in
/// them.
BodySignature find_signature(const Parsed& parsed, const Statement& first, const Statement& last,
                             const std::vector<std::string>& known_before = {},
                             const std::vector<std::string>& known_after = {});

/// The signature of a loop's body that is called with each item: `written` are the names that are carried over
/// iterations or read after the loop, those of the loop's target included; all are nonlocal in the body.
struct LoopSignature {
  BodySignature body;
  std::string parameter;  // the loop's target; "" if the body must assign its argument to the target
};
LoopSignature find_loop_signature(const Parsed& parsed, const Statement& loop);

/// Why the statement can't be moved into a body, because something in it would be invalid or mean something else there;
/// "" if it can.
std::string_view rooted_by(const Parsed& parsed, const Statement& statement);

/// A range that grows by one statement at a time: a cheap sufficient test before find_signature, without branches. If
/// it says yes, find_signature accepts the range whatever facts know.
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

/// The node has a name that Python would mangle inside a class (`__name`).
bool has_mangled_name(const Node& node);
/// Whether Python mangles this name inside a class.
bool is_mangled(std::string_view name);
/// StopIteration may be raised in the node, by code of the file that it calls too, or caught somewhere in the file.
/// That exception ends a loop, or turns into RuntimeError, when it leaves a generator.
bool may_stop_iteration(const Parsed& parsed, const Node& node);
/// The node contains an identifier with one of these texts, as a name, an attribute or a keyword.
bool mentions_any(const Node& node, std::initializer_list<std::string_view> words);
/// No scope of the file binds the name, so it is the builtin everywhere.
bool means_builtin(const Parsed& parsed, std::string_view name);

}  // namespace jp::mutate
