// A reduction is replaced by a loop over one axis, or by a fold:
//
//     v2 = v0.sum(0)               a7 = v0[0].clone()
//                                  for i7 in range(1, 3):
//                                      a7 = a7 + v0[i7]
//                                  v2 = a7
//
// The reductions are `sum`, `mean`, `prod`, `amax`, `amin`, `max`, `min`, `any` and `all`, over one axis or over
// everything. Loops are `for` over indices (reversed or not) or over `unbind`, `while` with a counter,
// functools.reduce, and the built-in `sum`. Integers are accumulated in int64, half types in float32. A reduction
// inside another operator or a module is opened up first (inner_reductions.h): softmax, a mean over several axes,
// max_pool2d, nn.LayerNorm. The result is unchanged except for rounding. Site path: "" for the whole value of an
// assignment, otherwise the call's number; "inside" before that, or "module" and a number, for a reduction inside.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "mutate/calls/elementwise.h"
#include "mutate/calls/module_calls.h"
#include "mutate/calls/operator_call.h"
#include "mutate/facts/live.h"
#include "mutate/material/inner_reductions.h"
#include "mutate/rewrite/rewrite.h"
#include "mutate/rewrite/statement_ranges.h"
#include "mutate/safety/rounding.h"

namespace jp::mutate::resolve_reduction_mutation {
namespace {

/// How two partial results are combined.
struct Fold {
  std::string_view name;
  std::string_view function;  // torch.FUNCTION
  std::string_view symbol;    // "" where there is none
  bool exact = false;         // the same bits in any order
};
constexpr auto kFolds = std::to_array<Fold>({
    {"sum", "add", "+", false},
    {"mean", "add", "+", false},
    {"prod", "mul", "*", false},
    {"amax", "maximum", "", true},
    {"max", "maximum", "", true},
    {"amin", "minimum", "", true},
    {"min", "minimum", "", true},
    {"any", "logical_or", "|", true},
    {"all", "logical_and", "&", true},
});

const Fold* fold_of(const OperatorCall& call) {
  auto found = std::find_if(kFolds.begin(), kFolds.end(), [&](const Fold& fold) { return fold.name == call.op->name; });
  return found == kFolds.end() ? nullptr : &*found;
}

const Fold& fold_named(std::string_view name) {
  return *std::find_if(kFolds.begin(), kFolds.end(), [&](const Fold& fold) { return fold.name == name; });
}

/// The axis of the call (nothing: all axes) and keepdim, from its text. `fits` is false if they are written in a form
/// that is not understood.
struct Over {
  bool fits = false;
  std::optional<std::int64_t> axis;
  bool keeps = false;
};

Over read_over(const OperatorCall& call) {
  Over over;
  Node dim = call.operand("dim");
  Node keeps = call.operand("keepdim");
  if (keeps && !keeps.is("true") && !keeps.is("false")) return over;
  over.keeps = keeps && keeps.is("true");
  if (dim && (dim.is("tuple") || dim.is("list")) && dim.children().size() == 1) dim = dim.children()[0];
  if (!dim) {
    over.fits = !keeps;
    return over;
  }
  std::string text(dim.text());
  bool number = is_number(dim) && text.size() <= 2 && text.find_first_not_of("-0123456789") == std::string::npos;
  if (number) over.axis = std::stoll(text);
  over.fits = number;
  return over;
}

/// The type of the operand; nothing when the call can't be written out.
std::optional<KnownTensorType> operand_of(const Parsed& parsed, const Facts& facts, const OperatorCall& call,
                                          const Fold& fold) {
  const Node& node = call.operands[0].node;
  const NameFacts* known = tensor_before(facts, *call.statement, node);
  if (!known || is_complex(*known->dtype) || !read_over(call).fits || !call.comes_first()) return std::nullopt;
  bool logical = fold.name == "any" || fold.name == "all";
  if (logical ? *known->dtype != Dtype::kBool : fold.exact && *known->requires_grad) return std::nullopt;
  bool integers = is_integral(*known->dtype);
  if (!fold.exact && !integers) {
    std::int64_t count = element_count(*known->shape);
    if (fold.name == "prod" ? !bounded(*known, 1e3) || count > 256 : !sums_alike(*known, count)) return std::nullopt;
    if (!rounding_stays_small(parsed, facts, *call.statement)) return std::nullopt;
  }
  return known_type_of(*known);
}

/// The choices that were drawn, and the texts that follow from them.
struct Walk {
  std::string torch;
  const Fold& fold;
  KnownTensorType operand;
  Over over;
  std::string base;  // the tensor whose pieces are folded
  int axis = 0;      // of `base`
  std::int64_t length = 0;
  bool whole = false;      // pieces have further axes that are reduced too
  bool converted = false;  // accumulates in another dtype
  std::string result = {};

