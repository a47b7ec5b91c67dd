#include "mutate/facts/aliases.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "mutate/engine/notes.h"
#include "mutate/rewrite/rewrite.h"

namespace jp::mutate {
namespace {

using Sizes = std::vector<std::int64_t>;

std::vector<std::int64_t> drawn_order(std::size_t rank, Choices& choices) {
  std::vector<std::int64_t> order(rank);
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t i = rank; i > 1; --i) std::swap(order[i - 1], order[choices.below(i)]);
  return order;
}

std::vector<std::int64_t> inverse(const std::vector<std::int64_t>& order) {
  std::vector<std::int64_t> back(order.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    back[static_cast<std::size_t>(order[i])] = static_cast<std::int64_t>(i);
  return back;
}

Detour permuted(const std::string& text, std::size_t rank, Choices& choices) {
  auto order = drawn_order(rank, choices);
  return {fmt::format("{}.permute({})", text, fmt::join(order, ", ")),
          fmt::format("{{}}.permute({})", fmt::join(inverse(order), ", "))};
}

std::string index_behind(std::size_t axis, std::string_view index) {
  std::string text = "[";
  for (std::size_t i = 0; i < axis; ++i) text += ":, ";
  return text.append(index).append("]");
}

}  // namespace

std::int64_t Layout::count() const { return element_count(shape); }

bool Layout::canonical() const { return strides == contiguous_strides(shape); }

std::optional<Layout> layout_of(const NameFacts* facts) {
  bool known = facts && facts->kind == "tensor" && facts->dtype && facts->shape && facts->strides && facts->storage &&
               facts->requires_grad;
  if (!known) return std::nullopt;
  return Layout{*facts->dtype, *facts->shape, *facts->strides, *facts->requires_grad};
}

bool Layout::fits() const {
  return is_shape(shape) && strides.size() == shape.size() &&
         std::all_of(strides.begin(), strides.end(), [](std::int64_t stride) { return stride >= 0; });
}

std::string_view dtype_twin(Dtype dtype) {
  switch (dtype) {
    case Dtype::kFloat32:
      return "int32";
    case Dtype::kInt32:
      return "float32";
    case Dtype::kFloat64:
      return "int64";
    case Dtype::kInt64:
      return "float64";
    case Dtype::kFloat16:
    case Dtype::kBFloat16:
      return "int16";
    case Dtype::kInt16:
      return "bfloat16";
    case Dtype::kUInt8:
      return "int8";
    case Dtype::kInt8:
    case Dtype::kBool:
      return "uint8";
    default:
      return "";
  }
}

bool may_negate(const Parsed& parsed) { return parsed.has_word("imag") || parsed.has_word("_neg_view"); }

std::string draw_alias(const Parsed& parsed, const std::string& tensor, const std::string& text, const Layout& layout,
                       const std::string& torch, Choices& choices) {
  std::size_t rank = layout.shape.size();
  std::vector<std::string> forms = {text + "[...]", text + ".unsqueeze(0).squeeze(0)",
                                    fmt::format("{0}.expand_as({0})", text)};
  if (rank > 0) {
    forms.push_back(fmt::format("{}.expand({})", text, joined(layout.shape)));
    forms.push_back(text + "[:]");
    forms.push_back(text + "[None][0]");
  }
  if (rank > 0 && layout.canonical()) {
    forms.push_back(fmt::format("{}.view({})", text, joined(layout.shape)));
    forms.push_back(fmt::format("{}.reshape({})", text, joined(layout.shape)));
    forms.push_back(fmt::format("{0}.view_as({0})", text));
  }
  if (rank >= 2) {
    Detour detour = permuted(text, rank, choices);
    forms.push_back(fmt::format(fmt::runtime(detour.back), detour.out));
    forms.push_back(text + ".transpose(0, 1).transpose(1, 0)");
    forms.push_back(text + ".mT.mT");
  }
  if (rank == 2) forms.push_back(text + ".t().t()");
  if (layout.grad) return choices.pick(forms);
  forms.push_back(text + ".detach()");
  forms.push_back(text + ".data");
  forms.push_back(text + ".unsqueeze(0).unbind(0)[0]");
  forms.push_back(fmt::format("{0}.as_strided(({1}{2}), ({3}{2}), {0}.storage_offset())", text, joined(layout.shape),
                              rank == 1 ? "," : "", joined(layout.strides)));
  if (rank > 0) {
    forms.push_back(fmt::format("{}.narrow(0, 0, {})", text, layout.shape[0]));
    forms.push_back(fmt::format("{}[0:{}]", text, layout.shape[0]));
    if (layout.shape[0] > 0) forms.push_back(fmt::format("{}.split({})[0]", text, layout.shape[0]));
    forms.push_back(text + ".chunk(1)[0]");
  }
  bool twins = !torch.empty() && !dtype_twin(layout.dtype).empty() && !may_negate(parsed);
  // The second view reads the tensor's own dtype at run time, which is another one if the program runs in higher
  // precision.
  if (twins)
    forms.push_back(fmt::format("{}.view({}.{}).view({}.dtype)", text, torch, dtype_twin(layout.dtype), tensor));
  return choices.pick(forms);
}

Detour draw_view_detour(const Parsed& parsed, const std::string& text, const Layout& layout, const std::string& torch,
                        Choices& choices) {
  std::size_t rank = layout.shape.size();
  std::vector<Detour> forms = {{text + ".unsqueeze(0)", "{}.squeeze(0)"},
                               {text + ".unsqueeze(0)", "{}[0]"},
                               {text + "[None]", "{}.select(0, 0)"},
                               {text + ".unsqueeze(-1)", "{}[..., 0]"}};
  if (rank >= 2) forms.push_back(permuted(text, rank, choices));
  if (rank >= 2) forms.push_back({text + ".transpose(0, -1)", "{}.transpose(0, -1)"});
  if (rank >= 2) forms.push_back({text + ".movedim(0, -1)", "{}.movedim(-1, 0)"});
  if (rank >= 2) forms.push_back({text + ".mT", "{}.mT"});
  if (layout.canonical() && layout.count() > 0) {
    std::string back = rank == 0 ? "{}.view(())" : fmt::format("{{}}.view({})", joined(layout.shape));
    forms.push_back({text + ".view(-1)", back});
    forms.push_back({text + ".reshape(1, -1)", back});
    if (rank >= 2) forms.push_back({text + ".flatten()", back});
  }
  if (layout.grad) return choices.pick(forms);
  forms.push_back({text + ".detach()", "{}[...]"});
  forms.push_back({text + ".unsqueeze(0)", "{}.unbind(0)[0]"});
  if (rank > 0) forms.push_back({text + ".unfold(0, 1, 1)", "{}.squeeze(-1)"});
  if (rank > 0 && layout.shape[0] == 0) forms.pop_back();
  if (!torch.empty() && !dtype_twin(layout.dtype).empty() && !may_negate(parsed))
    forms.push_back({fmt::format("{}.view({}.{})", text, torch, dtype_twin(layout.dtype)),
                     fmt::format("{{}}.view({}.{})", torch, dtype_name(layout.dtype))});
  return choices.pick(forms);
}

Detour draw_copy_detour(const std::string& text, const Layout& layout, const std::string& torch, Choices& choices) {
  std::size_t rank = layout.shape.size();
  std::size_t axis = choices.below(rank);
  std::int64_t size = layout.shape[axis];
  std::int64_t shift = choices.between(1, 3);
  std::vector<Detour> forms = {
      {fmt::format("{}.flip({})", text, axis), fmt::format("{{}}.flip({})", axis)},
      {fmt::format("{}.flip({})", torch, text + ", [0]"), fmt::format("{}.flip({{}}, [0])", torch)},
      {fmt::format("{}.roll({}, {})", text, shift, axis), fmt::format("{{}}.roll({}, {})", -shift, axis)},
      {fmt::format("{}.roll({}, {})", torch, text, shift), fmt::format("{}.roll({{}}, {})", torch, -shift)},
      {fmt::format("{}.split(1, {})", text, axis), fmt::format("{}.cat({{}}, {})", torch, axis)},
      {fmt::format("{}.chunk(2, {})", text, axis), fmt::format("{}.cat({{}}, dim={})", torch, axis)},
      {fmt::format("{}.unbind({})", text, axis), fmt::format("{}.stack({{}}, {})", torch, axis)},
      {fmt::format("list({}.unbind({}))[::-1]", text, axis), fmt::format("{}.stack({{}}[::-1], {})", torch, axis)}};
  if (rank >= 2) {
    Detour turned = permuted(text, rank, choices);
    forms.push_back({turned.out + ".contiguous()", turned.back + ".contiguous()"});
    forms.push_back({turned.out + ".clone()", turned.back + ".contiguous()"});
    forms.push_back({text + ".transpose(0, -1).contiguous()", "{}.transpose(-1, 0).contiguous()"});
    forms.push_back({text + ".rot90(1)", "{}.rot90(-1).contiguous()"});
  }
  std::int64_t left = choices.between(0, 2);
  std::int64_t right = choices.between(left == 0 ? 1 : 0, 2);
  std::string behind = fmt::format("{}:{}", left, left + layout.shape.back());
  forms.push_back({fmt::format("{}.nn.functional.pad({}, ({}, {}))", torch, text, left, right),
                   fmt::format("{{}}{}.contiguous()", index_behind(rank - 1, behind))});
  // The elements that are added and cut off again would add zeros to the gradient, which may change signs of zeros.
  if (layout.grad) return choices.pick(forms);
  forms.push_back({fmt::format("{0}.cat([{1}, {1}[:1]])", torch, text), fmt::format("{{}}[:{}]", layout.shape[0])});
  forms.push_back({fmt::format("{0}.cat([{1}[:1], {1}])", torch, text), "{}[1:]"});
  forms.push_back({fmt::format("{0}.cat(({1}, {1}), {2})", torch, text, axis),
                   fmt::format("{{}}.narrow({}, 0, {}).contiguous()", axis, size)});
  forms.push_back({fmt::format("{}.stack([{}] * 2)", torch, text), "{}[1]"});
  std::string ones;
  for (std::size_t i = 0; i < rank; ++i) ones += ", 1";
  forms.push_back({fmt::format("{}.unsqueeze(0).repeat(2{})", text, ones), "{}[0]"});
  if (size <= 8) {
    auto order = drawn_order(static_cast<std::size_t>(size), choices);
    forms.push_back(
        {fmt::format("{}{}", text, index_behind(axis, fmt::format("[{}]", fmt::join(order, ", ")))),
         fmt::format("{{}}{}.contiguous()", index_behind(axis, fmt::format("[{}]", fmt::join(inverse(order), ", "))))});
  }
  return choices.pick(forms);
}

}  // namespace jp::mutate
