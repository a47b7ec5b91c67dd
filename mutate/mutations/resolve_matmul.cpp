// A matrix product is written out with simpler operators:
//
//     v2 = torch.mm(v0, v1)        v2 = (v0.unsqueeze(-1) * v1.unsqueeze(-3)).sum(-2)
//
// `matmul`, `@`, `mm`, `bmm`, `mv`, `linear`, `addmm` and calls of modules nn.Linear are computed by rows, by columns,
// by elements, as a multiplication and a sum, as a sum of outer products, by einsum, or in two blocks; rows are
// collected in a list or fill an empty tensor. Half types are multiplied in float32. The result is unchanged except for
// rounding. Site path:
// "" for the whole value of an assignment, otherwise the call's number; "module" and a number for modules.
#include <fmt/format.h>

#include "mutate/calls/elementwise.h"
#include "mutate/calls/module_calls.h"
#include "mutate/calls/operator_call.h"
#include "mutate/engine/notes.h"
#include "mutate/facts/expression_facts.h"
#include "mutate/facts/live.h"
#include "mutate/rewrite/rewrite.h"
#include "mutate/rewrite/statement_ranges.h"
#include "mutate/safety/rounding.h"

namespace jp::mutate::resolve_matmul_mutation {
namespace {

constexpr std::int64_t kMostProducts = 1 << 20;

/// A factor: an operand of the call, or a parameter of the module that is called.
struct Factor {
  Node node;
  std::string_view module;     // "self.head"
  std::string_view parameter;  // "weight"

  explicit operator bool() const { return node || !parameter.empty(); }
  std::string text() const { return node ? std::string(node.text()) : fmt::format("{}.{}", module, parameter); }
  /// It may stand in several places.
  bool is_name() const { return !node || node.is("identifier"); }
  bool is_known() const { return !node || is_known_expression(node); }
  std::optional<NameFacts> facts(const Facts& facts, const Statement& statement) const {
    if (node) return expression_facts(facts, statement, node);
    const std::size_t dot = module.find('.');
    const NameFacts* known =
        part_before(facts, statement, module.substr(0, dot), fmt::format("{}.{}", module.substr(dot + 1), parameter));
    if (!known || !knows_layout(known)) return std::nullopt;
    NameFacts made = *known;
    made.requires_grad = known->requires_grad.value_or(true);
    return made;
  }
};

/// The factors of the product and the summand, judging by the text.
struct Product {
  Factor left;
  Factor right;
  Factor bias;
  bool transposed = false;  // the right factor is transposed, as the weight of linear

  bool fits() const { return left && right && left.is_known() && right.is_known() && (!bias || bias.is_known()); }
};

std::optional<Product> find_product(const OperatorCall& call) {
  std::string_view name = call.op->name;
  Product product;
  if (name == "linear") {
    product = {{call.operand("input")}, {call.operand("weight")}, {call.operand("bias")}, true};
  } else if (name == "addmm") {
    product = {{call.operand("mat1")}, {call.operand("mat2")}, {call.operand("input")}, false};
  } else if (name == "matmul" || name == "mm" || name == "bmm" || name == "mv") {
    product = {{call.operand("input")}, {call.operand(call.op->parameters[1])}, {}, false};
  }
  if (product.bias.node && product.bias.node.is("none")) product.bias = {};
  return product.fits() && !call.scaled() && call.comes_first() ? std::optional(product) : std::nullopt;
}

/// A call of the product or of a module nn.Linear, and its product.
struct ProductCall {
  OperatorCall call;
  Product product;
};

/// The calls of modules nn.Linear in a statement, with paths "module0" and so on.
std::vector<ProductCall> linear_calls(const Parsed& parsed, const Statement& statement) {
  std::vector<ProductCall> found;
  if (!insertion_point(parsed, statement)) return found;
  for (auto& [call, module] : module_operator_calls(parsed, statement, "Linear", "linear")) {
    const auto given = module.call.positional();
    if (given.size() != 1 || module.call.given()->size() != 1 || !call.comes_first()) continue;
    const std::string_view text = module.call.function.text();
    const Node bias = module.made.keyword("bias");
    if (module.made.positional().size() > 2 || (bias && !bias.is("false") && !bias.is("true"))) continue;
    Product product{{given[0]}, {{}, text, "weight"}, {}, true};
    if (!bias || bias.is("true")) product.bias = {{}, text, "bias"};
    if (product.fits()) found.push_back({std::move(call), product});
  }
  return found;
}

std::optional<ProductCall> product_at(const Parsed& parsed, const Site& site) {
  if (!site.path.starts_with(kModulePath)) {
    auto call = operator_call_at(parsed, site);
    auto product = call ? find_product(*call) : std::nullopt;
    return product ? std::optional(ProductCall{*std::move(call), *product}) : std::nullopt;
  }
  const Statement* statement = parsed.find(site.statement);
  if (!statement || uses_introspection(parsed)) return std::nullopt;
  for (ProductCall& one : linear_calls(parsed, *statement))
    if (one.call.path == site.path) return std::move(one);
  return std::nullopt;
}

/// The choices that were drawn, and the texts that follow from them.
struct Sides {
  KnownTensorType left;
  KnownTensorType right;
  bool requires_grad = false;
  std::string a;
  std::string b;  // with the right factor's own axes: (..., K, N)
  std::string torch;

