// Another input wants gradients, or one that wanted them no longer does; one that is made in the program, or several:
//
//     return (torch.randn(3), torch.randn(3))
//     return (torch.randn(3).requires_grad_(), torch.randn(3))
//
// One that the program writes to becomes no leaf: eager refuses writes to those. Site: the return statement of
// make_inputs; path: CALL.ARGUMENT, both from 0.
#include <fmt/format.h>

#include "mutate/fragile.h"
#include "mutate/inputs.h"
#include "mutate/layout.h"
#include "mutate/mutation.h"

namespace jp::mutate {
namespace {

class RequireGrad final : public Mutation {
 public:
  RequireGrad()
      : Mutation({"require_grad", "E", Exactness::kVariation, true, "jitprobe",
                  "joint graphs, partitioning, and guards on which inputs want gradients"}) {}

  std::vector<Site> sites(const Parsed& parsed, const Facts& facts) const override {
    return argument_sites(parsed, facts, fits);
  }

  EditSet rewrite(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                  int step_number) const override {
    auto calls = argument_at(parsed, facts, site, choices);
    if (!calls || !fits(calls->kind())) return {};
    Rewrite rewrite(parsed, step_number);
    bool all_calls = choices.chance(2, 3);
    bool alike = choices.chance(1, 3);
    std::uint64_t form = choices.below(5);
    Fragile fragile = find_fragile(parsed);
    auto parameters = entry_parameters(parsed);
    for (std::size_t at = 0; at < calls->kinds.size(); ++at) {
      const InputKind& kind = calls->kinds[at];
      bool same = fits(kind) && kind.requires_grad == calls->kind().requires_grad;
      if (at != calls->asked.at && !(alike && same)) continue;
      bool written = at >= parameters.size() || fragile.written.contains(parameters[at].text());
      for (const Node& text : calls->texts(at, all_calls)) rewrite.replace(text, other(text, kind, written, form));
    }
    return rewrite.edits();
  }

 private:
  static bool fits(const InputKind& kind) {
    return kind.is_tensor() && (is_floating(kind.dtype) || is_complex(kind.dtype));
  }

  static std::string other(const Node& text, const InputKind& kind, bool written, std::uint64_t form) {
    std::string value = operand(text);
    if (kind.requires_grad) {
      constexpr std::string_view kLeaf = ".requires_grad_()";
      if (form < 3 && value.ends_with(kLeaf)) return value.substr(0, value.size() - kLeaf.size());
      return value + (form == 4 ? ".detach().clone()" : ".detach()");
    }
    if (written || form == 4) return value + ".requires_grad_().clone()";
    if (form == 3) return value + ".clone().requires_grad_()";
    return value + ".requires_grad_()";
  }
};

const Register<Mutation, RequireGrad> registered;

}  // namespace
}  // namespace jp::mutate
