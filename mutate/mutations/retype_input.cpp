// An input of the program gets another type: a tensor another dtype, alone or together with all inputs of its dtype; or
// the tensor is stored in another dtype and cast back when the program starts (so that even eight-bit types can be
// used); a Python number becomes a number of another type or a tensor; a tensor without dimensions becomes a Python
// number:
//
//     return (torch.randn(3, 4), 2)            return (torch.randn(3, 4).half(), 2)
//
// Values that are indices, or that the program casts to integers, keep their meaning: their dtype changes within its
// class. Where inference can't show that the program runs with another type (infer/inference.h), the first line casts
// the input back. The program is a variation. Site: the return statement of make_inputs; path: CALL.ARGUMENT, both from
// 0.
#include <fmt/format.h>

#include "mutate/engine/mutation.h"
#include "mutate/infer/inference.h"
#include "mutate/inputs/inputs.h"
#include "mutate/rewrite/casts.h"
#include "mutate/rewrite/rewrite.h"
#include "mutate/safety/value_sensitive.h"

namespace jp::mutate::retype_input_mutation {
namespace {

constexpr int kTries = 16;

/// A Python number as a number of another type or as a tensor: the text around the number, and the text that converts
/// it back.
struct NumberForm {
  std::string_view text;
  std::string_view back;
  std::string_view type;
  bool tensor = false;
};

std::vector<NumberForm> number_forms(const InputKind& kind) {
  if (kind.kind == "float")
    return {{"{0}.tensor({1})", ".item()", "float32", true},
            {"{0}.tensor({1}, dtype={0}.float64)", ".item()", "float64", true}};
  std::string_view own = kind.kind == "bool" ? "bool" : "int64";
  std::vector<NumberForm> forms = {{"{0}.tensor({1})", ".item()", own, true},
                                   {"{0}.tensor({1})", ".item()", own, true}};
  forms.push_back({"float({1})", kind.kind == "bool" ? "bool" : "int", "float64"});
  if (kind.kind == "bool") forms.push_back({"int({1})", "bool", "int64"});
  return forms;
}

/// Whether the program runs when those arguments have that type.
bool runs(const Parsed& parsed, const Facts& facts, const Calls& calls, const std::vector<std::size_t>& arguments,
          Dtype to, bool to_tensor) {
  auto parameters = entry_parameters(parsed);
  AbstractState looks;
  for (std::size_t at : arguments) {
    if (at >= parameters.size()) return false;
    AbstractValue look = AbstractValue::tensor(to, calls.kinds[at].shape);
    if (!calls.kinds[at].is_tensor() && !to_tensor) look.kind = AbstractValue::Kind::kNumber;
    look.was = look.shape;
    look.retyped = true;
    look.regrad = calls.kinds[at].requires_grad && is_integral(to);
    looks[std::string(parameters[at].text())] = std::move(look);
  }
  return valid_from(parsed, facts, *entry_start(parsed), std::move(looks));
}

/// A new type for some arguments, with which the program runs.
struct Plan {
  Dtype to = Dtype::kFloat32;
  std::vector<std::size_t> arguments;  // ascending

  auto fields() { return std::tie(to, arguments); }
};

class RetypeInput final : public Mutation {
 public:
  RetypeInput()
      : Mutation({"retype_input", "E", Exactness::kVariation, true, "jitprobe",
                  "type promotion, and lowerings that support only some dtypes"}) {}

  std::vector<Site> sites(const Parsed& parsed, const Facts& facts) const override {
    if (!entry_start(parsed)) return {};
    return argument_sites(parsed, facts, [](const InputKind& kind) { return kind.is_tensor() || kind.is_number(); });
  }

  EditSet rewrite(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                  int step_number) const override {
    auto calls = argument_at(parsed, facts, site, choices);
    if (!calls || !entry_start(parsed)) return {};
    Rewrite rewrite(parsed, step_number);
    const InputKind& kind = calls->kind();
    if (kind.is_number()) {
      retype_number(parsed, facts, rewrite, *calls, choices);
      return rewrite.edits();
    }
    if (!kind.is_tensor()) return {};
    bool all_calls = choices.chance(2, 3);
    bool stored = choices.chance(2, 5);
    ValueSensitive value_sensitive = find_value_sensitive(parsed);
    auto plan = choices.note_drawn([&](Choices& inner) {
      return stored ? std::nullopt : draw_plan(parsed, facts, *calls, value_sensitive, inner);
    });
    if (!plan || !calls->has_all(plan->arguments))
      store(parsed, rewrite, *calls, is_value_sensitive(parsed, value_sensitive, kind, calls->asked.at), all_calls,
            choices);
    else
      cast(rewrite, *calls, *plan, all_calls, choices);
    return rewrite.edits();
  }

