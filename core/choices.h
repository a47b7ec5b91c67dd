// The only source of chance in the project: a seeded stream of draws that records what it gave, so that the same
// seed gives the same bytes on every machine and every recorded stream can be played again.
//
// The generator is SplitMix64 over (seed, count); integers below n come from the high half of a 128-bit product with
// rejection (Lemire 2019), so they are exactly uniform. No distribution of the standard library is used: their results
// differ between libraries.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/check.h"

namespace jp {

/// One recorded draw: a number that chance gave, or a text that came from outside (a profiled value).
using Draw = std::variant<std::int64_t, std::string>;
using Draws = std::vector<Draw>;

/// A stream of draws. Live: drawn from the seed. Replay: read back from a record; numbers out of range are folded into
/// it, missing ones are 0 and missing notes are empty, so that a shortened or shrunk record still gives a stream.
class Choices {
 public:
  explicit Choices(std::uint64_t seed) : seed_(seed) {}
  static Choices replay(Draws record);

  bool replaying() const { return replaying_; }
  /// A child stream, independent of what was drawn from this one: same seed, name and index, same child.
  /// Only of a live stream.
  Choices fork(std::string_view name, std::uint64_t index = 0) const;

  /// Uniform in [0, n); n is at least 1. With n == 1 nothing is drawn or recorded.
  std::uint64_t below(std::uint64_t n);
  /// Uniform in [low, high], both ends in.
  std::int64_t between(std::int64_t low, std::int64_t high);
  /// True `numerator` times in `denominator`.
  bool chance(std::uint64_t numerator, std::uint64_t denominator) { return below(denominator) < numerator; }
  /// Uniform in [0, 1), a multiple of 2^-53.
  double unit();
  /// An index into `weights`, each with its share of the sum (not 0).
  std::size_t weighted(const std::vector<std::uint32_t>& weights);
  /// A uniform element of a vector that is not empty.
  template <typename T>
  const T& pick(const std::vector<T>& from) {
    JP_CHECK(!from.empty(), "pick from nothing");
    return from[below(from.size())];
  }
  /// A text that comes from outside (facts). Live: `compute()` is called and recorded. Replay: the recorded text, or
  /// "" where the record has none; callers take "" as "does not apply".
  std::string note(const std::function<std::string()>& compute);

  Draws draws() const;
  std::uint64_t seed() const { return seed_; }

 private:
  std::uint64_t next();
  const Draw* recorded();

  std::uint64_t seed_ = 0;
  std::uint64_t count_ = 0;
  bool replaying_ = false;
  Draws record_;
  std::size_t at_ = 0;
  // What was drawn: numbers, 0 in the places of notes, which stand beside them. Most streams draw numbers alone.
  std::vector<std::int64_t> numbers_;
  std::vector<std::pair<std::size_t, std::string>> notes_;
};

}  // namespace jp
