#include "mutate/syntax/syntax.h"

#include <set>

#include "helpers.h"
#include "mutate/rewrite/rewrite.h"
#include "mutate/syntax/reused_subtree.h"
#include "trees.h"

namespace jp::mutate {
namespace {

using testing::parsed_from;

std::string error_of(const std::string& source) {
  auto parsed = parse(Program::make(source, {}).value());
  return parsed ? "" : parsed.error().message;
}

std::vector<std::string> kinds(const Parsed& parsed) {
  std::vector<std::string> found;
  for (const Statement& statement : parsed.statements())
    found.push_back(fmt::format("{} {} {}", statement.id, statement.kind(), statement.parent));
  return found;
}

TEST(Syntax, StatementsOfAllScopesInSourceOrder) {
  Parsed parsed = parsed_from(
      "import torch\n"
      "@deco\n"
      "def f(x):\n"
      "    if x: return 1; pass\n"
      "    match x:\n"
      "        case 1:\n"
      "            y = 2\n"
      "    # comment\n"
      "class A: z = 1\n");
  EXPECT_EQ(kinds(parsed), (std::vector<std::string>{
                               "s0 import_statement -1", "s1 decorated_definition -1", "s2 if_statement 1",
                               "s3 return_statement 2", "s4 pass_statement 2", "s5 match_statement 1",
                               "s6 expression_statement 5", "s7 class_definition -1", "s8 expression_statement 7"}));
  EXPECT_EQ(parsed.statement(6).function, 1);
  EXPECT_FALSE(parsed.statement(3).own_lines);
  EXPECT_FALSE(parsed.statement(4).own_lines);
  EXPECT_TRUE(parsed.statement(2).own_lines);
  EXPECT_TRUE(parsed.statement(6).own_lines);
  EXPECT_EQ(parsed.statement(6).indent, "            ");
}

TEST(Syntax, RefusesWhatIsNotPython) {
  EXPECT_EQ(error_of("x = 1\ny = (\n"), "does not parse at line 2");
  EXPECT_EQ(error_of("x = 1\nprint 'two'\n"), "does not parse at line 2: a statement of Python 2");
  EXPECT_EQ(error_of("a\rb\n"), "does not parse at line 1: a carriage return that ends no line");
  std::string comments;
  for (int i = 0; i < 70'000; ++i) comments += "#\n";
  EXPECT_EQ(error_of(comments), "does not parse at line 65001: more than 65,000 comments");
  EXPECT_EQ(error_of("print('three')\r\nx = 1\r\n"), "");
  EXPECT_NE(error_of("x = " + std::string(3000, '(') + std::string(3000, ')')), "");
}

TEST(Syntax, ExitsOfAStatement) {
  Parsed parsed = parsed_from(
      "def f():\n"
      "    for i in x:\n"
      "        if i: break\n"
      "    else:\n"
      "        return 1\n"
      "    def g():\n"
      "        yield 1\n"
      "    h = lambda: (yield)\n"
      "    while y:\n"
      "        for j in z:\n"
      "            continue\n"
      "        else:\n"
      "            break\n"
      "    async with q: pass\n");
  const auto& statements = parsed.statements();
  EXPECT_TRUE(statements[1].exits.returns);
  EXPECT_FALSE(statements[1].exits.breaks);
  EXPECT_TRUE(statements[2].exits.breaks);
  const Statement& g = *parsed.find("s5");
  EXPECT_FALSE(g.exits.leaves());
  EXPECT_FALSE(parsed.find("s7")->exits.yields) << "a lambda's yield is its own";
  EXPECT_FALSE(parsed.find("s8")->exits.leaves());
  EXPECT_TRUE(parsed.find("s9")->exits.breaks) << "the else of an inner loop breaks the outer one";
  EXPECT_FALSE(parsed.find("s9")->exits.continues);
  EXPECT_TRUE(parsed.statements()[12].exits.awaits);
}

TEST(Syntax, IdsSurviveInsertionsAndNeverPassOn) {
  Parsed parsed = parsed_from("def f(x):\n    a = x\n    b = a\n    return b\n");
  Rewrite rewrite(parsed, 5);
  rewrite.before(*parsed.find("s2"), {{"if a:"}});
  rewrite.indent(*parsed.find("s2"), *parsed.find("s2"));
  rewrite.replace(parsed.find("s1")->node, "c = x; a = c");
  auto program = Program::make(rewrite.edits().apply(parsed.source()), {});
  auto after = parsed.after(rewrite.edits(), program.value(), 5);
  ASSERT_TRUE(after.ok());
  EXPECT_EQ(after.value().source(), "def f(x):\n    c = x; a = c\n    if a:\n        b = a\n    return b\n");
  EXPECT_EQ(kinds(after.value()), (std::vector<std::string>{"s0 function_definition -1", "m5.0 expression_statement 0",
                                                            "m5.1 expression_statement 0", "m5.2 if_statement 0",
                                                            "s2 expression_statement 3", "s3 return_statement 0"}));
}

TEST(Syntax, PlacesAreThoseOfPythonsAst) {
  Parsed parsed = parsed_from("\xEF\xBB\xBFx = 'ä'; y = 1\n@d\nasync def f():\n\tpass\n");
  std::vector<StatementPlace> expected = {
      {"s0", 1, 0, 1, 8}, {"s1", 1, 10, 1, 15}, {"s2", 3, 0, 4, 5}, {"s3", 4, 1, 4, 5}};
  EXPECT_EQ(statement_places(parsed), expected);
}

TEST(Syntax, IndentsByTheFilesOwnUnitAndLeavesStringsAlone) {
  Parsed parsed =
      parsed_from("def f():\n\ta = \"\"\"\n\tnot code\"\"\"  # end\n\tb = (1,\n2)\n\n\tc = f\"\"\"{\n\ta}\"\"\"");
  Rewrite rewrite(parsed, 1);
  rewrite.before(*parsed.find("s1"), {{"if True:"}});
  rewrite.indent(*parsed.find("s1"), *parsed.find("s3"));
  rewrite.after(*parsed.find("s3"), {{"d = 1"}});
  EXPECT_EQ(rewrite.edits().apply(parsed.source()),
            "def f():\n\tif True:\n\t\ta = \"\"\"\n\tnot code\"\"\"  # end\n\t\tb = (1,\n2)\n\n\t\tc = "
            "f\"\"\"{\n\ta}\"\"\"\n\td = 1\n");
}

TEST(Syntax, CommentsDoNotEndBlocks) {
  Parsed parsed = parsed_from("def f():\n    a = 1\n# outside\n    b = 2\n        # deep\n    c = 3\n");
  EXPECT_EQ(parsed.find("s3")->parent, 0);
  EXPECT_TRUE(insertion_point(parsed, *parsed.find("s3")));
}

/// Edits that may happen to a statement, sensible or not.
std::vector<EditSet> edits_of(const Parsed& parsed, const Statement& statement) {
  const std::size_t line = parsed.source().rfind('\n', statement.begin) + 1;
  const std::size_t middle = (statement.begin + statement.end) / 2;
  std::vector<EditSet> all(14);
  all[0].erase(line, std::min(statement.end + 1, parsed.source().size()));
  all[1].insert(line, statement.indent + "pass\n");
  all[2].replace(statement.begin, statement.end, "x = 1  # one");
  all[3].insert(middle, " ");
  all[4].insert(statement.end, "; y = (\n2, 3)");
  all[5].insert(line, "  ");
  all[6].insert(statement.end, "\n" + statement.indent + "if a:\n" + statement.indent + "    b");
  all[7].replace(statement.begin, middle, "(");
  all[8].insert(statement.begin, "def new(a,\n  b): return a\n" + statement.indent);
  // A statement that is only indented differently is not parsed again, unless it means something else there.
  all[9].insert(line, statement.indent + "for i in x:\n    ");
  all[10].insert(line, statement.indent + "with a:\n");
  for (const int here : parsed.blocks()[static_cast<std::size_t>(statement.block)].statements)
    all[10].insert(parsed.source().rfind('\n', parsed.statement(here).begin) + 1, "    ");
  all[11].insert(line, statement.indent + "y = (\n");
  all[11].insert(statement.end, "\n)");
  all[12].insert(line, statement.indent + "y = \\\n");
  all[13].insert(line, statement.indent + "y = \"\"\"\n    ");
  all[13].insert(statement.end, "\n\"\"\"");
  return all;
}

TEST(Syntax, ATreeThatIsPatchedIsTheTreeOfTheWhole) {
  std::vector<std::string> sources = {
      "def f(a):\n    return (\n        a,\n        1,\n    )\n\n\nasync def g():\n    await f\n",
      "@d\ndef f(\n    a):\n  # c\n  if a:\n    b\n  else: c; d\n  # end\n\nx = f(1)\n",
      "match x:\n    case 1:\n        y\n    case _:\n        z\nclass A:\n\tdef f(self):\n\t\treturn 1\n\n\tx = 2",
      "def f():\r\n    a = \"\"\"\r\n  b\"\"\"\r\n    return a\r\n"};
  for (const auto& path : testing::program_files()) sources.push_back(testing::read_file(path));
  int compared = 0;
  for (const std::string& source : sources) {
    Parsed parsed = parsed_from(source);
    for (const Statement& statement : parsed.statements())
      for (const EditSet& edits : edits_of(parsed, statement)) {
        const std::string text = edits.apply(source);
        auto whole = parse_tree(text);
        auto patched = parse_again(parsed.tree(), edits, text);
        ASSERT_EQ(whole.ok(), patched.ok()) << text;
        if (!whole.ok()) continue;
        ASSERT_EQ(testing::tree_difference(*patched.value(), *whole.value()), "") << text;
        ++compared;
      }
  }
  EXPECT_GT(compared, 1000);
}

TEST(Syntax, WhatOnlyGetsAnotherIndentIsKept) {
  const std::string source = "def f(a):\n    b = a + 1\n    c = (b,\n         a)\n    d = 1; e = 2\n    return b\n";
  Parsed parsed = parsed_from(source);
  EditSet edits;
  edits.insert(10, "    with a:\n");
  for (const char* line : {"    b", "    c", "    d", "    return"}) edits.insert(source.find(line), "    ");
  const std::string text = edits.apply(source);
  const Tree& old = parsed.tree();
  const auto kept = kept_statements(old, 1, old.size(), edits, text, 0);
  // Neither a statement of two lines nor two in one.
  ASSERT_EQ(kept.size(), 2U);
  EXPECT_EQ(kept[0].node.text(), "b = a + 1");
  EXPECT_EQ(kept[1].node.text(), "return b");
  EXPECT_EQ(text.substr(kept[1].begin, 8), "return b");
  auto whole = parse_tree(text);
  auto around = parse_around(text, kept);
  ASSERT_TRUE(whole.ok() && around.ok());
  EXPECT_EQ(testing::tree_difference(*around.value(), *whole.value()), "");
}

}  // namespace
}  // namespace jp::mutate
