#include "core/broken_rule.h"

#include <fmt/args.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

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

Sizes longer(Sizes shape) {
  if (!shape.empty()) ++shape.back();
  return shape;
}

Sizes fewer(Sizes shape) {
  if (!shape.empty()) shape.pop_back();
  return shape;
}

Sizes dims(std::int64_t count) {
  Sizes all;
  for (std::int64_t dim = 0; dim < count; ++dim) all.push_back(dim);
  return all;
}

Sizes repeated_dims(std::int64_t count) {
  Sizes all = dims(count);
  if (count >= 2) all[1] = 0;
  return all;
}

void add_numbers(Marks& marks, const Sizes& shape) {
  const auto rank = static_cast<std::int64_t>(shape.size());
  // A tensor without dimensions takes 0 and -1 for one.
  const std::int64_t reach = std::max<std::int64_t>(rank, 1);
  const std::int64_t first = shape.empty() ? 0 : shape.front();
  marks.push_back(fmt::arg("first", first));
  marks.push_back(fmt::arg("first_more", first + 1));
  marks.push_back(fmt::arg("before_first", -first - 1));
  marks.push_back(fmt::arg("last_more", shape.empty() ? 1 : shape.back() + 1));
  marks.push_back(fmt::arg("count", element_count(shape)));
  marks.push_back(fmt::arg("count_more", element_count(shape) + 1));
  marks.push_back(fmt::arg("past", reach));
  marks.push_back(fmt::arg("before", -reach - 1));
  marks.push_back(fmt::arg("past_new", rank + 1));
  marks.push_back(fmt::arg("before_new", -rank - 2));
}

void add_lists(Marks& marks, const Sizes& shape) {
  const auto rank = static_cast<std::int64_t>(shape.size());
  marks.push_back(fmt::arg("sizes", listed(shape)));
  marks.push_back(fmt::arg("longer", listed(longer(shape))));
  marks.push_back(fmt::arg("fewer", listed(fewer(shape))));
  marks.push_back(fmt::arg("more_dims", listed(dims(rank + 1))));
  marks.push_back(fmt::arg("repeated_dims", listed(repeated_dims(rank))));
  marks.push_back(fmt::arg("more_zeros", listed(Sizes(shape.size() + 1, 0))));
}

void add_dim(Marks& marks, const Sizes& shape, Choices& choices) {
  const std::int64_t rank = std::max<std::int64_t>(static_cast<std::int64_t>(shape.size()), 1);
  const std::int64_t dim = choices.between(0, rank - 1);
  marks.push_back(fmt::arg("dim", dim));
  marks.push_back(fmt::arg("same_dim", dim - rank));
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
  marks.push_back(fmt::arg("dtype", dtype_name(tensor.dtype)));
  marks.push_back(fmt::arg("other_int", tensor.dtype == Dtype::kInt16 ? "int8" : "int16"));
  add_numbers(marks, tensor.shape);
  add_lists(marks, tensor.shape);
  add_dim(marks, tensor.shape, choices);
  return fmt::vformat(call, marks);
}

}  // namespace jp
