// An elementwise operator is applied to the slices of its first axis by torch's scan or map operator:
//
//     v3 = v2 + v1                 v3 = torch.ops.higher_order.map_impl(lambda a7: (a7 + v1,), (v2,), ())[0]
//
// The operators are called directly, so that eager runs the loop; torch.scan would compile itself. The carried value
// does not affect the result. Scan's operator accepts its function only as a `partial` with the keyword `combine_fn`,
// in the form in which torch itself passes it. Where something requires gradients, the operator runs without them, and
// what it gives is written over the result, which has them:
//
//     with torch.no_grad():
//         w7 = torch.ops.higher_order.map_impl(lambda a7: (a7 + v1,), (v2,), ())[0]
//     v3 = v2 + v1
//     with torch.no_grad():
//         v3.copy_(w7)
//
// The result is unchanged bit for bit. Site path: as in elementwise.h.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "mutate/calls/elementwise.h"
#include "mutate/facts/aliases.h"
#include "mutate/facts/save_restore.h"
#include "mutate/rewrite/statement_ranges.h"

namespace jp::mutate::scan_form_mutation {
namespace {

bool can_scan(const Pieces& pieces) {
  if (pieces.result.shape.empty() || !pieces.can_select(0, !pieces.requires_grad) || !pieces.can_join()) return false;
  bool mapped = false;
  for (std::size_t i = 0; i < pieces.operands.size(); ++i) mapped = mapped || pieces.operand_axis(i, 0).has_value();
  std::int64_t size = pieces.result.shape[0];
  return mapped && size >= 1 && size <= kLongestAxis;
}

/// What requires gradients may be written over directly behind the call, or a clone of it may.
bool may_write_over(const Parsed& parsed) { return autograd_is_plain(parsed) && !parsed.has_word("inference_mode"); }

bool may_stand(const Parsed& parsed, const Statement& statement) {
  return !torch_name(parsed, statement).empty() && !may_be_traced(parsed, statement) && !may_negate(parsed) &&
         !parsed.has_word("_version");
}

/// The body of the function, with parameters in place of the tensors that are sliced (and, if drawn, of other tensors).
struct Slices {
  std::string body;
  std::vector<std::string> sliced;
  std::vector<std::string> sliced_names;
  std::vector<std::string> others;
  std::vector<std::string> other_names;
};

Slices slices_of(const Elementwise& elementwise, const Pieces& pieces, Rewrite& rewrite, Choices& choices) {
  Slices slices;
  bool hand_over = choices.chance(1, 2);
  auto parameter = [&](std::string_view base, const std::string& operand, std::vector<std::string>& operands,
                       std::vector<std::string>& names) {
    auto known = std::find(operands.begin(), operands.end(), operand);
    if (known != operands.end()) return names[static_cast<std::size_t>(known - operands.begin())];
    operands.push_back(operand);
    names.push_back(rewrite.name(base));
    return names.back();
  };
  EditSet edits;
  std::size_t from = elementwise.value.begin();
  for (std::size_t i = 0; i < elementwise.names.size(); ++i) {
    const Node& name = elementwise.names[i];
    if (!pieces.operands[i]) continue;
    const bool sliced = pieces.operand_axis(i, 0).has_value();
    std::string text(name.text());
    if (pieces.drops(i, 0)) text += "[0]";
    if (sliced) text = parameter("a", text, slices.sliced, slices.sliced_names);
    if (!sliced && hand_over) text = parameter("b", text, slices.others, slices.other_names);
    edits.replace(name.begin() - from, name.end() - from, text);
  }
  slices.body = edits.apply(elementwise.value.text());
  return slices;
}

std::string parameters_of(std::vector<std::string> first, const Slices& slices) {
  add(first, slices.sliced_names);
  add(first, slices.other_names);
  return joined(first);
}

class ScanForm final : public Mutation {
 public:
  ScanForm()
      : Mutation({"scan_form", "C", Exactness::kBitwise, true, "jitprobe",
                  "loops over slices inside a graph: carried, stacked and captured values"}) {}

