// Builds a value from what nlohmann's reader tells as it reads, and stops it where the value nests too deep: the reader
// goes down by recursion, so that a megabyte of "an array of one" from a process under test would take all of the
// stack.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace jp::codec {

/// A handler for `nlohmann::json::sax_parse`. After a parse that gave true `take()` is the value, else `error()` says
/// why not.
class JsonBuilder {
 public:
  using Json = nlohmann::json;
  /// `most_nested`: how many arrays and objects may be open at once.
  explicit JsonBuilder(std::size_t most_nested) : most_nested_(most_nested) {}

  Json take() { return std::move(root_); }
  const std::string& error() const { return error_; }

  // What the reader calls. A false ends the parse.
  bool null() { return put(nullptr); }
  bool boolean(bool value) { return put(value); }
  bool number_integer(Json::number_integer_t value) { return put(value); }
  bool number_unsigned(Json::number_unsigned_t value) { return put(value); }
  bool number_float(Json::number_float_t value, const Json::string_t& /*text*/) { return put(value); }
  bool string(Json::string_t& value) { return put(std::move(value)); }
  bool binary(Json::binary_t& value) { return put(std::move(value)); }
  bool start_object(std::size_t /*size*/) { return open(Json::object()); }
  bool start_array(std::size_t /*size*/) { return open(Json::array()); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool key(Json::string_t& name) {
    member_ = &(*open_.back())[std::move(name)];
    return true;
  }
  bool parse_error(std::size_t /*position*/, const std::string& /*token*/, const Json::exception& error) {
    error_ = error.what();
    return false;
  }

 private:
  // Where the next value belongs. Containers that are open stay where they are: only the innermost one grows.
  Json& place() {
    if (open_.empty()) return root_;
    Json& container = *open_.back();
    return container.is_array() ? container.emplace_back() : *member_;
  }
  bool put(Json value) {
    place() = std::move(value);
    return true;
  }
  bool open(Json container) {
    if (open_.size() == most_nested_) {
      error_ = "it nests too deep";
      return false;
    }
    Json& opened = place();
    opened = std::move(container);
    open_.push_back(&opened);
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  std::size_t most_nested_;
  Json root_;
  std::vector<Json*> open_;  // outermost first
  Json* member_ = nullptr;   // of the innermost object: the one whose key was told last
  std::string error_;
};

}  // namespace jp::codec
