// Writes calls of functions with many optional parameters: which are given, and whether by position or by keyword.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "core/graph.h"
#include "seedgen/types/types.h"

namespace jp::seedgen {

/// Collects a call's parameters in the order of the function's signature. The finished call has two forms, where they
/// differ: tensors by position and everything else by keyword, and everything by position up to the first parameter
/// that was left out.
class CallWriter {
 public:
  /// `callee` is the text in front of the parentheses; `#` stands for `op`, which is in static storage.
  explicit CallWriter(std::string_view op, std::string_view callee = "torch.nn.functional.#");

  /// The next parameter, given. At most ten of a call are.
  CallWriter& give(std::string_view name, Argument argument) { return put(name, std::move(argument), ""); }
  CallWriter& give(std::string_view name, const Value& value) { return give(name, Ref{value.id}); }
  /// The next parameter, given as "$1.contiguous()" when `after` is ".contiguous()".
  CallWriter& give_after(std::string_view name, const Value& value, std::string_view after) {
    return put(name, Ref{value.id}, after);
  }
  /// The next parameter, given as a text over `$0`, which is the value: the first of the call.
  CallWriter& give_text(std::string_view name, const Value& value, std::string text);
  /// The next parameter, left out.
  CallWriter& skip();
  /// Given or left out.
  CallWriter& give_if(bool given, std::string_view name, Argument argument);
  /// The next parameter, given, and always by keyword.
  CallWriter& keyword(std::string_view name, Argument argument);

  /// The call; `after` stands behind the closing parenthesis.
  Call finish(std::string_view after = "");

 private:
  CallWriter& put(std::string_view name, Argument argument, std::string_view after);
  void append(std::string& text, std::string_view name, bool by_name, std::string_view after) const;

  Call call_;
  std::string keywords_;
  std::string positions_;
  bool gap_ = false;
  bool tensors_only_ = true;
};

/// One integer where all are the same and `draws_one` says so, else a tuple.
Argument int_or_tuple(const Ints& items, bool draws_one);

/// The text as a Python string: "same" with its quotation marks.
Argument quoted(std::string_view text);

/// A form, or two of them, in static storage.
Forms static_forms(const std::string& first, const std::string& second);

}  // namespace jp::seedgen
