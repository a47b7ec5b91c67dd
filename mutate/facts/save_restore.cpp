#include "mutate/facts/save_restore.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/tensor_type.h"
#include "mutate/engine/notes.h"
#include "mutate/syntax/queries.h"

namespace jp::mutate {
namespace {

bool separate(const NameFacts& other, const NameFacts& clobbered) {
  if (is_number_kind(other.kind) || other.kind == "none") return true;
  return other.kind == "tensor" && other.storage && clobbered.storage && *other.storage != *clobbered.storage;
}

/// The statement neither reads nor writes the clobbered tensor's storage, doesn't bind its name, and doesn't leave the
/// block.
bool inert(const Parsed& parsed, const Facts& facts, const Statement& statement, const std::string& name) {
  const Assignment made = assignment(statement);
  auto known = facts.before.find(statement.id);
  if (!made || made.augmented() || !statement.own_lines || known == facts.before.end()) return false;
  if (!facts.after.contains(statement.id)) return false;
  const NameFacts* clobbered = facts.find_before(statement.id, name);
  if (!clobbered || !made.right || !made.left.is("identifier") || made.left.text() == name) return false;
  std::string torch = torch_name(parsed, statement);
  for (const Node node : nodes_of(made.right)) {
    if (!node.named() || node.is("comment")) continue;
    if (!is_pure_kind(node.kind())) return false;
    // Only methods and functions of torch may be called, never a name's value.
    if (const Call called = call(node); called && !called.object) return false;
    if (!is_variable(node) || node.text() == torch) continue;
    auto used = known->second.find(std::string(node.text()));
    if (used == known->second.end() || !separate(used->second, *clobbered)) return false;
  }
  return true;
}

std::vector<std::string> clobberable_names(const Parsed& parsed, const Facts& facts, const Statement& statement) {
  std::vector<std::string> names;
  auto known = facts.before.find(statement.id);
  if (known == facts.before.end()) return names;
  for (const auto& [name, unused] : known->second)
    if (writable(parsed, facts, statement, name)) names.push_back(name);
  return names;
}

bool allowed(const Parsed& parsed, const Facts& facts) {
  return !uses_introspection(parsed) && !parsed.has_word("_version") && !parsed.has_word("inference_mode") &&
         no_gradients(facts);
}

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

std::vector<Site> save_restore_sites(const Parsed& parsed, const Facts& facts) {
  if (!allowed(parsed, facts)) return {};
  return statement_sites(parsed, [&](const Statement& statement) {
    return insertion_point(parsed, statement) && !clobberable_names(parsed, facts, statement).empty();
  });
}

std::optional<ClobberedTensor> note_clobbered(const Parsed& parsed, const Statement& statement,
                                              const std::function<std::optional<ClobberedTensor>(Choices&)>& known,
                                              Choices& choices) {
  auto clobbered = choices.note_drawn(known);
  if (!clobbered || !insertion_point(parsed, statement) || uses_introspection(parsed)) return std::nullopt;
  if (!parsed.scopes().readable(statement, clobbered->name)) return std::nullopt;
  if (!clobbered->last) return clobbered;
  clobbered->gap_end = parsed.find(*clobbered->last);
  const bool there = clobbered->gap_end && clobbered->gap_end->own_lines;
  return there && !run_between(parsed, statement, *clobbered->gap_end).empty() ? clobbered : std::nullopt;
}

std::optional<ClobberedTensor> draw_victim(const Parsed& parsed, const Facts& facts, const Statement& statement,
                                           Choices& choices) {
  auto known = [&](Choices& inner) -> std::optional<ClobberedTensor> {
    auto names = allowed(parsed, facts) ? clobberable_names(parsed, facts, statement) : std::vector<std::string>();
    if (names.empty()) return std::nullopt;
    ClobberedTensor clobbered;
    clobbered.name = inner.pick(names);
    const KnownTensorType extent = known_type_of(*writable(parsed, facts, statement, clobbered.name));
    clobbered.dtype = extent.dtype;
    clobbered.shape = extent.shape;
    clobbered.contiguous = is_row_major(extent);
    for (const Statement* at = &statement; at && inert(parsed, facts, *at, clobbered.name);
         at = next_in_block(parsed, *at))
      clobbered.last = at->id;
    return clobbered;
  };
  return note_clobbered(parsed, statement, known, choices);
}

std::string draw_value(Dtype dtype, Choices& choices) {
  if (dtype == Dtype::kBool) return choices.chance(1, 2) ? "True" : "False";
  if (is_integral(dtype)) return fmt::format("{}", choices.between(0, 100));
  constexpr std::array<std::string_view, 8> kValues = {"0.0", "1.5", "-3.25", "7.0", "-0.0", "1e4", "-1e-3", "100.0"};
  return std::string(kValues[choices.below(kValues.size())]);
}

void put_halves(Rewrite& rewrite, const Statement& statement, const ClobberedTensor& clobbered, Lines first,
                const Lines& second) {
  if (!clobbered.gap_end) add(first, second);
  rewrite.before(statement, first);
  if (clobbered.gap_end) rewrite.after(*clobbered.gap_end, second);
}

}  // namespace jp::mutate
