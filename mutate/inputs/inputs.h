// The arguments that a program's `make_inputs` returns: the syntax node of each, and what facts know of it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/choices.h"
#include "core/dtype.h"
#include "core/facts.h"
#include "core/lineage.h"
#include "mutate/syntax/syntax.h"

namespace jp::mutate {

/// The only return statement of make_inputs, if it returns a tuple display or a list display of such tuples.
struct InputsReturn {
  const Statement* statement = nullptr;
  /// The returned expression.
  Node value;
  /// The arguments of each call of the entry; none is starred.
  std::vector<std::vector<Node>> calls;
  /// The tuple of each call; `value` itself if it is a tuple.
  std::vector<Node> tuples;
  bool is_list = false;
};

/// The module's function of that name, or nullptr if there is none, it is decorated, or the name is bound more than
/// once.
const Statement* module_function(const Parsed& parsed, std::string_view name);

/// That return statement; nothing if there is no such function or it has another form.
std::optional<InputsReturn> find_inputs(const Parsed& parsed);
/// The same, if what it returns may change: nothing in the file reads make_inputs.
std::optional<InputsReturn> changeable_inputs(const Parsed& parsed);

/// The function that runs when the entry is called: the entry itself, or `forward` of the file's class of which the
/// entry is an instance (`program = Net()`); nullptr if there is neither.
const Statement* entry_function(const Parsed& parsed);
/// The same, if only the calls that make_inputs asks for call it, so that its parameters may change: nothing else
/// mentions the entry's function or the class of its module, and no `forward` is called by name. Otherwise nullptr.
const Statement* adaptable_entry(const Parsed& parsed);
/// The parameters of the function: `self` is not among them.
std::vector<Node> own_parameters(const Statement& entry);
/// The nodes of its parameters' names by position, without `self`, up to the first parameter that is not positional.
std::vector<Node> entry_parameters(const Parsed& parsed);
/// The first statement of a function's body after its docstring, or nullptr.
const Statement* body_start(const Parsed& parsed, const Statement& function);
/// The same for entry_function(), if lines can be put before that statement; otherwise nullptr.
const Statement* entry_start(const Parsed& parsed);

/// The type of an argument.
struct InputKind {
  std::string kind = "other";  // "tensor", "int", "float", "bool", or "other"
  Dtype dtype = Dtype::kFloat32;
  std::vector<std::int64_t> shape;
  bool requires_grad = false;
  bool leaf = false;  // known only if it requires grad

  bool is_tensor() const { return kind == "tensor"; }
  bool is_number() const { return kind == "int" || kind == "float" || kind == "bool"; }
  std::int64_t count() const;
  auto fields() { return std::tie(kind, dtype, shape, requires_grad, leaf); }
  bool fits() const;
};

/// The type of a value, from facts; "other" if they don't know it.
InputKind input_kind(const NameFacts* known);
/// The types of the entry's arguments by position, as facts saw them before its first statement. Empty if
/// entry_function() is nullptr or was not profiled.
std::vector<InputKind> input_kinds(const Parsed& parsed, const Facts& facts);

/// One argument of one call.
struct Argument {
  std::size_t call = 0;
  std::size_t at = 0;
};

/// The program asserts values of tensors, so it may raise for other inputs than its own.
bool asserts_values(const Parsed& parsed);

/// All arguments whose type passes `fits`, as sites at the return statement with the path "CALL.ARGUMENT", both counted
/// from 0. None if torch has no name in make_inputs, or if the program asserts_values().
std::vector<Site> argument_sites(const Parsed& parsed, const Facts& facts,
                                 const std::function<bool(const InputKind&)>& fits);

/// The calls of the entry, the types of their arguments, and the argument that a site names.
struct Calls {
  InputsReturn inputs;
  std::vector<InputKind> kinds;
  Argument asked;
  std::string torch;  // torch's name at the return statement

  const InputKind& kind() const { return kinds[asked.at]; }
  const Node& text() const { return inputs.calls[asked.call][asked.at]; }
  /// Positions of arguments (recorded ones) are strictly ascending and in range.
  bool has_all(const std::vector<std::size_t>& arguments) const;
  /// The nodes of the argument at position `at`: in the call that the site names, or in all calls that have it.
  std::vector<Node> texts(std::size_t at, bool all_calls) const;
};

/// The argument at a site of argument_sites(); nothing if it no longer exists. The first thing recorded in `choices` is
/// the types of the inputs.
std::optional<Calls> argument_at(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices);

/// The expression binds a name (by `:=`) that is used elsewhere too.
bool binds_names(const Parsed& parsed, const Node& text);
/// The argument's text, in parentheses if a method could not be called on it otherwise.
std::string operand(const Node& text);
/// The argument's text followed by `tail`. If the argument is a leaf that requires grad, so is the result.
std::string with_tail(const Node& text, const InputKind& kind, std::string_view tail);

}  // namespace jp::mutate
