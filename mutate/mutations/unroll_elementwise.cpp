// An elementwise operator is replaced by a loop over one axis, over all of it or its first elements only:
//
//     v2 = torch.relu(v0)          t7 = torch.empty((3, 4), dtype=torch.float32)
//                                  for i7 in range(3):
//                                      t7[i7] = torch.relu(v0[i7])
//                                  v2 = t7
//
// The loop is a `for` over a range, reversed or not, over enumerate or zip of the unbound operand, or a `while` with a
// counter. Where the result requires gradients (autograd would record a slice assignment as an in-place write), or by a
// draw, pieces are appended to a list and joined by torch.cat or torch.stack. The result is unchanged bit for bit;
// gradients of the joined form are accumulated in another order.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "mutate/calls/elementwise.h"
#include "mutate/rewrite/rewrite.h"
#include "mutate/rewrite/statement_ranges.h"

namespace jp::mutate::unroll_elementwise_mutation {
namespace {

class UnrollElementwise final : public Mutation {
 public:
  UnrollElementwise()
      : Mutation({"unroll_elementwise", "A", Exactness::kBitwise, true, "TorchProbe",
                  "loops over slices: many small kernels, slice assignments to functionalize, unrolling by Dynamo"}) {}

  std::vector<Site> sites(const Parsed& parsed, const Facts& facts) const override {
    if (binds_loop_words(parsed)) return {};
    return elementwise_sites(parsed, facts, [](const Pieces& pieces) {
      return !pieces.axes(kLongestAxis).empty() && (!pieces.requires_grad || pieces.can_join());
    });
  }

  EditSet rewrite(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                  int step_number) const override;
};

/// The choices that were drawn, and the texts that follow from them.
struct Loop {
  const Elementwise& elementwise;
  const Pieces& pieces;
  std::string torch;
  int axis = 0;
  std::int64_t count = 1;  // iterations
  bool select = false;     // pieces lack the axis
  bool join = false;       // pieces are collected in a list and joined, not assigned to slices
  std::string index;
  std::string result;

