// A program that is mutated step by step: switching off, undo, redo, numbers that last; and which sites a filter shows.
#include "answers/session.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "answers/site_filter.h"
#include "codec/codec.h"
#include "mutate/engine/engine.h"

namespace jp::answers {
namespace {

constexpr const char* kText = R"(import torch


def make_inputs():
    return (torch.ones(3),)


def program(x):
    y = x + 1
    z = y * 2
    return z
)";

mutate::Parsed base() { return mutate::parse(Program::make(kText, {}).value()).value(); }

// Applies the first site that needs no facts and applies; its text as drawn.
std::string apply_any(Session& session) {
  for (const mutate::Candidate& candidate : mutate::candidates(session.now(), {})) {
    const Step step{.mutation = std::string(candidate.mutation->name()), .site = candidate.site};
    Result<std::string> made = session.apply(mutate::print_step(step), {}, Choices(session.steps().size()));
    if (made.ok()) return made.value();
  }
  return "";
}

Session with_steps(std::size_t count) {
  Session session(base());
  for (std::size_t i = 0; i < count; ++i) EXPECT_NE(apply_any(session), "");
  return session;
}

TEST(Session, AppliesUndoesAndRedoes) {
  Session session(base());
  EXPECT_FALSE(session.undo());
  EXPECT_FALSE(session.redo());
  std::vector<std::string> sources = {session.now().source()};
  for (int i = 0; i < 3; ++i) {
    ASSERT_NE(apply_any(session), "");
    EXPECT_NE(session.now().source(), sources.back());
    sources.push_back(session.now().source());
  }
  for (int i = 2; i >= 0; --i) {
    ASSERT_TRUE(session.undo());
    EXPECT_EQ(session.now().source(), sources[static_cast<std::size_t>(i)]);
  }
  EXPECT_FALSE(session.undo());
  for (int i = 1; i <= 3; ++i) {
    ASSERT_TRUE(session.redo());
    EXPECT_EQ(session.now().source(), sources[static_cast<std::size_t>(i)]);
  }
  EXPECT_FALSE(session.redo());
}

TEST(Session, AStepThatIsOffIsGoneAndComesBack) {
  Session session = with_steps(3);
  const std::string whole = session.now().source();
  ASSERT_TRUE(session.switch_step(1, false).ok());
  EXPECT_NE(session.now().source(), whole);
  EXPECT_EQ(session.steps().size(), 3U);
  EXPECT_EQ(session.replayed()[1].text, "");
  EXPECT_EQ(session.replayed()[1].source, session.replayed()[0].source);
  EXPECT_FALSE(session.switch_step(1, false).ok());
  EXPECT_FALSE(session.switch_step(3, false).ok());
  ASSERT_TRUE(session.switch_step(1, true).ok());
  EXPECT_EQ(session.now().source(), whole);
  ASSERT_TRUE(session.undo());
  ASSERT_TRUE(session.undo());
  EXPECT_EQ(session.now().source(), whole);
}

TEST(Session, AChangeForgetsWhatWasUndone) {
  Session session = with_steps(2);
  ASSERT_TRUE(session.undo());
  ASSERT_NE(apply_any(session), "");
  EXPECT_FALSE(session.redo());
}

TEST(Session, ANewStepHasItsOwnNumberBehindOneThatIsOff) {
  Session session = with_steps(2);
  ASSERT_TRUE(session.switch_step(1, false).ok());
  ASSERT_NE(apply_any(session), "");
  EXPECT_EQ(session.now().program().lineage().steps.back().number, 2);
  EXPECT_EQ(session.replayed()[2].error, "");
  // Steps are kept as text: replayed anew, they give the same program.
  std::vector<std::string> texts;
  for (const SessionStep& step : session.steps()) texts.push_back(step.on ? step.text : "");
  EXPECT_EQ(replay_written(base(), texts).made.source(), session.now().source());
}

TEST(Session, ALineageMakesTheProgramWhateverIsOff) {
  Session session = with_steps(3);
  EXPECT_EQ(session.lineage(),
            session.steps()[0].text + "\n" + session.steps()[1].text + "\n" + session.steps()[2].text + "\n");
  for (std::size_t off = 0; off < 3; ++off) {
    ASSERT_TRUE(session.switch_step(off, false).ok());
    std::vector<std::string> lines;
    std::istringstream text(session.lineage());
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    EXPECT_EQ(lines.size(), off == 2 ? 2U : 3U);
    EXPECT_EQ(replay_written(base(), lines).made.source(), session.now().source());
    ASSERT_TRUE(session.undo());
  }
}

TEST(Session, RefusesWhatDoesNotApply) {
  Session session(base());
  for (const char* wrong : {"", "no_such_mutation@s0", "true_block@s99", "true_block"})
    EXPECT_FALSE(session.apply(wrong, {}, Choices(0)).ok()) << wrong;
  EXPECT_TRUE(session.steps().empty());
  EXPECT_FALSE(session.undo());
}

TEST(SiteFilter, AllThatIsSetMustFit) {
  const mutate::Mutation& mutation = *mutate::Mutations::instance().all().front();
  const codec::Json row = {{"apply", std::string(mutation.name()) + "@s3"},
                           {"mutation", mutation.name()},
                           {"line", 7},
                           {"exactness", mutate::exactness_name(mutation.exactness())},
                           {"example", "if x > 0:"}};
  const auto fits = [&](std::vector<std::string> words) {
    Result<SiteFilter> filter = read_filter(words);
    EXPECT_TRUE(filter.ok());
    return filter.ok() && filter.value().fits(row);
  };
  EXPECT_TRUE(fits({}));
  EXPECT_TRUE(fits({"line=7", "x", ">", "0"}));
  EXPECT_TRUE(fits({"section=" + std::string(mutation.section())}));
  EXPECT_FALSE(fits({"line=8"}));
  EXPECT_FALSE(fits({"line=7", "y > 0"}));
  for (const char* section : {"A", "B", "C", "D", "E"})
    EXPECT_EQ(fits({"section=" + std::string(section)}), mutation.section() == section);
  for (const char* exactness : {"bitwise", "rounding", "variation", "broken"})
    EXPECT_EQ(fits({"exactness=" + std::string(exactness)}), mutate::exactness_name(mutation.exactness()) == exactness);
}

TEST(SiteFilter, SaysWhatItCantRead) {
  for (const char* wrong : {"line=", "line=0", "line=x", "section=Z", "exactness=exact"})
    EXPECT_FALSE(read_filter({wrong}).ok()) << wrong;
  const Result<SiteFilter> read = read_filter({"section=B", "exactness=bitwise", "line=3", "a", "b=c"});
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read.value().written(), "section=B exactness=bitwise line=3 a b=c");
}

}  // namespace
}  // namespace jp::answers
