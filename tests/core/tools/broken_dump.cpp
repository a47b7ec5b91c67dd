// Every call of every broken rule on tensors of all dtypes and of many shapes, where the rule says that it fits: a JSON
// line with the names of all rules, then lines {"rule", "call", "dtype", "shape", "leaf"} for
// tests/core/check_broken_rules.py, which asks eager. The call reads the tensor by the name `v`.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "core/broken_rule.h"

namespace jp {
namespace {

const std::vector<std::vector<std::int64_t>> kShapes = {
    {},     {0},    {1},    {2},    {5},       {0, 0},    {0, 3},    {3, 0},    {1, 1},       {1, 4},
    {4, 1}, {2, 2}, {3, 4}, {4, 4}, {2, 3, 4}, {1, 1, 1}, {0, 2, 2}, {2, 0, 3}, {3, 2, 1, 2}, {1, 2, 1, 2, 2},
};

// A call may draw one of the tensor's dimensions: with this many seeds all of them come, the calls are printed once.
constexpr std::uint64_t kSeeds = 20;

std::set<std::string> calls_of(const BrokenRule& rule, const Breakable& tensor) {
  std::set<std::string> calls;
  for (std::string_view form : rule.calls) {
    BrokenRule one = rule;
    one.calls = {form};
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
      Choices choices(seed);
      calls.insert(broken_call(one, tensor, "v", "torch", choices));
    }
  }
  return calls;
}

void print_calls(const Breakable& tensor) {
  for (const BrokenRule& rule : broken_rules()) {
    if (!rule.fits(tensor)) continue;
    for (const std::string& call : calls_of(rule, tensor)) {
      const nlohmann::json line = {{"rule", rule.name},
                                   {"call", call},
                                   {"dtype", dtype_name(tensor.dtype)},
                                   {"shape", tensor.shape},
                                   {"leaf", tensor.leaf}};
      fmt::print("{}\n", line.dump());
    }
  }
}

void print_names() {
  nlohmann::json names = nlohmann::json::array();
  for (const BrokenRule& rule : broken_rules()) names.push_back(rule.name);
  fmt::print("{}\n", names.dump());
}

void print_all() {
  print_names();
  for (Dtype dtype : all_dtypes()) {
    for (const auto& shape : kShapes) {
      for (bool leaf : {false, true}) {
        Breakable tensor;
        tensor.dtype = dtype;
        tensor.shape = shape;
        tensor.requires_grad = tensor.leaf = leaf;
        if (!leaf || is_floating(dtype)) print_calls(tensor);
      }
    }
  }
}

}  // namespace
}  // namespace jp

int main() { jp::print_all(); }
