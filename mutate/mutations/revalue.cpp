// An input of the program gets other values: NaN, infinity, minus zero, denormals, the limits of its dtype; quotients
// that round to an integer; repeated, sorted or all equal values:
//
//     return (torch.randn(3, 4),)
//     return (torch.randn(3, 4).index_fill(-1, torch.tensor([2]), float("nan")),)
//
// Values that are indices, or that the program casts to integers, are only permuted: eager's result for others is not
// defined. Sums of integers near the limits of their dtype wrap in eager, so values of 32 and 64 bits come near the
// limits only where the text has no arithmetic. The program is a variation. Site: the return statement of make_inputs;
// path: CALL.ARGUMENT, both from 0.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "mutate/engine/mutation.h"
#include "mutate/inputs/inputs.h"
#include "mutate/rewrite/rewrite.h"
#include "mutate/safety/value_sensitive.h"
#include "mutate/syntax/queries.h"

namespace jp::mutate::revalue_mutation {
namespace {

using Texts = std::vector<std::string>;

/// Numbers for which floating-point arithmetic has special rules.
Texts odd_floats(Dtype dtype, const std::string& torch) {
  std::string_view real = dtype == Dtype::kComplex64 ? "float32" : dtype == Dtype::kComplex128 ? "float64" : "";
  std::string name = fmt::format("{}.{}", torch, real.empty() ? dtype_name(dtype) : real);
  Texts values = {"float(\"nan\")",
                  "float(\"nan\")",
                  "float(\"inf\")",
                  "-float(\"inf\")",
                  "-0.0",
                  "0.0",
                  "1.0",
                  "-1.0",
                  "0.5",
                  "2.5"};
  for (std::string_view limit : {"max", "min", "tiny", "eps"})
    values.push_back(fmt::format("{}.finfo({}).{}", torch, name, limit));
  values.push_back(fmt::format("{}.finfo({}).tiny / 4", torch, name));
  return values;
}

Texts odd_integers(Dtype dtype, const std::string& torch, bool limits) {
  Texts values = {"0", "1", "2", "7"};
  if (dtype != Dtype::kUInt8) values.insert(values.end(), {"-1", "-7"});
  if (limits || dtype_size(dtype) < 4)
    for (std::string_view limit : {"max", "min"})
      for (int i = 0; i < 2; ++i)
        values.push_back(fmt::format("{}.iinfo({}.{}).{}", torch, torch, dtype_name(dtype), limit));
  return values;
}

/// No operator of the file outside of make_inputs computes a sum, a product or a quotient.
bool without_arithmetic(const Parsed& parsed) {
  constexpr std::array<std::string_view, 22> kComputing = {
      "add", "sub",    "mul",    "div", "sum", "prod", "cumsum",    "cumprod", "abs",          "neg",  "dot",
      "mm",  "matmul", "square", "pow", "lcm", "gcd",  "remainder", "fmod",    "floor_divide", "lerp", "diff"};
  const Statement* entry = entry_function(parsed);
  if (!entry) return false;
  for (const Node node : nodes_of(entry->node)) {
    using Kind = Operation::Kind;
    const Kind kind = operation(node).kind;
    if (kind == Kind::kBinary || kind == Kind::kAugmented || kind == Kind::kUnary) return false;
    if (!node.is("identifier")) continue;
    // Any name that contains one of these words may compute as well.
    bool computes = std::any_of(kComputing.begin(), kComputing.end(), [&](std::string_view word) {
      return node.text().find(word) != std::string_view::npos;
    });
    if (computes) return false;
  }
  return true;
}

/// Expressions in which `{0}` stands for the argument as receiver of a method; the result has its shape and dtype.
Texts forms_for(const InputKind& kind, const Texts& values, const std::string& torch, Choices& choices) {
  const std::string& value = choices.pick(values);
  Texts forms = {fmt::format("{}.full_like({{0}}, {})", torch, value)};
  auto rank = static_cast<std::int64_t>(kind.shape.size());
  bool real = !is_complex(kind.dtype);
  if (rank > 0 && kind.count() > 0) {
    std::int64_t last = kind.shape.back();
    std::int64_t at = choices.between(0, last - 1);
    std::int64_t other = choices.between(0, last - 1);
    forms.push_back(fmt::format("{{0}}.index_fill(-1, {}.tensor([{}]), {})", torch, at, value));
    forms.push_back(
        fmt::format("{{0}}.index_fill(0, {}.tensor([{}]), {})", torch, choices.between(0, kind.shape[0] - 1), value));
    forms.push_back(fmt::format("{{0}}.index_fill(-1, {0}.tensor([{1}]), {2}).index_fill(-1, {0}.tensor([{3}]), {4})",
                                torch, at, value, other, choices.pick(values)));
    // Values occur twice, or a single value occurs everywhere.
    forms.push_back(fmt::format("{{0}}.index_select(-1, {}.arange({}) // 2)", torch, last));
    forms.push_back(fmt::format("{{0}}.index_select({}, {}.zeros({}, dtype={}.int64))", rank - 1, torch, last, torch));
    if (real) forms.push_back("{0}.sort(-1).values");
    if (real) forms.push_back("{0}.sort(0, descending=True)[0]");
  }
  if (real && kind.dtype != Dtype::kBool) {
    forms.push_back(fmt::format("{{0}}.masked_fill({{0}} > 0, {})", value));
    forms.push_back(fmt::format("{{0}}.clamp({})", kind.dtype == Dtype::kUInt8 ? "1, 3" : "-1, 1"));
  }
  if (is_floating(kind.dtype)) {
    // Multiples of a tenth: 0.3 / 0.1 rounds to 3, although 0.3 is less than 3 * 0.1.
    forms.push_back("({0} * 10).round() * 0.1");
    forms.push_back("{0}.round()");
    forms.push_back(fmt::format("{{0}} * {}.finfo({}.{}).tiny", torch, torch, dtype_name(kind.dtype)));
  }
  return forms;
}

/// The same values in another order: indices stay unique and in range, finite values stay finite.
Texts orders_for(const InputKind& kind) {
  if (kind.shape.empty()) return {"{0}.clone()"};
  Texts forms = {"{0}.flip(0)"};
  if (kind.shape.size() > 1) forms.push_back("{0}.flip(-1)");
  if (kind.shape.size() > 1) forms.push_back("{0}.roll(1, 0)");
  return forms;
}

class Revalue final : public Mutation {
 public:
  Revalue()
      : Mutation({"revalue", "E", Exactness::kVariation, true, "jitprobe",
                  "arithmetic at the edges of a dtype: NaN, infinities, denormals, ties"}) {}

