// A live tensor is read through a view of it, or a view of a view, that has the same shape and strides:
//
//     v4 = v3 + v1                 a7 = v3.transpose(0, 1)
//                                  v4 = a7.transpose(1, 0) + v1
//
// The view is part of the expression itself, or is bound to names right before the statement, or to a name further up
// in the block; in the last case everything written to the tensor in between must show in the view. The result is
// unchanged bit for bit. Site path: which of the statement's reads of tensors, from 0.
#include <fmt/format.h>

#include <algorithm>

#include "core/operators.h"
#include "mutate/engine/mutation.h"
#include "mutate/engine/notes.h"
#include "mutate/facts/alias_reads.h"
#include "mutate/facts/aliases.h"
#include "mutate/names/own_code.h"
#include "mutate/names/reads.h"
#include "mutate/names/scopes.h"
#include "mutate/rewrite/rewrite.h"
#include "mutate/syntax/queries.h"

namespace jp::mutate::alias_read_mutation {
namespace {

constexpr int kFarthest = 12;

/// IDs of the statements further up in the block before which the tensor had the same layout in memory as at the
/// statement, nearest first.
std::vector<std::string> earlier(const Parsed& parsed, const Facts& facts, const Statement& statement,
                                 const std::string& name, const Layout& layout) {
  std::vector<std::string> found;
  if (layout.grad || !keeps_memory(parsed)) return found;
  const auto& block = parsed.blocks()[static_cast<std::size_t>(statement.block)].statements;
  for (int place = statement.place - 1; place >= 0 && place >= statement.place - kFarthest; --place) {
    const Statement& from = parsed.statement(block[static_cast<std::size_t>(place)]);
    if (!spans(parsed, from, statement, name) || layout_of(facts.find_before(from.id, name)) != layout) break;
    found.push_back(from.id);
  }
  return found;
}

/// The statement changes the metadata of a tensor, which a view that is made before it does not follow.
bool changes_metadata(const Statement& statement) {
  const Effects effects = effects_of(statement);
  return std::any_of(effects.calls.begin(), effects.calls.end(), [&](const Call& call) {
    const OperatorFacts* op = names_write(call.name) ? find_operator(base_name(call.name)) : nullptr;
    return (op && op->view_in_place) || call.name == "requires_grad_";
  });
}

/// The tensor that is read, and the statement before which the view may be made.
struct Reading {
  NamedLayout tensor;
  std::string from;

  auto fields() { return std::tie(tensor, from); }
};

class AliasRead final : public Mutation {
 public:
  AliasRead()
      : Mutation({"alias_read", "B", Exactness::kBitwise, true, "jitprobe",
                  "views that functionalization must regenerate after a write to their base, and strides of views"}) {}

  std::vector<Site> sites(const Parsed& parsed, const Facts& facts) const override {
    std::vector<Site> found;
    if (uses_introspection(parsed)) return found;
    for (const Statement& statement : parsed.statements()) {
      if (!facts.before.contains(statement.id) || !insertion_point(parsed, statement)) continue;
      if (changes_metadata(statement)) continue;
      auto reads = tensor_reads(parsed, statement);
      for (std::size_t i = 0; i < reads.size(); ++i)
        if (readable_layout(parsed, facts, statement, reads[i])) found.push_back({statement.id, std::to_string(i)});
    }
    return found;
  }

  EditSet rewrite(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                  int step_number) const override {
    const Statement& statement = *parsed.find(site.statement);
    if (uses_introspection(parsed) || !insertion_point(parsed, statement) || changes_metadata(statement)) return {};
    auto reads = tensor_reads(parsed, statement);
    auto index = read_index(site.path, reads.size());
    if (!index) return {};
    const Node node = reads[*index].node;
    const std::string name(node.text());
    auto reading = choices.note_drawn(
        [&](Choices& inner) { return draw_reading(parsed, facts, statement, reads[*index], inner); });
    if (rebinds_before(parsed, statement, node)) return {};
    const Statement* from = reading && reading->tensor.name == name ? parsed.find(reading->from) : nullptr;
    if (!from || !spans(parsed, *from, statement, name)) return {};
    const Layout& layout = reading->tensor.layout;
    if (from != &statement && (layout.grad || !keeps_memory(parsed))) return {};

    Rewrite rewrite(parsed, step_number);
    std::string torch = torch_name(parsed, statement);
    Lines lines;
    std::string value;
    if (choices.chance(1, 2)) {
      Detour detour = draw_view_detour(parsed, name, layout, torch, choices);
      std::string out = detour.out;
      if (from != &statement || choices.chance(1, 2)) {
        out = rewrite.name("a");
        lines.push_back({fmt::format("{} = {}", out, detour.out)});
      }
      value = fmt::format(fmt::runtime(detour.back), out);
    } else {
      value = draw_alias(parsed, name, name, layout, torch, choices);
      if (from != &statement) {
        lines.push_back({fmt::format("{} = {}", rewrite.name("a"), value)});
        value = lines.back().text.substr(0, lines.back().text.find(' '));
      }
    }
    if (choices.chance(1, 4)) value = draw_alias(parsed, name, value, layout, torch, choices);
    if (from == &statement && choices.chance(1, 3)) {
      std::string whole = rewrite.name("a");
      lines.push_back({fmt::format("{} = {}", whole, value)});
      value = whole;
    }
    if (!lines.empty()) rewrite.before(*from, lines);
    bool all = choices.chance(1, 2);
    for (const TensorRead& read : reads) {
      bool again = all && read.node.text() == name && read.returned == reads[*index].returned && !read.object &&
                   !read.itself && !rebinds_before(parsed, statement, read.node);
      if (read.node == node || again) rewrite.replace(read.node, value);
    }
    return rewrite.edits();
  }

 private:
  static std::optional<Reading> draw_reading(const Parsed& parsed, const Facts& facts, const Statement& statement,
                                             const TensorRead& read, Choices& choices) {
    auto layout = readable_layout(parsed, facts, statement, read);
    if (!layout) return std::nullopt;
    std::string name(read.node.text());
    auto places = earlier(parsed, facts, statement, name, *layout);
    bool far = !places.empty() && choices.chance(1, 2);
    return Reading{{name, *layout}, far ? choices.pick(places) : statement.id};
  }
};

const Register<Mutation, AliasRead> registered;

}  // namespace
}  // namespace jp::mutate::alias_read_mutation
