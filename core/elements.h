// Known elements of a tensor, by position: equivalent to a std::map<std::int64_t, double>, in one block that copies
// share. The points of a run repeat the same elements hundreds of times.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

namespace jp {

class Elements {
 public:
  using value_type = std::pair<std::int64_t, double>;
  using const_iterator = std::vector<value_type>::const_iterator;

  Elements() = default;
  Elements(std::initializer_list<value_type> elements) : Elements(std::vector<value_type>(elements)) {}
  /// Positions ascend.
  explicit Elements(std::vector<value_type> elements)
      : elements_(std::make_shared<const std::vector<value_type>>(std::move(elements))) {}

  bool empty() const { return size() == 0; }
  std::size_t size() const { return elements_ ? elements_->size() : 0; }
  const_iterator begin() const { return all().begin(); }
  const_iterator end() const { return all().end(); }
  /// The element at `index`, by the order of positions.
  const value_type& nth(std::size_t index) const { return all().at(index); }
  bool contains(std::int64_t position) const { return find(position) != nullptr; }
  /// The element at a position, or nullptr.
  const double* find(std::int64_t position) const {
    auto at = std::lower_bound(begin(), end(), position,
                               [](const value_type& one, std::int64_t wanted) { return one.first < wanted; });
    return at != end() && at->first == position ? &at->second : nullptr;
  }
  bool operator==(const Elements& other) const { return elements_ == other.elements_ || all() == other.all(); }

 private:
  const std::vector<value_type>& all() const {
    static const std::vector<value_type> kNone;
    return elements_ ? *elements_ : kNone;
  }

  std::shared_ptr<const std::vector<value_type>> elements_;
};

}  // namespace jp