  std::string piece(const std::string& index) const { return inner(subscript(base, axis, index)); }
  std::string inner(const std::string& text) const {
    std::string_view name = fold.name == "mean" ? "sum" : fold.name;
    return whole ? fmt::format("{}.{}()", text, name) : text;
  }
  std::string pieces() const { return fmt::format("{}.unbind({})", base, axis); }
};

std::string folded(const Walk& walk, const std::string& one, const std::string& other, bool symbol) {
  if (symbol) return fmt::format("{} {} {}", one, walk.fold.symbol, other);
  return fmt::format("{}.{}({}, {})", walk.torch, walk.fold.function, one, other);
}

void add_indexed(Rewrite& rewrite, const Walk& walk, std::uint64_t form, Choices& choices, Lines& lines) {
  std::string index = rewrite.name("i");
  bool backwards = form == 1;
  std::int64_t first = backwards ? walk.length - 1 : 0;
  bool in_place = walk.fold.function == "add" && choices.chance(1, 2);
  lines.push_back({fmt::format("{} = {}.clone()", walk.result, walk.piece(fmt::format("{}", first)))});
  if (form == 0) lines.push_back({fmt::format("for {} in range(1, {}):", index, walk.length)});
  if (backwards) lines.push_back({fmt::format("for {} in range({}, -1, -1):", index, walk.length - 2)});
  if (form == 2) {
    lines.push_back({fmt::format("{} = 1", index)});
    lines.push_back({fmt::format("while {} < {}:", index, walk.length)});
  }
  bool symbol = !walk.fold.symbol.empty() && choices.chance(1, 2);
  lines.push_back({in_place ? fmt::format("{} += {}", walk.result, walk.piece(index))
                            : fmt::format("{} = {}", walk.result, folded(walk, walk.result, walk.piece(index), symbol)),
                   1});
  if (form == 2) lines.push_back({fmt::format("{} += 1", index), 1});
}

void add_over_pieces(Rewrite& rewrite, const Walk& walk, Choices& choices, Lines& lines) {
  std::string piece = rewrite.name("x");
  std::string rest = rewrite.name("rest");
  bool symbol = !walk.fold.symbol.empty() && choices.chance(1, 2);
  lines.push_back({fmt::format("{}, *{} = {}", walk.result, rest, walk.pieces())});
  if (walk.whole) lines.push_back({fmt::format("{} = {}", walk.result, walk.inner(walk.result))});
  lines.push_back({fmt::format("for {} in {}:", piece, rest)});
  lines.push_back({fmt::format("{} = {}", walk.result, folded(walk, walk.result, walk.inner(piece), symbol)), 1});
}

void add_reduce(Rewrite& rewrite, const Walk& walk, Choices& choices, Lines& lines) {
  std::string reduce = rewrite.name("reduce");
  std::string one = rewrite.name("a");
  std::string other = rewrite.name("b");
  lines.push_back({fmt::format("from functools import reduce as {}", reduce)});
  bool symbol = !walk.fold.symbol.empty() && choices.chance(1, 2);
  std::string function = choices.chance(1, 2)
                             ? fmt::format("{}.{}", walk.torch, walk.fold.function)
                             : fmt::format("lambda {}, {}: {}", one, other, folded(walk, one, other, symbol));
  std::string pieces = walk.pieces();
  if (walk.whole) pieces = fmt::format("[{} for {} in {}]", walk.inner(one), one, pieces);
  lines.push_back({fmt::format("{} = {}({}, {})", walk.result, reduce, function, pieces)});
}

/// Appends the lines that make the tensor to fold, in the dtype of the accumulation.
void add_base(Rewrite& rewrite, Walk& walk, Choices& choices, Lines& lines) {
  const std::string self = walk.base;
  bool half = walk.operand.dtype == Dtype::kFloat16 || walk.operand.dtype == Dtype::kBFloat16;
  std::string_view as;
  if (!walk.fold.exact && is_integral(walk.operand.dtype) && walk.operand.dtype != Dtype::kInt64) as = "int64";
  if (!walk.fold.exact && half) as = "float32";
  if (!walk.fold.exact && walk.operand.dtype == Dtype::kFloat32 && choices.chance(1, 3)) as = "float64";
  walk.converted = !as.empty() && as != "int64";
  std::int64_t count = element_count(walk.operand.shape);
  bool flat = !walk.over.axis && count <= kLongestAxis && (walk.operand.shape.size() != 1 || choices.chance(1, 4));
  if (as.empty() && !flat) return;
  walk.base = rewrite.name("t");
  std::string text = self;
  if (!as.empty()) text += fmt::format(".to({}.{})", walk.torch, as);
  if (flat) text += ".reshape(-1)";
  if (flat) walk.axis = 0, walk.length = count, walk.whole = false;
  lines.push_back({fmt::format("{} = {}", walk.base, text)});
}

std::string value_text(const Walk& walk) {
  std::string value = walk.result;
  std::int64_t count = walk.over.axis ? walk.length : element_count(walk.operand.shape);
  if (walk.fold.name == "mean") value = fmt::format("({} / {})", value, count);
  if (walk.converted) value += fmt::format(".to({}.{})", walk.torch, dtype_name(walk.operand.dtype));
  if (walk.over.axis && walk.over.keeps) value += fmt::format(".unsqueeze({})", walk.axis);
  return value;
}

class ResolveReduction final : public Mutation {
 public:
  ResolveReduction()
      : Mutation({"resolve_reduction", "A", Exactness::kRounding, true, "jitprobe",
                  "reductions against chains of small elementwise kernels: order, accumulation types, fusion"}) {}

