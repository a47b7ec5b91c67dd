// An intermediate value of the program gets another type: it is cast and stays so, is cast there and back, or is
// combined with a Python number:
//
//     v3 = torch.relu(v1)                      v3 = torch.relu(v1)
//     return v3 + v1                           v3 = v3.to(torch.bfloat16)
//                                              return v3 + v1
//
// Floating-point values are cast to integers only without NaN and within the range of the integer type. Values that are
// indices, or are cast to integers further down, change within their class. Where inference can't show that the rest of
// the program runs with another type (infer/inference.h), the value is cast there and back. The program is a variation.
// Site: a statement `name = ...` that gives a tensor.
#include <fmt/format.h>

#include "mutate/engine/mutation.h"
#include "mutate/facts/assigned.h"
#include "mutate/infer/inference.h"
#include "mutate/names/scopes.h"
#include "mutate/rewrite/casts.h"
#include "mutate/rewrite/rewrite.h"
#include "mutate/safety/value_sensitive.h"

namespace jp::mutate::retype_middle_mutation {
namespace {

constexpr int kTries = 16;

bool known_type(const NameFacts&) { return true; }

/// An expression of the value and a Python number.
struct Mixed {
  std::string_view text;
  std::string_view name;  // the operator's name
  Dtype number;
};
constexpr Mixed kMixed[] = {{"{} + True", "add", Dtype::kBool},         {"1 * {}", "mul", Dtype::kInt64},
                            {"{} + 1", "add", Dtype::kInt64},           {"{} * 0.5", "mul", Dtype::kFloat64},
                            {"2.0 - {}", "sub", Dtype::kFloat64},       {"{} / 2", "div", Dtype::kInt64},
                            {"0.25 + {}", "add", Dtype::kFloat64},      {"{} * 2.5", "mul", Dtype::kFloat64},
                            {"{} == 1", "eq", Dtype::kInt64},           {"{} > 0.5", "gt", Dtype::kFloat64},
                            {"{} - 1", "sub", Dtype::kInt64},           {"-{}", "neg", Dtype::kBool},
                            {"{} ** 2", "pow", Dtype::kInt64},          {"{} & 3", "bitwise_and", Dtype::kInt64},
                            {"{} ^ True", "bitwise_xor", Dtype::kBool}, {"{} // 2", "floor_divide", Dtype::kInt64},
                            {"{} + 1j", "add", Dtype::kComplex128}};

/// The dtype of such an expression; nothing where eager rejects it.
std::optional<Dtype> mixed_type(const Mixed& mixed, const AbstractValue& tensor) {
  AbstractValue number;
  number.kind = AbstractValue::Kind::kNumber;
  number.dtype = mixed.number;
  // Python's `-` rejects tensors of bools on either side.
  if (tensor.dtype == Dtype::kBool && (mixed.name == "sub" || mixed.name == "neg")) return std::nullopt;
  CallArguments asked{mixed.name, find_rule(mixed.name), {tensor}, {}, {}, {}};
  if (mixed.name != "neg") asked.operands.push_back(number);
  return type_of(asked);
}

/// The expression with a number, or the type of the cast, with which inference shows that the program runs; neither
/// when none was found.
struct Plan {
  std::optional<std::size_t> mixed;  // index in kMixed
  std::optional<Dtype> cast;

  auto fields() { return std::tie(mixed, cast); }
  bool fits() const { return !mixed || *mixed < std::size(kMixed); }
};

class RetypeMiddle final : public Mutation {
 public:
  RetypeMiddle()
      : Mutation({"retype_middle", "E", Exactness::kVariation, true, "jitprobe",
                  "casts that are fused or cancelled, and promotion by Python numbers"}) {}

  std::vector<Site> sites(const Parsed& parsed, const Facts& facts) const override {
    auto found = assignment_sites(parsed, facts, known_type);
    std::erase_if(found, [&](const Site& site) { return torch_name(parsed, *parsed.find(site.statement)).empty(); });
    return found;
  }

  EditSet rewrite(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                  int step_number) const override {
    const Statement& statement = *parsed.find(site.statement);
    Node name = assigned_name(parsed, statement);
    auto dtype = choices.note([&] {
      const NameFacts* tensor = assigned_tensor(parsed, facts, statement);
      return tensor ? tensor->dtype : std::nullopt;
    });
    std::string torch = torch_name(parsed, statement);
    if (!name || !dtype || torch.empty()) return {};

    ValueSensitive value_sensitive = find_value_sensitive(parsed);
    bool gentle = (is_integral(*dtype) ? value_sensitive.index : value_sensitive.cast).contains(name.text());
    std::uint64_t form = choices.below(3);
    const Plan plan = choices.note_drawn([&](Choices& inner) -> Plan {
      if (form == 1) return {};
      return form == 0 && !gentle ? plan_mixed(parsed, facts, statement, name.text(), inner)
                                  : plan_cast(parsed, facts, statement, name.text(), gentle, inner);
    });
    std::string value(name.text());
    if (plan.mixed) {
      value = fmt::format(fmt::runtime(kMixed[*plan.mixed].text), name.text());
    } else if (plan.cast) {
      value += cast_tail(dtype_name(*dtype), dtype_name(*plan.cast), torch, choices);
    } else {
      std::string_view to = choices.pick(gentle ? gentle_targets(*dtype) : storage_targets(*dtype));
      value += cast_tail(dtype_name(*dtype), to, torch, choices);
      value += cast_tail(to, dtype_name(*dtype), torch, choices);
    }
    Rewrite rewrite(parsed, step_number);
    rewrite.after(statement, {{fmt::format("{} = {}", name.text(), value)}});
    return rewrite.edits();
  }

 private:
  static bool runs(const Parsed& parsed, const Facts& facts, const Statement& statement, std::string_view name,
                   AbstractValue look, Dtype to) {
    look.retyped = to != look.dtype;
    look.regrad = is_integral(to);
    look.dtype = to;
    return valid_after(parsed, facts, statement, {{std::string(name), look}});
  }

  static Plan plan_mixed(const Parsed& parsed, const Facts& facts, const Statement& statement, std::string_view name,
                         Choices& choices) {
    auto look = abstract_value_of(assigned_tensor(parsed, facts, statement));
    for (int tries = 0; look && tries < kTries; ++tries) {
      const std::size_t mixed = choices.below(std::size(kMixed));
      auto to = mixed_type(kMixed[mixed], *look);
      if (to && runs(parsed, facts, statement, name, *look, *to)) return {mixed, std::nullopt};
    }
    return {};
  }

  static Plan plan_cast(const Parsed& parsed, const Facts& facts, const Statement& statement, std::string_view name,
                        bool gentle, Choices& choices) {
    auto look = abstract_value_of(assigned_tensor(parsed, facts, statement));
    for (int tries = 0; look && tries < kTries; ++tries) {
      auto to = parse_dtype(choices.pick(gentle ? gentle_targets(*look->dtype) : cast_targets(*look->dtype)));
      if (runs(parsed, facts, statement, name, *look, *to)) return {std::nullopt, to};
    }
    return {};
  }
};

const Register<Mutation, RetypeMiddle> registered;

}  // namespace
}  // namespace jp::mutate::retype_middle_mutation
