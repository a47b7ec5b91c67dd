// The epochs of a campaign: ranges of tests between which what it has learned may change.
//
// A size of 500 is right for nights; in half an hour a campaign on real torch makes a hundred tests, and would never
// learn. So the first epochs are short: an eighth of the size, an eighth, a quarter, a half, and from there on whole
// ones. Of sizes below eight all are whole.
#pragma once

#include <cstdint>

namespace jp::campaign {

class Epochs {
 public:
  static constexpr std::uint64_t kSize = 500;

  /// `size`: the tests of a whole epoch; at least 1.
  explicit Epochs(std::uint64_t size) : size_(size) {}
  Epochs() = default;

  std::uint64_t size() const { return size_; }
  /// The first test of an epoch.
  std::uint64_t begin(std::uint64_t epoch) const {
    if (size_ < kParts) return epoch * size_;
    if (epoch > kShort) return (epoch - kShort + 1) * size_;
    return epoch == 0 ? 0 : size_ / (kParts >> (epoch - 1));
  }
  std::uint64_t length(std::uint64_t epoch) const { return begin(epoch + 1) - begin(epoch); }
  /// The epoch of a test.
  std::uint64_t of(std::uint64_t test) const {
    if (size_ < kParts) return test / size_;
    if (test >= size_) return kShort - 1 + test / size_;
    std::uint64_t epoch = 0;
    while (begin(epoch + 1) <= test) ++epoch;
    return epoch;
  }
  bool operator==(const Epochs&) const = default;

 private:
  static constexpr std::uint64_t kParts = 8;
  static constexpr std::uint64_t kShort = 4;  // that begin before the second whole one

  std::uint64_t size_ = kSize;
};

}  // namespace jp::campaign
