#include "core/choices.h"

#include <numeric>

#include "core/hash.h"

namespace jp {

Choices Choices::replay(Draws record) {
  Choices choices(0);
  choices.replaying_ = true;
  choices.record_ = std::move(record);
  return choices;
}

Choices Choices::fork(std::string_view name, std::uint64_t index) const {
  JP_CHECK(!replaying_, "fork of a replayed stream");
  return Choices(mix64(seed_ ^ hash64(name)) + mix64(index + 0x9e3779b97f4a7c15ULL));
}

std::uint64_t Choices::next() { return mix64(seed_ + (++count_) * 0x9e3779b97f4a7c15ULL); }

const Draw* Choices::recorded() { return at_ < record_.size() ? &record_[at_++] : nullptr; }

std::uint64_t Choices::below(std::uint64_t n) {
  JP_CHECK(n > 0, "a draw from an empty range");
  if (n == 1) return 0;
  std::uint64_t drawn = 0;
  if (replaying_) {
    const Draw* draw = recorded();
    const auto* number = draw ? std::get_if<std::int64_t>(draw) : nullptr;
    drawn = number ? static_cast<std::uint64_t>(*number) % n : 0;
  } else {
    __extension__ using Wide = unsigned __int128;
    Wide product = static_cast<Wide>(next()) * n;
    if (static_cast<std::uint64_t>(product) < n)
      for (std::uint64_t least = (0 - n) % n; static_cast<std::uint64_t>(product) < least;)
        product = static_cast<Wide>(next()) * n;
    drawn = static_cast<std::uint64_t>(product >> 64);
  }
  numbers_.push_back(static_cast<std::int64_t>(drawn));
  return drawn;
}

std::int64_t Choices::between(std::int64_t low, std::int64_t high) {
  JP_CHECK(low <= high, "a draw from an empty range {}..{}", low, high);
  auto span = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
  JP_CHECK(span != 0, "a draw from all 64-bit integers");
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + below(span));
}

double Choices::unit() { return static_cast<double>(below(std::uint64_t{1} << 53)) * 0x1p-53; }

std::size_t Choices::weighted(const std::vector<std::uint32_t>& weights) {
  std::uint64_t at = below(std::accumulate(weights.begin(), weights.end(), std::uint64_t{0}));
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (at < weights[i]) return i;
    at -= weights[i];
  }
  JP_CHECK(false, "weights changed during a draw");
  return 0;
}

std::string Choices::recorded_note() {
  const Draw* draw = recorded();
  const auto* text = draw ? std::get_if<std::string>(draw) : nullptr;
  return text ? *text : "";
}

const std::string& Choices::keep_note(std::string text) {
  notes_.emplace_back(numbers_.size(), std::move(text));
  numbers_.push_back(0);
  return notes_.back().second;
}

Draws Choices::draws() const {
  Draws draws(numbers_.begin(), numbers_.end());
  for (const auto& [at, text] : notes_) draws[at] = text;
  return draws;
}

}  // namespace jp
