// A number written in the program becomes an argument of the program:
//
//     return (torch.randn(3),)          return (torch.randn(3), 2,)
//     def program(v0):                  def program(v0, n4):
//         return v0 * 2                     return v0 * n4
//
// In the first call only the origin of the number changes. When a later call passes another number (`history`), the
// compiler has to guard on it or make it symbolic. The program with its new argument is a variation. Site: a statement
// of the entry; path: which of its numbers, from 0.
#include <fmt/format.h>

#include "mutate/engine/mutation.h"
#include "mutate/engine/notes.h"
#include "mutate/inputs/inputs.h"
#include "mutate/rewrite/rewrite.h"
#include "mutate/syntax/queries.h"

namespace jp::mutate::constant_to_input_mutation {
namespace {

/// Torch rejects integers beyond 64 bits, which Python accepts.
bool torch_takes(const Node& number) { return number.is("float") || number.text().size() <= 18; }

/// Numbers that are evaluated when the statement runs; not those in patterns, annotations, formatted strings or nested
/// definitions.
std::vector<Node> numbers_of(const Statement& statement) {
  std::vector<Node> numbers;
  if (!statement.simple) return numbers;
  for (const Node node : nodes_of(statement.node, {"lambda", "type", "string"}))
    if (is_unsigned_number(node) && torch_takes(node)) numbers.push_back(node);
  return numbers;
}

/// The last token before the closing bracket is a comma.
bool ends_with_comma(const Node& list) {
  auto tokens = list.tokens();
  bool closed = !tokens.empty() && tokens.back().is(")");
  std::size_t last = tokens.size() - (closed ? 1 : 0);
  return last > 0 && tokens[last - 1].is(",");
}

/// Appends an item to a list in brackets, or to a bare one.
void append(Rewrite& rewrite, const Node& list, const std::string& item, bool tuple) {
  bool bare = list.is("expression_list");
  bool empty = list.children().empty();
  std::string text = empty ? item + (tuple ? "," : "") : (ends_with_comma(list) ? " " : ", ") + item;
  if (!empty && ends_with_comma(list)) text += ",";
  if (bare) return rewrite.insert(list.end(), text);
  // The item goes after the last token of the list, because the bracket may stand on its own line.
  auto tokens = list.tokens();
  rewrite.insert(tokens.size() >= 2 ? tokens[tokens.size() - 2].end() : list.end() - 1, text);
}

/// All parameters are plain, so a further parameter at the end is the last argument of every call.
bool takes_one_more(const Node& parameters) {
  for (const Node& parameter : parameters.children()) {
    // `*rest: int` is a typed parameter as well.
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
                  "numbers that need a guard or a symbol because they are no longer constants", "history"}) {}

  std::vector<Site> sites(const Parsed& parsed, const Facts&) const override {
    std::vector<Site> sites;
    const Statement* entry = adaptable_entry(parsed);
    if (!usable(parsed, entry)) return sites;
    for (const Statement& statement : parsed.statements()) {
      if (statement.function != entry->index) continue;
      std::size_t count = numbers_of(statement).size();
      for (std::size_t i = 0; i < count; ++i) sites.push_back({statement.id, std::to_string(i)});
    }
    return sites;
  }

  EditSet rewrite(const Parsed& parsed, const Facts&, const Site& site, Choices&, int step_number) const override {
    const Statement* entry = adaptable_entry(parsed);
    const Statement& statement = *parsed.find(site.statement);
    if (!usable(parsed, entry) || statement.function != entry->index) return {};
    std::vector<Node> numbers = numbers_of(statement);
    const auto at = read_index(site.path, numbers.size());
    if (!at) return {};

    Rewrite rewrite(parsed, step_number);
    std::string name = rewrite.name("n");
    rewrite.replace(numbers[*at], name);
    append(rewrite, entry->node.field("parameters"), name, false);
    auto inputs = changeable_inputs(parsed);
    for (const Node& tuple : inputs->tuples) append(rewrite, tuple, std::string(numbers[*at].text()), true);
    return rewrite.edits();
  }

 private:
  static bool usable(const Parsed& parsed, const Statement* entry) {
    if (!entry || uses_introspection(parsed)) return false;
    auto inputs = changeable_inputs(parsed);
    Node parameters = entry->node.field("parameters");
    if (!inputs || !takes_one_more(parameters)) return false;
    // Every call must pass every parameter; otherwise the new argument would fill a missing one.
    for (const auto& call : inputs->calls)
      if (call.size() != own_parameters(*entry).size()) return false;
    return true;
  }
};

const Register<Mutation, ConstantToInput> registered;

}  // namespace
}  // namespace jp::mutate::constant_to_input_mutation
