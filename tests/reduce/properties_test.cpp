// The reducer under random predicates: whatever must stay in a program stays, nothing gets larger, the end is a
// fixpoint, and neither repetition nor the number of jobs changes anything.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "core/choices.h"
#include "core/hash.h"
#include "helpers.h"
#include "mutate/names/scopes.h"
#include "oracle/reduce/edits.h"

namespace jp::reduce {
namespace {

using testing::asker;
using testing::parsed_from;

/// Tokens as Python reads them, without comments.
std::vector<std::string> tokens_of(const Parsed& parsed) {
  std::vector<std::string> tokens;
  for (int i = 0; i < parsed.tree().size(); ++i) {
    Node node = parsed.tree().node(i);
    bool leaf = node.past() == i + 1 && node.end() > node.begin();
    if (leaf && !node.is("comment")) tokens.emplace_back(node.text());
  }
  return tokens;
}

/// "Still contains these tokens, so many times": a predicate that passes can satisfy in many ways.
struct Wish {
  std::map<std::string, std::size_t> tokens;

  bool holds(const Program& program) const {
    auto parsed = mutate::parse(program);
    if (!parsed) return false;
    std::map<std::string, std::size_t> count;
    for (const std::string& token : tokens_of(parsed.value())) ++count[token];
    for (const auto& [token, times] : tokens)
      if (count[token] < times) return false;
    return true;
  }
};

Wish draw_wish(const Parsed& parsed, Choices& choices) {
  Wish wish;
  const auto tokens = tokens_of(parsed);
  for (std::uint64_t i = choices.below(5); i-- > 0;) ++wish.tokens[choices.pick(tokens)];
  // A predicate that asks for more than there is would not hold to begin with.
  std::map<std::string, std::size_t> count;
  for (const std::string& token : tokens) ++count[token];
  for (auto& [token, times] : wish.tokens) times = std::min(times, count[token]);
  return wish;
}

/// Facts that take every name for a small tensor of ones.
Facts made_up_facts(const Parsed& parsed) {
  Facts facts;
  NameFacts ones;
  ones.kind = "tensor";
  ones.dtype = Dtype::kFloat32;
  ones.shape = {2};
  ones.elements = {{0, 1}, {1, 1}};
  for (const Statement& statement : parsed.statements())
    for (const auto& name : parsed.surely_bound(statement)) {
      facts.before[statement.id].set(name, ones);
      facts.after[statement.id].set(name, ones);
    }
  return facts;
}

class Wishes : public ::testing::TestWithParam<int> {};

TEST_P(Wishes, HoldShrinkAndRepeat) {
  const auto files = testing::program_files();
  const auto& file = files[static_cast<std::size_t>(GetParam()) % files.size()];
  const Parsed start = parsed_from(testing::read_file(file));
  Choices choices = Choices(7).fork(file.filename().string(), static_cast<std::uint64_t>(GetParam()));
  for (int round = 0; round < 2; ++round) {
    const Wish wish = draw_wish(start, choices);
    Problem problem;
    const auto test = [&](const Program& program) { return wish.holds(program); };
    problem.facts = made_up_facts;
    problem.first_interesting = asker(test);
    Weight last = weigh(start);
    problem.better = [&](const Program& program, const Progress&) {
      const Weight now = weigh(parsed_from(program.source()));
      EXPECT_TRUE(now < last) << file;
      last = now;
    };
    const Reduced first = reduce(start, problem);
    EXPECT_TRUE(first.finished);
    EXPECT_TRUE(wish.holds(first.parsed.program())) << file;
    EXPECT_FALSE(weigh(start) < weigh(first.parsed)) << file;

    problem.better = nullptr;
    problem.first_interesting = asker(test, 5);
    const Reduced parallel = reduce(start, problem);
    EXPECT_EQ(parallel.parsed.source(), first.parsed.source()) << file;
    EXPECT_EQ(parallel.progress, first.progress) << file;

    const Reduced again = reduce(first.parsed, problem);
    EXPECT_EQ(again.parsed.source(), first.parsed.source()) << file;
    EXPECT_EQ(again.progress.accepted, 0) << file;
    for (const Statement& statement : first.parsed.statements()) {
      EditSet edits;
      ASSERT_TRUE(erase_statement(edits, first.parsed, statement));
      auto less = apply(first.parsed, edits);
      // A program that reads a name which nothing binds any more can't run, so it is no candidate.
      bool runs = less && weigh(*less) < weigh(first.parsed);
      for (const auto& use : runs ? less->scopes().uses() : std::vector<mutate::Use>())
        if (use.kind == mutate::Use::Kind::kRead && use.owner < 0)
          for (const auto& before : first.parsed.scopes().uses())
            if (before.kind == mutate::Use::Kind::kBind && before.name == use.name) runs = false;
      bool entry = less && statements_in_entry(*less) > 0;
      EXPECT_FALSE(runs && entry && wish.holds(less->program()))
          << file << ": the reducer left a statement that can go: " << statement.node.text() << "\n"
          << first.parsed.source();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Programs, Wishes, ::testing::Range(0, 20));

TEST(Passes, ProposeWhatParses) {
  for (const auto& file : testing::program_files()) {
    const Parsed start = parsed_from(testing::read_file(file));
    std::set<std::string> seen;
    for (const Facts& facts : {Facts(), made_up_facts(start)})
      for (const Pass* pass : passes_in_order())
        for (const EditSet& edits : pass->propose(start, facts)) {
          EXPECT_FALSE(edits.empty()) << pass->name() << " proposes nothing in " << file;
          if (!seen.insert(edits.apply(start.source())).second) continue;
          EXPECT_TRUE(apply(start, edits)) << pass->name() << " in " << file << ":\n" << edits.apply(start.source());
        }
  }
}

// Half of a patch is another patch, which breaks the compiler by itself.
TEST(Patches, StayWholeOrGo) {
  const std::string patch = "lib.run = (lambda run: lambda self, value: (value.tags, run(self, value))[1])(lib.run)\n";
  const std::string other = "exec(\"import lib; lib.a = 1 + 1\", {})\n";
  const Parsed start = parsed_from("\"\"\"A file.\"\"\"\nimport lib\nsize = 1 + 1\n" + patch + other +
                                   "lib.flag[0] = 1 + 1\n" + "\n\ndef program(x):\n    return x + size + 1\n");
  Problem problem;
  problem.first_interesting = asker([&](const Program& program) {
    for (const std::string& line : {patch, other, std::string("lib.flag[0] = 1 + 1\n")}) {
      const bool whole = program.source().find(line) != std::string::npos;
      const bool some = program.source().find(line.substr(0, line.find_first_of(" (["))) != std::string::npos;
      EXPECT_EQ(whole, some) << program.source();
    }
    return program.source().find("lib.run") != std::string::npos;
  });
  const std::string reduced = reduce(start, problem).parsed.source();
  EXPECT_NE(reduced.find(patch), std::string::npos) << reduced;
  EXPECT_EQ(reduced.find("exec"), std::string::npos) << reduced;
  EXPECT_EQ(reduced.find("size = 1 + 1"), std::string::npos) << "an assignment to a name is no patch\n" << reduced;
}

TEST(Engine, StopsWhenTold) {
  const Parsed start = parsed_from("a = 1\nb = 2\nc = 3\ndef program():\n    return 1\n");
  Problem problem;
  int answers = 0;
  problem.first_interesting =
      asker([](const Program& program) { return program.source().find("b = 2") != std::string::npos; });
  problem.stop = [&] { return answers > 0; };
  problem.better = [&](const Program&, const Progress&) { ++answers; };
  const Reduced reduced = reduce(start, problem);
  EXPECT_FALSE(reduced.finished);
  EXPECT_EQ(answers, 1);
  EXPECT_TRUE(weigh(reduced.parsed) < weigh(start));
  EXPECT_NE(reduced.parsed.source().find("b = 2"), std::string::npos);
}

TEST(Merge, DeletionsUniteAndSwallow) {
  EditSet one;
  one.erase(2, 6);
  EditSet other;
  other.erase(4, 9);
  auto both = merge(one, other);
  ASSERT_TRUE(both);
  EXPECT_EQ(both->apply("0123456789"), "019");
  EditSet inside;
  inside.replace(3, 4, "x");
  EXPECT_EQ(merge(one, inside)->apply("0123456789"), "016789");
  EditSet across;
  across.replace(5, 7, "x");
  EXPECT_FALSE(merge(one, across));
  EXPECT_EQ(*merge(one, one), one);
}

}  // namespace
}  // namespace jp::reduce
