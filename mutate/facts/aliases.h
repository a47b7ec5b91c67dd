// Other expressions for a live tensor: the same memory under another name, or its elements after a detour.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/choices.h"
#include "core/dtype.h"
#include "core/facts.h"
#include "mutate/syntax/syntax.h"

namespace jp::mutate {

/// What facts say of a tensor's type and place.
struct Layout {
  Dtype dtype = Dtype::kFloat32;
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides;
  bool grad = false;
  bool operator==(const Layout&) const = default;

  std::int64_t count() const;
  /// The strides are those of a fresh tensor, axes of one element included.
  bool canonical() const;
};

/// The layout, when facts know all of it.
std::optional<Layout> layout_of(const NameFacts* facts);
/// "float32:3,4:4,1" with ":grad" behind it.
std::string print_layout(const Layout& layout);
std::optional<Layout> read_layout(std::string_view text);

/// The name of a dtype of the same size that a tensor's bytes may be seen as, or "".
std::string_view dtype_twin(Dtype dtype);
/// Tensors with a negative bit refuse to be seen as another dtype: whether the file may make some.
bool may_negate(const Parsed& parsed);

/// One expression that gives the tensor `text` in the same memory, with the same shape, strides and dtype. With
/// gradients only forms whose backward changes nothing. `torch` may be "".
std::string draw_alias(const Parsed& parsed, const std::string& text, const Layout& layout, const std::string& torch,
                       Choices& choices);
/// Two views, the second of the first, that lead back to that; the second is written with {} for the first.
struct Detour {
  std::string out;
  std::string back;
};
Detour draw_view_detour(const Parsed& parsed, const std::string& text, const Layout& layout, const std::string& torch,
                        Choices& choices);

/// Out and back with copies: gives the elements of a canonical tensor with at least one axis and one element in a
/// canonical tensor of its own or in a view of such a one. `torch` must not be "".
Detour draw_copy_detour(const std::string& text, const Layout& layout, const std::string& torch, Choices& choices);

/// "3, 4" of {3, 4}.
std::string sizes_text(const std::vector<std::int64_t>& sizes);

}  // namespace jp::mutate
