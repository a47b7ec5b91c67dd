// An operator is replaced by another one that takes the same operands:
//
//     v4 = torch.sin(v3) + v1      v4 = torch.sin(v3) * v1
//
// The operator is a symbol, a function of torch (or of its namespaces for neural networks, special functions and linear
// algebra) or a method, in place or not, on tensors. It is replaced by an operator of the same family that accepts such
// operands and gives the same dtype and shape (infer/inference.h). The program is a variation. Site: a simple
// statement; path: which of its operators, from 0.
#include <fmt/format.h>

#include <algorithm>

#include "core/among.h"
#include "core/operators.h"
#include "mutate/calls/operator_call.h"
#include "mutate/engine/mutation.h"
#include "mutate/engine/notes.h"
#include "mutate/infer/infer_values.h"
#include "mutate/names/scopes.h"
#include "mutate/rewrite/rewrite.h"
#include "mutate/safety/value_sensitive.h"
#include "mutate/syntax/queries.h"

namespace jp::mutate::swap_operator_mutation {
namespace {

/// One operator in the text and the names or symbols that may replace it; `node` is the text that is replaced.
struct Place {
  Node node;
  Node whole;  // the expression of the operator
  std::vector<std::string> others;
};

using Names = std::vector<std::string_view>;

/// Python's symbols that take the same operands, including augmented assignments. The first family that has a symbol
/// counts.
const std::vector<Names>& symbol_families() {
  static const std::vector<Names> all = {{"+", "-", "*"},    {"/", "*"},         {"//", "%"},
                                         {"&", "|", "^"},    {"==", "!="},       {"<", "<=", ">", ">="},
                                         {"+=", "-=", "*="}, {"&=", "|=", "^="}, {"//=", "%="}};
  return all;
}

/// The namespace in which an operator is called, and the fields of the table that say whether another one can be called
/// there.
struct CalledIn {
  std::string_view module;  // as the table's families name it
  bool OperatorFacts::*there;
  bool OperatorFacts::*in_place_there;
};
constexpr CalledIn kMethods = {"", &OperatorFacts::method, &OperatorFacts::in_place};
constexpr CalledIn kFunctions = {"", &OperatorFacts::function, &OperatorFacts::in_place_function};
constexpr CalledIn kFunctional = {"functional", &OperatorFacts::functional, &OperatorFacts::in_place_functional};
constexpr CalledIn kSpecial = {"special", &OperatorFacts::special, &OperatorFacts::in_place_functional};
constexpr CalledIn kForeach = {"foreach", &OperatorFacts::foreach, &OperatorFacts::foreach};

/// Other members of the operator's family that can be called in the same way with that many operands.
std::vector<std::string> others_of(std::string_view name, const CalledIn& called, std::size_t operands,
                                   std::string_view before = "") {
  const std::string_view base = base_name(name);
  const bool in_place = base != name;
  const OperatorFacts* op = find_operator(base);
  const OperatorFamily* family = op ? op->family_in(called.module) : nullptr;
  std::vector<std::string> found;
  if (!family || !(op->*called.there) || operands > family->operands) return found;
  for (const OperatorFacts* other : family_members(*family)) {
    if (other == op || !(other->*called.there) || (in_place && !(other->*called.in_place_there))) continue;
    found.push_back(fmt::format("{}{}{}", before, other->name, in_place ? "_" : ""));
  }
  return found;
}

/// The argument is by position, or by a keyword that all members of the family accept.
bool is_plain(const GivenArgument& argument) {
  const std::string_view name = argument.keyword;
  return name.empty() || name == "dim" || name == "keepdim" || name == "input" || name == "other" || name == "out";
}

std::vector<std::string> for_call(const Call& call, const TorchNames& names) {
  const auto given = call.given();
  if (!call.object || !given || !std::all_of(given->begin(), given->end(), is_plain)) return {};
  const std::string_view name = call.name;
  const std::string_view object = call.object.text();
  const std::size_t operands = call.positional().size();
  if (names.is_functional(call.object)) return others_of(name, kFunctional, operands);
  const std::string_view torch = names.torch;
  if (torch.empty() || !object.starts_with(torch))
    return call.object.is("string") ? std::vector<std::string>() : others_of(name, kMethods, operands + 1);
  constexpr std::string_view kBefore = "_foreach_";
  if (object == torch && name.starts_with(kBefore))
    return others_of(name.substr(kBefore.size()), kForeach, operands, kBefore);
  if (object == torch) return others_of(name, kFunctions, operands);
  if (object.size() == torch.size() + 8 && object.ends_with(".special")) return others_of(name, kSpecial, operands);
  return {};
}

/// Strings and displays (lists, tuples, ...) have operators of their own.
bool no_number(const Node& node) {
  for (std::string_view kind :
       {"string", "concatenated_string", "list", "tuple", "dictionary", "set", "list_comprehension",
        "dictionary_comprehension", "set_comprehension", "generator_expression"})
    if (node.is(kind)) return true;
  return false;
}

std::vector<Place> places_of(const Parsed& parsed, const Statement& statement) {
  std::vector<Place> places;
  // An assertion need not hold for other operators, and the effect of another branch is not known.
  if (!statement.simple || statement.kind() == "assert_statement") return places;
  if (!insertion_point(parsed, statement) || in_while(parsed, statement)) return places;
  const TorchNames names(parsed, statement);
  for (const Node node : nodes_of(statement.node, {"string", "type"})) {
    if (const Call made = call(node)) {
      auto others = for_call(made, names);
      if (!others.empty()) places.push_back({attribute(made.function).label, node, others});
      continue;
    }
    const Operation made = operation(node);
    if (!made.left || no_number(made.left) || no_number(made.right)) continue;
    const Node symbol = made.sign;
    for (const Names& list : symbol_families())
      if (among(list, symbol.text())) {
        std::vector<std::string> others(list.begin(), list.end());
        std::erase(others, symbol.text());
        places.push_back({symbol, node, others});
        break;
      }
  }
  return places;
}

/// The result of the operator is used as an index or cast to an integer, so its value matters.
bool feeds_value_sensitive(const Parsed& parsed, const ValueSensitive& value_sensitive, const Statement& statement) {
  for (const Use& use : parsed.scopes().uses_in(statement.begin, statement.end)) {
    bool binds = use.kind == Use::Kind::kBind || value_sensitive.written.contains(use.name);
    if (binds && (value_sensitive.index.contains(use.name) || value_sensitive.cast.contains(use.name))) return true;
  }
  return false;
}

/// Both are known to have one dtype and shape, or are lists of such tensors.
bool same_kind(const AbstractValue& one, const AbstractValue& other) {
  if (one.is_tensor())
    return other.is_tensor() && one.dtype && one.shape && one.dtype == other.dtype && one.shape == other.shape;
  return one.kind == AbstractValue::Kind::kList && !one.items.empty() && other.kind == one.kind &&
         std::equal(one.items.begin(), one.items.end(), other.items.begin(), other.items.end(), same_kind);
}

/// The forms whose result is known, from facts and operator rules, to have the same dtype and shape.
std::vector<std::string> fitting(const Parsed& parsed, const Facts& facts, const Statement& statement,
                                 const Place& place) {
  std::vector<std::string> found;
  if (!facts.before.contains(statement.id)) return found;
  for (std::string_view name : {"zeros", "ones", "rand", "randn"})
    if (place.node.text() == name) return place.others;
  AbstractState none;
  ExpressionInference values(parsed, facts, statement, none);
  auto now = values.renamed(place.whole, place.node.text());
  if (!now) return found;
  for (const std::string& other : place.others) {
    auto made = values.renamed(place.whole, other);
    if (made && same_kind(*made, *now)) found.push_back(other);
  }
  return found;
}

class SwapOperator final : public Mutation {
 public:
  SwapOperator()
      : Mutation({"swap_operator", "E", Exactness::kVariation, true, "jitprobe",
                  "lowerings, decompositions and fusions of operators that did not occur together in the program"}) {}

