// Names that are live at a point, each with what is known: equivalent to a std::map<std::string, NameFacts>. Most names
// are the same at a point as at the one before it, so points share entries, and copies of a point share everything.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/name_facts.h"

namespace jp {

class Names {
 public:
  using value_type = std::pair<const std::string, NameFacts>;
  using Entry = std::shared_ptr<const value_type>;

  class const_iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = Names::value_type;
    using difference_type = std::ptrdiff_t;
    using pointer = const value_type*;
    using reference = const value_type&;

    const_iterator() = default;
    explicit const_iterator(const Entry* at) : at_(at) {}
    reference operator*() const { return **at_; }
    pointer operator->() const { return at_->get(); }
    const_iterator& operator++() {
      ++at_;
      return *this;
    }
    const_iterator operator++(int) { return const_iterator(at_++); }
    bool operator==(const const_iterator&) const = default;

   private:
    const Entry* at_ = nullptr;
  };

  Names() = default;
  /// Ascending by name, each once.
  explicit Names(std::vector<Entry> entries)
      : entries_(std::make_shared<const std::vector<Entry>>(std::move(entries))) {}
  Names(std::initializer_list<value_type> known);

  const_iterator begin() const { return const_iterator(all().data()); }
  const_iterator end() const { return const_iterator(all().data() + all().size()); }
  bool empty() const { return size() == 0; }
  std::size_t size() const { return all().size(); }
  const_iterator find(std::string_view name) const;
  bool contains(std::string_view name) const { return find(name) != end(); }
  /// Throws std::out_of_range if the name isn't live.
  const NameFacts& at(std::string_view name) const;
  /// Replaces what is known of a name, or adds a new one.
  void set(const std::string& name, NameFacts facts);
  bool operator==(const Names& other) const;

 private:
  const std::vector<Entry>& all() const;

  std::shared_ptr<const std::vector<Entry>> entries_;
};

}  // namespace jp
