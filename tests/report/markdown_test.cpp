#include "report/markdown.h"

#include <gtest/gtest.h>

namespace jp::report {
namespace {

TEST(Markdown, CodeIsNotClosedByItsText) {
  EXPECT_EQ(code_span("x + 1"), "`x + 1`");
  EXPECT_EQ(code_span("a `b` c"), "``a `b` c``");
  EXPECT_EQ(code_span("`b``"), "``` `b`` ```");
  EXPECT_EQ(code_span(""), "nothing");
  EXPECT_EQ(code_block("x = 1", "python"), "```python\nx = 1\n```\n");
  EXPECT_EQ(code_block("```\n"), "````\n```\n````\n");
}

TEST(Markdown, ProseShowsEveryCharacter) {
  EXPECT_EQ(prose("grad_fn=<MulBackward0>"), "grad_fn=\\<MulBackward0>");
  EXPECT_EQ(prose("__init__ of a_b"), "\\_\\_init\\_\\_ of a_b");
  EXPECT_EQ(prose("a * b \\ `c`"), "a \\* b \\\\ \\`c\\`");
  EXPECT_EQ(table_cell("a | b\nc"), "a \\| b c");
}

}  // namespace
}  // namespace jp::report
