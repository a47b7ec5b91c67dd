// A number written in the program becomes an argument of it:
//
//     return (torch.randn(3),)          return (torch.randn(3), 2,)
//     def program(v0):                  def program(v0, n4):
//         return v0 * 2                     return v0 * n4
//
// In call one nothing changes but where the number comes from. With a later call that gives another number (`history`)
// the compiler has to guard on it, or to make it symbolic. Site: a statement of the entry; path: which of its numbers,
// from 0.
#include <fmt/format.h>

#include "mutate/engine/mutation.h"
#include "mutate/inputs/inputs.h"
#include "mutate/rewrite/rewrite.h"

namespace jp::mutate {
namespace {

bool is_number(const Node& node) {
  if (node.is("float")) return true;
  if (!node.is("integer")) return false;
  // Beyond 64 bits torch refuses what Python takes.
  return node.text().size() <= 18;
}

/// Numbers that are read when the statement runs: none in patterns, type hints, formatted strings and what is defined
/// inside.
std::vector<Node> numbers_of(const Parsed& parsed, const Statement& statement) {
  std::vector<Node> numbers;
  if (!statement.simple) return numbers;
  for (int index = statement.node.index(); index < statement.node.past(); ++index) {
    Node node = parsed.tree().node(index);
    if (node.is("lambda") || node.is("type") || node.is("string")) {
      index = node.past() - 1;
      continue;
    }
    if (node.named() && is_number(node)) numbers.push_back(node);
  }
  return numbers;
}

/// The last token but the closing bracket is a comma.
bool ends_with_comma(const Node& list) {
  auto tokens = list.tokens();
  bool closed = !tokens.empty() && tokens.back().is(")");
  std::size_t last = tokens.size() - (closed ? 1 : 0);
  return last > 0 && tokens[last - 1].is(",");
}

/// One item more at the end of a parenthesised list, or of a bare one.
void append(Rewrite& rewrite, const Node& list, const std::string& item, bool tuple) {
  bool bare = list.is("expression_list");
  bool empty = list.children().empty();
  std::string text = empty ? item + (tuple ? "," : "") : (ends_with_comma(list) ? " " : ", ") + item;
  if (!empty && ends_with_comma(list)) text += ",";
  if (bare) return rewrite.insert(list.end(), text);
  // Behind the last item, not before the bracket: that may stand on a line of its own.
  auto tokens = list.tokens();
  rewrite.insert(tokens.size() >= 2 ? tokens[tokens.size() - 2].end() : list.end() - 1, text);
}

/// Plain parameters only: one more behind them is the last argument of each call.
bool takes_one_more(const Node& parameters) {
  for (const Node& parameter : parameters.children()) {
    // `*rest: int` is a typed one as well.
    const Node name = parameter.is("typed_parameter") ? parameter.children().front() : parameter;
    if (!name.is("identifier")) return false;
  }
  for (const Node& token : parameters.tokens())
    if (token.is("*") || token.is("/") || token.is("comment")) return false;
  return true;
}

class ConstantToInput final : public Mutation {
 public:
  ConstantToInput()
      : Mutation({"constant_to_input", "E", Exactness::kVariation, false, "jitprobe",
                  "numbers that a guard must watch, or that become symbolic, instead of constants", "history"}) {}

  std::vector<Site> sites(const Parsed& parsed, const Facts&) const override {
    std::vector<Site> sites;
    const Statement* entry = module_function(parsed, parsed.program().entry());
    if (!usable(parsed, entry)) return sites;
    for (const Statement& statement : parsed.statements()) {
      if (statement.function != entry->index) continue;
      std::size_t count = numbers_of(parsed, statement).size();
      for (std::size_t i = 0; i < count; ++i) sites.push_back({statement.id, std::to_string(i)});
    }
    return sites;
  }

  EditSet rewrite(const Parsed& parsed, const Facts&, const Site& site, Choices&, int step_number) const override {
    const Statement* entry = module_function(parsed, parsed.program().entry());
    const Statement& statement = *parsed.find(site.statement);
    if (!usable(parsed, entry) || statement.function != entry->index) return {};
    std::vector<Node> numbers = numbers_of(parsed, statement);
    std::size_t at = numbers.size();
    for (std::size_t i = 0; i < numbers.size(); ++i)
      if (std::to_string(i) == site.path) at = i;
    if (at == numbers.size()) return {};

    Rewrite rewrite(parsed, step_number);
    std::string name = rewrite.name("n");
    rewrite.replace(numbers[at], name);
    append(rewrite, entry->node.field("parameters"), name, false);
    auto inputs = find_inputs(parsed);
    for (const Node& tuple : inputs->tuples) append(rewrite, tuple, std::string(numbers[at].text()), true);
    return rewrite.edits();
  }

 private:
  static bool usable(const Parsed& parsed, const Statement* entry) {
    if (!entry || uses_introspection(parsed)) return false;
    auto inputs = find_inputs(parsed);
    Node parameters = entry->node.field("parameters");
    if (!inputs || !takes_one_more(parameters)) return false;
    // Every call gives every parameter: else the new argument would be taken for a missing one.
    for (const auto& call : inputs->calls)
      if (call.size() != parameters.children().size()) return false;
    return true;
  }
};

const Register<Mutation, ConstantToInput> registered;

}  // namespace
}  // namespace jp::mutate
