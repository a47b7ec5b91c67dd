// Expressions that equal a live tensor: aliases of its memory, and round trips through views or copies.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/choices.h"
#include "core/dtype.h"
#include "core/facts.h"
#include "mutate/syntax/syntax.h"

namespace jp::mutate {

/// A tensor's type and strides, from facts.
struct Layout {
  Dtype dtype = Dtype::kFloat32;
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides;
  bool grad = false;
  bool operator==(const Layout&) const = default;
  auto fields() { return std::tie(dtype, shape, strides, grad); }
  bool fits() const;

  std::int64_t count() const;
  /// The strides are those of a new contiguous tensor, axes of size 1 included.
  bool canonical() const;
};

/// The layout, if the facts know all of it; otherwise nothing.
std::optional<Layout> layout_of(const NameFacts* facts);
/// A tensor's name and layout, as they are recorded.
struct NamedLayout {
  std::string name;
  Layout layout;

  auto fields() { return std::tie(name, layout); }
};

/// The name of another dtype with the same element size, for Tensor.view(dtype); "" if there is none.
std::string_view dtype_twin(Dtype dtype);
/// The file may make tensors with the negative bit, which refuse view(dtype).
bool may_negate(const Parsed& parsed);

/// An expression for an alias of the tensor called `tensor`: the same memory, shape, strides and dtype. `text`: its
/// name, or an alias of it. If it requires gradients, only forms whose backward passes gradients on unchanged are
/// drawn. `torch` may be "".
std::string draw_alias(const Parsed& parsed, const std::string& tensor, const std::string& text, const Layout& layout,
                       const std::string& torch, Choices& choices);
/// A round trip: `out` is an expression of the tensor, and `back` is one of {} (which stands for the result of `out`)
/// that gives the tensor back.
struct Detour {
  std::string out;
  std::string back;
};
Detour draw_view_detour(const Parsed& parsed, const std::string& text, const Layout& layout, const std::string& torch,
                        Choices& choices);

/// A round trip with copies, for a canonical tensor with at least one axis and one element: its result has the same
/// elements in new memory and is canonical. `torch` must not be "".
Detour draw_copy_detour(const std::string& text, const Layout& layout, const std::string& torch, Choices& choices);

}  // namespace jp::mutate
