// Iterations with a constant number of steps are made in other ways, or introduced where there were none:
//
//     for i in range(3):           def f7(i):
//         acc = acc + x[i]             nonlocal acc
//                                      acc = acc + x[i]
//                                  list(map(f7, range(3)))
//
//     v3 = v0 + v1                 v3, v4 = map(lambda f7: f7(), ((lambda: v0 + v1), (lambda: torch.relu(v0))))
//     v4 = torch.relu(v0)
//
// Site paths: "loop" gives a `for` loop another iterator over the same items (map, filter, zip, itertools, a
// generator); "body" makes its body a function that map, filter, reduce, iter(callable, sentinel) or recursion calls;
// "run" and the ID of the last statement turn assignments that don't read each other's results into one iteration over
// lambdas; "display" and a number pass the items of a list or tuple through an iterator. The result is unchanged bit
// for bit.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "mutate/engine/mutation.h"
#include "mutate/engine/notes.h"
#include "mutate/outline/carry.h"
#include "mutate/outline/iteration.h"
#include "mutate/rewrite/values.h"
#include "mutate/syntax/queries.h"

namespace jp::mutate::as_iteration_mutation {
namespace {

constexpr std::size_t kLongestRun = 4;
constexpr std::int64_t kDeepest = 40;

bool is_loop(const Parsed& parsed, const Statement& statement) {
  return statement.kind() == "for_statement" && !statement.node.has_token("async") &&
         insertion_point(parsed, statement) && may_enclose(statement, statement.node.field("right"));
}

/// A call of `range` with literal arguments and few items.
bool is_small_range(const Node& node) {
  const Call made = call(node);
  if (!made || made.function.text() != "range") return false;
  auto arguments = made.arguments.children();
  return !arguments.empty() && std::all_of(arguments.begin(), arguments.end(), [](const Node& argument) {
    auto value = read_number(argument.text());
    return value && *value >= 0 && *value <= kDeepest;
  });
}

/// A loop whose body can be a function.
struct LoopBody {
  Extraction extraction;
  std::vector<std::string> nonlocals;
  std::vector<std::string> unbound;  // nonlocals that may have no other binding in the function
  std::string parameter;             // "" when the loop target is bound in the body
};

std::optional<LoopBody> loop_body(const Parsed& parsed, const Statement& loop) {
  if (!is_loop(parsed, loop) || loop.exits.leaves() || loop.node.field("alternative")) return std::nullopt;
  if (may_stop_iteration(parsed, loop.node)) return std::nullopt;
  Node body = loop.node.field("body");
  const Statement* first = parsed.statement_at(body.children().front().begin());
  if (!first || first->parent != loop.index) return std::nullopt;
  const Block& block = parsed.blocks()[static_cast<std::size_t>(first->block)];
  auto extraction = find_extraction(parsed, *first, parsed.statement(block.statements.back()), {}, {});
  if (!extraction) return std::nullopt;
  LoopBody found{*std::move(extraction), {}, {}, ""};
  for (const BoundName& name : found.extraction.bound) {
    if (name.stays) continue;
    if (!name.by_nonlocal) return std::nullopt;
    found.nonlocals.push_back(name.name);
    if (name.needs_prelude) found.unbound.push_back(name.name);
  }
  const Scopes& scopes = parsed.scopes();
  int frame = scopes.scope_of(loop);
  Node target = loop.node.field("left");
  bool own = true;
  for (const Use& use : scopes.uses_in(target.begin(), target.end())) {
    if (use.kind != Use::Kind::kBind || use.owner != frame) return std::nullopt;
    bool bound = std::any_of(found.extraction.bound.begin(), found.extraction.bound.end(),
                             [&](const BoundName& name) { return name.name == use.name; });
    const auto uses = scopes.uses_of(frame, use.name);
    bool elsewhere = std::any_of(uses.begin(), uses.end(), [&](const Use& other) {
      return other.node.begin() < target.begin() || other.node.begin() >= loop.end ||
             scopes.frame(other.scope) != frame;
    });
    if (bound) return std::nullopt;
    if (!elsewhere) continue;
    own = false;
    found.nonlocals.emplace_back(use.name);
    found.unbound.emplace_back(use.name);
  }
  if (own && target.is("identifier")) found.parameter = std::string(target.text());
  return found;
}

/// The statement is `name = value`, and the value may be evaluated together with the values of other such statements.
bool is_member(const Parsed& parsed, const Statement& statement) {
  const Assignment made = assignment(statement);
  const Node value = made.name() ? value_of(parsed, statement) : Node();
  if (!value || value != made.right || !may_enclose(statement, value)) return false;
  if (in_guard(parsed, statement) || may_stop_iteration(parsed, value)) return false;
  const Scopes& scopes = parsed.scopes();
  int frame = scopes.scope_of(statement);
  std::string_view name = made.left.text();
  return scopes.resolve(name, frame) == frame && !scopes.captured(frame, name);
}

std::string_view target_of(const Statement& statement) { return assignment(statement).left.text(); }

/// The statements from `first` on that are members and don't read each other's targets.
std::vector<const Statement*> members_from(const Parsed& parsed, const Statement& first) {
  std::vector<const Statement*> run;
  NameSet targets;
  for (const Statement* at = &first; at && run.size() < kLongestRun; at = next_in_block(parsed, *at)) {
    if (!is_member(parsed, *at) || !targets.insert(target_of(*at))) break;
    auto uses = parsed.scopes().uses_in(assignment(*at).right.begin(), at->end);
    bool reads = std::any_of(uses.begin(), uses.end(), [&](const Use& use) {
      return use.name != target_of(*at) ? targets.contains(use.name) : false;
    });
    if (reads) break;
    run.push_back(at);
  }
  return run;
}

/// Lists and tuples of at least two items in the expressions that a statement evaluates.
std::vector<Node> displays_of(const Parsed& parsed, const Statement& statement) {
  std::vector<Node> found;
  Node value = value_of(parsed, statement);
  if (!value) return found;
  for (const Node node : nodes_of(value, {"string"})) {
    bool display = node.is("list") || node.is("tuple") || node.is("expression_list");
    if (display && node.children().size() >= 2 && may_enclose(statement, node)) found.push_back(node);
  }
  return found;
}

class AsIteration final : public Mutation {
 public:
  AsIteration()
      : Mutation({"as_iteration", "C", Exactness::kBitwise, false, "jitprobe",
                  "iterators that a compiler must step through: map, filter, zip, itertools, sentinels, recursion"}) {}