  std::vector<Site> sites(const Parsed& parsed, const Facts& facts) const override {
    if (binds_loop_words(parsed) || !no_autocast(parsed)) return {};
    std::vector<Site> found = operator_sites(parsed, facts, [&](const OperatorCall& call) {
      const Fold* fold = fold_of(call);
      return fold && walk_of(call, *fold, operand_of(parsed, facts, call, *fold));
    });
    if (uses_introspection(parsed)) return found;
    for (const Statement& statement : parsed.statements()) {
      if (!facts.before.contains(statement.id)) continue;
      for (const InnerCall& inner : inner_calls(parsed, statement))
        if (inner_input(parsed, facts, inner)) found.push_back({statement.id, inner.call.path});
    }
    return found;
  }

  EditSet rewrite(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                  int step_number) const override;

 private:
  static EditSet rewrite_inside(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                                int step_number);
  /// Draws how the pieces are combined, and appends the lines that do it.
  static void add_fold(const Parsed& parsed, const Statement& statement, Rewrite& rewrite, Walk& walk, Choices& choices,
                       Lines& lines) {
    walk.result = rewrite.name("a");
    const bool own_sum = walk.fold.function == "add" && walk.fold.name != "mean" && !walk.whole &&
                         parsed.scopes().resolve("sum", parsed.scopes().scope_of(statement)) < 0;
    const std::uint64_t form = choices.below(own_sum ? 6 : 5);
    if (form < 3) add_indexed(rewrite, walk, form, choices, lines);
    if (form == 3) add_over_pieces(rewrite, walk, choices, lines);
    if (form == 4) add_reduce(rewrite, walk, choices, lines);
    if (form == 5) lines.push_back({fmt::format("{} = sum({})", walk.result, walk.pieces())});
  }

