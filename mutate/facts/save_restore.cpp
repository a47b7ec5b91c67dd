#include "mutate/facts/save_restore.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/tensor_type.h"
#include "mutate/calls/module_calls.h"
#include "mutate/calls/operator_call.h"
#include "mutate/engine/notes.h"
#include "mutate/facts/live.h"
#include "mutate/names/outside_memory.h"
#include "mutate/names/own_code.h"
#include "mutate/syntax/queries.h"

namespace jp::mutate {
namespace {

bool separate(const NameFacts& other, const NameFacts& clobbered) {
  if (is_number_kind(other.kind) || other.kind == "none") return true;
  return other.kind == "tensor" && other.storage && clobbered.storage && *other.storage != *clobbered.storage;
}

/// The name is the module of a call of one of torch's modules, whose parameters and buffers are in other storages.
bool is_module_apart(const Parsed& parsed, const Statement& statement, const Node& name, const Names& live,
                     const NameFacts& clobbered) {
  const auto module = module_call(parsed, statement, name.parent().parent());
  if (!module || !(module->call.object == name) || !module->is_fresh()) return false;
  const std::string inside = std::string(name.text()) + "[";
  return std::all_of(live.begin(), live.end(), [&](const auto& one) {
    return !one.first.starts_with(inside) || separate(one.second, clobbered);
  });
}

/// Words of programs whose own code may run within any operator of torch.
constexpr auto kWithinOperators = std::to_array<std::string_view>(
    {"__torch_function__", "__torch_dispatch__", "Library", "TorchFunctionMode", "TorchDispatchMode"});

/// Judging by the text, no statement may run between a write and what takes it back: code of the file might see it, or
/// an array that shares the memory.
bool refuses_gaps(const Parsed& parsed) { return parsed.has_any<kWithinOperators>() || shares_memory_outside(parsed); }

/// The statement calls an operator that may be code of the file.
bool calls_custom_operator(const Statement& statement) {
  for (const Node node : nodes_of(statement.node))
    if (const Call made = call(node); made && is_custom_operator(made.function.text())) return true;
  return false;
}

/// The statement neither reads nor writes the clobbered tensor's storage, doesn't bind its name, and doesn't leave the
/// block.
bool inert(const Parsed& parsed, const Facts& facts, const Statement& statement, const std::string& name) {
  const Assignment made = assignment(statement);
  auto known = facts.before.find(statement.id);
  if (!made || made.augmented() || !statement.own_lines || known == facts.before.end()) return false;
  if (!facts.after.contains(statement.id) || calls_custom_operator(statement)) return false;
  const NameFacts* clobbered = facts.find_before(statement.id, name);
  if (!clobbered || !made.right || !made.left.is("identifier") || made.left.text() == name) return false;
  std::string torch = torch_name(parsed, statement);
  for (const Node node : nodes_of(made.right)) {
    if (!node.named() || node.is("comment")) continue;
    if (!is_pure_kind(node.kind())) return false;
    // Only methods and functions of torch may be called, never a name's value.
    if (const Call called = call(node); called && !called.object) return false;
    if (!is_variable(node) || node.text() == torch) continue;
    if (is_module_apart(parsed, statement, node, known->second, *clobbered)) continue;
    auto used = known->second.find(std::string(node.text()));
    if (used == known->second.end() || !separate(used->second, *clobbered)) return false;
  }
  return true;
}

/// Words of programs in which backward, or a transform, may look at a tensor while it is overwritten.
constexpr auto kWatches = std::to_array<std::string_view>(
    {"backward", "autograd", "checkpoint", "register_hook", "saved_tensors_hooks", "vmap", "func", "functorch", "jvp",
     "vjp", "cond", "scan", "while_loop", "higher_order", "compile", "retain_grad", "grad"});

bool allowed(const Parsed& parsed, const Facts& facts, Writes writes) {
  if (uses_introspection(parsed) || parsed.has_word("_version") || parsed.has_word("inference_mode")) return false;
  const bool none = no_gradients(facts);
  return writes == Writes::kPlain ? none : !none && autograd_is_plain(parsed);
}

/// The facts of a tensor that may be written through `.data`.
const NameFacts* writable_data(const Parsed& parsed, const Facts& facts, const Statement& statement,
                               const std::string& name) {
  const NameFacts* known = facts.find_before(statement.id, name);
  const bool plain = known && known->kind == "tensor" && known->dtype && !is_complex(*known->dtype) && known->storage &&
                     known->overlaps_itself == false;
  if (!plain || name.find('[') != std::string::npos || !parsed.scopes().readable(statement, name)) return nullptr;
  const auto& sizes = known->shape ? known->shape : known->least_shape;
  const bool full = sizes && std::find(sizes->begin(), sizes->end(), 0) == sizes->end();
  return full ? known : nullptr;
}

/// No other name is known to share the tensor's storage.
bool is_alone(const Names& live, const std::string& name) {
  const NameFacts& known = live.at(name);
  return known.storage && std::all_of(live.begin(), live.end(), [&](const auto& one) {
           if (one.second.kind != "tensor") return !may_hold_unseen(one.second);
           return one.first == name || (one.second.storage && *one.second.storage != *known.storage);
         });
}

/// By the facts no object of the file's own has made the value, by a method that has an operator's name.
bool is_made_by_torch(const Parsed& parsed, const Facts& facts, const Statement& statement, const Node& value) {
  if (module_call(parsed, statement, value)) return true;
  const auto calls = operator_calls(parsed, statement);
  return std::all_of(calls.begin(), calls.end(),
                     [&](const OperatorCall& call) { return !(call.node == value) || calls_torch(facts, call); });
}

/// Autograd has surely not saved the tensor: a statement above in the block has made it, and none has read it since.
bool is_unsaved(const Parsed& parsed, const Facts& facts, const Statement& statement, const std::string& name) {
  // Nested functions might read it.
  if (parsed.scopes().captured(parsed.scopes().scope_of(statement), name)) return false;
  const auto& block = parsed.blocks()[static_cast<std::size_t>(statement.block)].statements;
  for (int place = statement.place - 1; place >= 0; --place) {
    const Statement& above = parsed.statement(block[static_cast<std::size_t>(place)]);
    const auto uses = parsed.scopes().uses_in(above.begin, above.end);
    if (std::none_of(uses.begin(), uses.end(), [&](const Use& use) { return use.name == name; })) continue;
    const Assignment made = assignment(above);
    const Node target = made.only_name();
    auto after = facts.after.find(above.id);
    return target && target.text() == name && after != facts.after.end() && after->second.contains(name) &&
           is_alone(after->second, name) && is_made_by_torch(parsed, facts, above, made.right) &&
           forgets_result(parsed, above, made.right);
  }
  return false;
}

/// An argument of the program that nothing has read yet, and that no operator made: neither this program nor
/// make_inputs has saved it. Of a statement that runs once.
bool is_unread_argument(const Parsed& parsed, const Facts& facts, const Statement& statement, const std::string& name) {
  if (facts.calls != 1 || !in_function(parsed, statement, parsed.program().entry())) return false;
  const int scope = parsed.scopes().scope_of(statement);
  if (!parsed.scopes().scope(scope).parameters.contains(name) || parsed.scopes().captured(scope, name)) return false;
  const Names& live = facts.before.at(statement.id);
  if (live.at(name).is_leaf != true || !is_alone(live, name)) return false;
  const Statement* first = nullptr;
  for (const Statement& one : parsed.statements()) {
    if (one.function != statement.function || one.begin >= statement.begin) continue;
    if (!first) first = &one;
    const auto uses = parsed.scopes().uses_in(one.begin, one.end);
    if (std::any_of(uses.begin(), uses.end(), [&](const Use& use) { return use.name == name; })) return false;
  }
  return !first || first->block == statement.block;
}

std::vector<std::string> clobberable_names(const Parsed& parsed, const Facts& facts, const Statement& statement,
                                           Writes writes) {
  std::vector<std::string> names;
  auto known = facts.before.find(statement.id);
  if (known == facts.before.end()) return names;
  for (const auto& [name, unused] : known->second) {
    const bool fits = writes == Writes::kPlain ? writable(parsed, facts, statement, name) != nullptr
                                               : writable_data(parsed, facts, statement, name) != nullptr;
    if (fits && (writes == Writes::kPlain || is_unsaved(parsed, facts, statement, name) ||
                 (writes == Writes::kData && is_unread_argument(parsed, facts, statement, name))))
      names.push_back(name);
  }
  return names;
}

/// What is recorded of the tensor, and the gap.
ClobberedTensor clobbered_tensor(const Parsed& parsed, const Facts& facts, const Statement& statement,
                                 const std::string& name) {
  const NameFacts& known = *facts.find_before(statement.id, name);
  ClobberedTensor clobbered;
  clobbered.name = name;
  clobbered.dtype = *known.dtype;
  clobbered.shape = known.shape ? *known.shape : *known.least_shape;
  clobbered.contiguous =
      known.shape && known.strides ? is_row_major(*known.shape, *known.strides) : known.row_major.value_or(false);
  const Statement* at = refuses_gaps(parsed) ? nullptr : &statement;
  for (; at && inert(parsed, facts, *at, name); at = next_in_block(parsed, *at)) clobbered.last = at->id;
  return clobbered;
}

constexpr auto kPaths = std::to_array<std::string_view>({"", "data", "no_grad"});

}  // namespace

std::int64_t ClobberedTensor::count() const { return element_count(shape); }

bool ClobberedTensor::fits() const { return is_shape(shape) && count() > 0; }

bool no_gradients(const Facts& facts) {
  for (const auto* points : {&facts.before, &facts.after})
    for (const auto& [id, names] : *points)
      for (const auto& [name, known] : names)
        if ((known.kind == "tensor" || known.kind.empty()) && known.requires_grad.value_or(true)) return false;
  return true;
}

const NameFacts* writable(const Parsed& parsed, const Facts& facts, const Statement& statement,
                          const std::string& name) {
  const NameFacts* known = facts.find_before(statement.id, name);
  bool plain = known && known->kind == "tensor" && known->dtype && !is_complex(*known->dtype) && known->shape &&
               known->strides && known->storage && known->overlaps_itself == false && known->requires_grad == false;
  if (!plain || name.find('[') != std::string::npos || !parsed.scopes().readable(statement, name)) return nullptr;
  return std::find(known->shape->begin(), known->shape->end(), 0) == known->shape->end() ? known : nullptr;
}

bool forgets_result(const Parsed& parsed, const Statement& statement, const Node& value) {
  static constexpr auto kModules = std::to_array<std::string_view>(
      {"Linear", "Conv1d", "Conv2d", "Conv3d", "BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "GroupNorm", "LayerNorm",
       "Embedding", "GELU", "SiLU", "Mish", "MaxPool2d", "AvgPool2d", "AdaptiveAvgPool2d"});
  if (const auto module = module_call(parsed, statement, value))
    return module->is_fresh() && std::find(kModules.begin(), kModules.end(), module->type) != kModules.end();
  for (const OperatorCall& call : operator_calls(parsed, statement))
    if (call.node == value) return call.op->unsaved;
  return false;
}

bool autograd_is_plain(const Parsed& parsed) { return !parsed.has_any<kWatches>(); }

std::optional<Writes> read_writes(std::string_view path) {
  const auto at = std::find(kPaths.begin(), kPaths.end(), path);
  return at == kPaths.end() ? std::nullopt : std::optional(static_cast<Writes>(at - kPaths.begin()));
}

std::vector<Site> save_restore_sites(const Parsed& parsed, const Facts& facts) {
  std::vector<Site> found;
  std::array<bool, kPaths.size()> may{};
  for (std::size_t i = 0; i < kPaths.size(); ++i) may[i] = allowed(parsed, facts, static_cast<Writes>(i));
  for (const Statement& statement : parsed.statements()) {
    if (!insertion_point(parsed, statement)) continue;
    for (std::size_t i = 0; i < kPaths.size(); ++i)
      if (may[i] && !clobberable_names(parsed, facts, statement, static_cast<Writes>(i)).empty() &&
          (i == 0 || !torch_name(parsed, statement).empty()))
        found.push_back({statement.id, std::string(kPaths[i])});
  }
  return found;
}

std::optional<ClobberedTensor> note_clobbered(const Parsed& parsed, const Statement& statement,
                                              const std::function<std::optional<ClobberedTensor>(Choices&)>& known,
                                              Choices& choices) {
  auto clobbered = choices.note_drawn(known);
  if (!clobbered || !insertion_point(parsed, statement) || uses_introspection(parsed)) return std::nullopt;
  if (!parsed.scopes().readable(statement, clobbered->name)) return std::nullopt;
  if (!clobbered->last) return clobbered;
  clobbered->gap_end = parsed.find(*clobbered->last);
  if (!clobbered->gap_end || !clobbered->gap_end->own_lines || refuses_gaps(parsed)) return std::nullopt;
  const auto gap = run_between(parsed, statement, *clobbered->gap_end);
  const bool quiet =
      std::none_of(gap.begin(), gap.end(), [](const Statement* one) { return calls_custom_operator(*one); });
  return quiet && !gap.empty() ? clobbered : std::nullopt;
}

std::optional<ClobberedTensor> draw_victim(const Parsed& parsed, const Facts& facts, const Statement& statement,
                                           Writes writes, Choices& choices) {
  auto known = [&](Choices& inner) -> std::optional<ClobberedTensor> {
    if (!allowed(parsed, facts, writes)) return std::nullopt;
    const auto names = clobberable_names(parsed, facts, statement, writes);
    return names.empty() ? std::nullopt : std::optional(clobbered_tensor(parsed, facts, statement, inner.pick(names)));
  };
  return note_clobbered(parsed, statement, known, choices);
}

WrittenAs draw_written_as(const ClobberedTensor& clobbered, Writes writes, const std::string& torch, Choices& choices) {
  if (writes == Writes::kPlain) return {clobbered.name};
  if (writes == Writes::kData) return {clobbered.name + ".data"};
  if (torch.empty() || choices.chance(1, 2)) return {clobbered.name + ".detach()"};
  return {clobbered.name, true};
}

Lines written_lines(const WrittenAs& as, const std::string& torch, Lines lines) {
  return as.no_grad ? Lines{{fmt::format("with {}.no_grad():", torch)}} + deeper(std::move(lines)) : lines;
}

std::string draw_value(Dtype dtype, Choices& choices) {
  if (dtype == Dtype::kBool) return choices.chance(1, 2) ? "True" : "False";
  if (is_integral(dtype)) return fmt::format("{}", choices.between(0, 100));
  constexpr std::array<std::string_view, 8> kValues = {"0.0", "1.5", "-3.25", "7.0", "-0.0", "1e4", "-1e-3", "100.0"};
  return std::string(kValues[choices.below(kValues.size())]);
}

void put_lines(Rewrite& rewrite, const Statement& statement, const ClobberedTensor& clobbered, Lines first,
               const Lines& second) {
  if (!clobbered.gap_end) add(first, second);
  rewrite.before(statement, first);
  if (clobbered.gap_end) rewrite.after(*clobbered.gap_end, second);
}

void put_halves(Rewrite& rewrite, const Statement& statement, const ClobberedTensor& clobbered, const Half& first,
                const Half& second, Choices& choices) {
  const bool few = clobbered.shape.size() < 9;
  const std::string test = !few || choices.chance(1, 2)
                               ? fmt::format("{}.dim() == {}", clobbered.name, clobbered.shape.size())
                               : fmt::format("len({}.shape) < 9", clobbered.name);
  Lines before = placed(rewrite, first, test, choices);
  put_lines(rewrite, statement, clobbered, std::move(before), placed(rewrite, second, test, choices));
}

}  // namespace jp::mutate
