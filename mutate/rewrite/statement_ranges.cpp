#include "mutate/rewrite/statement_ranges.h"

#include <algorithm>
#include <array>

#include "mutate/syntax/queries.h"

namespace jp::mutate {
namespace {

// CPython's limit is 20 nested blocks. A wrapper adds up to five, and a `try` counts as several.
constexpr int kMostNested = 12;

bool any_exit(const Parsed& parsed, const StatementRange& run, bool (*asked)(const Exits&)) {
  if (run.empty()) return false;
  auto statements = run_between(parsed, *run.first, *run.last);
  return std::any_of(statements.begin(), statements.end(),
                     [&](const Statement* statement) { return asked(statement->exits); });
}

int weight(const Statement& statement) {
  std::string_view kind = statement.kind();
  if (kind == "try_statement") return 3;
  return kind == "with_statement" || kind == "for_statement" || kind == "while_statement" ? 1 : 0;
}

}  // namespace

Nesting::Nesting(const Parsed& parsed) {
  const auto& statements = parsed.statements();
  around_.resize(statements.size());
  within_.resize(statements.size());
  auto at = [](std::vector<int>& counts, int index) -> int& { return counts[static_cast<std::size_t>(index)]; };
  for (const Statement& statement : statements)
    if (statement.parent >= 0 && statement.parent != statement.function)
      at(around_, statement.index) = at(around_, statement.parent) + weight(parsed.statement(statement.parent));
  for (std::size_t i = statements.size(); i-- > 0;) {
    const Statement& statement = statements[i];
    int& own = at(within_, statement.index);
    own += weight(statement);
    if (statement.parent >= 0) at(within_, statement.parent) = std::max(at(within_, statement.parent), own);
  }
}

bool Nesting::has_room(const Statement& statement) const {
  auto index = static_cast<std::size_t>(statement.index);
  return around_[index] + within_[index] <= kMostNested;
}

std::vector<Site> run_sites(const Parsed& parsed, bool empty, const std::function<bool(const Statement&)>& fits) {
  std::vector<Site> found;
  if (uses_introspection(parsed)) return found;
  Nesting nesting(parsed);
  std::vector<bool> good;
  std::vector<bool> open;
  for (const Statement& statement : parsed.statements()) {
    open.push_back(insertion_point(parsed, statement) && nesting.has_room(statement));
    good.push_back(open.back() && fits(statement));
  }
  for (const Statement& first : parsed.statements()) {
    if (empty && open[static_cast<std::size_t>(first.index)]) found.push_back({first.id, "empty"});
    const Statement* last = &first;
    for (int i = 0; last && i < kLongestRange && good[static_cast<std::size_t>(last->index)]; ++i) {
      found.push_back({first.id, last == &first ? "" : last->id});
      last = next_in_block(parsed, *last);
    }
  }
  return found;
}

StatementRange find_run(const Parsed& parsed, const Site& site, const std::function<bool(const Statement&)>& fits) {
  const Statement* first = parsed.find(site.statement);
  if (!first || uses_introspection(parsed)) return {};
  Nesting nesting(parsed);
  auto open = [&](const Statement& statement) {
    return insertion_point(parsed, statement) && nesting.has_room(statement);
  };
  if (site.path == "empty") return open(*first) ? StatementRange{first, nullptr} : StatementRange{};
  const Statement* last = site.path.empty() ? first : parsed.find(site.path);
  if (!last) return {};
  auto run = run_between(parsed, *first, *last);
  bool all = std::all_of(run.begin(), run.end(),
                         [&](const Statement* statement) { return open(*statement) && fits(*statement); });
  return all && !run.empty() ? StatementRange{first, last} : StatementRange{};
}

void wrap(Rewrite& rewrite, const StatementRange& run, const Wrapper& wrapper) {
  if (run.empty())
    return rewrite.before(
        *run.first, wrapper.open + (wrapper.depth > 0 ? Lines{{"pass", wrapper.depth}} : Lines()) + wrapper.close);
  if (!wrapper.open.empty()) rewrite.before(*run.first, wrapper.open);
  for (int i = 0; i < wrapper.depth; ++i) rewrite.indent(*run.first, *run.last);
  if (!wrapper.close.empty()) rewrite.after(*run.last, wrapper.close);
}

bool run_jumps(const Parsed& parsed, const StatementRange& run) {
  return any_exit(parsed, run, [](const Exits& exits) { return exits.breaks || exits.continues; });
}

bool run_yields(const Parsed& parsed, const StatementRange& run) {
  return any_exit(parsed, run, [](const Exits& exits) { return exits.yields; });
}

bool in_special_method(const Parsed& parsed, const Statement& statement) {
  for (int up = statement.function; up >= 0; up = parsed.statement(up).function)
    if (std::string_view name = defined_name(parsed.statement(up));
        name.starts_with("__") && name.ends_with("__") && name != "__init__" && name != "__call__")
      return true;
  return false;
}

bool speaks_of_transforms(const Parsed& parsed) {
  static constexpr auto kWords = std::to_array<std::string_view>(
      {"vmap", "func", "functorch", "jvp", "vjp", "jacrev", "jacfwd", "hessian", "grad_and_value", "make_fx", "fx",
       "export", "higher_order", "while_loop", "scan", "associative_scan", "cond", "map_impl", "flex_attention"});
  return parsed.has_any<kWords>();
}

bool may_be_traced(const Parsed& parsed, const Statement& statement) {
  bool speaks = speaks_of_transforms(parsed);
  if (!speaks || statement.function < 0) return speaks;
  return !in_function(parsed, statement, parsed.program().entry());
}

bool binds_any(const Parsed& parsed, const std::vector<std::string_view>& names) {
  const auto& uses = parsed.scopes().uses();
  return std::any_of(uses.begin(), uses.end(), [&](const Use& use) {
    return use.kind != Use::Kind::kRead && std::find(names.begin(), names.end(), use.name) != names.end();
  });
}

bool always_followed(std::string_view source, std::string_view word, std::string_view by) {
  auto in_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (std::size_t at = source.find(word); at != std::string_view::npos; at = source.find(word, at + 1)) {
    std::size_t end = at + word.size();
    if ((at > 0 && in_word(source[at - 1])) || (end < source.size() && in_word(source[end]))) continue;
    if (!source.substr(end).starts_with(by)) return false;
  }
  return true;
}

bool sets_gradient_mode(const Parsed& parsed, const std::string& torch) {
  if (parsed.has_word("_set_grad_enabled")) return true;
  // To set the mode that there is changes nothing.
  return !always_followed(parsed.source(), "set_grad_enabled", "(" + torch + ".is_grad_enabled())");
}

bool no_autocast(const Parsed& parsed) {
  return always_followed(parsed.source(), "autocast", "(\"cpu\", enabled=False)") && !parsed.has_word("amp") &&
         parsed.source().find("set_autocast") == std::string::npos;
}

bool binds_loop_words(const Parsed& parsed) {
  return binds_any(parsed, {"range", "zip", "enumerate", "reversed", "map", "list", "tuple", "len"});
}

std::string draw_tensor(const Parsed& parsed, const Facts& facts, const Statement& statement, Choices& choices,
                        const std::function<bool(const NameFacts&)>& fits) {
  auto point = facts.before.find(statement.id);
  if (point == facts.before.end()) return "";
  std::vector<std::string> names;
  for (const auto& [name, known] : point->second) {
    bool tensor = known.kind == "tensor" && known.dtype && known.shape && known.strides;
    if (tensor && name.find('[') == std::string::npos && !name.starts_with("__") && (!fits || fits(known)) &&
        parsed.scopes().readable(statement, name))
      names.push_back(name);
  }
  return names.empty() ? "" : choices.pick(names);
}

}  // namespace jp::mutate
