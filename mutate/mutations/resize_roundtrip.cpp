// The elements of a tensor are reordered, padded or repeated, and the change is undone:
//
//     v4 = v3 + v1                 r7 = torch.cat([v3, v3[:1]])
//                                  v4 = r7[:3] + v1
//
// The operators are flip, roll, permute, pad, cat, split, stack, index and repeat. They are applied for one read of the
// value (site path: its number among the statement's reads of tensors), where a copy can't be distinguished from the
// tensor. With path "inplace" the tensor itself is changed by a write or by a change of its metadata, and changed back
// before anything can observe it (save_restore.h). The result is unchanged bit for bit.
#include <fmt/format.h>

#include <algorithm>

#include "mutate/engine/notes.h"
#include "mutate/facts/aliases.h"
#include "mutate/facts/save_restore.h"
#include "mutate/names/reads.h"
#include "mutate/rewrite/statement_ranges.h"
#include "mutate/syntax/queries.h"

namespace jp::mutate::resize_roundtrip_mutation {
namespace {

/// The statement neither writes what it reads nor lets anything else run: a copy made before it is as good.
bool may_copy_before(const Statement& statement) {
  return effects_of(statement).written.empty() && !statement.exits.yields && !statement.exits.awaits;
}

/// Everything that the statement reads is a tensor, a number or torch, so nothing stores the operands of an operator.
bool plain_operands(const Parsed& parsed, const Facts& facts, const Statement& statement, const std::string& torch) {
  auto known = facts.before.find(statement.id);
  if (known == facts.before.end()) return false;
  auto reads = plain_reads(parsed, statement);
  return std::all_of(reads.begin(), reads.end(), [&](const Node& node) {
    if (node.text() == torch) return true;
    auto found = known->second.find(std::string(node.text()));
    if (found == known->second.end()) return false;
    const std::string& kind = found->second.kind;
    return kind == "tensor" || kind == "none" || kind == "str" || is_number_kind(kind);
  });
}

std::optional<Layout> detourable(const Parsed& parsed, const Facts& facts, const Statement& statement,
                                 const TensorRead& read) {
  std::string name(read.node.text());
  auto layout = layout_of(facts.find_before(statement.id, name));
  bool fits = read.fresh && layout && !layout->shape.empty() && layout->count() > 0 && layout->canonical() &&
              !is_complex(layout->dtype) && parsed.scopes().readable(statement, name);
  return fits && (!layout->grad || read_once(parsed, statement, name)) ? layout : std::nullopt;
}

/// A write or a change of metadata, and the one that undoes it.
struct Turn {
  std::string there;
  std::string back;
};

Turn draw_turn(const ClobberedTensor& clobbered, Choices& choices) {
  const std::string& name = clobbered.name;
  std::size_t rank = clobbered.shape.size();
  std::vector<Turn> turns = {{name + ".unsqueeze_(0)", name + ".squeeze_(0)"}};
  if (rank == 0) return turns.front();
  std::size_t axis = choices.below(rank);
  std::int64_t shift = choices.between(1, 3);
  turns.push_back(
      {fmt::format("{0}.copy_({0}.flip({1}))", name, axis), fmt::format("{0}.copy_({0}.flip({1}))", name, axis)});
  turns.push_back({fmt::format("{0}[...] = {0}.roll({1}, {2})", name, shift, axis),
                   fmt::format("{0}[...] = {0}.roll({1}, {2})", name, -shift, axis)});
  turns.push_back(
      {fmt::format("{0}.copy_({0}.roll({1}))", name, shift), fmt::format("{0}.copy_({0}.roll({1}))", name, -shift)});
  turns.push_back({name + ".transpose_(0, -1)", name + ".transpose_(-1, 0)"});
  turns.push_back({name + ".swapaxes_(0, -1)", name + ".swapaxes_(0, -1)"});
  if (rank == 2) turns.push_back({name + ".t_()", name + ".t_()"});
  if (clobbered.contiguous && clobbered.shape[0] > 1) {
    ClobberedTensor less = clobbered;
    less.shape[0] = choices.between(1, clobbered.shape[0] - 1);
    turns.push_back({fmt::format("{}.resize_({})", name, joined(less.shape)),
                     fmt::format("{}.resize_({})", name, joined(clobbered.shape))});
    turns.push_back({fmt::format("{}.resize_({})", name, clobbered.count()),
                     fmt::format("{}.resize_({})", name, joined(clobbered.shape))});
  }
  return choices.pick(turns);
}

class ResizeRoundtrip final : public Mutation {
 public:
  ResizeRoundtrip()
      : Mutation({"resize_roundtrip", "B", Exactness::kBitwise, true, "jitprobe",
                  "movements of elements that are folded, fused or reordered wrongly, and metadata changed in place"}) {
  }

