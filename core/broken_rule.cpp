#include "core/broken_rule.h"

#include <fmt/args.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace jp {
namespace {

using Sizes = std::vector<std::int64_t>;
using Marks = fmt::dynamic_format_arg_store<fmt::format_context>;

std::vector<BrokenRule> all_rules() {
  std::vector<BrokenRule> rules;
  for (const Breaks* family : Registry<Breaks>::instance().all())
    for (const BrokenRule& rule : family->rules()) rules.push_back(rule);
  return rules;
}

// As the inside of a tuple or as arguments: "3, 4", and "3," alone, which is a tuple in parentheses.
std::string listed(const Sizes& numbers) {
  return fmt::format("{}{}", fmt::join(numbers, ", "), numbers.size() == 1 ? "," : "");
}

void add_marks(Marks& marks, const Sizes& shape) {
  const std::int64_t first = shape.empty() ? 0 : shape.front();
  marks.push_back(fmt::arg("first", first));
  marks.push_back(fmt::arg("before_first", -first - 1));
  marks.push_back(fmt::arg("more_zeros", listed(Sizes(shape.size() + 1, 0))));
}

}  // namespace

const std::vector<BrokenRule>& broken_rules() {
  static const std::vector<BrokenRule> rules = all_rules();
  return rules;
}

std::string broken_call(const BrokenRule& rule, const Breakable& tensor, std::string_view v, std::string_view torch,
                        Choices& choices) {
  const std::string_view call = choices.pick(rule.calls);
  Marks marks;
  marks.push_back(fmt::arg("v", v));
  marks.push_back(fmt::arg("torch", torch));
  add_marks(marks, tensor.shape);
  return fmt::vformat(call, marks);
}

}  // namespace jp