 private:
  static std::optional<Plan> draw_plan(const Parsed& parsed, const Facts& facts, const Calls& calls,
                                       const ValueSensitive& value_sensitive, Choices& choices) {
    const InputKind& kind = calls.kind();
    const bool gentle = is_value_sensitive(parsed, value_sensitive, kind, calls.asked.at);
    const auto targets = gentle ? gentle_targets(kind.dtype) : cast_targets(kind.dtype);
    for (int tries = 0; tries < kTries; ++tries) {
      Plan plan{*parse_dtype(choices.pick(targets)), {}};
      const bool in_step = choices.chance(2, 3);
      for (std::size_t at = 0; at < calls.kinds.size(); ++at) {
        const InputKind& other = calls.kinds[at];
        bool same =
            other.is_tensor() && other.dtype == kind.dtype && !is_value_sensitive(parsed, value_sensitive, other, at);
        if (at == calls.asked.at || (in_step && same)) plan.arguments.push_back(at);
      }
      if (runs(parsed, facts, calls, plan.arguments, plan.to, false)) return plan;
    }
    return std::nullopt;
  }

  static void retype_number(const Parsed& parsed, const Facts& facts, Rewrite& rewrite, const Calls& calls,
                            Choices& choices) {
    auto forms = number_forms(calls.kind());
    const NumberForm form = choices.pick(forms);
    const bool fits = choices.note(
        [&] { return runs(parsed, facts, calls, {calls.asked.at}, *parse_dtype(form.type), form.tensor); });
    rewrite.replace(calls.text(), fmt::format(fmt::runtime(form.text), calls.torch, calls.text().text()));
    if (fits) return;
    std::string_view name = entry_parameters(parsed)[calls.asked.at].text();
    std::string line = fmt::format("{0} = {1}({0})", name, form.back);
    if (form.tensor) {
      // Other calls may still pass a number.
      std::string_view type = calls.kind().kind;
      line = fmt::format("{0} = {1}({0})", name, type);
    }
    rewrite.before(*entry_start(parsed), {{line}});
  }

  static void put(Rewrite& rewrite, const Node& text, const InputKind& kind, const std::string& tail,
                  std::string_view to) {
    bool keeps_grad = to.starts_with("float1") || to.starts_with("float3") || to.starts_with("float6") ||
                      to.starts_with("bfloat") || to.starts_with("complex");
    InputKind plain = kind;
    plain.leaf = kind.leaf && keeps_grad;
    std::string first = kind.requires_grad && !keeps_grad ? ".detach()" : "";
    rewrite.replace(text, with_tail(text, plain, first + tail));
  }

  /// The program gets the input in the other dtype.
  static void cast(Rewrite& rewrite, const Calls& calls, const Plan& plan, bool all_calls, Choices& choices) {
    const std::string_view to = dtype_name(plan.to);
    std::string tail = cast_tail(dtype_name(calls.kind().dtype), to, calls.torch, choices);
    for (const std::size_t argument : plan.arguments)
      for (const Node& text : calls.texts(argument, all_calls)) put(rewrite, text, calls.kinds[argument], tail, to);
  }

  /// The input is stored in another dtype, and the program casts it back.
  static void store(const Parsed& parsed, Rewrite& rewrite, const Calls& calls, bool gentle, bool all_calls,
                    Choices& choices) {
    const InputKind& kind = calls.kind();
    std::string_view to = choices.pick(gentle ? gentle_targets(kind.dtype) : storage_targets(kind.dtype));
    std::string tail = cast_tail(dtype_name(kind.dtype), to, calls.torch, choices);
    for (const Node& text : calls.texts(calls.asked.at, all_calls)) put(rewrite, text, kind, tail, to);
    std::string_view name = entry_parameters(parsed)[calls.asked.at].text();
    const Statement& start = *entry_start(parsed);
    std::string torch = torch_name(parsed, start);
    std::string back = cast_tail(to, dtype_name(kind.dtype), torch.empty() ? calls.torch : torch, choices);
    rewrite.before(start, {{fmt::format("{0} = {0}{1}", name, back)}});
  }
};

const Register<Mutation, RetypeInput> registered;

}  // namespace
}  // namespace jp::mutate::retype_input_mutation
