#include "mutate/facts/halves.h"

#include <fmt/format.h>

namespace jp::mutate {
namespace {

Lines under(const std::string& head, const Half& half) { return Lines{{head}} + deeper(half.lines); }

Lines in_function(Rewrite& rewrite, const Half& half, bool captures) {
  const std::string function = rewrite.name("f");
  const std::string arguments = captures ? "" : joined(half.reads);
  Lines lines = under(fmt::format("def {}({}):", function, arguments), half);
  const std::string results = joined(half.binds);
  if (!results.empty()) lines.push_back({fmt::format("return {}", results), 1});
  lines.push_back({fmt::format("{}{}{}({})", results, results.empty() ? "" : " = ", function, arguments)});
  return lines;
}

}  // namespace

Lines placed(Rewrite& rewrite, const Half& half, const std::string& test, Choices& choices) {
  switch (choices.below(10)) {
    case 5:
      return in_function(rewrite, half, true);
    case 6:
      return in_function(rewrite, half, false);
    case 7:
      return under(fmt::format("for {} in range(1):", rewrite.name("i")), half);
    case 8:
      return choices.chance(1, 2) ? Lines{{"try:"}, {"pass", 1}} + under("finally:", half)
                                  : under("try:", half) + Lines{{"finally:"}, {"pass", 1}};
    case 9:
      return test.empty() ? half.lines : under(fmt::format("if {}:", test), half);
    default:
      return half.lines;
  }
}

}  // namespace jp::mutate
