// A value in the middle of the program has another type: it is cast and stays so, is cast there and back, or is mixed
// with a Python number:
//
//     v3 = torch.relu(v1)                      v3 = torch.relu(v1)
//     return v3 + v1                           v3 = v3.to(torch.bfloat16)
//                                              return v3 + v1
//
// Floating values go to integers without NaN and within the range of the type only. Values that are indices or are cast
// to integers further down change within their class. Site: a statement `name = ...` that gives a tensor.
#include <fmt/format.h>

#include "mutate/assigned.h"
#include "mutate/casts.h"
#include "mutate/fragile.h"
#include "mutate/layout.h"
#include "mutate/mutation.h"
#include "mutate/scopes.h"

namespace jp::mutate {
namespace {

bool known_type(const NameFacts&) { return true; }

/// The value with a Python number, of its own class, a wider or a narrower one.
std::string mixed(std::string_view name, Dtype dtype, Choices& choices) {
  std::vector<std::string_view> forms = {"{} + True", "1 * {}", "{} + 1",   "{} * 0.5",
                                         "2.0 - {}",  "{} / 2", "0.25 + {}"};
  if (!is_complex(dtype)) forms.insert(forms.end(), {"{} * 2.5", "{} == 1", "{} > 0.5"});
  if (dtype != Dtype::kBool) forms.insert(forms.end(), {"{} - 1", "-{}", "{} ** 2"});
  if (is_integral(dtype)) forms.insert(forms.end(), {"{} & 3", "{} ^ True", "{} // 2"});
  if (!is_integral(dtype)) forms.push_back("{} + 1j");
  return fmt::format(fmt::runtime(choices.pick(forms)), name);
}

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
    auto dtype = parse_dtype(choices.note([&] {
      const NameFacts* tensor = assigned_tensor(parsed, facts, statement);
      return std::string(tensor ? dtype_name(*tensor->dtype) : "");
    }));
    std::string torch = torch_name(parsed, statement);
    if (!name || !dtype || torch.empty()) return {};

    Rewrite rewrite(parsed, step_number);
    Fragile fragile = find_fragile(parsed);
    bool gentle = (is_integral(*dtype) ? fragile.index : fragile.cast).contains(name.text());
    std::uint64_t form = choices.below(3);
    std::string value;
    if (form == 0 && !gentle) {
      value = mixed(name.text(), *dtype, choices);
    } else {
      bool back = form == 1;
      std::string_view to = choices.pick(gentle ? gentle_targets(*dtype)
                                         : back ? storage_targets(*dtype)
                                                : cast_targets(*dtype));
      value = name.text();
      value += cast_tail(dtype_name(*dtype), to, torch, choices);
      if (back) value += cast_tail(to, dtype_name(*dtype), torch, choices);
    }
    rewrite.after(statement, {{fmt::format("{} = {}", name.text(), value)}});
    return rewrite.edits();
  }
};

const Register<Mutation, RetypeMiddle> registered;

}  // namespace
}  // namespace jp::mutate
