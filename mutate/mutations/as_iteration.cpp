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
#include "mutate/outline/convention.h"
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

/// The signature of a loop's body that can be a function.
LoopSignature loop_body(const Parsed& parsed, const Statement& loop) {
  LoopSignature refused;
  refused.body.refused = "no plain loop, or one with an `else` or that StopIteration may end";
  if (!is_loop(parsed, loop) || loop.node.field("alternative") || may_stop_iteration(parsed, loop.node)) return refused;
  // The body stays where it is, below lines of the usual depth.
  const LoopSignature found = find_loop_signature(parsed, loop);
  const auto depth = [](const Statement& one) { return one.begin - lines_begin(one); };
  if (found.body && depth(found.body.first()) != depth(loop) + indent_unit(parsed, loop).size()) return refused;
  return found;
}

/// The statement is `name = value`, and the value may be evaluated together with the values of other such statements.
bool is_member(const Parsed& parsed, const Statement& statement) {
  const Assignment made = assignment(statement);
  const Node value = made.name() ? value_of(parsed, statement) : Node();
  if (!value || value != made.right || !may_move(parsed, statement, value)) return false;
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
      if (loop_body(parsed, statement).body) found.push_back({statement.id, "body"});
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
    const LoopSignature found = loop_body(parsed, loop);
    if (!found.body) return;
    std::string name = rewrite.name("f");
    std::string parameter = found.parameter.empty() ? rewrite.name("x") : found.parameter;
    Lines lines = Convention(found.body, Channel::kNonlocal, false)
                      .body({{fmt::format("def {}({}):", name, parameter)}})
                      .opening();
    Node target = loop.node.field("left");
    if (found.parameter.empty()) lines.push_back({fmt::format("{} = {}", target.text(), parameter), 1});
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
