#include "oracle/judge/numpy_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <initializer_list>
#include <optional>
#include <vector>

#include "oracle/judge/text.h"

namespace jp::oracle {
namespace {

using Words = std::vector<std::string_view>;

// One number or truth value of numpy's, as a text has it.
struct Found {
  std::string_view dtype;
  std::string_view number;
  std::size_t length = 0;  // in words
};

std::string_view at(const Words& words, std::size_t i) { return i < words.size() ? words[i] : ""; }

bool stand_at(const Words& words, std::size_t i, std::initializer_list<std::string_view> list) {
  return std::all_of(list.begin(), list.end(), [&](std::string_view word) { return at(words, i++) == word; });
}

bool is_dtype(std::string_view name) {
  return name.starts_with("float") || name.starts_with("int") || name.starts_with("uint");
}

bool is_truth(std::string_view word) { return word == "True" || word == "False"; }

// "np.float64(0.25)", "np.True_".
std::optional<Found> scalar_at(const Words& words, std::size_t i) {
  if (!stand_at(words, i, {"np", "."})) return std::nullopt;
  const std::string_view name = at(words, i + 2);
  const std::string_view number = at(words, i + 4);
  if (name == "True_" || name == "False_") return Found{"bool", name.substr(0, name.size() - 1), 3};
  if (!is_dtype(name) || at(words, i + 3) != "(" || !is_number_word(number) || at(words, i + 5) != ")")
    return std::nullopt;
  return Found{name, number, 6};
}

// "array(0.25)", "array(0.25, dtype=float32)". Without a dtype it is the one that numpy makes of such a number.
std::optional<Found> array_at(const Words& words, std::size_t i) {
  if (!stand_at(words, i, {"array", "("})) return std::nullopt;
  const std::string_view number = at(words, i + 2);
  if (!is_truth(number) && !is_number_word(number)) return std::nullopt;
  if (stand_at(words, i + 3, {",", " ", "dtype", "="}) && at(words, i + 8) == ")")
    return Found{at(words, i + 7), number, 9};
  if (at(words, i + 3) != ")") return std::nullopt;
  if (is_truth(number)) return Found{"bool", number, 4};
  return Found{number.find_first_of(".en") == std::string_view::npos ? "int64" : "float64", number, 4};
}

// Of a name in another object it is the last part: "x.np.float64(0.25)".
std::optional<Found> found_at(const Words& words, std::size_t i) {
  if (i > 0 && words[i - 1] == ".") return std::nullopt;
  const std::optional<Found> scalar = scalar_at(words, i);
  return scalar ? scalar : array_at(words, i);
}

std::string written(const Found& found) {
  if (is_truth(found.number) || found.dtype.find("int") != std::string_view::npos)
    return fmt::format("array({}, {})", found.number, found.dtype);
  // An array's number has eight decimals, with an exponent from 1e8 on and below 1e-4. One less, since it is rounded
  // again.
  const double number = std::strtod(std::string(found.number).c_str(), nullptr);
  const bool has_exponent = number != 0 && (std::abs(number) >= 1e8 || std::abs(number) < 1e-4);
  return has_exponent ? fmt::format("array({:.7e}, {})", number, found.dtype)
                      : fmt::format("array({:.7f}, {})", number, found.dtype);
}

bool writes_scalars(std::string_view text) {
  const Words words = split_signed(text);
  for (std::size_t i = 0; i < words.size(); ++i)
    if (scalar_at(words, i)) return true;
  return false;
}

}  // namespace

bool has_arrays_for_scalars(std::string_view eager, std::string_view compiled) {
  return writes_scalars(eager) && !writes_scalars(compiled);
}

std::string with_scalars_as_arrays(std::string_view text) {
  const Words words = split_signed(text);
  std::string made;
  for (std::size_t i = 0; i < words.size();) {
    const std::optional<Found> found = found_at(words, i);
    if (found)
      made += written(*found);
    else
      made += words[i];
    i += found ? found->length : 1;
  }
  return made;
}

}  // namespace jp::oracle
