#include "pyrunner/packed_facts.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <stdexcept>
#include <type_traits>

#include "core/tensor_type.h"

namespace jp::pyrunner {
namespace {

constexpr const char* kMalformed = "malformed facts";
constexpr std::size_t kMostReserved = 256;  // entries reserved on the word of an unverified count

template <typename T>
constexpr bool kPlain = std::is_arithmetic_v<T> || std::is_enum_v<T>;

class Out {
 public:
  template <typename... T>
  void operator()(const T&... values) {
    (write(values), ...);
  }
  std::string bytes;

 private:
  template <typename T>
  requires kPlain<T>
  void write(T value) {
    char raw[sizeof(T)];
    std::memcpy(raw, &value, sizeof(T));
    bytes.append(raw, sizeof(T));
  }
  void write(const std::string& text) {
    write(text.size());
    bytes += text;
  }
  template <typename T>
  void write(const std::optional<T>& value) {
    write(value.has_value());
    if (value) write(*value);
  }
  template <typename First, typename Second>
  void write(const std::pair<First, Second>& pair) {
    write(pair.first);
    write(pair.second);
  }
  template <typename T>
  void write(const std::vector<T>& values) {
    write(values.size());
    for (const T& value : values) write(value);
  }
  // Positions are written only if they are not 0, 1, 2 and so on.
  void write(const Elements& elements) {
    const std::size_t count = elements.size();
    const bool whole = count == 0 || elements.nth(count - 1).first == static_cast<std::int64_t>(count) - 1;
    write(count);
    write(whole);
    for (const auto& [position, value] : elements) {
      if (!whole) write(position);
      write(value);
    }
  }
  template <typename T>
  requires std::is_class_v<T>
  void write(const T& value) { members(*this, value); }
};

// Throws std::runtime_error if the bytes end early.
class In {
 public:
  explicit In(std::string_view bytes) : left_(bytes) {}
  template <typename... T>
  void operator()(T&... values) {
    (read(values), ...);
  }
  bool at_end() const { return left_.empty(); }

 private:
  std::string_view take(std::size_t size) {
    if (size > left_.size()) throw std::runtime_error(kMalformed);
    std::string_view taken = left_.substr(0, size);
    left_.remove_prefix(size);
    return taken;
  }
  template <typename T>
  requires kPlain<T>
  void read(T& value) { std::memcpy(&value, take(sizeof(T)).data(), sizeof(T)); }
  void read(bool& value) { value = take(1)[0] != 0; }
  void read(Dtype& dtype) {
    const auto number = static_cast<unsigned char>(take(1)[0]);
    if (number > static_cast<unsigned char>(Dtype::kComplex128)) throw std::runtime_error(kMalformed);
    dtype = static_cast<Dtype>(number);
  }
  // A count of things that take at least a byte each.
  std::size_t count() {
    std::size_t size = 0;
    read(size);
    if (size > left_.size()) throw std::runtime_error(kMalformed);
    return size;
  }
  void read(std::string& text) { text = take(count()); }
  template <typename T>
  void read(std::optional<T>& value) {
    bool known = false;
    read(known);
    if (known) read(value.emplace());
  }
  template <typename First, typename Second>
  void read(std::pair<First, Second>& pair) {
    read(pair.first);
    read(pair.second);
  }
  // Read one by one: a wrong count costs little.
  template <typename T>
  void read(std::vector<T>& values) {
    std::size_t left = count();
    values.reserve(std::min(left, kMostReserved));
    for (; left > 0; --left) read(values.emplace_back());
  }
  void read(Elements& elements) {
    std::vector<Elements::value_type> values;
    const std::size_t size = count();
    bool whole = false;
    read(whole);
    while (values.size() < size) {
      auto& [position, value] = values.emplace_back(values.size(), 0.0);
      if (!whole) read(position);
      read(value);
      // All NaNs become one, whatever their bits.
      if (std::isnan(value)) value = std::numeric_limits<double>::quiet_NaN();
    }
    if (!values.empty()) elements = Elements(std::move(values));
  }
  template <typename T>
  requires std::is_class_v<T>
  void read(T& value) { members(*this, value); }

  std::string_view left_;
};

// What mutations rely on without checking.
bool is_sound(const NameFacts& known) {
  const std::vector<std::int64_t> shape = known.shape.value_or(std::vector<std::int64_t>());
  if (std::any_of(shape.begin(), shape.end(), [](std::int64_t size) { return size < 0; })) return false;
  const std::optional<std::int64_t> count = checked_element_count(shape);
  if (known.shape && known.strides && known.shape->size() != known.strides->size()) return false;
  if (known.least_shape.has_value() != known.largest_shape.has_value()) return false;
  if (known.least_shape && known.least_shape->size() != known.largest_shape->size()) return false;
  const std::vector<std::int64_t> least_sizes = known.least_shape.value_or(std::vector<std::int64_t>());
  if (std::any_of(least_sizes.begin(), least_sizes.end(), [](std::int64_t size) { return size < 0; })) return false;
  std::int64_t least = 0;
  for (const auto& [position, value] : known.elements) {
    if (position < least || (known.shape && count && position >= *count)) return false;
    least = position + 1;
  }
  return true;
}

bool is_sound(const PackedFacts& facts) {
  const auto names = static_cast<std::int64_t>(facts.names.size());
  auto ascends = [](const std::string& one, const std::string& other) { return one >= other; };
  return std::all_of(facts.table.begin(), facts.table.end(), [](const NameFacts& known) { return is_sound(known); }) &&
         std::adjacent_find(facts.names.begin(), facts.names.end(), ascends) == facts.names.end() &&
         std::all_of(facts.items.begin(), facts.items.end(),
                     [&](const PackedFacts::Item& item) { return -1 <= item.storage && item.storage < names; });
}

// The members of each struct, in wire order: changing them requires a new kProtocolVersion. `facts` is const for Out.
template <typename Archive, typename Facts>
requires std::is_same_v<std::remove_const_t<Facts>, NameFacts>
void members(Archive& archive, Facts& facts) {
  archive(facts.kind, facts.literal, facts.length, facts.dtype, facts.shape, facts.strides, facts.offset,
          facts.requires_grad, facts.is_leaf, facts.overlaps_itself, facts.elements, facts.minimum, facts.maximum,
          facts.sum, facts.least_shape, facts.largest_shape, facts.row_major, facts.lowest, facts.highest);
}

template <typename Archive, typename Item>
requires std::is_same_v<std::remove_const_t<Item>, PackedFacts::Item>
void members(Archive& archive, Item& item) { archive(item.name, item.entry, item.storage); }

template <typename Archive, typename Facts>
requires std::is_same_v<std::remove_const_t<Facts>, PackedFacts>
void members(Archive& archive, Facts& facts) {
  archive(facts.table, facts.names, facts.items, facts.points, facts.before, facts.after, facts.visits, facts.calls);
}

}  // namespace

std::string pack(const PackedFacts& facts) {
  Out out;
  out(facts);
  return std::move(out.bytes);
}

PackedFacts unpack_facts(std::string_view bytes) {
  PackedFacts facts;
  In in(bytes);
  in(facts);
  if (!in.at_end() || !is_sound(facts)) throw std::runtime_error(kMalformed);
  return facts;
}

}  // namespace jp::pyrunner
