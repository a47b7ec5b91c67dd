// The tuple that a program's `make_inputs` returns: where each argument's text stands and what facts know of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/dtype.h"
#include "core/facts.h"
#include "mutate/syntax.h"

namespace jp::mutate {

/// The only return statement of the inputs' function, if it returns a tuple display or a list display of such tuples.
struct InputsReturn {
  const Statement* statement = nullptr;
  /// What stands behind `return`.
  Node value;
  /// Calls, each with its arguments; no argument is starred.
  std::vector<std::vector<Node>> calls;
  /// The nodes of the calls' tuples; `value` itself when the display is one tuple.
  std::vector<Node> tuples;
  bool is_list = false;
};

/// The function of that name in the module, without decorators and bound once, or nullptr.
const Statement* module_function(const Parsed& parsed, std::string_view name);

/// That return, or nothing when the function is absent or written in another way.
std::optional<InputsReturn> find_inputs(const Parsed& parsed);

/// What an argument is, as far as a variation needs it.
struct InputKind {
  std::string kind;  // "tensor", "int", "float", "bool", or "other"
  Dtype dtype = Dtype::kFloat32;
  std::vector<std::int64_t> shape;
};

/// The arguments of the entry by position as facts saw them before its first statement, as a note: "float32:3,4 int".
/// "" when the entry is no function of the file's own or was not profiled.
std::string note_inputs(const Parsed& parsed, const Facts& facts);
/// The note read back; empty when it is none.
std::vector<InputKind> read_inputs(std::string_view note);

}  // namespace jp::mutate
