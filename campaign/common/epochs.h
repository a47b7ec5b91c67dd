// The epochs of a campaign: ranges of tests between which the feedback tables may change.
//
// A size of 500 suits a night; in half an hour a campaign on real torch makes about a hundred tests and would never
// learn. Therefore the first epochs are short: an eighth of the size, an eighth, a quarter, a half, and from there on
// whole ones. With sizes below eight all epochs are whole.
//
// A campaign that many cores share has longer ones: while an epoch's tests run the next one's may run too, and no more,
// so that at its end cores wait for its last test. It also keeps more of an epoch, and what a finding suppresses lags
// behind its test by more epochs, so that no core waits for the finding to be reduced. A campaign of one machine has
// neither: it would learn later, and the same seed would make other tests than it did.
#pragma once

#include <algorithm>
#include <cstdint>

namespace jp::campaign {

class Epochs {
 public:
  static constexpr std::uint64_t kSize = 500;
  static constexpr std::uint64_t kPerCore = 300;
  static constexpr std::uint64_t kLag = 2;
  static constexpr std::uint64_t kLagOfCores = 4;
  static constexpr std::uint64_t kMostTimes = 16;
  /// Epochs whose tests may run side by side.
  static constexpr std::uint64_t kOpen = 2;

  /// `size`: the number of tests in a whole epoch; at least 1.
  explicit Epochs(std::uint64_t size) : size_(size) {}
  Epochs() = default;
  /// For so many cores, 0 for one machine's campaign. `size`: of a whole epoch, or 0 for kPerCore tests a core,
  /// which was simulated with measured durations of tests (docs/fleet.md).
  static Epochs for_cores(std::uint64_t cores, std::uint64_t size = 0) {
    Epochs epochs(size > 0 ? size : std::max(kSize, kPerCore * cores));
    epochs.cores_ = cores;
    return epochs;
  }

  std::uint64_t size() const { return size_; }
  /// 0 for a campaign of one machine.
  std::uint64_t cores() const { return cores_; }
  /// The suppressions of an epoch come from epochs that are so much earlier, and from those before.
  std::uint64_t lag() const { return cores_ > 0 ? kLagOfCores : kLag; }
  /// How many times more of an epoch is kept than of one of kSize tests. At most kMostTimes, because all processes read
  /// it: chosen, not measured.
  std::uint64_t times() const { return cores_ > 0 ? std::clamp<std::uint64_t>(size_ / kSize, 1, kMostTimes) : 1; }
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
  static constexpr std::uint64_t kShort = 4;  // epochs that begin before the second whole one

  std::uint64_t size_ = kSize;
  std::uint64_t cores_ = 0;
};

}  // namespace jp::campaign
