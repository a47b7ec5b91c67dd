// An elementwise operator becomes a comprehension over one axis, whose pieces are joined again:
//
//     v2 = torch.relu(v0)          v2 = torch.stack([torch.relu(v0[i7]) for i7 in range(3)], 0)
//
// The pieces come from a list comprehension (forwards or backwards), a generator that is consumed by a tuple or a list,
// or `map` with a lambda; they cover the axis, or only its first elements. It applies only where the result has the
// layout that torch.stack and torch.cat produce. The result is unchanged bit for bit.
#include <fmt/format.h>

#include "mutate/calls/elementwise.h"
#include "mutate/rewrite/rewrite.h"
#include "mutate/rewrite/statement_ranges.h"

namespace jp::mutate::comprehend_elementwise_mutation {
namespace {

class ComprehendElementwise final : public Mutation {
 public:
  ComprehendElementwise()
      : Mutation({"comprehend_elementwise", "A", Exactness::kBitwise, true, "TorchProbe",
                  "comprehensions and joins of many small pieces: inlined frames, fused cat and stack"}) {}

  std::vector<Site> sites(const Parsed& parsed, const Facts& facts) const override {
    if (binds_loop_words(parsed)) return {};
    return elementwise_sites(
        parsed, facts, [](const Pieces& pieces) { return pieces.can_join() && !pieces.axes(kLongestAxis).empty(); });
  }

  EditSet rewrite(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                  int step_number) const override {
    const Statement& statement = *parsed.find(site.statement);
    auto elementwise = find_elementwise(parsed, statement, site.path);
    std::string torch = torch_name(parsed, statement);
    if (!elementwise || torch.empty() || uses_introspection(parsed) || binds_loop_words(parsed)) return {};
    auto pieces = draw_pieces(*elementwise, facts, choices);
    if (!pieces || !pieces->can_join() || pieces->axes(kLongestAxis).empty()) return {};

    int axis = choices.pick(pieces->axes(kLongestAxis));
    std::int64_t length = pieces->result.shape[static_cast<std::size_t>(axis)];
    std::int64_t count = choices.chance(1, 3) ? choices.between(1, length) : length;
    bool select = pieces->can_select(axis) && choices.chance(1, 2);

    Rewrite rewrite(parsed, step_number);
    std::string index = rewrite.name("i");
    std::string piece = piece_text(*elementwise, *pieces, axis, [&](std::string_view name, int own) {
      return subscript(name, own, select ? index : fmt::format("{0}:{0} + 1", index));
    });
    std::string list;
    switch (choices.below(5)) {
      case 0:
        list = fmt::format("[{} for {} in range({})]", piece, index, count);
        break;
      case 1:
        list = fmt::format("tuple({} for {} in range({}))", piece, index, count);
        break;
      case 2:
        list = fmt::format("[*({} for {} in range({}))]", piece, index, count);
        break;
      case 3:
        list = fmt::format("[{} for {} in reversed(range({}))][::-1]", piece, index, count);
        break;
      default:
        list = fmt::format("list(map(lambda {}: {}, range({})))", index, piece, count);
    }
    std::string value = fmt::format("{}.{}({}, {})", torch, select ? "stack" : "cat", list, axis);
    if (count < length) {
      std::string rest = piece_text(*elementwise, *pieces, axis, [&](std::string_view name, int own) {
        return subscript(name, own, fmt::format("{}:", count));
      });
      value = fmt::format("{}.cat([{}, {}], {})", torch, value, rest, axis);
    }
    rewrite.replace(elementwise->value, value);
    return rewrite.edits();
  }
};

const Register<Mutation, ComprehendElementwise> registered;

}  // namespace
}  // namespace jp::mutate::comprehend_elementwise_mutation
