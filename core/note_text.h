// Values as the text of a note (choices.h) and back, so that what a rule takes from facts is one struct, and not a
// grammar of its own:
//
//     (v0 float32 [3 4] yes -)
//
// A number, "yes" or "no", the name of a dtype, a word or a "quoted text", [a list], (the members of a struct), "-"
// for nothing. A struct lists its members, in order, by `auto fields() { return std::tie(name, dtype, shape, ...); }`
// and may have a `bool fits() const` that says which values are no good. Whatever else a text says is read as nothing:
// notes are shortened, changed and typed by hand.
#pragma once

#include <charconv>
#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/dtype.h"

namespace jp {

template <typename T>
concept NoteStruct = requires(T& value) {
  value.fields();
};
template <typename T>
inline constexpr bool kIsVector = false;
template <typename T>
inline constexpr bool kIsVector<std::vector<T>> = true;
template <typename T>
inline constexpr bool kIsOptional = false;
template <typename T>
inline constexpr bool kIsOptional<std::optional<T>> = true;

/// Writes values one behind the other.
class NoteWriter {
 public:
  void put(bool value) { word(value ? "yes" : "no"); }
  void put(std::integral auto value) { word(std::to_string(value)); }
  void put(Dtype dtype) { word(dtype_name(dtype)); }
  void put(const std::string& text);
  template <typename T>
  void put(const std::optional<T>& value) {
    value ? put(*value) : word("-");
  }
  template <typename T>
  void put(const std::vector<T>& list) {
    word("[");
    for (const T& item : list) put(item);
    text_ += ']';
  }
  template <typename T, typename U>
  void put(const std::pair<T, U>& both) {
    put_all(std::tie(both.first, both.second));
  }
  void put(const NoteStruct auto& value) {
    // Both directions go by one list of members.
    put_all(const_cast<std::remove_cvref_t<decltype(value)>&>(value).fields());
  }
  std::string text() && { return std::move(text_); }

 private:
  void word(std::string_view text);
  template <typename... Ts>
  void put_all(const std::tuple<Ts&...>& members) {
    word("(");
    std::apply([&](const auto&... member) { (put(member), ...); }, members);
    text_ += ')';
  }

  std::string text_;
};

/// Reads them again; false where the text has something else.
class NoteReader {
 public:
  explicit NoteReader(std::string_view text) : left_(text) {}

  bool get(bool& value);
  bool get(std::integral auto& value) {
    const std::string_view text = word();
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return !text.empty() && error == std::errc() && end == text.data() + text.size();
  }
  bool get(Dtype& dtype);
  bool get(std::string& text);
  template <typename T>
  bool get(std::optional<T>& value) {
    value.reset();
    if (NoteReader ahead = *this; ahead.word() == "-") {
      *this = ahead;
      return true;
    }
    return get(value.emplace());
  }
  template <typename T>
  bool get(std::vector<T>& list) {
    list.clear();
    if (!take('[')) return false;
    while (!take(']'))
      if (!get(list.emplace_back())) return false;
    return true;
  }
  template <typename T, typename U>
  bool get(std::pair<T, U>& both) {
    return get_all(std::tie(both.first, both.second));
  }
  template <NoteStruct T>
  bool get(T& value) {
    if (!get_all(value.fields())) return false;
    if constexpr (requires { value.fits(); }) return value.fits();
    return true;
  }
  /// Nothing is left but blanks.
  bool at_end();

 private:
  bool take(char wanted);
  /// What stands before the next blank or bracket; "" where one stands.
  std::string_view word();
  template <typename... Ts>
  bool get_all(const std::tuple<Ts&...>& members) {
    return take('(') && std::apply([&](auto&... member) { return (get(member) && ...); }, members) && take(')');
  }

  std::string_view left_;
};

/// The text of a value: a text is itself, nothing is "".
template <typename T>
std::string note_text(const T& value) {
  if constexpr (std::is_same_v<T, std::string>) {
    return value;
  } else {
    if constexpr (kIsOptional<T>)
      if (!value) return "";
    NoteWriter writer;
    writer.put(value);
    return std::move(writer).text();
  }
}

/// The value of such a text; T{} where it is none.
template <typename T>
T read_note(const std::string& text) {
  if constexpr (std::is_same_v<T, std::string>) {
    return text;
  } else {
    T value{};
    NoteReader reader(text);
    return reader.get(value) && reader.at_end() ? value : T{};
  }
}

}  // namespace jp
