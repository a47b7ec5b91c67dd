// Statement ranges: consecutive statements of one block, as sites of mutations that put something around them. A site
// names the first statement; its path is the id of the last one, "" if the range is one statement, or "empty" for an
// empty range before the statement.
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

/// The most statements of a range (chosen, not measured).
inline constexpr int kLongestRange = 6;

/// The statement range of a site.
struct StatementRange {
  const Statement* first = nullptr;
  /// nullptr if the range is empty: lines are put before `first`.
  const Statement* last = nullptr;

  bool empty() const { return !last; }
};

/// How deep loops, `try` and `with` are nested around each statement and within it: CPython refuses more than twenty.
class Nesting {
 public:
  explicit Nesting(const Parsed& parsed);
  /// A few more may be put around the statement.
  bool has_room(const Statement& statement) const;

 private:
  std::vector<int> around_;
  std::vector<int> within_;
};

/// All ranges of up to kLongestRange statements of which each is an insertion point, is not nested too
/// deep and passes `fits`; with `empty`, the empty ranges too. None in a program that uses introspection.
std::vector<Site> run_sites(const Parsed& parsed, bool empty, const std::function<bool(const Statement&)>& fits);
/// The range at a site, if it passes the same rules; otherwise one whose `first` is nullptr.
StatementRange find_run(const Parsed& parsed, const Site& site, const std::function<bool(const Statement&)>& fits);

/// Lines around a range: `open` before it and `close` after it; its statements are indented by `depth` steps.
struct Wrapper {
  Lines open;
  int depth = 1;
  Lines close;
};
/// Puts them around the range; in an empty range `pass` is the body.
void wrap(Rewrite& rewrite, const StatementRange& run, const Wrapper& wrapper);

/// A statement of the range breaks or continues a loop around the range.
bool run_jumps(const Parsed& parsed, const StatementRange& run);
/// A statement of the range yields.
bool run_yields(const Parsed& parsed, const StatementRange& run);

/// The statement is inside a special method such as `__getattribute__` (also in a function nested in it), where reading
/// an attribute of the object could recurse without end.
bool in_special_method(const Parsed& parsed, const Statement& statement);

/// The file mentions function transforms, tracers or control flow operators of torch.
bool speaks_of_transforms(const Parsed& parsed);
/// A transform or tracer may run the statement, which then must not read tensors' values or save tensors by a hook: the
/// file mentions one, and the statement is not in the entry itself.
bool may_be_traced(const Parsed& parsed, const Statement& statement);

/// The file binds or deletes one of the names (of builtins) somewhere.
bool binds_any(const Parsed& parsed, const std::vector<std::string_view>& names);
/// The file binds a name of a builtin that loops over pieces are written with: range, zip, map and the like.
bool binds_loop_words(const Parsed& parsed);
/// Every mention of the word is followed by the text.
bool always_followed(std::string_view source, std::string_view word, std::string_view by);
/// Something in the file may set another gradient mode by a call. `torch`: the module's name for torch.
bool sets_gradient_mode(const Parsed& parsed, const std::string& torch);
/// Nothing in the file switches autocast on, or sets what it does.
bool no_autocast(const Parsed& parsed);

/// The name of a tensor that is live before the statement and can be read there, drawn from those that pass `fits` (all
/// if it is empty); "" if there is none.
std::string draw_tensor(const Parsed& parsed, const Facts& facts, const Statement& statement, Choices& choices,
                        const std::function<bool(const NameFacts&)>& fits = {});

}  // namespace jp::mutate
