#include "oracle/judge/numpy_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>

namespace jp::oracle {
namespace {

constexpr std::string_view kScalar = "np.";
constexpr std::string_view kArray = "array(";
constexpr std::string_view kDtype = ", dtype=";

// One number or truth value of numpy's, as a text has it.
struct Found {
  std::string dtype;
  std::string_view number;
  std::size_t length = 0;  // of all that stands for it
};

bool is_of_word(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

std::size_t word_length(std::string_view text) {
  return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_of_word) - text.begin());
}

bool is_dtype(std::string_view name) {
  return name.starts_with("float") || name.starts_with("int") || name.starts_with("uint");
}

bool is_truth(std::string_view word) { return word == "True" || word == "False"; }

bool is_number(std::string_view word) {
  if (word.empty()) return false;
  char* end = nullptr;
  const std::string copy(word);
  std::strtod(copy.c_str(), &end);
  return end == copy.c_str() + copy.size();
}

// "np.float64(0.25)", "np.True_".
std::optional<Found> scalar_at(std::string_view text) {
  if (!text.starts_with(kScalar)) return std::nullopt;
  const std::string_view rest = text.substr(kScalar.size());
  for (const std::string_view word : {std::string_view("True_"), std::string_view("False_")})
    if (rest.starts_with(word)) return Found{"bool", word.substr(0, word.size() - 1), kScalar.size() + word.size()};
  const std::size_t name = word_length(rest);
  const std::size_t end = rest.find(')');
  if (name == 0 || name >= rest.size() || rest[name] != '(' || end == std::string_view::npos) return std::nullopt;
  const std::string_view number = rest.substr(name + 1, end - name - 1);
  if (!is_dtype(rest.substr(0, name)) || !is_number(number)) return std::nullopt;
  return Found{std::string(rest.substr(0, name)), number, kScalar.size() + end + 1};
}

// "array(0.25)", "array(0.25, dtype=float32)". Without a dtype it is the one that numpy makes of such a number.
std::optional<Found> array_at(std::string_view text) {
  if (!text.starts_with(kArray)) return std::nullopt;
  const std::size_t end = text.find(')');
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view inside = text.substr(kArray.size(), end - kArray.size());
  const std::size_t dtype = inside.find(kDtype);
  const std::string_view number = inside.substr(0, dtype);
  if (!is_truth(number) && !is_number(number)) return std::nullopt;
  std::string name = number.find_first_of(".en") == std::string_view::npos ? "int64" : "float64";
  if (is_truth(number)) name = "bool";
  if (dtype != std::string_view::npos) name = inside.substr(dtype + kDtype.size());
  return Found{name, number, end + 1};
}

std::string written(const Found& found) {
  if (is_truth(found.number) || found.dtype.find("int") != std::string::npos)
    return fmt::format("array({}, {})", found.number, found.dtype);
  // An array's number has eight decimals, with an exponent from 1e8 on and below 1e-4. One less, since it is rounded
  // again.
  const double number = std::strtod(std::string(found.number).c_str(), nullptr);
  const bool has_exponent = number != 0 && (std::abs(number) >= 1e8 || std::abs(number) < 1e-4);
  return has_exponent ? fmt::format("array({:.7e}, {})", number, found.dtype)
                      : fmt::format("array({:.7f}, {})", number, found.dtype);
}

}  // namespace

bool writes_scalars(std::string_view text) {
  for (std::size_t at = text.find(kScalar); at != std::string_view::npos; at = text.find(kScalar, at + 1))
    if (scalar_at(text.substr(at))) return true;
  return false;
}

std::string with_scalars_as_arrays(std::string_view text) {
  std::string made;
  while (!text.empty()) {
    const bool begins_word = made.empty() || !(is_of_word(made.back()) || made.back() == '.');
    std::optional<Found> found = begins_word ? scalar_at(text) : std::nullopt;
    if (begins_word && !found) found = array_at(text);
    if (found) made += written(*found);
    if (!found) made += text.front();
    text.remove_prefix(found ? found->length : 1);
  }
  return made;
}

}  // namespace jp::oracle