  auto fields() { return std::tie(left, right, requires_grad); }
  bool fits() const {
    if (left.shape.empty() || right.shape.empty()) return false;
    const std::int64_t ours = element_count(left.shape);
    const std::int64_t theirs = element_count(right.shape);
    if (ours == 0 || theirs == 0 || ours > kMostProducts || theirs > kMostProducts) return false;
    return ours * (right.shape.size() > 1 ? theirs : 1) <= kMostProducts;
  }
  std::size_t ranks() const { return left.shape.size() * 10 + right.shape.size(); }
  std::int64_t rows() const { return left.shape.size() > 1 ? left.shape[left.shape.size() - 2] : 1; }
  std::int64_t inner() const { return left.shape.back(); }
  std::int64_t columns() const { return right.shape.size() > 1 ? right.shape.back() : 1; }
};

std::optional<Sides> find_sides(const Parsed& parsed, const Facts& facts, const OperatorCall& call,
                                const Product& product) {
  const auto left = product.left.facts(facts, *call.statement);
  const auto right = product.right.facts(facts, *call.statement);
  const auto bias = product.bias ? product.bias.facts(facts, *call.statement) : std::nullopt;
  if (!left || !right || (product.bias && !bias) || left->dtype != right->dtype) return std::nullopt;
  if (is_complex(*left->dtype) || *left->dtype == Dtype::kBool) return std::nullopt;
  if (left->shape->empty() || (product.transposed && right->shape->size() != 2)) return std::nullopt;
  if (!is_integral(*left->dtype)) {
    if (!bounded(*left, 1e4) || !bounded(*right, 1e4) || !rounding_stays_small(parsed, facts, *call.statement))
      return std::nullopt;
    double most = magnitude(*left) * magnitude(*right) * static_cast<double>(left->shape->back());
    if (most > 100 && *left->dtype != Dtype::kFloat64) return std::nullopt;
  }
  Sides sides{known_type_of(*left), known_type_of(*right)};
  sides.requires_grad = *left->requires_grad || *right->requires_grad || (bias && *bias->requires_grad);
  if (product.transposed) {
    std::swap(sides.right.shape[0], sides.right.shape[1]);
    std::swap(sides.right.strides[0], sides.right.strides[1]);
  }
  return sides.fits() ? std::optional(std::move(sides)) : std::nullopt;
}

enum Form { kMultiply, kOuter, kEinsum, kSplit, kRows, kColumns, kFill, kElements, kPairs, kHalves };

// With batches that broadcast, einsum gives a result with another layout.
bool same_batches(const Sides& sides) {
  const auto& left = sides.left.shape;
  const auto& right = sides.right.shape;
  return left.size() == right.size() && std::equal(left.begin(), left.end() - 2, right.begin());
}

std::vector<Form> forms(const Sides& sides) {
  std::vector<Form> found = {kMultiply};
  auto add = [&](Form form, bool fits) {
    if (fits) found.push_back(form);
  };
  bool matrices = sides.left.shape.size() > 1 && sides.right.shape.size() > 1;
  bool two = sides.ranks() == 22;
  add(kOuter, matrices && sides.inner() <= kLongestAxis);
  add(kEinsum, matrices && same_batches(sides));
  add(kSplit, matrices && sides.inner() >= 2);
  add(kRows, (two || sides.ranks() == 21) && sides.rows() <= kLongestAxis);
  add(kColumns, two && sides.columns() <= kLongestAxis);
  add(kFill, two && sides.rows() <= kLongestAxis && !sides.requires_grad);
  add(kElements, two && sides.rows() * sides.columns() <= kLongestAxis);
  add(kPairs,
      sides.ranks() == 33 && sides.left.shape[0] == sides.right.shape[0] && sides.left.shape[0] <= kLongestAxis);
  add(kHalves, two && sides.rows() >= 2);
  return found;
}

std::string multiplied(const Sides& sides) {
  const std::string& a = sides.a;
  const std::string& b = sides.b;
  if (sides.ranks() == 11) return fmt::format("({} * {}).sum()", a, b);
  if (sides.right.shape.size() == 1) return fmt::format("({} * {}).sum(-1)", a, b);
  if (sides.left.shape.size() == 1) return fmt::format("({}.unsqueeze(-1) * {}).sum(-2)", a, b);
  return fmt::format("({}.unsqueeze(-1) * {}.unsqueeze(-3)).sum(-2)", a, b);
}

/// The expression of the product; appends the lines that it needs.
std::string product_text(Form form, const Sides& sides, Rewrite& rewrite, Choices& choices, Lines& lines) {
  const std::string& a = sides.a;
  const std::string& b = sides.b;
  const std::string& torch = sides.torch;
  std::int64_t rows = sides.rows();
  std::int64_t inner = sides.inner();
  std::int64_t columns = sides.columns();
  if (form == kMultiply) return multiplied(sides);
  if (form == kEinsum) return fmt::format("{}.einsum(\"...ij,...jk->...ik\", {}, {})", torch, a, b);
  if (form == kSplit) {
    std::int64_t at = choices.between(1, inner - 1);
    return fmt::format("({0}[..., :{2}] @ {1}[..., :{2}, :] + {0}[..., {2}:] @ {1}[..., {2}:, :])", a, b, at);
  }
  if (form == kHalves) {
    std::int64_t at = choices.between(1, rows - 1);
    return fmt::format("{0}.cat([{1}[:{3}] @ {2}, {1}[{3}:] @ {2}])", torch, a, b, at);
  }
  std::string i = rewrite.name("i");
  if (form == kRows)
    return choices.chance(1, 2) ? fmt::format("{}.stack([{}[{}] @ {} for {} in range({})])", torch, a, i, b, i, rows)
                                : fmt::format("{}.stack([{} @ {} for {} in {}])", torch, i, b, i, a);
  if (form == kColumns)
    return choices.chance(1, 2)
               ? fmt::format("{}.stack([{} @ {}[:, {}] for {} in range({})], 1)", torch, a, b, i, i, columns)
               : fmt::format("{}.cat([{} @ {} for {} in {}.split(1, 1)], 1)", torch, a, i, i, b);
  std::string j = rewrite.name("j");
  if (form == kPairs) return fmt::format("{}.stack([{} @ {} for {}, {} in zip({}, {})])", torch, i, j, i, j, a, b);
  if (form == kElements)
    return fmt::format(
        "{0}.stack([({1}[{3}] * {2}[:, {4}]).sum() for {3} in range({5}) for {4} in range({6})])"
        ".reshape({5}, {6})",
        torch, a, b, i, j, rows, columns);
  std::string result = rewrite.name("t");
  if (form == kFill) {
    lines.push_back({fmt::format("{0} = {1}.empty({2}, {3}, dtype={4}.dtype)", result, torch, rows, columns, a)});
    lines.push_back({fmt::format("for {} in range({}):", i, rows)});
    lines.push_back({fmt::format("{0}[{1}] = {2}[{1}] @ {3}", result, i, a, b), 1});
    return result;
  }
  lines.push_back({fmt::format("{} = {}[..., :1] * {}[..., :1, :]", result, a, b)});
  lines.push_back({fmt::format("for {} in range(1, {}):", i, inner)});
  lines.push_back({fmt::format("{0} = {0} + {1}[..., {3}:{3} + 1] * {2}[..., {3}:{3} + 1, :]", result, a, b, i), 1});
  return result;
}

class ResolveMatmul final : public Mutation {
 public:
  ResolveMatmul()
      : Mutation({"resolve_matmul", "A", Exactness::kRounding, true, "jitprobe",
                  "patterns of products: pattern matchers, reductions over broadcasts, batches, tiling"}) {}