  std::vector<Site> sites(const Parsed& parsed, const Facts& facts) const override {
    auto found = elementwise_sites(parsed, facts, can_scan, true);
    std::erase_if(found, [&](const Site& site) {
      const Statement& statement = *parsed.find(site.statement);
      const auto elementwise = find_elementwise(parsed, statement, site.path);
      const bool grads = find_pieces(*elementwise, facts, true)->requires_grad;
      return !may_stand(parsed, statement) || (grads && !may_write_over(parsed));
    });
    return found;
  }

  EditSet rewrite(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                  int step_number) const override {
    const Statement& statement = *parsed.find(site.statement);
    auto elementwise = find_elementwise(parsed, statement, site.path);
    if (!elementwise || uses_introspection(parsed) || !may_stand(parsed, statement)) return {};
    auto pieces = draw_pieces(*elementwise, facts, choices, true);
    if (!pieces || !can_scan(*pieces)) return {};
    if (pieces->requires_grad && !may_write_over(parsed)) return {};
    Rewrite rewrite(parsed, step_number);
    std::string torch = torch_name(parsed, statement);
    Slices slices = slices_of(*elementwise, *pieces, rewrite, choices);
    const Made made = choices.chance(1, 3) ? map_call(slices, torch) : scan_call(rewrite, slices, torch, choices);
    if (pieces->requires_grad) {
      write_over(parsed, rewrite, *elementwise, made, torch);
    } else {
      rewrite.before(statement, made.before);
      rewrite.replace(elementwise->value, made.call);
    }
    return rewrite.edits();
  }

 private:
  /// A call of an operator, and the lines before it.
  struct Made {
    Lines before;
    std::string call;
  };

  static Made map_call(const Slices& slices, const std::string& torch) {
    return {{},
            fmt::format("{}.ops.higher_order.map_impl(lambda {}: ({},), {}, {})[0]", torch, parameters_of({}, slices),
                        slices.body, tuple_text(slices.sliced), tuple_text(slices.others))};
  }

  static Made scan_call(Rewrite& rewrite, const Slices& slices, const std::string& torch, Choices& choices) {
    std::string partial = rewrite.name("partial");
    std::string function = rewrite.name("step");
    std::string carried = rewrite.name("c");
    constexpr auto kCarries = std::to_array<std::array<std::string_view, 2>>(
        {{"{}.tensor(0)", "{} + 1"}, {"{}.zeros(1)", "{} * 2"}, {"{}.ones(2, 2)", "{}.cos()"}});
    const auto& [start, next] = kCarries[choices.below(kCarries.size())];
    return {{{fmt::format("from functools import partial as {}", partial)},
             {fmt::format("def {}({}):", function, parameters_of({carried}, slices))},
             {fmt::format("return {}, {}", fmt::format(fmt::runtime(next), carried), slices.body), 1}},
            fmt::format("{}.ops.higher_order.scan({}(lambda *given, combine_fn: combine_fn(*given), combine_fn={}), "
                        "({},), {}, {})[1]",
                        torch, partial, function, fmt::format(fmt::runtime(start), torch), tuple_text(slices.sliced),
                        tuple_text(slices.others))};
  }

  static void write_over(const Parsed& parsed, Rewrite& rewrite, const Elementwise& elementwise, const Made& made,
                         const std::string& torch) {
    const Statement& statement = *elementwise.statement;
    const std::string written = rewrite.name("w");
    const std::string without = fmt::format("with {}.no_grad():", torch);
    const auto over = [&](std::string_view name) {
      return Lines{{without}, {fmt::format("{}.copy_({})", name, written), 1}};
    };
    const Lines first = made.before + Lines{{without}, {fmt::format("{} = {}", written, made.call), 1}};
    // Autograd may have saved the result itself.
    const std::string_view way = forgets_result(parsed, statement, elementwise.value) ? "" : ".clone()";
    const std::string text =
        way.empty() ? std::string(elementwise.value.text()) : fmt::format("({}){}", elementwise.value.text(), way);
    if (elementwise.target) {
      rewrite.before(statement, first);
      if (!way.empty()) rewrite.replace(elementwise.value, text);
      rewrite.after(statement, over(elementwise.target.text()));
      return;
    }
    const std::string value = rewrite.name("e");
    rewrite.before(statement, first + Lines{{fmt::format("{} = {}", value, text)}} + over(value));
    rewrite.replace(elementwise.value, value);
  }
};

const Register<Mutation, ScanForm> registered;

}  // namespace
}  // namespace jp::mutate::scan_form_mutation
