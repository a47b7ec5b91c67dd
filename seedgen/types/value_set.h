// Some values of one graph, a bit for each, so that what is asked of all of them is asked of 64 at once.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace jp::seedgen {

class ValueSet {
 public:
  void add(int id) {
    if (words_.empty()) words_.reserve(4);
    if (word(id) >= words_.size()) words_.resize(word(id) + 1);
    words_[word(id)] |= bit(id);
  }
  void drop(int id) {
    if (word(id) < words_.size()) words_[word(id)] &= ~bit(id);
  }
  void clear() { words_.clear(); }

  bool has(int id) const { return word(id) < words_.size() && (words_[word(id)] & bit(id)) != 0; }
  bool empty() const {
    for (std::uint64_t bits : words_)
      if (bits != 0) return false;
    return true;
  }
  std::size_t count() const {
    std::size_t count = 0;
    for (std::uint64_t bits : words_) count += static_cast<std::size_t>(std::popcount(bits));
    return count;
  }
  /// The one that so many smaller ones stand before; there must be one.
  int at(std::size_t place) const {
    std::size_t word = 0;
    for (std::size_t here; place >= (here = static_cast<std::size_t>(std::popcount(words_[word]))); ++word)
      place -= here;
    std::uint64_t left = words_[word];
    for (; place > 0; --place) left &= left - 1;
    return static_cast<int>(word * 64) + std::countr_zero(left);
  }

  bool meets(const ValueSet& other) const {
    for (std::size_t i = 0; i < words_.size() && i < other.words_.size(); ++i)
      if ((words_[i] & other.words_[i]) != 0) return true;
    return false;
  }
  /// Whether all of them are among the others.
  bool within(const ValueSet& other) const {
    for (std::size_t i = 0; i < words_.size(); ++i)
      if ((words_[i] & ~(i < other.words_.size() ? other.words_[i] : 0)) != 0) return false;
    return true;
  }
  ValueSet& operator|=(const ValueSet& other) {
    if (words_.size() < other.words_.size()) words_.resize(other.words_.size());
    for (std::size_t i = 0; i < other.words_.size(); ++i) words_[i] |= other.words_[i];
    return *this;
  }
  ValueSet& operator&=(const ValueSet& other) {
    if (words_.size() > other.words_.size()) words_.resize(other.words_.size());
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= other.words_[i];
    return *this;
  }
  ValueSet& operator-=(const ValueSet& other) {
    for (std::size_t i = 0; i < words_.size() && i < other.words_.size(); ++i) words_[i] &= ~other.words_[i];
    return *this;
  }

  /// Drops those that fail.
  template <typename Test>
  void keep(Test&& test) {
    // Without a branch on what the test says: nobody can foretell it.
    for (std::size_t i = 0; i < words_.size(); ++i) {
      std::uint64_t kept = 0;
      for (std::uint64_t left = words_[i]; left != 0; left &= left - 1) {
        const int place = std::countr_zero(left);
        kept |= std::uint64_t{test(static_cast<int>(i * 64) + place)} << static_cast<unsigned>(place);
      }
      words_[i] = kept;
    }
  }
  /// Whether one of them passes.
  template <typename Test>
  bool any(Test&& test) const {
    for (std::size_t i = 0; i < words_.size(); ++i)
      for (std::uint64_t left = words_[i]; left != 0; left &= left - 1)
        if (test(static_cast<int>(i * 64) + std::countr_zero(left))) return true;
    return false;
  }

 private:
  static std::size_t word(int id) { return static_cast<std::size_t>(id) / 64; }
  static std::uint64_t bit(int id) { return std::uint64_t{1} << (static_cast<unsigned>(id) % 64); }

  std::vector<std::uint64_t> words_;
};

}  // namespace jp::seedgen
