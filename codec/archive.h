// Writing and reading share one list of members per struct (fields.h), so that both directions can't drift apart.
#pragma once

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "codec/json.h"

namespace jp::codec {

/// Thrown inside the codec only; read<T> turns it into an Error.
struct Misfit {
  std::string message;
};

/// A string member that holds bytes, not text.
struct Bytes {
  std::string& bytes;
};

/// `name(value)` and `kCount` of an enumeration. Specialised in fields.h.
template <typename Enum>
struct EnumNames;

template <typename T>
Json write(const T& value);
template <typename T>
void read_into(const Json& json, T& value);

/// Collects members as they are.
class Writer {
 public:
  template <typename T>
  void operator()(const char* key, const T& value) {
    json[key] = write(value);
  }
  void operator()(const char* key, const Bytes& value) {
    json[key] = Json::binary({value.bytes.begin(), value.bytes.end()});
  }
  template <typename T>
  void operator()(const char* key, const std::optional<T>& value) {
    json[key] = value ? write(*value) : Json();
  }
  /// A key that older versions wrote: it is read and not written.
  template <typename T>
  void former(const char* /*key*/, const T& /*value*/) {}
  Json json = Json::object();
};

/// Sets the members that the object has.
class Reader {
 public:
  explicit Reader(const Json& object) : object_(object) {
    if (!object.is_object()) throw Misfit{"an object was expected"};
  }
  template <typename T>
  void operator()(const char* key, T&& value) {
    auto found = object_.find(key);
    if (found == object_.end() || found->is_null()) return;
    try {
      read_into(*found, value);
    } catch (const Misfit& misfit) {
      throw Misfit{std::string(key) + ": " + misfit.message};
    }
  }
  template <typename T>
  void former(const char* key, T&& value) {
    (*this)(key, value);
  }

 private:
  const Json& object_;
};

template <typename T>
struct IsVector : std::false_type {};
template <typename T>
struct IsVector<std::vector<T>> : std::true_type {};
template <typename T>
struct IsOptional : std::false_type {};
template <typename T>
struct IsOptional<std::optional<T>> : std::true_type {};
template <typename T>
struct IsTextMap : std::false_type {};
template <typename T>
struct IsTextMap<std::map<std::string, T>> : std::true_type {};

/// All members of a struct, except those at their default.
template <typename T>
Json write_struct(const T& value) {
  auto all = [](const T& of) {
    Writer writer;
    fields(writer, const_cast<T&>(of));
    return std::move(writer.json);
  };
  static const Json defaults = all(T{});
  Json json = all(value);
  for (auto field = json.begin(); field != json.end();)
    field = *field == defaults[field.key()] ? json.erase(field) : std::next(field);
  return json;
}

template <typename T>
Json write(const T& value) {
  if constexpr (std::is_enum_v<T>) {
    return std::string(EnumNames<T>::name(value));
  } else if constexpr (std::is_same_v<T, double>) {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
    return value;
  } else if constexpr (std::is_arithmetic_v<T> || std::is_convertible_v<T, std::string>) {
    return value;
  } else if constexpr (std::is_same_v<T, std::variant<std::int64_t, std::string>>) {
    return std::visit([](const auto& held) { return Json(held); }, value);
  } else if constexpr (IsVector<T>::value) {
    Json array = Json::array();
    for (const auto& item : value) array.push_back(write(item));
    return array;
  } else if constexpr (IsTextMap<T>::value) {
    Json object = Json::object();
    for (const auto& [key, item] : value) object[key] = write(item);
    return object;
  } else {
    return write_struct(value);
  }
}

inline double read_double(const Json& json) {
  if (json.is_number()) return json.get<double>();
  if (json == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (json == "inf") return std::numeric_limits<double>::infinity();
  if (json == "-inf") return -std::numeric_limits<double>::infinity();
  throw Misfit{"a number was expected"};
}

inline void read_into(const Json& json, Bytes bytes) {
  if (!json.is_binary()) throw Misfit{"bytes were expected"};
  bytes.bytes.assign(json.get_binary().begin(), json.get_binary().end());
}

template <typename Enum>
Enum read_enum(const Json& json) {
  if (json.is_string())
    for (std::size_t i = 0; i < EnumNames<Enum>::kCount; ++i)
      if (json.get_ref<const std::string&>() == EnumNames<Enum>::name(static_cast<Enum>(i)))
        return static_cast<Enum>(i);
  throw Misfit{"a known name was expected, not " + json.dump(-1, ' ', false, Json::error_handler_t::replace)};
}

template <typename T>
void read_into(const Json& json, T& value) {
  if constexpr (std::is_enum_v<T>) {
    value = read_enum<T>(json);
  } else if constexpr (std::is_same_v<T, bool>) {
    if (!json.is_boolean()) throw Misfit{"true or false was expected"};
    value = json.get<bool>();
  } else if constexpr (std::is_integral_v<T>) {
    if (!json.is_number_integer()) throw Misfit{"an integer was expected"};
    value = json.get<T>();
  } else if constexpr (std::is_same_v<T, double>) {
    value = read_double(json);
  } else if constexpr (std::is_same_v<T, std::string>) {
    if (!json.is_string()) throw Misfit{"text was expected"};
    value = json.get<std::string>();
  } else if constexpr (std::is_same_v<T, std::variant<std::int64_t, std::string>>) {
    if (json.is_number_integer())
      value = json.get<std::int64_t>();
    else if (json.is_string())
      value = json.get<std::string>();
    else
      throw Misfit{"an integer or text was expected"};
  } else if constexpr (IsOptional<T>::value) {
    read_into(json, value.emplace());
  } else if constexpr (IsVector<T>::value) {
    if (!json.is_array()) throw Misfit{"a list was expected"};
    value.clear();
    for (const Json& item : json) read_into(item, value.emplace_back());
  } else if constexpr (IsTextMap<T>::value) {
    if (!json.is_object()) throw Misfit{"an object was expected"};
    value.clear();
    for (const auto& [key, item] : json.items()) read_into(item, value[key]);
  } else {
    Reader reader(json);
    fields(reader, value);
  }
}

}  // namespace jp::codec
