// Every call of every broken rule on tensors of all dtypes and of many shapes, where the rule says that it fits, and
// calls that each CallBreaker draws for them: a JSON line with the names of all, then lines {"rule", "call", "dtype",
// "shape", "leaf"} for tests/core/check_broken_rules.py, which asks eager. The call reads the tensor by the name `v`.
//
//   broken_dump [FIRST]        the first seed of what is drawn; 0 without
#include <fmt/format.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/broken_rule.h"

namespace jp {
namespace {

const std::vector<std::vector<std::int64_t>> kShapes = {
    {},        {0},       {1},       {2},       {5},          {0, 0},          {0, 3},
    {3, 0},    {1, 1},    {1, 4},    {4, 1},    {2, 2},       {3, 4},          {4, 4},
    {2, 3, 4}, {1, 1, 1}, {0, 2, 2}, {2, 0, 3}, {3, 2, 1, 2}, {1, 2, 1, 2, 2}, {2, 3, 40, 40},
};

// How many calls are drawn of each kind; those of rules are printed once.
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

std::string named(std::string text) {
  for (const auto& [mark, name] : {std::pair<std::string_view, std::string_view>("{v}", "v"), {"{torch}", "torch"}})
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at))
      text.replace(at, mark.size(), name);
  return text;
}

void print_call(std::string_view rule, const std::string& call, const Breakable& tensor) {
  const nlohmann::json line = {{"rule", rule},
                               {"call", call},
                               {"dtype", dtype_name(tensor.dtype)},
                               {"shape", tensor.shape},
                               {"leaf", tensor.leaf}};
  fmt::print("{}\n", line.dump());
}

// Counts `first` on, so that each tensor meets other operators.
void print_calls(const Breakable& tensor, std::uint64_t& first) {
  for (const BrokenRule& rule : broken_rules())
    if (rule.fits(tensor))
      for (const std::string& call : calls_of(rule, tensor)) print_call(rule.name, call, tensor);
  for (const CallBreaker* breaker : Registry<CallBreaker>::instance().all())
    for (std::uint64_t i = 0; i < kSeeds; ++i) {
      Choices choices(first++);
      const std::string call = breaker->call(tensor, choices);
      if (!call.empty()) print_call(breaker->name(), named(call), tensor);
    }
}

void print_names() {
  nlohmann::json names = nlohmann::json::array();
  for (const BrokenRule& rule : broken_rules()) names.push_back(rule.name);
  for (const CallBreaker* breaker : Registry<CallBreaker>::instance().all()) names.push_back(breaker->name());
  fmt::print("{}\n", names.dump());
}

void print_all(std::uint64_t first) {
  print_names();
  for (Dtype dtype : all_dtypes()) {
    for (const auto& shape : kShapes) {
      for (bool leaf : {false, true}) {
        Breakable tensor;
        tensor.dtype = dtype;
        tensor.shape = shape;
        tensor.requires_grad = tensor.leaf = leaf;
        if (!leaf || is_floating(dtype)) print_calls(tensor, first);
      }
    }
  }
}

}  // namespace
}  // namespace jp

int main(int argc, char** argv) { jp::print_all(argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 0); }