  /// Axes along which the loop may run, of 2 to kLongestAxis elements: the axis of the call, or any axis.
  static std::vector<int> axes(const TensorType& operand, const Over& over) {
    std::vector<int> found;
    auto rank = static_cast<std::int64_t>(operand.shape.size());
    for (std::int64_t i = 0; i < rank; ++i) {
      std::int64_t size = operand.shape[static_cast<std::size_t>(i)];
      bool asked = !over.axis || *over.axis == i || *over.axis == i - rank;
      if (asked && size >= 2 && size <= kLongestAxis) found.push_back(static_cast<int>(i));
    }
    return found;
  }

  static std::optional<Walk> walk_of(const OperatorCall& call, const Fold& fold,
                                     const std::optional<KnownTensorType>& operand) {
    // Slices of a tensor that is not dense give results with another layout.
    if (!operand || !is_row_major(*operand) || element_count(operand->shape) == 0) return std::nullopt;
    Walk walk{call.torch, fold, *operand, read_over(call), std::string(call.operands[0].node.text())};
    if (!walk.over.fits || axes(walk.operand, walk.over).empty()) return std::nullopt;
    return walk;
  }
};

EditSet ResolveReduction::rewrite(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                                  int step_number) const {
  if (binds_loop_words(parsed) || !no_autocast(parsed)) return {};
  if (site.path.starts_with(kInsidePath) || site.path.starts_with(kModulePath))
    return rewrite_inside(parsed, facts, site, choices, step_number);
  auto call = operator_call_at(parsed, site);
  const Fold* fold = call ? fold_of(*call) : nullptr;
  if (!fold || !call->operands[0].node.is("identifier") || !call->comes_first()) return {};
  auto walk = walk_of(*call, *fold, choices.note([&] { return operand_of(parsed, facts, *call, *fold); }));
  if (!walk) return {};
  walk->axis = choices.pick(axes(walk->operand, walk->over));
  walk->length = walk->operand.shape[static_cast<std::size_t>(walk->axis)];
  walk->whole = !walk->over.axis && walk->operand.shape.size() > 1;

  Rewrite rewrite(parsed, step_number);
  Lines lines;
  add_base(rewrite, *walk, choices, lines);
  add_fold(parsed, *call->statement, rewrite, *walk, choices, lines);
  rewrite.before(*call->statement, lines);
  rewrite.replace(call->node, value_text(*walk));
  return rewrite.edits();
}

EditSet ResolveReduction::rewrite_inside(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                                         int step_number) {
  const Statement& statement = *parsed.find(site.statement);
  if (uses_introspection(parsed)) return {};
  for (const InnerCall& inner : inner_calls(parsed, statement)) {
    if (inner.call.path != site.path) continue;
    const auto input = choices.note([&] { return inner_input(parsed, facts, inner); });
    Rewrite rewrite(parsed, step_number);
    Lines lines;
    const auto opened = input ? open_up(inner, *input, rewrite, lines) : std::nullopt;
    if (!opened) return {};
    Walk walk{inner.call.torch, fold_named(opened->fold), *input, {}, opened->base, opened->axis, opened->length};
    add_fold(parsed, statement, rewrite, walk, choices, lines);
    rewrite.before(statement, lines);
    rewrite.replace(inner.call.node, fmt::format(fmt::runtime(opened->value), walk.result));
    return rewrite.edits();
  }
  return {};
}

const Register<Mutation, ResolveReduction> registered;

}  // namespace
}  // namespace jp::mutate::resolve_reduction_mutation