  std::vector<Site> sites(const Parsed& parsed, const Facts& facts) const override {
    if (binds_loop_words(parsed) || !no_autocast(parsed)) return {};
    std::vector<Site> found = operator_sites(parsed, facts, [&](const OperatorCall& call) {
      auto product = find_product(call);
      return product && find_sides(parsed, facts, call, *product);
    });
    if (uses_introspection(parsed)) return found;
    for (const Statement& statement : parsed.statements()) {
      if (!facts.before.contains(statement.id)) continue;
      for (const ProductCall& one : linear_calls(parsed, statement))
        if (find_sides(parsed, facts, one.call, one.product)) found.push_back({statement.id, one.call.path});
    }
    return found;
  }

  EditSet rewrite(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                  int step_number) const override {
    auto at = product_at(parsed, site);
    if (!at || binds_loop_words(parsed) || !no_autocast(parsed)) return {};
    OperatorCall* call = &at->call;
    const Product* product = &at->product;
    auto sides = choices.note([&] { return find_sides(parsed, facts, *call, *product); });
    if (!sides || (product->transposed && sides->right.shape.size() != 2)) return {};
    Rewrite rewrite(parsed, step_number);
    Lines lines;
    sides->torch = call->torch;
    auto named = [&](const Factor& factor, std::string_view base) {
      std::string text = factor.text();
      if (factor.is_name()) return text;
      std::string name = rewrite.name(base);
      lines.push_back({fmt::format("{} = {}", name, text)});
      return name;
    };
    sides->a = named(product->left, "x");
    sides->b = named(product->right, "y");
    Dtype dtype = sides->left.dtype;
    bool half = dtype == Dtype::kFloat16 || dtype == Dtype::kBFloat16;
    std::string bias = product->bias ? named(product->bias, "z") : "";
    if (half) {
      std::string a = rewrite.name("a");
      lines.push_back({fmt::format("{} = {}.float()", a, sides->a)});
      sides->a = a;
    }
    if (half || product->transposed) {
      std::string b = rewrite.name("b");
      lines.push_back(
          {fmt::format("{} = {}{}{}", b, sides->b, half ? ".float()" : "", product->transposed ? ".t()" : "")});
      sides->b = b;
    }
    Form form = choices.pick(forms(*sides));
    std::string text = product_text(form, *sides, rewrite, choices, lines);
    if (!bias.empty())
      text = choices.chance(1, 2) ? fmt::format("({} + {})", text, bias) : fmt::format("({} + {})", bias, text);
    // Sums of narrow integers are int64, and equal modulo 2 to the power of their bits.
    const bool widens = is_integral(dtype) && dtype != Dtype::kInt64;
    if (half || widens) text += fmt::format(".to({}.{})", call->torch, dtype_name(dtype));
    // A sum over a tensor that is not dense keeps the order of its axes in memory.
    if (!is_row_major(sides->left) || !is_row_major(sides->right) || !bias.empty()) text += ".contiguous()";
    rewrite.before(*call->statement, lines);
    rewrite.replace(call->node, text);
    return rewrite.edits();
  }
};

const Register<Mutation, ResolveMatmul> registered;

}  // namespace
}  // namespace jp::mutate::resolve_matmul_mutation