  std::int64_t length() const { return pieces.result.shape[static_cast<std::size_t>(axis)]; }
  std::string at_index() const { return select ? index : fmt::format("{0}:{0} + 1", index); }
  std::string piece() const {
    return piece_text(elementwise, pieces, axis,
                      [&](std::string_view name, int own) { return subscript(name, own, at_index()); });
  }
  /// Computes the elements after the loop's part in one expression.
  std::string rest() const {
    return piece_text(elementwise, pieces, axis,
                      [&](std::string_view name, int own) { return subscript(name, own, fmt::format("{}:", count)); });
  }
  /// The line that stores a piece.
  std::string keep(const std::string& text, bool backwards) const {
    if (!join) return fmt::format("{} = {}", subscript(result, axis, at_index()), text);
    return backwards ? fmt::format("{}.insert(0, {})", result, text) : fmt::format("{}.append({})", result, text);
  }
};

/// The text that allocates the result.
std::string allocation(const Loop& loop, Choices& choices) {
  const TensorType& result = loop.pieces.result;
  bool dense = is_row_major(result);
  std::string shape = tuple_text(result.shape);
  std::vector<std::string> forms;
  if (dense) {
    forms.push_back(fmt::format("{0}.empty({1}, dtype={0}.{2})", loop.torch, shape, dtype_name(result.dtype)));
    forms.push_back(fmt::format("{0}.zeros({1}, dtype={0}.{2})", loop.torch, shape, dtype_name(result.dtype)));
  } else {
    forms.push_back(fmt::format("{0}.empty_strided({1}, {2}, dtype={0}.{3})", loop.torch, shape,
                                tuple_text(result.strides), dtype_name(result.dtype)));
  }
  for (std::size_t i = 0; i < loop.pieces.operands.size(); ++i) {
    const auto& operand = loop.pieces.operands[i];
    if (!operand || operand->shape != result.shape || operand->strides != result.strides) continue;
    if (!dense || operand->dtype != result.dtype) continue;
    forms.push_back(fmt::format("{}.empty_like({})", loop.torch, loop.elementwise.names[i].text()));
    forms.push_back(fmt::format("{}.zeros_like({})", loop.torch, loop.elementwise.names[i].text()));
  }
  return choices.pick(forms);
}

/// Loops over the index.
void add_counted(Rewrite& rewrite, const Loop& loop, std::int64_t form, Lines& lines) {
  bool backwards = form == 1 || form == 2;
  if (form == 0) lines.push_back({fmt::format("for {} in range({}):", loop.index, loop.count)});
  if (form == 1) lines.push_back({fmt::format("for {} in reversed(range({})):", loop.index, loop.count)});
  if (form == 2) lines.push_back({fmt::format("for {} in range({}, -1, -1):", loop.index, loop.count - 1)});
  if (form == 3) {
    lines.push_back({fmt::format("{} = 0", loop.index)});
    lines.push_back({fmt::format("while {} < {}:", loop.index, loop.count)});
  }
  std::string piece = rewrite.name("x");
  lines.push_back({fmt::format("{} = {}", piece, loop.piece()), 1});
  lines.push_back({loop.keep(piece, backwards), 1});
  if (form == 3) lines.push_back({fmt::format("{} += 1", loop.index), 1});
}

/// Loops over the pieces of the operands themselves, which lack the axis.
void add_over_pieces(Rewrite& rewrite, const Loop& loop, bool zipped, Lines& lines) {
  std::vector<std::string> variables;
  std::vector<std::string> sources;
  std::vector<std::pair<std::string, std::string>> known;
  std::string text = piece_text(loop.elementwise, loop.pieces, loop.axis, [&](std::string_view name, int own) {
    for (const auto& [there, variable] : known)
      if (there == name) return variable;
    std::string variable = rewrite.name("x");
    known.emplace_back(name, variable);
    variables.push_back(variable);
    sources.push_back(own == 0 && zipped ? std::string(name) : fmt::format("{}.unbind({})", name, own));
    return variable;
  });
  bool one = variables.size() == 1;
  std::string all = one ? sources[0] : fmt::format("zip({})", fmt::join(sources, ", "));
  if (zipped) {
    lines.push_back({fmt::format("for {}, {} in zip(range({}), {}):", loop.index, fmt::join(variables, ", "),
                                 loop.count, fmt::join(sources, ", "))});
  } else {
    std::string target = one ? variables[0] : fmt::format("({})", fmt::join(variables, ", "));
    lines.push_back({fmt::format("for {}, {} in enumerate({}):", loop.index, target, all)});
    if (loop.count < loop.length()) {
      lines.push_back({fmt::format("if {} == {}:", loop.index, loop.count), 1});
      lines.push_back({"break", 2});
    }
  }
  lines.push_back({loop.keep(text, false), 1});
}

EditSet UnrollElementwise::rewrite(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                                   int step_number) const {
  const Statement& statement = *parsed.find(site.statement);
  auto elementwise = find_elementwise(parsed, statement, site.path);
  std::string torch = torch_name(parsed, statement);
  if (!elementwise || torch.empty() || uses_introspection(parsed) || binds_loop_words(parsed)) return {};
  auto pieces = draw_pieces(*elementwise, facts, choices);
  if (!pieces) return {};
  auto axes = pieces->axes(kLongestAxis);
  if (axes.empty() || (pieces->requires_grad && !pieces->can_join())) return {};

  Rewrite rewrite(parsed, step_number);
  Loop loop{*elementwise, *pieces, torch};
  loop.axis = choices.pick(axes);
  loop.count = loop.length();
  if (choices.chance(1, 3)) loop.count = choices.between(1, loop.length());
  loop.select = pieces->can_select(loop.axis) && choices.chance(1, 2);
  loop.join = pieces->requires_grad || (pieces->can_join() && choices.chance(1, 4));
  auto form = static_cast<std::int64_t>(choices.below(loop.select ? 6 : 4));
  loop.index = rewrite.name("i");
  loop.result = rewrite.name("t");

  Lines lines;
  lines.push_back({fmt::format("{} = {}", loop.result, loop.join ? "[]" : allocation(loop, choices))});
  form < 4 ? add_counted(rewrite, loop, form, lines) : add_over_pieces(rewrite, loop, form == 5, lines);
  bool part = loop.count < loop.length();
  std::string value = loop.result;
  if (!loop.join && part)
    lines.push_back(
        {fmt::format("{} = {}", subscript(loop.result, loop.axis, fmt::format("{}:", loop.count)), loop.rest())});
  if (loop.join) {
    value = fmt::format("{}.{}({}, {})", torch, loop.select ? "stack" : "cat", loop.result, loop.axis);
    if (part) value = fmt::format("{}.cat([{}, {}], {})", torch, value, loop.rest(), loop.axis);
  }
  rewrite.before(statement, lines);
  rewrite.replace(elementwise->value, value);
  return rewrite.edits();
}

const Register<Mutation, UnrollElementwise> registered;

}  // namespace
}  // namespace jp::mutate::unroll_elementwise_mutation
