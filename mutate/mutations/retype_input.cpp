// An input of the program has another type: a tensor another dtype, alone or with all of its dtype; or it is stored in
// another one and cast back when the program starts (so that even eight-bit types get through); a Python number becomes
// a number of another type or a tensor, a tensor without dimensions a Python number:
//
//     return (torch.randn(3, 4), 2)            return (torch.randn(3, 4).half(), 2)
//
// Values that are indices, or that the program casts to integers, keep what they say: they change within their class.
// Site: the return statement of make_inputs; path: CALL.ARGUMENT, both from 0.
#include <fmt/format.h>

#include "mutate/casts.h"
#include "mutate/fragile.h"
#include "mutate/inputs.h"
#include "mutate/layout.h"
#include "mutate/mutation.h"

namespace jp::mutate {
namespace {

/// The number as one of another type, or as a tensor.
std::string other_number(const InputKind& kind, const Node& text, const std::string& torch, Choices& choices) {
  std::vector<std::string> forms = {fmt::format("{}.tensor({})", torch, text.text()),
                                    fmt::format("{}.tensor({})", torch, text.text())};
  if (kind.kind != "float") forms.push_back(fmt::format("float({})", text.text()));
  if (kind.kind == "bool") forms.push_back(fmt::format("int({})", text.text()));
  if (kind.kind == "int") forms.push_back(fmt::format("bool({})", text.text()));
  if (kind.kind == "float") forms.push_back(fmt::format("{}.tensor({}, dtype={}.float64)", torch, text.text(), torch));
  return choices.pick(forms);
}

class RetypeInput final : public Mutation {
 public:
  RetypeInput()
      : Mutation({"retype_input", "E", Exactness::kVariation, true, "jitprobe",
                  "type promotion, and lowerings that know some dtypes only"}) {}

  std::vector<Site> sites(const Parsed& parsed, const Facts& facts) const override {
    return argument_sites(parsed, facts, [](const InputKind& kind) { return kind.is_tensor() || kind.is_number(); });
  }

  EditSet rewrite(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                  int step_number) const override {
    auto calls = argument_at(parsed, facts, site, choices);
    if (!calls) return {};
    Rewrite rewrite(parsed, step_number);
    const InputKind& kind = calls->kind();
    if (kind.is_number()) {
      rewrite.replace(calls->text(), other_number(kind, calls->text(), calls->torch, choices));
      return rewrite.edits();
    }
    if (!kind.is_tensor()) return {};
    if (kind.shape.empty() && !kind.leaf && choices.chance(1, 5)) {
      rewrite.replace(calls->text(), operand(calls->text()) + ".item()");
      return rewrite.edits();
    }
    Fragile fragile = find_fragile(parsed);
    bool gentle = is_fragile(parsed, fragile, kind, calls->asked.at);
    bool all_calls = choices.chance(2, 3);
    if (entry_start(parsed) && choices.chance(2, 5))
      store(parsed, rewrite, *calls, gentle, all_calls, choices);
    else
      cast(parsed, rewrite, *calls, fragile, gentle, all_calls, choices);
    return rewrite.edits();
  }

 private:
  static void put(Rewrite& rewrite, const Node& text, const InputKind& kind, const std::string& tail,
                  std::string_view to) {
    bool keeps_grad = to.starts_with("float1") || to.starts_with("float3") || to.starts_with("float6") ||
                      to.starts_with("bfloat") || to.starts_with("complex");
    InputKind plain = kind;
    plain.leaf = kind.leaf && keeps_grad;
    std::string first = kind.requires_grad && !keeps_grad ? ".detach()" : "";
    rewrite.replace(text, with_tail(text, plain, first + tail));
  }

  /// The dtype changes for the program too.
  static void cast(const Parsed& parsed, Rewrite& rewrite, const Calls& calls, const Fragile& fragile, bool gentle,
                   bool all_calls, Choices& choices) {
    const InputKind& kind = calls.kind();
    std::string_view to = choices.pick(gentle ? gentle_targets(kind.dtype) : cast_targets(kind.dtype));
    std::string tail = cast_tail(dtype_name(kind.dtype), to, calls.torch, choices);
    bool in_step = choices.chance(2, 3);
    for (std::size_t at = 0; at < calls.kinds.size(); ++at) {
      const InputKind& other = calls.kinds[at];
      bool same = other.is_tensor() && other.dtype == kind.dtype && !is_fragile(parsed, fragile, other, at);
      if (at != calls.asked.at && !(in_step && same)) continue;
      for (const Node& text : calls.texts(at, all_calls)) put(rewrite, text, other, tail, to);
    }
  }

  /// The input is stored in another dtype, the program casts it back.
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
}  // namespace jp::mutate