  std::vector<Site> sites(const Parsed& parsed, const Facts& facts) const override {
    std::vector<Site> found;
    if (uses_introspection(parsed) || binds_loop_words(parsed)) return found;
    for (const Statement& statement : parsed.statements()) {
      if (!facts.before.contains(statement.id) || !insertion_point(parsed, statement)) continue;
      std::string torch = torch_name(parsed, statement);
      if (torch.empty() || !may_copy_before(statement) || !plain_operands(parsed, facts, statement, torch)) continue;
      auto reads = tensor_reads(parsed, statement);
      for (std::size_t i = 0; i < reads.size(); ++i)
        if (detourable(parsed, facts, statement, reads[i])) found.push_back({statement.id, std::to_string(i)});
    }
    for (Site& site : save_restore_sites(parsed, facts))
      if (read_writes(site.path) == Writes::kPlain) found.push_back({std::move(site.statement), "inplace"});
    return found;
  }

  EditSet rewrite(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                  int step_number) const override {
    const Statement& statement = *parsed.find(site.statement);
    if (uses_introspection(parsed) || binds_loop_words(parsed) || !insertion_point(parsed, statement)) return {};
    Rewrite rewrite(parsed, step_number);
    if (site.path == "inplace") {
      turn(parsed, facts, statement, choices, rewrite);
      return rewrite.edits();
    }
    auto reads = tensor_reads(parsed, statement);
    auto index = read_index(site.path, reads.size());
    std::string torch = torch_name(parsed, statement);
    if (!index || torch.empty() || !reads[*index].fresh || !may_copy_before(statement)) return {};
    const TensorRead& read = reads[*index];
    std::string name(read.node.text());
    auto found = choices.note([&]() -> std::optional<NamedLayout> {
      auto layout = detourable(parsed, facts, statement, read);
      if (!layout || !plain_operands(parsed, facts, statement, torch)) return std::nullopt;
      return NamedLayout{name, *layout};
    });
    if (!found || found->name != name || found->layout.shape.empty() || found->layout.count() < 1) return {};
    detour(statement, read.node, name, found->layout, torch, choices, rewrite);
    return rewrite.edits();
  }

 private:
  static void detour(const Statement& statement, const Node& node, const std::string& name, const Layout& layout,
                     const std::string& torch, Choices& choices, Rewrite& rewrite) {
    Lines lines;
    std::string value = name;
    int rounds = choices.chance(1, 4) ? 2 : 1;
    for (int i = 0; i < rounds; ++i) {
      Detour detour = draw_copy_detour(value, layout, torch, choices);
      std::string out = detour.out;
      // An expression that is used twice would be evaluated twice.
      if (choices.chance(2, 3) || rounds > 1) {
        out = rewrite.name("r");
        lines.push_back({fmt::format("{} = {}", out, detour.out)});
      }
      value = fmt::format(fmt::runtime(detour.back), out);
      if (i + 1 < rounds || choices.chance(1, 3)) {
        std::string back = rewrite.name("r");
        lines.push_back({fmt::format("{} = {}", back, value)});
        value = back;
      }
    }
    if (!lines.empty()) rewrite.before(statement, lines);
    rewrite.replace(node, value);
  }

  static void turn(const Parsed& parsed, const Facts& facts, const Statement& statement, Choices& choices,
                   Rewrite& rewrite) {
    auto clobbered = draw_victim(parsed, facts, statement, Writes::kPlain, choices);
    if (!clobbered) return;
    Turn turn = draw_turn(*clobbered, choices);
    put_lines(rewrite, statement, *clobbered, {{turn.there}}, {{turn.back}});
  }
};

const Register<Mutation, ResizeRoundtrip> registered;

}  // namespace
}  // namespace jp::mutate::resize_roundtrip_mutation
