// Replaces numbers and strings by the simplest that still show the fault: 0, 1, 2, half; round ones; the empty string.
//
//     x * 3.14159 + 40          x * 1.0 + 0
#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "mutate/syntax/queries.h"
#include "oracle/reduce/edits.h"
#include "oracle/reduce/expressions.h"
#include "oracle/reduce/pass.h"

namespace jp::reduce::simplify_constants_pass {
namespace {

std::vector<std::string> simpler_integers(std::string_view text) {
  std::int64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return {"0", "1", "2"};
  std::vector<std::string> simpler;
  for (std::int64_t other : {std::int64_t{0}, std::int64_t{1}, std::int64_t{2}, value / 2})
    if (other < value) simpler.push_back(std::to_string(other));
  return simpler;
}

std::vector<std::string> simpler_floats(std::string_view text) {
  std::vector<std::string> simpler = {"0.0", "1.0", "0.5"};
  double value = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), value).ec == std::errc() && std::abs(value) < 1e6) {
    simpler.push_back(fmt::format("{:.1f}", std::round(value)));
    simpler.push_back(fmt::format("{:.1f}", value));
    simpler.push_back(fmt::format("{:.2f}", value));
  }
  return simpler;
}

class SimplifyConstants final : public Pass {
 public:
  SimplifyConstants()
      : Pass({"simplify_constants", Tier::kShrink, false, "Replaces numbers and strings by simpler ones."}) {}

  std::vector<EditSet> propose(const Parsed& parsed, const Facts&) const override {
    std::vector<EditSet> proposals;
    for (int i = 0; i < parsed.tree().size(); ++i) {
      Node node = parsed.tree().node(i);
      if (!node.named() || !parsed.statement_at(node.begin()) || !replaceable(node)) continue;
      std::vector<std::string> texts;
      if (node.is("integer")) texts = simpler_integers(node.text());
      if (node.is("float")) texts = simpler_floats(node.text());
      bool negative = node.is("unary_operator") && node.text().starts_with("-");
      if (negative && mutate::is_unsigned_number(mutate::operation(node).right))
        texts = {"0", std::string(mutate::operation(node).right.text())};
      if (node.is("string") && node.text().size() > 2 && !mutate::sole_expression(node.parent())) texts = {"''"};
      for (std::string& text : texts)
        if (text != node.text()) proposals.push_back(replacement(node, std::move(text)));
    }
    return proposals;
  }
};

const Register<Pass, SimplifyConstants> registered;

}  // namespace
}  // namespace jp::reduce::simplify_constants_pass
