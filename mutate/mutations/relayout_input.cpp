// An input of the program lies in memory in another way: transposed, strided, with an offset, expanded, channels_last,
// a conjugate view; a view of another input; or the very tensor of another input:
//
//     return (torch.randn(3, 4), torch.randn(4))
//     return ((torch.randn(3, 4)).transpose(0, 1).contiguous().transpose(0, 1), torch.randn(4))
//
// Shapes and dtypes stay, so most programs stay valid; where eager refuses (a write to an expanded input), the engine's
// caller takes the step back. Site: the return statement of make_inputs; path: CALL.ARGUMENT, both from 0.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>

#include "mutate/inputs.h"
#include "mutate/layout.h"
#include "mutate/mutation.h"
#include "mutate/scopes.h"

namespace jp::mutate {
namespace {

std::int64_t count_of(const InputKind& input) {
  std::int64_t product = 1;
  for (std::int64_t size : input.shape) product *= size;
  return product;
}

/// Other layouts of one tensor; {} stands for its text.
std::vector<std::string> layouts(const InputKind& input, const std::string& torch) {
  std::vector<std::string> forms;
  auto rank = static_cast<std::int64_t>(input.shape.size());
  for (std::int64_t axis = 1; axis < rank; ++axis)
    forms.push_back(fmt::format("({{0}}).transpose(0, {0}).contiguous().transpose(0, {0})", axis));
  if (rank >= 1) {
    forms.push_back("({0}).repeat_interleave(2, -1)[..., ::2]");
    forms.push_back("({0}).repeat_interleave(2, 0)[1::2]");
    std::vector<int> twice(input.shape.size(), 1);
    twice[0] = 2;
    forms.push_back(fmt::format("({{0}}).repeat({})[{}:]", fmt::join(twice, ", "), input.shape[0]));
    if (input.shape[0] >= 1) forms.push_back(fmt::format("({{0}})[:1].expand({})", fmt::join(input.shape, ", ")));
  }
  if (rank == 4) forms.push_back(fmt::format("({{0}}).contiguous(memory_format={}.channels_last)", torch));
  if (is_complex(input.dtype)) forms.push_back("({0}).conj()");
  if (rank == 0) forms.push_back("({0}).expand(3)[1]");
  return forms;
}

struct Place {
  std::size_t call = 0;
  std::size_t argument = 0;
};

/// "0.2" as call 0, argument 2.
std::optional<Place> read_place(std::string_view path) {
  Place place;
  const char* end = path.data() + path.size();
  auto [dot, error] = std::from_chars(path.data(), end, place.call);
  if (error != std::errc() || dot == end || *dot != '.') return std::nullopt;
  auto [last, wrong] = std::from_chars(dot + 1, end, place.argument);
  if (wrong != std::errc() || last != end) return std::nullopt;
  return place;
}

class RelayoutInput final : public Mutation {
 public:
  RelayoutInput()
      : Mutation(
            {"relayout_input", "E", Exactness::kVariation, true, "views and strides as users pass them",
             "strides and aliases among arguments that guards, lowerings and functionalisation take for granted"}) {}

  std::vector<Site> sites(const Parsed& parsed, const Facts& facts) const override {
    std::vector<Site> found;
    auto inputs = find_inputs(parsed);
    if (!inputs) return found;
    auto kinds = read_inputs(note_inputs(parsed, facts));
    for (std::size_t call = 0; call < inputs->calls.size(); ++call)
      for (std::size_t i = 0; i < inputs->calls[call].size() && i < kinds.size(); ++i)
        if (kinds[i].kind == "tensor") found.push_back({inputs->statement->id, fmt::format("{}.{}", call, i)});
    return found;
  }

  EditSet rewrite(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                  int step_number) const override {
    auto inputs = find_inputs(parsed);
    auto place = read_place(site.path);
    auto kinds = read_inputs(choices.note([&] { return note_inputs(parsed, facts); }));
    if (!inputs || !place || inputs->statement->id != site.statement || place->call >= inputs->calls.size()) return {};
    const auto& arguments = inputs->calls[place->call];
    if (place->argument >= std::min(arguments.size(), kinds.size())) return {};
    const InputKind& input = kinds[place->argument];
    const Node& text = arguments[place->argument];
    if (input.kind != "tensor") return {};

    Rewrite rewrite(parsed, step_number);
    auto others = sources_for(arguments, kinds, *place);
    if (!others.empty() && choices.chance(1, 2)) {
      share(rewrite, arguments[choices.pick(others)], text, input, choices);
      return rewrite.edits();
    }
    auto forms = layouts(input, torch_name(parsed, *inputs->statement));
    if (forms.empty()) return {};
    rewrite.replace(text, fmt::format(fmt::runtime(choices.pick(forms)), text.text()));
    return rewrite.edits();
  }

 private:
  /// Earlier arguments whose storage is large enough and of the same dtype.
  static std::vector<std::size_t> sources_for(const std::vector<Node>& arguments, const std::vector<InputKind>& kinds,
                                              const Place& place) {
    std::vector<std::size_t> found;
    const InputKind& input = kinds[place.argument];
    for (std::size_t i = 0; i < place.argument && i < arguments.size(); ++i)
      if (kinds[i].kind == "tensor" && kinds[i].dtype == input.dtype && count_of(kinds[i]) >= count_of(input))
        found.push_back(i);
    return found;
  }

  /// The argument becomes the other one's tensor, or a view of it.
  static void share(Rewrite& rewrite, const Node& other, const Node& text, const InputKind& input, Choices& choices) {
    std::string name = rewrite.name("t");
    std::string shape = fmt::format("({}{})", fmt::join(input.shape, ", "), input.shape.size() == 1 ? "," : "");
    std::string view = fmt::format("{}.flatten()[:{}].view({})", name, count_of(input), shape);
    std::string tail = fmt::format("{0}.flatten()[{0}.numel() - {1}:].view({2})", name, count_of(input), shape);
    std::vector<std::string> forms = {view, tail, fmt::format("({0} if {0}.shape == {1} else {2})", name, shape, view)};
    rewrite.replace(other, fmt::format("({} := ({}).contiguous())", name, other.text()));
    rewrite.replace(text, choices.pick(forms));
  }
};

const Register<Mutation, RelayoutInput> registered;

}  // namespace
}  // namespace jp::mutate
