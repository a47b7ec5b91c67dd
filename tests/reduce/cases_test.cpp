// Case files: tests/reduce/cases/<pass>.txt, blocks of
//
//     === title
//     program text
//     --- facts
//     before s3 v0 tensor float32 2,2 1 2 3 4       (or: before s3 n int 4; any number of lines)
//     --- keep
//     texts that must stay, one a line
//     --- proposal
//     the program after one proposal alone           (one block for each, in order)
//     --- result
//     the program after the pass alone, as long as what must stay stays
//
// With JITPROBE_BLESS=1 in the environment, proposals and results are rewritten from what comes out.
#include <cstdlib>

#include "helpers.h"
#include "oracle/reduce/edits.h"
#include "tests/case_files.h"

namespace jp::reduce {
namespace {

using testing::asker;
using testing::holds_all;
using testing::parsed_from;
using testing::read_file;

struct Case {
  std::string title;
  std::string program;
  std::string facts;
  std::string keep;
  std::vector<std::string> proposals;
  std::string result;
};

std::vector<Case> read_cases(const std::string& text) {
  std::vector<Case> cases;
  std::string* to = nullptr;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("=== ")) {
      cases.push_back({line.substr(4), "", "", "", {}, ""});
      to = &cases.back().program;
    } else if (line == "--- facts") {
      to = &cases.back().facts;
    } else if (line == "--- keep") {
      to = &cases.back().keep;
    } else if (line == "--- proposal") {
      to = &cases.back().proposals.emplace_back();
    } else if (line == "--- result") {
      to = &cases.back().result;
    } else if (to) {
      *to += line + "\n";
    }
  }
  return cases;
}

std::string print_cases(const std::vector<Case>& cases) {
  std::string text;
  for (const Case& one : cases) {
    text += "=== " + one.title + "\n" + one.program;
    if (!one.facts.empty()) text += "--- facts\n" + one.facts;
    text += "--- keep\n" + one.keep;
    for (const std::string& proposal : one.proposals) text += "--- proposal\n" + proposal;
    text += "--- result\n" + one.result;
  }
  return text;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// "before|after STATEMENT NAME tensor DTYPE SIZES|scalar ELEMENTS..." or "... NAME KIND LITERAL".
void add_fact(const std::string& line, Facts& facts) {
  std::istringstream words(line);
  std::string point;
  std::string statement;
  std::string name;
  NameFacts known;
  words >> point >> statement >> name >> known.kind;
  ASSERT_TRUE(point == "before" || point == "after") << line;
  if (known.kind == "tensor") {
    std::string dtype;
    std::string sizes;
    words >> dtype >> sizes;
    known.dtype = parse_dtype(dtype);
    known.shape.emplace();
    std::istringstream parts(sizes == "scalar" ? "" : sizes);
    for (std::string part; std::getline(parts, part, ',');) known.shape->push_back(std::stoll(part));
    double element = 0;
    std::vector<Elements::value_type> elements;
    for (std::int64_t i = 0; words >> element; ++i) elements.emplace_back(i, element);
    known.elements = Elements(std::move(elements));
  } else if (std::string literal; words >> literal) {
    known.literal = literal;
  }
  (point == "before" ? facts.before : facts.after)[statement].set(name, known);
}

Facts facts_of(const Case& one) {
  Facts facts;
  for (const std::string& line : lines_of(one.facts)) add_fact(line, facts);
  return facts;
}

TEST(Cases, AllFiles) {
  const bool bless = std::getenv("JITPROBE_BLESS") != nullptr;
  for (const Pass* pass : Passes::instance().all()) {
    const std::string path = test::case_file("reduce/cases", std::string(pass->name()));
    ASSERT_TRUE(std::filesystem::exists(path)) << "every pass has a case file: " << path;
    auto cases = read_cases(read_file(path));
    EXPECT_FALSE(cases.empty()) << path;
    for (Case& one : cases) {
      const Parsed start = parsed_from(one.program);
      const Facts facts = facts_of(one);
      std::vector<std::string> proposals;
      for (const EditSet& edits : pass->propose(start, facts)) {
        auto made = apply(start, edits);
        EXPECT_TRUE(made) << pass->name() << ": " << one.title << ": a proposal does not parse:\n"
                          << edits.apply(start.source());
        proposals.push_back(made ? made->source() : "does not parse\n");
      }
      Problem problem;
      problem.first_interesting =
          asker([keep = lines_of(one.keep)](const Program& program) { return holds_all(program.source(), keep); });
      const std::string original = start.source();
      problem.facts = [&](const Parsed& parsed) { return parsed.source() == original ? facts : Facts(); };
      const std::string result = reduce(start, problem, {pass}).parsed.source();
      if (!bless) {
        EXPECT_EQ(proposals, one.proposals) << pass->name() << ": " << one.title;
        EXPECT_EQ(result, one.result) << pass->name() << ": " << one.title;
      }
      one.proposals = proposals;
      one.result = result;
    }
    if (bless) std::ofstream(path, std::ios::binary) << print_cases(cases);
  }
}

}  // namespace
}  // namespace jp::reduce
