#include "mutate/inputs/strides.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "mutate/rewrite/rewrite.h"

namespace jp::mutate {
namespace {

/// Format strings in which {0} stands for the tensor's text.
std::vector<std::string> forms_of(const InputKind& kind, const std::string& torch, LayoutFreedom may) {
  std::vector<std::string> forms;
  auto rank = static_cast<std::int64_t>(kind.shape.size());
  for (std::int64_t axis = 1; may.permute && axis < rank; ++axis)
    forms.push_back(fmt::format("{{0}}.transpose(0, {0}).contiguous().transpose(0, {0})", axis));
  if (rank >= 1) {
    forms.push_back("{0}.repeat_interleave(2, -1)[..., ::2]");
    forms.push_back("{0}.repeat_interleave(2, 0)[1::2]");
    std::vector<int> twice(kind.shape.size(), 1);
    twice[0] = 2;
    forms.push_back(fmt::format("{{0}}.repeat({})[{}:]", fmt::join(twice, ", "), kind.shape[0]));
    twice[0] = 1;
    twice.back() = 2;
    forms.push_back(fmt::format("{{0}}.repeat({})[..., :{}]", fmt::join(twice, ", "), kind.shape.back()));
  }
  if (rank >= 3 && may.permute) {
    std::vector<std::int64_t> there = {rank - 1};
    std::vector<std::int64_t> back;
    for (std::int64_t axis = 0; axis + 1 < rank; ++axis) there.push_back(axis);
    for (std::int64_t axis = 1; axis < rank; ++axis) back.push_back(axis);
    back.push_back(0);
    forms.push_back(
        fmt::format("{{0}}.permute({}).contiguous().permute({})", fmt::join(there, ", "), fmt::join(back, ", ")));
  }
  if (rank >= 1 && may.repeat) {
    std::string shape = joined(kind.shape);
    if (kind.shape[0] >= 1) forms.push_back(fmt::format("{{0}}[:1].expand({})", shape));
    if (rank >= 2 && kind.shape.back() >= 1) forms.push_back(fmt::format("{{0}}[..., :1].expand({})", shape));
  }
  if (may.permute && (rank == 4 || rank == 5))
    for (int i = 0; i < 3; ++i)
      forms.push_back(fmt::format("{{0}}.contiguous(memory_format={}.channels_last{})", torch, rank == 5 ? "_3d" : ""));
  if (may.conjugate && is_complex(kind.dtype)) forms.insert(forms.end(), {"{0}.conj()", "{0}.conj()"});
  if (may.negate && (kind.dtype == Dtype::kFloat32 || kind.dtype == Dtype::kFloat64))
    forms.push_back(
        fmt::format("{0}.complex({0}.zeros((), dtype={0}.{1}), -{{0}}).conj().imag", torch, dtype_name(kind.dtype)));
  if (rank == 0) forms.insert(forms.end(), {"{0}.expand(3)[1]", "{0}.repeat(3)[1]"});
  return forms;
}

}  // namespace

std::string draw_layout(const Node& text, const InputKind& kind, const std::string& torch, LayoutFreedom may,
                        Choices& choices) {
  std::string inner = operand(text) + (kind.leaf ? ".detach()" : "");
  std::string made = fmt::format(fmt::runtime(choices.pick(forms_of(kind, torch, may))), inner);
  return kind.leaf ? made + ".requires_grad_()" : made;
}

}  // namespace jp::mutate
