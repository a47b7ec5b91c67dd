// An elementwise operator is applied to slices of its operands by torch.vmap:
//
//     v3 = v2 + v1                 v3 = torch.vmap(lambda a7, b7: a7 + b7, in_dims=(1, 0), out_dims=1)(v2, v1)
//
// One axis or two are mapped. Operands are mapped, passed unmapped, or captured; the function is a lambda or a nested
// function; the mapping may be done in chunks. The result is unchanged bit for bit. Site path: unused.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "mutate/calls/elementwise.h"
#include "mutate/rewrite/rewrite.h"

namespace jp::mutate::vmap_form_mutation {
namespace {

/// Every tensor operand is mapped and has the shape of the result, so that there is no broadcasting.
bool alike(const Pieces& pieces) {
  return std::all_of(pieces.operands.begin(), pieces.operands.end(),
                     [&](const auto& operand) { return !operand || operand->shape == pieces.result.shape; });
}

bool same_layout(const Pieces& pieces) {
  return std::all_of(pieces.operands.begin(), pieces.operands.end(),
                     [&](const auto& operand) { return !operand || operand->strides == pieces.result.strides; });
}

/// The slices along the axis promote to the same dtype and broadcast to the same shape as the whole operands: either no
/// slice has rank 0 or all dtypes agree, and an operand that has size 1 along the axis where the result is longer is
/// given without that axis, which must be its first and the result's.
bool can_map(const Pieces& pieces, int axis) {
  bool ranks = true;
  bool any = false;
  for (std::size_t i = 0; i < pieces.operands.size(); ++i) {
    if (!pieces.operands[i]) continue;
    std::size_t rank = pieces.operands[i]->shape.size();
    bool mapped = pieces.operand_axis(i, axis).has_value();
    bool reaches = axis >= static_cast<int>(pieces.result.shape.size() - rank);
    if (reaches && !mapped && !(axis == 0 && pieces.drops(i, 0))) return false;
    ranks = ranks && !(mapped && rank == 1);
    any = any || mapped;
  }
  return any && (ranks || pieces.can_select(axis, axis == 0));
}

/// Axes that may be mapped. Mapping the first one never changes the layout; mapping another one keeps the layout of the
/// result and the order of sums in backward only if there is no broadcasting.
std::vector<int> mapped_axes(const Pieces& pieces) {
  std::vector<int> found;
  if (pieces.requires_grad && !alike(pieces)) return found;
  for (std::size_t i = 0; i < pieces.result.shape.size(); ++i) {
    int axis = static_cast<int>(i);
    bool stays = axis == 0 || (alike(pieces) && same_layout(pieces));
    if (pieces.result.shape[i] >= 1 && stays && can_map(pieces, axis)) found.push_back(axis);
  }
  return found;
}

/// The program could observe that a transform returns a view of a tensor that is accessible to nothing else, or uses
/// what such views reject.
bool rejects_views(const Parsed& parsed) {
  return parsed.has_word("detach_") || parsed.has_word("_is_view") || parsed.has_word("_base");
}

/// The function and what it is applied to.
struct Mapped {
  std::string body;
  std::vector<std::string> parameters;
  std::vector<std::string> operands;
  std::vector<std::string> in_dims;
};

Mapped map_axis(const Elementwise& elementwise, const Pieces& pieces, int axis, Rewrite& rewrite, Choices& choices) {
  constexpr std::array<std::string_view, 3> kLetters = {"a", "b", "c"};
  Mapped mapped;
  auto parameter = [&](const std::string& name, const std::string& dim) {
    for (std::size_t i = 0; i < mapped.operands.size(); ++i)
      if (mapped.operands[i] == name && mapped.in_dims[i] == dim) return mapped.parameters[i];
    mapped.operands.push_back(name);
    mapped.in_dims.push_back(dim);
    mapped.parameters.push_back(rewrite.name(kLetters[(mapped.operands.size() - 1) % kLetters.size()]));
    return mapped.parameters.back();
  };
  EditSet edits;
  std::size_t from = elementwise.value.begin();
  for (std::size_t i = 0; i < elementwise.names.size(); ++i) {
    const Node& name = elementwise.names[i];
    auto own = pieces.operand_axis(i, axis);
    const std::string text = pieces.drops(i, axis) ? fmt::format("{}[0]", name.text()) : std::string(name.text());
    bool handed = own || (pieces.operands[i] && choices.chance(1, 2));
    std::string dim = own ? fmt::format("{}", *own) : "None";
    edits.replace(name.begin() - from, name.end() - from, handed ? parameter(text, dim) : text);
  }
  mapped.body = edits.apply(elementwise.value.text());
  return mapped;
}

class VmapForm final : public Mutation {
 public:
  VmapForm()
      : Mutation({"vmap_form", "C", Exactness::kBitwise, true, "jitprobe",
                  "function transforms that tracing inlines: batched tensors, moved axes, captured operands"}) {}

