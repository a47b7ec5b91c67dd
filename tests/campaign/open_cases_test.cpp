// The order in which cases are decided, and those that are studied ahead.
#include "campaign/triage/open_cases.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "codec/codec.h"
#include "oracle/signature/signature.h"
#include "report/store.h"
#include "tests/report/build.h"

namespace jp::campaign {

template <>
struct AnswerForm<int> {
  static codec::Json json(const int& answer) { return answer; }
  static std::optional<int> read(const codec::Json& json) {
    return json.is_number_integer() ? std::optional(json.get<int>()) : std::nullopt;
  }
};

namespace {

using report::test::finding_of;
using report::test::Folder;

Case case_of(std::uint64_t test, Mismatch mismatch, const std::string& place = "") {
  Finding found = finding_of("def program(x):\n    return x\n", "inductor", mismatch, "output");
  found.signature = oracle::located(std::move(found.signature), place);
  return {.test = test, .found = std::move(found)};
}

const auto kEnded = [](std::uint64_t) { return true; };
const auto kNo = [](const Signature&) { return false; };
const auto kYes = [](const Signature&) { return true; };
const OpenCases::WorthAhead kUnknown{.known = kNo, .place = kYes};

std::unique_ptr<OpenCases> open(const Folder& folder) {
  return std::move(OpenCases::open(folder.path(), kEnded)).value();
}

void add(OpenCases& cases, const Case& one) {
  ASSERT_TRUE(cases.keep({&one}).ok());
  cases.enter(one);
}

std::uint64_t number_of(const Result<std::optional<OpenCases::Taken>>& taken) {
  return taken.value() ? taken.value()->one.test : report::kNoTest;
}

TEST(OpenCases, AreDecidedInTheOrderOfTestsOneAtATime) {
  const Folder folder;
  const auto cases = open(folder);
  add(*cases, case_of(7, Mismatch::kValue));
  add(*cases, case_of(3, Mismatch::kGradient));
  EXPECT_EQ(number_of(cases->take_first(3)), report::kNoTest) << "a smaller test has no verdict yet";
  EXPECT_FALSE(cases->has_turn(3));
  const auto first = cases->take_first(8).value();
  ASSERT_TRUE(first);
  EXPECT_EQ(first->one.test, 3U);
  EXPECT_EQ(number_of(cases->take_first(8)), report::kNoTest) << "another one is being decided";
  cases->give_back(*first);
  EXPECT_EQ(cases->first(), 3U) << "it was not decided";
  const auto again = cases->take_first(8).value();
  ASSERT_TRUE(again);
  ASSERT_TRUE(cases->decided(*again).ok());
  EXPECT_EQ(number_of(cases->take_first(8)), 7U);
}

TEST(OpenCases, WhatIsUnlikeAllBeforeItIsStudiedAheadOnce) {
  const Folder folder;
  const auto cases = open(folder);
  add(*cases, case_of(1, Mismatch::kValue, "// pad"));
  add(*cases, case_of(2, Mismatch::kValue, "// cat"));
  add(*cases, case_of(3, Mismatch::kGradient));
  const auto first = cases->take_first(9).value();
  const auto ahead = cases->take_ahead(kUnknown).value();
  ASSERT_TRUE(first && ahead);
  EXPECT_EQ(ahead->one.test, 3U) << "the second has the signature of the first, but for its place";
  EXPECT_EQ(number_of(cases->take_ahead(kUnknown)), report::kNoTest);
  ASSERT_TRUE(cases->decided(*first).ok());
  EXPECT_EQ(number_of(cases->take_ahead({.known = kYes, .place = kYes})), report::kNoTest) << "it is known";
  EXPECT_EQ(ahead->memory->answer<int>("question", [] { return 1; }), 1);
  cases->give_back(*ahead);
  ASSERT_TRUE(cases->decided(*cases->take_first(9).value()).ok());
  const auto last = cases->take_first(9).value();
  ASSERT_TRUE(last);
  EXPECT_EQ(last->memory->answer<int>("question", [] { return 2; }), 1) << "it was asked ahead";
}

TEST(OpenCases, OfOneThatIsLikeOthersThePlaceIsMeasuredAhead) {
  const Folder folder;
  const auto cases = open(folder);
  add(*cases, case_of(1, Mismatch::kValue, "// pad"));
  add(*cases, case_of(2, Mismatch::kValue, "// cat"));
  const OpenCases::WorthAhead all{.known = kNo, .place = kYes, .alike = true};
  const auto first = cases->take_ahead(all).value();
  const auto second = cases->take_ahead(all).value();
  ASSERT_TRUE(first && second);
  EXPECT_TRUE(first->parts.place && first->parts.rest);
  EXPECT_TRUE(second->parts.place && !second->parts.rest);
  add(*cases, case_of(3, Mismatch::kValue, "// sum"));
  EXPECT_FALSE(cases->take_ahead({.known = kNo, .place = kNo, .alike = true}).value()) << "nothing is worth it";
}

TEST(CaseMemory, AnotherProcessIsAskedOnce) {
  CaseMemory asked;
  EXPECT_EQ(asked.answer<int>("how many", [] { return 7; }), 7);
  asked.note("done");
  CaseMemory told;
  told.tell(asked.to_json());
  EXPECT_TRUE(told.knows("done"));
  EXPECT_FALSE(told.knows("how few"));
  EXPECT_EQ(told.answer<int>("how many", [] { return 8; }), 7);
  EXPECT_EQ(told.answer<int>("how many", [] { return 9; }), 7);
  EXPECT_EQ(told.told_answers(), 1U);
  EXPECT_EQ(told.to_json()["how many"], 7);
  CaseMemory damaged;
  damaged.tell({{"how many", "seven"}});
  EXPECT_EQ(damaged.answer<int>("how many", [] { return 8; }), 8);
  damaged.forget();
  EXPECT_FALSE(damaged.knows("how many"));
}

TEST(OpenCases, ACaseThatIsStudiedWaitsForThat) {
  const Folder folder;
  const auto cases = open(folder);
  add(*cases, case_of(1, Mismatch::kValue));
  const auto ahead = cases->take_ahead(kUnknown).value();
  ASSERT_TRUE(ahead);
  EXPECT_EQ(number_of(cases->take_first(9)), report::kNoTest);
  cases->give_back(*ahead);
  EXPECT_EQ(number_of(cases->take_first(9)), 1U);
}

TEST(OpenCases, AreOnDiskUntilTheyAreDecided) {
  const Folder folder;
  Case one = case_of(5, Mismatch::kValue);
  one.slip = {"abc", 1};
  {
    const auto cases = open(folder);
    add(*cases, one);
    const Case other = case_of(6, Mismatch::kValue);
    ASSERT_TRUE(cases->keep({&other}).ok());
  }
  std::ofstream(folder.path() + "/waiting/7.json.tmp") << "{";
  const auto five_ended = [](std::uint64_t test) { return test == 5; };
  EXPECT_EQ(waiting_cases(folder.path(), five_ended).value(), std::set<std::uint64_t>{5}) << "test 6 has no verdict";
  const auto cases = std::move(OpenCases::open(folder.path(), five_ended)).value();
  EXPECT_EQ(cases->waiting(), 1U);
  const auto taken = cases->take_first(9).value();
  ASSERT_TRUE(taken);
  EXPECT_EQ(cases->waiting(), 0U) << "it is begun";
  EXPECT_EQ(taken->one.slip.of, "abc");
  EXPECT_EQ(taken->one.slip.depth, 1);
  EXPECT_EQ(to_json(taken->one), to_json(one));
  ASSERT_TRUE(cases->decided(*taken).ok());
  EXPECT_TRUE(waiting_cases(folder.path(), kEnded).value() == std::set<std::uint64_t>{6});
}

TEST(OpenCases, ADamagedOneIsAnError) {
  const Folder folder;
  { add(*open(folder), case_of(5, Mismatch::kValue)); }
  std::ofstream(folder.path() + "/waiting/5.json") << "{}";
  EXPECT_FALSE(OpenCases::open(folder.path(), kEnded).ok());
}

}  // namespace
}  // namespace jp::campaign
