// A tensor makes a detour over another order or size of its elements, and comes back:
//
//     v4 = v3 + v1                 r7 = torch.cat([v3, v3[:1]])
//                                  v4 = r7[:3] + v1
//
// Flip, roll, permute, pad, cat, split, stack, index or repeat, for one read of the value (site path: its number among
// the statement's reads of tensors), where a copy can't be told from the tensor; or, with path "inplace", the tensor
// itself is turned by a write or a change of its metadata and turned back before anybody looks (recover.h).
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "mutate/facts/aliases.h"
#include "mutate/facts/save_restore.h"
#include "mutate/names/reads.h"

namespace jp::mutate {
namespace {

/// Everything that the statement reads is a tensor, a number or torch, so that nobody keeps what an operator is given.
bool plain_operands(const Parsed& parsed, const Facts& facts, const Statement& statement, const std::string& torch) {
  auto known = facts.before.find(statement.id);
  if (known == facts.before.end()) return false;
  auto reads = plain_reads(parsed, statement);
  return std::all_of(reads.begin(), reads.end(), [&](const Node& node) {
    if (node.text() == torch) return true;
    auto found = known->second.find(std::string(node.text()));
    if (found == known->second.end()) return false;
    const std::string& kind = found->second.kind;
    return kind == "tensor" || kind == "int" || kind == "float" || kind == "bool" || kind == "none" || kind == "str";
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

std::optional<std::size_t> read_index(std::string_view path) {
  std::size_t index = 0;
  auto [end, error] = std::from_chars(path.data(), path.data() + path.size(), index);
  return error == std::errc() && end == path.data() + path.size() ? std::optional(index) : std::nullopt;
}

/// A write or a change of metadata, and the one that takes it back.
struct Turn {
  std::string there;
  std::string back;
};

std::string sizes_of(const ClobberedTensor& clobbered) { return sizes_text(clobbered.shape); }

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
    turns.push_back({fmt::format("{}.resize_({})", name, sizes_of(less)),
                     fmt::format("{}.resize_({})", name, sizes_of(clobbered))});
    turns.push_back({fmt::format("{}.resize_({})", name, clobbered.count()),
                     fmt::format("{}.resize_({})", name, sizes_of(clobbered))});
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
    if (uses_introspection(parsed)) return found;
    for (const Statement& statement : parsed.statements()) {
      if (!facts.before.contains(statement.id) || !insertion_point(parsed, statement)) continue;
      std::string torch = torch_name(parsed, statement);
      if (torch.empty() || !plain_operands(parsed, facts, statement, torch)) continue;
      auto reads = tensor_reads(parsed, statement);
      for (std::size_t i = 0; i < reads.size(); ++i)
        if (detourable(parsed, facts, statement, reads[i])) found.push_back({statement.id, std::to_string(i)});
    }
    for (Site& site : save_restore_sites(parsed, facts)) found.push_back({std::move(site.statement), "inplace"});
    return found;
  }

  EditSet rewrite(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                  int step_number) const override {
    const Statement& statement = *parsed.find(site.statement);
    if (uses_introspection(parsed) || !insertion_point(parsed, statement)) return {};
    Rewrite rewrite(parsed, step_number);
    if (site.path == "inplace") {
      turn(parsed, facts, statement, choices, rewrite);
      return rewrite.edits();
    }
    auto index = read_index(site.path);
    auto reads = tensor_reads(parsed, statement);
    std::string torch = torch_name(parsed, statement);
    if (!index || *index >= reads.size() || torch.empty() || !reads[*index].fresh) return {};
    const TensorRead& read = reads[*index];
    std::string name(read.node.text());
    std::string note = choices.note([&] {
      auto layout = detourable(parsed, facts, statement, read);
      return layout && plain_operands(parsed, facts, statement, torch) ? name + " " + print_layout(*layout) : "";
    });
    if (!note.starts_with(name + " ")) return {};
    auto layout = read_layout(std::string_view(note).substr(name.size() + 1));
    if (!layout || layout->shape.empty() || layout->count() < 1) return {};
    detour(statement, read.node, name, *layout, torch, choices, rewrite);
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
      // A part that is read twice would be computed twice.
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
    std::uint64_t seed = choices.below(std::uint64_t{1} << 62);
    auto clobbered = read_clobbered(parsed, statement, choices.note([&] {
      Choices inner(seed);
      return note_clobbered(parsed, facts, statement, inner);
    }));
    if (!clobbered) return;
    Turn turn = draw_turn(*clobbered, choices);
    put_halves(rewrite, statement, *clobbered, {{turn.there}}, {{turn.back}});
  }
};

const Register<Mutation, ResizeRoundtrip> registered;

}  // namespace
}  // namespace jp::mutate
