// The tuple that a program's `make_inputs` returns: where each argument's text stands and what facts know of it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/choices.h"
#include "core/dtype.h"
#include "core/facts.h"
#include "core/lineage.h"
#include "mutate/syntax/syntax.h"

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

/// What runs when the program is called: the entry's function, or `forward` of the file's class that the module makes
/// it from (`program = Net()`); or nullptr.
const Statement* entry_function(const Parsed& parsed);
/// The names of its parameters by position, without `self`; up to the first that takes no plain argument.
std::vector<Node> entry_parameters(const Parsed& parsed);
/// The first statement of a function's body behind a docstring, or nullptr.
const Statement* body_start(const Parsed& parsed, const Statement& function);
/// That of the entry's function, when lines can be put before it; or nullptr.
const Statement* entry_start(const Parsed& parsed);

/// What an argument is, as far as a variation needs it.
struct InputKind {
  std::string kind;  // "tensor", "int", "float", "bool", or "other"
  Dtype dtype = Dtype::kFloat32;
  std::vector<std::int64_t> shape;
  bool requires_grad = false;
  bool leaf = false;  // only told where it requires grad

  bool is_tensor() const { return kind == "tensor"; }
  bool is_number() const { return kind == "int" || kind == "float" || kind == "bool"; }
  std::int64_t count() const;
};

/// The arguments of the entry by position as facts saw them before its first statement, as a note: "float32:3,4 int",
/// with ":leaf" or ":grad" behind the shape of one that requires grad. "" when the entry is no function of the file's
/// own or was not profiled.
std::string note_inputs(const Parsed& parsed, const Facts& facts);
/// The note read back; empty when it is none.
std::vector<InputKind> read_inputs(std::string_view note);

/// One argument of one call.
struct Argument {
  std::size_t call = 0;
  std::size_t at = 0;
};

/// The program compares tensors and raises where they differ: it runs with no other values than these.
bool asserts_values(const Parsed& parsed);

/// All arguments whose kind fits, as sites at the return statement with the path "CALL.ARGUMENT", both from 0. None
/// when make_inputs does not know torch, or when the program asserts_values().
std::vector<Site> argument_sites(const Parsed& parsed, const Facts& facts,
                                 const std::function<bool(const InputKind&)>& fits);

/// The calls with what is known of their arguments, for a rewrite.
struct Calls {
  InputsReturn inputs;
  std::vector<InputKind> kinds;
  Argument asked;
  std::string torch;  // its name at the return statement

  const InputKind& kind() const { return kinds[asked.at]; }
  const Node& text() const { return inputs.calls[asked.call][asked.at]; }
  /// Texts of that argument: in the asked call, or in all calls that have it.
  std::vector<Node> texts(std::size_t at, bool all_calls) const;
};

/// A site of argument_sites(), or nothing when it is gone. The note of the inputs is drawn first.
std::optional<Calls> argument_at(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices);

/// The text binds a name (by `:=`) that something else reads.
bool binds_names(const Parsed& parsed, const Node& text);
/// The argument's text, in parentheses where a method can't be called on it as it stands.
std::string operand(const Node& text);
/// The text with `tail` behind it; a leaf stays a leaf that requires grad.
std::string with_tail(const Node& text, const InputKind& kind, std::string_view tail);

}  // namespace jp::mutate
