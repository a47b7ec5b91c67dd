#include "mutate/names/outside_memory.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "core/among.h"
#include "core/operators.h"
#include "mutate/syntax/queries.h"

namespace jp::mutate {
namespace {

constexpr auto kGives = std::to_array<std::string_view>({"numpy", "__array__", "to_dlpack", "__dlpack__", "data_ptr"});
constexpr auto kTakes = std::to_array<std::string_view>(
    {"from_numpy", "frombuffer", "asarray", "as_tensor", "from_dlpack", "from_file", "from_blob"});

/// Methods of arrays that copy, or give numbers: reductions do too.
constexpr auto kCopies = std::to_array<std::string_view>({"copy", "tolist", "item", "tobytes"});

bool copies(std::string_view method) {
  const OperatorFacts* op = find_operator(method);
  return among(kCopies, method) || (op && op->reduction);
}

/// The result is only the object of a method that copies.
bool is_used_up(const Node& made) {
  const Attribute read = attribute(made.parent());
  return read && read.object == made && is_called(read.node) && copies(read.name);
}

/// The expression holds no variable but modules: what it gives was made there, and nobody else has it.
bool is_made_there(const Parsed& parsed, const Node& value) {
  const std::set<std::string> imported = imported_names(parsed.tree());
  for (const Node node : nodes_of(value))
    if (is_variable(node) && !imported.contains(std::string(node.text()))) return false;
  return true;
}

}  // namespace

bool is_memory_outside(const Parsed& parsed, const Node& node) {
  const Call made = call(node);
  if (!made) return false;
  // An address alone shares nothing.
  if (made.name == "data_ptr" && !parsed.has_word("ctypes")) return false;
  if (among(kGives, made.name)) return !is_used_up(node);
  if (!among(kTakes, made.name)) return false;
  // Of tensors they give what facts see.
  const bool of_arrays = made.name == "as_tensor" || made.name == "asarray";
  if (of_arrays && !parsed.has_word("numpy")) return false;
  const auto given = made.positional();
  return given.empty() || !is_made_there(parsed, given.front());
}

bool shares_memory_outside(const Parsed& parsed) {
  if (!parsed.has_any<kGives>() && !parsed.has_any<kTakes>()) return false;
  for (const Node node : nodes_of(parsed.tree()))
    if (is_memory_outside(parsed, node)) return true;
  return false;
}

}  // namespace jp::mutate
