// Case files: tests/mutate/cases/<mutation>.txt, blocks of
//
//     === title
//     program text
//     --- facts
//     before s3 v0 tensor float32 3,4 storage 0          (any number of lines; see add_fact)
//     --- step
//     true_block@s3:s4=1,'...'   or   true_block@s3 seed 5
//     --- expect
//     program text, or "does not apply"
//
// With JITPROBE_BLESS=1 in the environment the expectations are rewritten from what comes out.
#include <cstdlib>

#include "helpers.h"
#include "tests/case_files.h"

namespace jp::mutate {
namespace {

using testing::parsed_from;
using testing::read_file;

struct Case {
  std::string title;
  std::string program;
  std::string facts;
  std::string step;
  std::string expect;
};

std::vector<Case> read_cases(const std::string& text) {
  std::vector<Case> cases;
  std::string* to = nullptr;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("=== ")) {
      cases.push_back({line.substr(4), "", "", "", ""});
      to = &cases.back().program;
    } else if (line == "--- facts") {
      to = &cases.back().facts;
    } else if (line == "--- step") {
      to = &cases.back().step;
    } else if (line == "--- expect") {
      to = &cases.back().expect;
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
    text += "--- step\n" + one.step + "--- expect\n" + one.expect;
  }
  return text;
}

Facts moved_by(const Facts& facts, double distance) {
  Facts moved = facts;
  moved.moved.clear();
  for (auto& [statement, names] : moved.after) {
    Names changed = names;
    for (const auto& [name, known] : names) {
      NameFacts one = known;
      std::vector<Elements::value_type> elements(one.elements.begin(), one.elements.end());
      for (auto& element : elements) element.second += distance;
      one.elements = Elements(std::move(elements));
      if (one.minimum) *one.minimum += distance;
      if (one.maximum) *one.maximum += distance;
      changed.set(name, std::move(one));
    }
    names = changed;
  }
  return moved;
}

/// "before|after|at STATEMENT NAME tensor DTYPE SIZES|scalar storage N [strides ...] [grad [inner]] [overlaps] [vmap]",
/// or
/// "... NAME int|float|bool LITERAL" or "... NAME list|tuple|dict LENGTH"; "at" is both points. Elements count up from
/// -1 by quarters. "moved DISTANCE": a run with moved roundings showed all elements so much larger.
void add_fact(const std::string& line, Facts& facts) {
  std::istringstream words(line);
  std::string point;
  std::string statement;
  std::string name;
  NameFacts known;
  words >> point >> statement >> name >> known.kind;
  if (point == "moved") return facts.moved.push_back(moved_by(facts, std::stod(statement)));
  auto numbers = [](const std::string& list) {
    std::vector<std::int64_t> found;
    std::istringstream parts(list);
    for (std::string part; std::getline(parts, part, ',');) found.push_back(std::stoll(part));
    return found;
  };
  if (known.kind == "tensor") {
    std::string dtype;
    std::string sizes;
    words >> dtype >> sizes;
    known = testing::tensor_facts(sizes == "scalar" ? std::vector<std::int64_t>() : numbers(sizes), 0);
    known.dtype = parse_dtype(dtype);
    for (std::string word; words >> word;) {
      if (word == "grad") known.requires_grad = true;
      if (word == "inner") known.is_leaf = false;
      if (word == "overlaps") known.overlaps_itself = true;
      // Within vmap a tensor has no memory that facts could show.
      if (word == "vmap") known.storage.reset(), known.overlaps_itself.reset();
      if (word == "storage" || word == "strides") {
        std::string value;
        words >> value;
        word == "storage" ? void(known.storage = std::stoll(value)) : void(known.strides = numbers(value));
      }
    }
  } else if (known.kind == "list" || known.kind == "tuple" || known.kind == "dict") {
    known.length = 0;
    words >> *known.length;
  } else if (std::string literal; words >> literal) {
    known.literal = literal;
  }
  ASSERT_TRUE(point == "before" || point == "after" || point == "at") << line;
  if (point != "after") facts.before[statement].set(name, known);
  if (point != "before") facts.after[statement].set(name, known);
}

std::string outcome(const Case& one, const std::string& mutation_name) {
  Parsed parsed = parsed_from(one.program);
  Facts facts;
  std::istringstream lines(one.facts);
  for (std::string line; std::getline(lines, line);) add_fact(line, facts);
  std::string text = one.step.substr(0, one.step.find('\n'));
  std::size_t seed = text.find(" seed ");
  auto written = parse_step(text.substr(0, seed));
  JP_CHECK(written.ok(), "{}", written.error().message);
  const Step& step = written.value().step;
  JP_CHECK(step.mutation == mutation_name, "a case of another mutation: {}", text);
  const Mutation* mutation = Mutations::instance().find(step.mutation);
  JP_CHECK(mutation, "no such mutation: {}", text);
  bool live = seed != std::string::npos;
  auto sites = mutation->sites(parsed, facts);
  bool listed = std::find(sites.begin(), sites.end(), step.site) != sites.end();
  Choices choices = live ? Choices(std::stoull(text.substr(seed + 6))) : Choices::replay(step.draws);
  auto made = apply(parsed, live ? facts : Facts(), *mutation, step.site, choices);
  if (live) {
    EXPECT_EQ(listed, made.has_value()) << one.title << ": listed as a site, or not, against what applies";
  }
  if (!made) return "does not apply\n";
  EXPECT_EQ(replay(parsed, made->program().lineage().steps).source(), made->source()) << one.title;
  return made->source();
}

TEST(Cases, AllFiles) {
  bool bless = std::getenv("JITPROBE_BLESS") != nullptr;
  for (const Mutation* mutation : Mutations::instance().all()) {
    std::string name(mutation->name());
    std::string path = test::case_file("mutate/cases", name);
    ASSERT_TRUE(std::filesystem::exists(path)) << "every mutation has a case file";
    auto cases = read_cases(read_file(path));
    EXPECT_FALSE(cases.empty()) << path;
    for (Case& one : cases) {
      std::string now = outcome(one, name);
      if (!bless) {
        EXPECT_EQ(now, one.expect) << name << ": " << one.title;
      }
      one.expect = now;
    }
    if (bless) std::ofstream(path, std::ios::binary) << print_cases(cases);
  }
}

}  // namespace
}  // namespace jp::mutate