  std::vector<Site> sites(const Parsed& parsed, const Facts&) const override {
    std::vector<Site> found;
    if (uses_introspection(parsed) || !has_iteration_words(parsed)) return found;
    for (const Statement& statement : parsed.statements()) {
      if (is_loop(parsed, statement)) found.push_back({statement.id, "loop"});
      if (loop_body(parsed, statement)) found.push_back({statement.id, "body"});
      auto run = members_from(parsed, statement);
      for (std::size_t i = 1; i < run.size(); ++i) found.push_back({statement.id, "run " + run[i]->id});
      std::size_t displays = displays_of(parsed, statement).size();
      for (std::size_t i = 0; i < displays; ++i) found.push_back({statement.id, fmt::format("display {}", i)});
    }
    return found;
  }

  EditSet rewrite(const Parsed& parsed, const Facts&, const Site& site, Choices& choices,
                  int step_number) const override {
    if (uses_introspection(parsed) || !has_iteration_words(parsed)) return {};
    const Statement& statement = *parsed.find(site.statement);
    Rewrite rewrite(parsed, step_number);
    std::string_view path = site.path;
    if (path == "loop") walk_otherwise(rewrite, parsed, statement, choices);
    if (path == "body") call_body(rewrite, parsed, statement, choices);
    if (path.starts_with("run ")) call_run(rewrite, parsed, statement, path.substr(4), choices);
    if (path.starts_with("display ")) pass_items(rewrite, parsed, statement, path.substr(8), choices);
    return rewrite.edits();
  }

