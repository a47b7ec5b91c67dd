// An input of the program gets another layout in memory: transposed, with permuted axes, strided, with an offset,
// expanded, channels_last, a negative or conjugate view; or it becomes a view of another input, or the same tensor as
// another input:
//
//     return (torch.randn(3, 4), torch.randn(4))
//     return (torch.randn(3, 4).transpose(0, 1).contiguous().transpose(0, 1), torch.randn(4))
//
// Shapes and dtypes stay, so most programs stay valid; where eager raises (a write to an expanded input), the engine's
// caller discards the step. Tensors of indices keep their elements. The program is a variation. Site: the return
// statement of make_inputs; path: CALL.ARGUMENT, both from 0.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "mutate/engine/mutation.h"
#include "mutate/inputs/inputs.h"
#include "mutate/inputs/strides.h"
#include "mutate/rewrite/rewrite.h"
#include "mutate/safety/value_sensitive.h"

namespace jp::mutate::relayout_input_mutation {
namespace {

/// The program calls Python code of torch that may write to its arguments or compare them.
bool reaches_inside(const Parsed& parsed) {
  for (const Statement& statement : parsed.statements())
    if (statement.kind().starts_with("import") && statement.node.text().find("torch._") != std::string_view::npos)
      return true;
  return false;
}

class RelayoutInput final : public Mutation {
 public:
  RelayoutInput()
      : Mutation({"relayout_input", "E", Exactness::kVariation, true, "views and strides as users pass them",
                  "strides and aliasing of arguments that guards, lowerings and functionalization rely on"}) {}

  std::vector<Site> sites(const Parsed& parsed, const Facts& facts) const override {
    return argument_sites(parsed, facts, fits);
  }

  EditSet rewrite(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                  int step_number) const override {
    auto calls = argument_at(parsed, facts, site, choices);
    if (!calls || !fits(calls->kind())) return {};
    const InputKind& kind = calls->kind();
    ValueSensitive value_sensitive = find_value_sensitive(parsed);
    bool keeps = is_value_sensitive(parsed, value_sensitive, kind, calls->asked.at);

    Rewrite rewrite(parsed, step_number);
    // Where the program writes to tensors, eager rejects partial overlap, so either the whole tensor is shared or
    // nothing.
    const bool whole = !value_sensitive.written.empty();
    auto others = sources_for(*calls, whole);
    const bool inside = reaches_inside(parsed);
    if (!others.empty() && !keeps && !inside && !parsed.has_word("vmap") && !binds_names(parsed, calls->text()) &&
        choices.chance(1, 2)) {
      std::size_t other = choices.pick(others);
      share(rewrite, calls->texts(other, false).front(), calls->kinds[other], calls->text(), kind, whole, choices);
      return rewrite.edits();
    }
    const LayoutFreedom may{
        // A write may go through another name of the tensor.
        .repeat = !keeps && !inside && value_sensitive.written.empty(),
        .negate = !inside && !negation_refused(parsed),
        .conjugate = !parsed.has_word("view_as_real"),
        .permute = !parsed.has_word("view"),
    };
    rewrite.replace(calls->text(), draw_layout(calls->text(), kind, calls->torch, may, choices));
    return rewrite.edits();
  }

 private:
  static bool fits(const InputKind& kind) { return kind.is_tensor(); }

  /// Earlier arguments of the same dtype whose storage is large enough.
  static std::vector<std::size_t> sources_for(const Calls& calls, bool whole) {
    std::vector<std::size_t> found;
    const InputKind& input = calls.kind();
    for (std::size_t i = 0; i < calls.asked.at; ++i)
      if (calls.kinds[i].is_tensor() && calls.kinds[i].dtype == input.dtype &&
          calls.kinds[i].count() >= input.count() && (!whole || calls.kinds[i].shape == input.shape))
        found.push_back(i);
    return found;
  }

  /// The argument becomes the same tensor as another argument, or a view of it.
  static void share(Rewrite& rewrite, const Node& other, const InputKind& source, const Node& text,
                    const InputKind& input, bool whole, Choices& choices) {
    std::string name = rewrite.name("t");
    std::string sizes = tuple_text(input.shape);
    std::vector<std::string> forms = {
        fmt::format("{}.flatten()[:{}].view({})", name, input.count(), sizes),
        fmt::format("{0}.flatten()[{1}:].view({2})", name, source.count() - input.count(), sizes)};
    auto rank = input.shape.size();
    bool reversed =
        rank == 2 && source.shape.size() == 2 && source.shape[0] == input.shape[1] && source.shape[1] == input.shape[0];
    if (reversed) forms.insert(forms.end(), {name + ".t()", name + ".mT"});
    if (whole) forms.clear();
    if (source.shape == input.shape) forms.insert(forms.end(), {name, name, name + "[...]", name + ".detach()"});
    if (!whole && source.shape.size() == rank + 1 &&
        std::equal(input.shape.begin(), input.shape.end(), source.shape.begin() + 1))
      forms.insert(forms.end(), {name + "[0]", name + "[-1]"});
    std::string form = choices.pick(forms);
    // Only a view of all elements requires them to be contiguous.
    bool dense = form.find(".flatten()") != std::string::npos && !source.leaf;
    rewrite.replace(other, dense ? fmt::format("({} := {}.contiguous())", name, operand(other))
                                 : fmt::format("({} := {})", name, other.text()));
    rewrite.replace(text, form);
  }
};

const Register<Mutation, RelayoutInput> registered;

}  // namespace
}  // namespace jp::mutate::relayout_input_mutation
