// Templates of Python text.
#include "mutate/rewrite/template.h"

#include "helpers.h"

namespace jp::mutate {
namespace {

using testing::parsed_from;

std::string shown(const Lines& lines) {
  std::string text;
  for (const Line& line : lines) text += std::string(static_cast<std::size_t>(line.depth), '>') + line.text + "\n";
  return text;
}

TEST(Template, TextsFreshNamesAndImports) {
  const Parsed parsed = parsed_from("def program(x7):\n    return x7\n");
  Rewrite rewrite(parsed, 7);
  Template text(rewrite);
  text.set("items", "(a,\n b)");
  EXPECT_EQ(shown(text.lines("for $x in $itertools:chain($items):\n\tprint($x, ${x}_)")),
            "from itertools import chain as chain7\n"
            "for x7_1 in chain7((a,\n b)):\n"
            ">print(x7_1, x7_1_)\n")
      << "x7 is taken; a text is not read again";
  Lines before;
  EXPECT_EQ(text.expression("$y = 1\n$itertools:chain($y)", before), "chain7(y7)") << "imported once";
  EXPECT_EQ(shown(before), "y7 = 1\n");
  EXPECT_EQ(text.part("$x$y"), "x7_1y7");
  EXPECT_TRUE(text.lines("").empty());
}

TEST(Template, LinesStandAtTheirDepth) {
  const Parsed parsed = parsed_from("def program(v0):\n    return v0\n");
  Rewrite rewrite(parsed, 0);
  Template text(rewrite);
  text.set("fails", Lines{{"if v0:"}, {"raise $x", 1}});
  EXPECT_EQ(shown(text.lines("try:\n\t$fails\nfinally:\n\tpass")), "try:\n>if v0:\n>>raise $x\nfinally:\n>pass\n");
}

}  // namespace
}  // namespace jp::mutate