 private:
  static void walk_otherwise(Rewrite& rewrite, const Parsed& parsed, const Statement& loop, Choices& choices) {
    if (!is_loop(parsed, loop)) return;
    Node items = loop.node.field("right");
    Lines before;
    std::string text = draw_iterable(rewrite, value_text(items), before, choices);
    rewrite.before(loop, before);
    rewrite.replace(items, text);
  }

  static void call_body(Rewrite& rewrite, const Parsed& parsed, const Statement& loop, Choices& choices) {
    auto body = loop_body(parsed, loop);
    if (!body) return;
    std::string name = rewrite.name("f");
    std::string parameter = body->parameter.empty() ? rewrite.name("x") : body->parameter;
    Lines lines;
    for (const auto& unbound : body->unbound) add(lines, {{"if False:"}, {unbound + " = None", 1}});
    lines.push_back({fmt::format("def {}({}):", name, parameter)});
    if (!body->extraction.globals.empty())
      lines.push_back({fmt::format("global {}", fmt::join(body->extraction.globals, ", ")), 1});
    std::vector<std::string> nonlocals = body->nonlocals;
    nonlocals.insert(nonlocals.end(), body->extraction.nonlocals.begin(), body->extraction.nonlocals.end());
    if (!nonlocals.empty()) lines.push_back({fmt::format("nonlocal {}", fmt::join(nonlocals, ", ")), 1});
    Node target = loop.node.field("left");
    if (body->parameter.empty()) lines.push_back({fmt::format("{} = {}", target.text(), parameter), 1});
    Node items = loop.node.field("right");
    // The definition replaces the head of the loop; the body stays where it was.
    rewrite.before(loop, lines);
    rewrite.erase(lines_begin(loop), parsed.source().find('\n', items.end()) + 1);
    rewrite.after(loop, draw_walk(rewrite, name, value_text(items), is_small_range(items), choices));
  }

  static void call_run(Rewrite& rewrite, const Parsed& parsed, const Statement& first, std::string_view last,
                       Choices& choices) {
    auto run = members_from(parsed, first);
    auto end = std::find_if(run.begin(), run.end(), [&](const Statement* one) { return one->id == last; });
    if (end == run.end() || end == run.begin()) return;
    run.erase(end + 1, run.end());
    std::vector<std::string> functions;
    std::string targets;
    for (const Statement* one : run) {
      functions.push_back(fmt::format("(lambda: {})", value_text(value_of(parsed, *one))));
      if (one == run.front()) continue;
      targets += fmt::format(", {}", target_of(*one));
      rewrite.erase(lines_begin(*one), lines_end(parsed, *one));
    }
    Lines before;
    std::string text = draw_calls(rewrite, functions, before, choices);
    rewrite.before(first, before);
    rewrite.insert(assignment(first).left.end(), targets);
    rewrite.replace(value_of(parsed, first), text);
  }

  static void pass_items(Rewrite& rewrite, const Parsed& parsed, const Statement& statement, std::string_view index,
                         Choices& choices) {
    auto displays = displays_of(parsed, statement);
    auto at = read_index(index, displays.size());
    if (!at) return;
    Node display = displays[*at];
    Lines before;
    std::string items = draw_iterable(rewrite, value_text(display), before, choices);
    rewrite.before(statement, before);
    bool list = display.is("list");
    std::string text = fmt::format("{}({})", list ? "list" : "tuple", items);
    if (choices.chance(1, 3)) text = list ? fmt::format("[*{}]", items) : fmt::format("(*{},)", items);
    rewrite.replace(display, text);
  }
};

const Register<Mutation, AsIteration> registered;

}  // namespace
}  // namespace jp::mutate::as_iteration_mutation