  std::vector<Site> sites(const Parsed& parsed, const Facts& facts) const override {
    if (rejects_views(parsed)) return {};
    auto found = elementwise_sites(
        parsed, facts, [](const Pieces& pieces) { return !mapped_axes(pieces).empty(); }, true);
    std::erase_if(found, [&](const Site& site) { return torch_name(parsed, *parsed.find(site.statement)).empty(); });
    return found;
  }

  EditSet rewrite(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                  int step_number) const override {
    const Statement& statement = *parsed.find(site.statement);
    std::string torch = torch_name(parsed, statement);
    auto elementwise = find_elementwise(parsed, statement, site.path);
    if (!elementwise || torch.empty() || uses_introspection(parsed) || rejects_views(parsed)) return {};
    auto pieces = draw_pieces(*elementwise, facts, choices, true);
    if (!pieces) return {};
    auto axes = mapped_axes(*pieces);
    if (axes.empty()) return {};
    int axis = choices.pick(axes);

    Rewrite rewrite(parsed, step_number);
    Mapped mapped = map_axis(*elementwise, *pieces, axis, rewrite, choices);
    std::string function = fmt::format("lambda {}: {}", fmt::join(mapped.parameters, ", "), mapped.body);
    if (choices.chance(1, 3)) {
      function = rewrite.name("f");
      rewrite.before(statement, {{fmt::format("def {}({}):", function, fmt::join(mapped.parameters, ", "))},
                                 {"return " + mapped.body, 1}});
    }
    rewrite.replace(elementwise->value,
                    fmt::format("{}({})", draw_vmap(torch, function, *pieces, mapped, axis, choices),
                                fmt::join(mapped.operands, ", ")));
    return rewrite.edits();
  }

 private:
  static std::string draw_vmap(const std::string& torch, const std::string& function, const Pieces& pieces,
                               const Mapped& mapped, int axis, Choices& choices) {
    std::string vmap = torch + (choices.chance(1, 2) ? ".vmap" : ".func.vmap");
    bool plain = axis == 0 && std::all_of(mapped.in_dims.begin(), mapped.in_dims.end(),
                                          [](const std::string& dim) { return dim == "0"; });
    bool twice = plain && pieces.result.shape.size() >= 2 && alike(pieces) && pieces.result.shape[1] >= 1 &&
                 can_map(pieces, 1) && (pieces.result.shape.size() > 2 || pieces.can_select(1));
    if (twice && choices.chance(1, 2)) return fmt::format("{}({}({}))", vmap, vmap, function);
    if (plain && choices.chance(1, 2)) return fmt::format("{}({})", vmap, function);
    std::string text = fmt::format("{}({}, in_dims={}", vmap, function, tuple_text(mapped.in_dims));
    if (axis != 0 || choices.chance(1, 4)) text += fmt::format(", out_dims={}", axis);
    std::int64_t size = pieces.result.shape[static_cast<std::size_t>(axis)];
    // The chunks are joined by torch.cat.
    if (axis == 0 && pieces.can_join() && choices.chance(1, 4))
      text += fmt::format(", chunk_size={}", choices.between(1, std::max<std::int64_t>(1, size)));
    else if (choices.chance(1, 6))
      text += ", randomness=\"same\"";
    return text + ")";
  }
};

const Register<Mutation, VmapForm> registered;

}  // namespace
}  // namespace jp::mutate::vmap_form_mutation
