// Runs of statements of one block as places for a mutation that puts something around them. A site names the first
// statement; its path is "empty" (nothing goes inside) or the id of the run's last statement ("" is the statement
// alone).
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/choices.h"
#include "core/facts.h"
#include "mutate/engine/mutation.h"
#include "mutate/rewrite/rewrite.h"
#include "mutate/syntax/syntax.h"

namespace jp::mutate {

/// The statements of a site.
struct StatementRange {
  const Statement* first = nullptr;
  /// nullptr when the run is empty: something may be put before `first`.
  const Statement* last = nullptr;

  bool empty() const { return !last; }
};

/// How deep loops, `try` and `with` stand in one another around each statement and within it: CPython refuses twenty.
class Nesting {
 public:
  explicit Nesting(const Parsed& parsed);
  /// There is room for a few more around the statement.
  bool has_room(const Statement& statement) const;

 private:
  std::vector<int> around_;
  std::vector<int> within_;
};

/// Every run of up to six statements whose places are open, whose nesting has room, and which all fit; with the empty
/// ones if `empty` says so. None in a program that watches itself.
std::vector<Site> run_sites(const Parsed& parsed, bool empty, const std::function<bool(const Statement&)>& fits);
/// The site's run, if it is one by the same rules; a Run without `first` otherwise.
StatementRange find_run(const Parsed& parsed, const Site& site, const std::function<bool(const Statement&)>& fits);

/// Puts `open` before the run, `depth` steps of indentation to its statements, and `close` behind it; an empty run has
/// `pass` inside.
void wrap(Rewrite& rewrite, const StatementRange& run, const Lines& open, int depth, const Lines& close);

/// A statement of the run breaks or continues a loop around it.
bool run_jumps(const Parsed& parsed, const StatementRange& run);
/// A statement of the run yields.
bool run_yields(const Parsed& parsed, const StatementRange& run);

/// A special method (`__getattribute__`) is around the statement, however far: what asks its object for attributes
/// could call it without end.
bool in_special_method(const Parsed& parsed, const Statement& statement);

/// The file speaks of function transforms, tracers or torch's control flow.
bool speaks_of_transforms(const Parsed& parsed);
/// A transform or a tracer may run the statement, which then must not read values nor save tensors in its own way: the
/// file speaks of one, and the statement does not stand in the entry itself.
bool may_be_traced(const Parsed& parsed, const Statement& statement);

/// One of the names (of builtins) is bound somewhere in the file.
bool binds_any(const Parsed& parsed, const std::vector<std::string_view>& names);

/// A tensor that is live before the statement and may be read there, drawn from facts, as a note; "" when there is
/// none. `fits`, if given, says which will do.
std::string note_tensor(const Parsed& parsed, const Facts& facts, const Statement& statement, Choices& choices,
                        const std::function<bool(const NameFacts&)>& fits = {});

}  // namespace jp::mutate
