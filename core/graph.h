// A drawn computation: operator calls and typed values in topological order. Plain data; the generator makes it, the
// emitter prints it as Python, tests and coverage read it. seedgen/ decides what may be drawn.
//
// Values are numbered in the order of their names: arguments first (v0, v1, ...), then the results of the calls. Every
// dtype and shape is inferred, never asked of torch; so is an interval that contains all elements of a value.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/check.h"
#include "core/tensor_type.h"

namespace jp {

/// A short list of integers stored in place: sizes, strides, dimensions. At most kCapacity of them.
class Ints {
 public:
  static constexpr int kCapacity = 8;

  Ints() = default;
  Ints(std::initializer_list<std::int64_t> items) {
    for (std::int64_t item : items) push_back(item);
  }
  /// `count` times `item`.
  static Ints filled(int count, std::int64_t item);

  int size() const { return size_; }
  bool empty() const { return size_ == 0; }
  std::int64_t& operator[](int at) { return items_[static_cast<std::size_t>(at)]; }
  std::int64_t operator[](int at) const { return items_[static_cast<std::size_t>(at)]; }
  std::int64_t back() const { return (*this)[size_ - 1]; }
  std::int64_t* begin() { return items_.data(); }
  std::int64_t* end() { return items_.data() + size_; }
  const std::int64_t* begin() const { return items_.data(); }
  const std::int64_t* end() const { return items_.data() + size_; }
  void push_back(std::int64_t item) {
    JP_CHECK(size_ < kCapacity, "more than {} integers", kCapacity);
    items_[static_cast<std::size_t>(size_++)] = item;
  }
  void insert(int at, std::int64_t item);
  void erase(int at);
  bool operator==(const Ints& other) const;

 private:
  std::array<std::int64_t, kCapacity> items_{};
  int size_ = 0;
};

using Shape = Ints;
using Strides = Ints;

/// All numbers from low to high, both inclusive.
struct Interval {
  double low = 0;
  double high = 0;
  bool operator==(const Interval&) const = default;
};

/// One tensor of a program. Its elements are finite and lie in `interval` at the end of the graph so far: an in-place
/// call widens the interval of everything that may share its storage.
struct GraphValue : BasicTensorType<Ints> {
  int id = -1;
  /// Of complex elements: of the real and of the imaginary part each.
  Interval interval;
  bool input = false;
  /// Every faithful evaluation gives the same bits: the argument itself, integers, single roundings in float32 and
  /// float64. Only such values are operands of discontinuous operators (comparisons, floor, casts to integers).
  bool exact = true;
  /// Whole numbers, possibly stored as floats: results of rounding. Only a preference depends on it.
  bool whole = false;
  /// Two elements may have the same address (expand, unfold): never written to.
  bool overlaps_itself = false;
};

/// How an argument lies in memory when the program is called.
enum class Layout : std::uint8_t { kContiguous, kTransposed, kChannelsLast, kStepped, kExpanded };

/// An argument as `make_inputs` makes it.
struct Input {
  int value = -1;
  /// The interval of the elements before the program runs.
  Interval interval;
  Layout layout = Layout::kContiguous;
  bool requires_grad = false;
  /// The earlier argument that this one is a view of, and how: "[1:]", "" for the same object; static storage. -1:
  /// none.
  int base = -1;
  std::string_view view;
  /// The expression that makes it, "" if it is drawn by `interval` and `layout`.
  std::string text = "";
};

/// A value among a call's arguments.
struct Ref {
  int value = -1;
};

/// An argument in a call's parentheses. Ints print as a tuple; text prints as itself, except for arguments that it
/// references as a form does ("[$2, 1:]").
using Argument = std::variant<Ref, std::vector<Ref>, bool, std::int64_t, double, Ints, Dtype, std::string>;

/// Ways to write one call, in static storage. `$2` is argument number 2, `$*2` its items without parentheses, `#` the
/// operator's name. A form that starts with `!` is a statement without a result ("!$0[$1] = $2"): the written value
/// then gets its new name in a statement of its own.
using Forms = std::span<const std::string_view>;

/// One operator call.
struct Call {
  /// "add"; static storage.
  std::string_view op;
  Forms forms;
  /// One more form, "" for none: for operators that have a sign of their own.
  std::string_view infix;
  std::vector<Argument> arguments;
  std::vector<int> outputs;
  /// The value written in place, which is also the output under another name; -1 for none.
  int written = -1;
  /// The written value is passed as `out=`, and is the last of the arguments; forms that end in `)` after a function of
  /// torch's are printed with it.
  bool out = false;
  /// Printed as a comment behind the call; "" for none.
  std::string note = "";

  /// Appends an argument.
  void add(Argument argument);
};

/// Operators and typed values in topological order.
struct Graph {
  std::vector<GraphValue> values;
  std::vector<Input> inputs;
  std::vector<Call> calls;

  /// Values that no call reads, and that are not arguments: the program returns them. Ascending.
  std::vector<int> sinks() const;
};

/// The values that a call reads, in the order of its arguments, with repetitions.
std::vector<int> operands(const Call& call);

/// The same, one after the other.
template <typename Each>
void for_each_operand(const Call& call, Each&& each) {
  for (const Argument& argument : call.arguments) {
    if (const auto* one = std::get_if<Ref>(&argument)) each(one->value);
    if (const auto* several = std::get_if<std::vector<Ref>>(&argument))
      for (Ref ref : *several) each(ref.value);
  }
}

}  // namespace jp