  std::vector<Site> sites(const Parsed& parsed, const Facts& facts) const override {
    return argument_sites(parsed, facts, [](const InputKind& kind) { return kind.is_tensor(); });
  }

  EditSet rewrite(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                  int step_number) const override {
    auto calls = argument_at(parsed, facts, site, choices);
    if (!calls || !calls->kind().is_tensor()) return {};
    const InputKind& kind = calls->kind();
    bool integral = is_integral(kind.dtype);
    ValueSensitive value_sensitive = find_value_sensitive(parsed);
    // Another mask only selects more or fewer elements, which is always valid.
    bool keeps = kind.dtype != Dtype::kBool && is_value_sensitive(parsed, value_sensitive, kind, calls->asked.at);

    Rewrite rewrite(parsed, step_number);
    bool all_calls = choices.chance(1, 2);
    bool limits = integral && without_arithmetic(parsed);
    Texts values = kind.dtype == Dtype::kBool ? Texts{"True", "False"}
                   : integral                 ? odd_integers(kind.dtype, calls->torch, limits)
                                              : odd_floats(kind.dtype, calls->torch);
    std::string form = choices.pick(keeps ? orders_for(kind) : forms_for(kind, values, calls->torch, choices));
    for (const Node& text : calls->texts(calls->asked.at, all_calls)) put(rewrite, text, kind, form);
    if (form.ends_with("0.1")) put_divisor(parsed, rewrite, *calls, value_sensitive, choices);
    return rewrite.edits();
  }

 private:
  static void put(Rewrite& rewrite, const Node& text, const InputKind& kind, const std::string& form) {
    bool names_it_once = form.find("{0}") == form.rfind("{0}");
    bool simple = text.is("identifier");
    std::string made;
    if (names_it_once || simple) {
      std::string inner = operand(text) + (kind.requires_grad ? ".detach()" : "");
      made = fmt::format(fmt::runtime(form), inner);
    } else {
      std::string name = rewrite.name("t");
      // The receiver is evaluated before the arguments.
      std::size_t first = form.find("{0}");
      made = form.substr(0, first) + fmt::format("({} := {})", name, text.text()) +
             fmt::format(fmt::runtime(form.substr(first + 3)), name);
      if (kind.requires_grad) made = fmt::format("({}).detach()", made);
    }
    bool method = made.ends_with(')') && form.starts_with("{0}.");
    if (kind.requires_grad)
      made =
          (method || form.starts_with(".")) ? made + ".requires_grad_()" : fmt::format("({}).requires_grad_()", made);
    // An input that is no leaf may be written to in place, so its replacement is made no leaf.
    if (kind.requires_grad && !kind.leaf) made += ".clone()";
    rewrite.replace(text, made);
  }

  /// Another floating-point input becomes the tenth by which the quotient divides.
  static void put_divisor(const Parsed& parsed, Rewrite& rewrite, const Calls& calls,
                          const ValueSensitive& value_sensitive, Choices& choices) {
    std::vector<std::size_t> others;
    for (std::size_t at = 0; at < calls.kinds.size(); ++at) {
      const InputKind& kind = calls.kinds[at];
      bool fits = kind.is_tensor() && is_floating(kind.dtype) && !is_value_sensitive(parsed, value_sensitive, kind, at);
      if (at != calls.asked.at && fits && at < calls.inputs.calls[calls.asked.call].size()) others.push_back(at);
    }
    if (others.empty() || choices.chance(1, 2)) return;
    std::size_t at = choices.pick(others);
    for (const Node& text : calls.texts(at, false))
      put(rewrite, text, calls.kinds[at], fmt::format("{}.full_like({{0}}, 0.1)", calls.torch));
  }
};

const Register<Mutation, Revalue> registered;

}  // namespace
}  // namespace jp::mutate::revalue_mutation
