#include "oracle/reduce/order.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "core/operators.h"
#include "mutate/syntax/queries.h"

namespace jp::reduce {
namespace {

constexpr std::size_t kRandom = 60;

// Draws random numbers, or sets up how they are drawn.
bool draws(std::string_view name) {
  const OperatorFacts* op = find_operator(base_name(name));
  return (op && op->random) || name == "Generator" || name == "manual_seed";
}

constexpr std::array<std::string_view, 18> kOtherDtypes = {
    "float64", "double", "float16", "half",  "bfloat16", "complex64", "complex128", "int64",  "long",
    "int32",   "int",    "int16",   "short", "int8",     "uint8",     "uint16",     "uint32", "bool"};

// "torch.int64", and not the method "x.int()".
bool names_other_dtype(const mutate::Node& token) {
  return is_other_dtype(token.text()) && !mutate::is_called(token.parent());
}

std::size_t token_cost(const mutate::Node& token) {
  std::string_view text = token.text();
  if (mutate::is_unsigned_number(token)) return text == "0" ? 1 : text == "1" ? 2 : 2 + text.size();
  if (token.is("string_content")) return 1 + text.size() / 4;
  if (token.is("identifier") && draws(text)) return kRandom;
  if (mutate::is_attribute_name(token) && (is_other_write(text) || names_other_dtype(token))) return 2;
  return 1;
}

}  // namespace

bool is_other_write(std::string_view name) { return mutate::names_write(name) && name != kSimplestWrite; }

bool is_other_dtype(std::string_view name) {
  return std::find(kOtherDtypes.begin(), kOtherDtypes.end(), name) != kOtherDtypes.end();
}

std::optional<Weight> weigh(const Program& program) {
  Result<mutate::Parsed> parsed = mutate::parse(program);
  return parsed.ok() ? std::optional(weigh(parsed.value())) : std::nullopt;
}

bool simpler(const Program& one, const Program& other) {
  const std::optional<Weight> left = weigh(one);
  const std::optional<Weight> right = weigh(other);
  return left && (!right || *left < *right);
}

Weight weigh(const mutate::Parsed& parsed) {
  Weight weight;
  weight.statements = parsed.statements().size();
  weight.bytes = parsed.source().size();
  const mutate::Tree& tree = parsed.tree();
  for (int i = 0; i < tree.size(); ++i) {
    mutate::Node node = tree.node(i);
    bool leaf = node.past() == i + 1 && node.end() > node.begin();
    if (leaf && !node.is("comment")) weight.cost += token_cost(node);
  }
  return weight;
}

std::size_t statements_in_entry(const mutate::Parsed& parsed) {
  for (const mutate::Statement& statement : parsed.statements()) {
    if (statement.parent >= 0) continue;
    if (mutate::defined_name(statement) != parsed.program().entry()) continue;
    const auto& all = parsed.statements();
    return static_cast<std::size_t>(std::count_if(all.begin(), all.end(), [&](const mutate::Statement& inner) {
      return inner.begin > statement.begin && inner.begin < statement.end;
    }));
  }
  return 0;
}

}  // namespace jp::reduce
