// What core says of dtypes, shapes and strides, as JSON lines for tests/core/check_types.py, which asks eager.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "core/broadcast.h"
#include "core/promotion.h"
#include "core/tensor_type.h"

namespace jp {
namespace {

using Sizes = std::vector<std::int64_t>;
using Kind = PromotionOperand::Kind;

std::string json(std::optional<Dtype> dtype) { return dtype ? fmt::format("\"{}\"", dtype_name(*dtype)) : "null"; }
std::string json(const Sizes& sizes) { return fmt::format("[{}]", fmt::join(sizes, ",")); }
std::string json(std::optional<bool> known) { return known ? (*known ? "true" : "false") : "null"; }
std::string json(const PromotionOperand& operand) {
  constexpr std::string_view kKinds[] = {"tensor", "zero_dim", "number"};
  return fmt::format("[\"{}\",\"{}\"]", kKinds[static_cast<int>(operand.kind)], dtype_name(operand.dtype));
}

std::vector<PromotionOperand> all_operands() {
  std::vector<PromotionOperand> all;
  for (Dtype dtype : all_dtypes()) all.push_back(PromotionOperand::tensor(dtype, 1));
  for (Dtype dtype : all_dtypes()) all.push_back(PromotionOperand::tensor(dtype, 0));
  for (Dtype dtype : {Dtype::kBool, Dtype::kInt64, Dtype::kFloat64, Dtype::kComplex128})
    all.push_back(PromotionOperand::number(dtype));
  return all;
}

void print_promotion(const std::vector<PromotionOperand>& operands, Dtype default_dtype) {
  std::vector<std::string> texts;
  for (const PromotionOperand& operand : operands) texts.push_back(json(operand));
  fmt::print("{{\"of\":\"promote\",\"default\":{},\"operands\":[{}],\"is\":{}}}\n", json(default_dtype),
             fmt::join(texts, ","), json(promote(operands, default_dtype)));
}

void print_promotions() {
  const std::vector<PromotionOperand> all = all_operands();
  for (Dtype default_dtype : {Dtype::kFloat16, Dtype::kBFloat16, Dtype::kFloat32, Dtype::kFloat64})
    for (const PromotionOperand& a : all)
      for (const PromotionOperand& b : all) print_promotion({a, b}, default_dtype);
  for (const PromotionOperand& a : all)
    for (const PromotionOperand& b : all)
      for (const PromotionOperand& c : all) print_promotion({a, b, c}, Dtype::kFloat32);
}

void print_pairs() {
  for (Dtype a : all_dtypes()) {
    fmt::print("{{\"of\":\"dtype\",\"dtype\":{},\"floating\":{},\"real\":{},\"complex\":{}}}\n", json(a),
               json(to_floating(a)), json(real_dtype(a)), json(complex_dtype(a)));
    for (Dtype b : all_dtypes())
      fmt::print("{{\"of\":\"pair\",\"a\":{},\"b\":{},\"promote\":{},\"can_cast\":{}}}\n", json(a), json(b),
                 json(promote(a, b)), can_cast(a, b));
  }
}

/// All lists of `rank` numbers among `choices`.
std::vector<Sizes> lists(int rank, const Sizes& choices) {
  std::vector<Sizes> all = {{}};
  for (int i = 0; i < rank; ++i) {
    std::vector<Sizes> longer;
    for (const Sizes& one : all)
      for (std::int64_t size : choices) {
        longer.push_back(one);
        longer.back().push_back(size);
      }
    all = std::move(longer);
  }
  return all;
}

std::vector<Sizes> all_shapes(int most_dimensions) {
  std::vector<Sizes> all;
  for (int rank = 0; rank <= most_dimensions; ++rank)
    for (Sizes& shape : lists(rank, {0, 1, 2, 3})) all.push_back(std::move(shape));
  return all;
}

void print_broadcasts() {
  const std::vector<Sizes> shapes = all_shapes(3);
  for (const Sizes& a : shapes)
    for (const Sizes& b : shapes) {
      const std::optional<Sizes> both = broadcast_shapes(a, b);
      fmt::print("{{\"of\":\"broadcast\",\"a\":{},\"b\":{},\"is\":{},\"expands\":{}}}\n", json(a), json(b),
                 both ? json(*both) : "null", expands_to(a, b));
    }
}

void print_strides() {
  for (const Sizes& shape : all_shapes(4))
    fmt::print("{{\"of\":\"shape\",\"shape\":{},\"count\":{},\"checked\":{},\"strides\":{}}}\n", json(shape),
               element_count(shape), *checked_element_count(shape), json(contiguous_strides(shape)));
  for (const Sizes& shape : all_shapes(3))
    for (const Sizes& strides : lists(static_cast<int>(shape.size()), {0, 1, 2, 3, 4, 6, 9}))
      fmt::print(
          "{{\"of\":\"strides\",\"shape\":{},\"strides\":{},\"row_major\":{},\"contiguous\":{},\"dense\":{},"
          "\"overlaps\":{}}}\n",
          json(shape), json(strides), is_row_major(shape, strides), is_contiguous(shape, strides),
          is_non_overlapping_and_dense(shape, strides), json(overlaps_itself(shape, strides)));
}

}  // namespace
}  // namespace jp

int main() {
  jp::print_promotions();
  jp::print_pairs();
  jp::print_broadcasts();
  jp::print_strides();
}
