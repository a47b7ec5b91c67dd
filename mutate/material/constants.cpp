#include "mutate/material/constants.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/operators.h"
#include "core/tensor_type.h"
#include "mutate/inputs/inputs.h"
#include "mutate/syntax/queries.h"

namespace jp::mutate {
namespace {

/// What make_inputs may call besides operators: each gives the same for the same arguments.
constexpr auto kSteady = std::to_array<std::string_view>(
    {"Generator", "requires_grad_", "frombuffer", "bytearray", "bytes", "decompress", "b64decode"});

/// The operator that is called, in place or not, or nullptr.
const OperatorFacts* operator_called(const Call& made) {
  if (const OperatorFacts* op = find_operator(made.name)) return op;
  return made.name.ends_with('_') ? find_operator(made.name.substr(0, made.name.size() - 1)) : nullptr;
}

/// The call has the same result each time, as far as its arguments have.
bool is_steady(const Call& made) {
  if (made.name == "manual_seed") return call(made.object).name == "Generator";
  if (std::find(kSteady.begin(), kSteady.end(), made.name) != kSteady.end()) return true;
  const OperatorFacts* op = operator_called(made);
  if (!op) return false;
  // What memory held, unless it is written at once.
  if (made.name.find("empty") != std::string_view::npos) {
    const Call next = attribute(made.node.parent()) ? call(made.node.parent().parent()) : Call();
    const OperatorFacts* writes = next ? operator_called(next) : nullptr;
    return writes && writes->random && next.name.ends_with('_');
  }
  // torch.default_generator and None are the process's.
  const Node generator = made.keyword("generator");
  return !op->random || (generator && generator.is("identifier"));
}

/// Only the function's own names, modules and builtins are read.
bool reads_nothing_that_changes(const Parsed& parsed, const Statement& function) {
  const std::set<std::string> imported = imported_names(parsed.tree());
  for (const Use& use : parsed.scopes().uses_in(function.begin, function.end)) {
    const bool own = use.owner > 0 || (use.kind == Use::Kind::kBind && use.owner == use.scope);
    const bool defines = use.owner == 0 && use.kind == Use::Kind::kBind;
    if (!own && !defines && use.owner >= 0 && !imported.contains(std::string(use.name))) return false;
  }
  return true;
}

bool within(const Statement& statement, const Statement& function) {
  return statement.begin > function.begin && statement.end <= function.end;
}

}  // namespace

std::string seeded_integers(const std::string& torch, const std::vector<std::int64_t>& shape, std::int64_t most,
                            Choices& choices) {
  // All products stay below 2^31, so that 32 bits would do as well.
  const std::int64_t step = 2 * choices.between(500, 4000) + 1;
  const std::int64_t first = choices.between(0, 8190);
  const std::int64_t spread = 2 * choices.between(100, 4000) + 1;
  return fmt::format("(({}.arange({}) * {} + {}) % 8191 * {} % {}).reshape({})", torch, element_count(shape), step,
                     first, spread, most + 1, tuple_text(shape));
}

double most_seeded(Dtype dtype) { return is_integral(dtype) ? 50 : 4; }

std::string seeded_tensor(const std::string& torch, const std::vector<std::int64_t>& shape, Dtype dtype,
                          Choices& choices) {
  if (!is_integral(dtype))
    return fmt::format("(({} - 254).to({}.{}) / 64)", seeded_integers(torch, shape, 508, choices), torch,
                       dtype_name(dtype));
  const bool positive = dtype == Dtype::kUInt8;
  return fmt::format("({} - {}).to({}.{})", seeded_integers(torch, shape, positive ? 50 : 100, choices),
                     positive ? 0 : 50, torch, dtype_name(dtype));
}

std::map<std::string, std::size_t, std::less<>> redrawn_arguments(const Parsed& parsed) {
  std::map<std::string, std::size_t, std::less<>> found;
  const Statement* function = module_function(parsed, parsed.program().inputs());
  const auto inputs = find_inputs(parsed);
  if (!function || !inputs || inputs->is_list || !reads_nothing_that_changes(parsed, *function)) return found;
  for (const Statement& statement : parsed.statements()) {
    const Effects effects = effects_of(statement);
    if (within(statement, *function) && !std::all_of(effects.calls.begin(), effects.calls.end(), is_steady))
      return found;
  }
  const std::vector<Node> parameters = entry_parameters(parsed);
  for (std::size_t i = 0; i < std::min(parameters.size(), inputs->calls.at(0).size()); ++i)
    found.emplace(parameters[i].text(), i);
  return found;
}

std::string redrawn_text(const Parsed& parsed, std::size_t argument) {
  return fmt::format("{}()[{}]", parsed.program().inputs(), argument);
}

std::optional<std::string> put_redrawn(const Parsed& parsed, Rewrite& rewrite, std::string text) {
  const std::string begin = parsed.program().inputs() + "()[";
  std::map<std::string, std::string> names;
  for (std::size_t at = text.find(begin); at != std::string::npos; at = text.find(begin)) {
    const std::size_t end = text.find(']', at);
    if (end == std::string::npos) return std::nullopt;
    const std::string drawn = text.substr(at, end + 1 - at);
    auto [place, is_new] = names.try_emplace(drawn);
    if (is_new) place->second = rewrite.name("k");
    text.replace(at, drawn.size(), place->second + "()");
  }
  if (names.empty()) return text;
  const Statement* function = module_function(parsed, parsed.program().inputs());
  if (!function) return std::nullopt;
  for (const auto& [drawn, name] : names)
    rewrite.after(*function, {{fmt::format("def {}(drawn={}.detach()):", name, drawn)}, {"return drawn", 1}});
  return text;
}

}  // namespace jp::mutate