  std::vector<Site> sites(const Parsed& parsed, const Facts& facts) const override {
    std::vector<Site> found;
    const ValueSensitive value_sensitive = find_value_sensitive(parsed);
    for (const Statement& statement : parsed.statements()) {
      auto places = places_of(parsed, statement);
      if (places.empty() || feeds_value_sensitive(parsed, value_sensitive, statement)) continue;
      for (std::size_t i = 0; i < places.size(); ++i)
        if (!fitting(parsed, facts, statement, places[i]).empty()) found.push_back({statement.id, std::to_string(i)});
    }
    return found;
  }

  EditSet rewrite(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                  int step_number) const override {
    const Statement& statement = *parsed.find(site.statement);
    auto places = places_of(parsed, statement);
    const auto index = read_index(site.path, places.size());
    if (!index) return {};
    const std::string other = choices.note_drawn([&](Choices& inner) {
      auto found = fitting(parsed, facts, statement, places[*index]);
      return found.empty() || feeds_value_sensitive(parsed, find_value_sensitive(parsed), statement)
                 ? ""
                 : inner.pick(found);
    });
    const auto& others = places[*index].others;
    if (std::find(others.begin(), others.end(), other) == others.end()) return {};
    Rewrite rewrite(parsed, step_number);
    rewrite.replace(places[*index].node, other);
    return rewrite.edits();
  }
};

const Register<Mutation, SwapOperator> registered;

}  // namespace
}  // namespace jp::mutate::swap_operator_mutation
