// The only source of randomness in the project: a seeded stream of draws that records what it returned, so that the
// same seed gives the same bytes on every machine and every recorded stream can be replayed.
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

/// One recorded draw: a random number, or a text that came from outside (a profiled value).
using Draw = std::variant<std::int64_t, std::string>;
using Draws = std::vector<Draw>;

/// A stream of draws. Live: drawn from the seed. Replay: read back from a record; numbers out of range are folded into
/// it, missing ones are 0 and missing notes are empty, so that a shortened or shrunk record still gives a stream.
class Choices {
 public:
  explicit Choices(std::uint64_t seed) : seed_(seed) {}
  static Choices replay(Draws record);

  bool replaying() const { return replaying_; }
  /// A child stream, independent of what was drawn from this one: the same seed, name and index give the same child.
  /// Live streams only.
  Choices fork(std::string_view name, std::uint64_t index = 0) const;

  /// Uniform in [0, n); n is at least 1. With n == 1 nothing is drawn or recorded.
  std::uint64_t below(std::uint64_t n);
  /// Uniform in [low, high], both inclusive.
  std::int64_t between(std::int64_t low, std::int64_t high);
  /// True `numerator` times in `denominator`.
  bool chance(std::uint64_t numerator, std::uint64_t denominator) { return below(denominator) < numerator; }
  /// Uniform in [0, 1), a multiple of 2^-53.
  double unit();
  /// An index into `weights`, with a probability proportional to its weight. The sum must not be 0.
  std::size_t weighted(const std::vector<std::uint32_t>& weights);
  /// A uniformly drawn element of a non-empty vector.
  template <typename T>
  const T& pick(const std::vector<T>& from) {
    JP_CHECK(!from.empty(), "pick from nothing");
    return from[below(from.size())];
  }
  /// A recorded fact: a text that comes from outside. Live: `compute()` is called and recorded. Replay: the recorded
  /// text, or "" if the record has none; callers take "" as "does not apply".
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
  // The draws: numbers, with 0 in the places of notes, which are stored separately. Most streams draw numbers only.
  std::vector<std::int64_t> numbers_;
  std::vector<std::pair<std::size_t, std::string>> notes_;
};

}  // namespace jp
