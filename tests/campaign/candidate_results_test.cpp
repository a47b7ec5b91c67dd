// Judgements of candidates are read back from the file, and nothing else is.
#include "campaign/triage/candidate_results.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "codec/codec.h"
#include "tests/report/build.h"

namespace jp::campaign {
namespace {

using report::test::Folder;

const codec::Json kAbout = {{"program", "abc"}, {"torch", "2.13.0"}};

TEST(CandidateResults, ComeBackFromTheFile) {
  Folder folder;
  const std::string path = folder / "reducing/one.jsonl";
  {
    CandidateResults answers = CandidateResults::open(path, kAbout).value();
    ASSERT_TRUE(answers.add("p", false, {true, ""}).ok());
    ASSERT_TRUE(answers.add("p", true, {false, ""}).ok());
    ASSERT_TRUE(answers.add("q", false, {false, "0123"}).ok());
  }
  const CandidateResults answers = CandidateResults::open(path, kAbout).value();
  EXPECT_EQ(answers.size(), 3U);
  EXPECT_EQ(answers.find("p", false), (CandidateResults::Answer{true, ""}));
  EXPECT_EQ(answers.find("p", true), (CandidateResults::Answer{false, ""}));
  EXPECT_EQ(answers.find("q", false), (CandidateResults::Answer{false, "0123"}));
  EXPECT_FALSE(answers.find("q", true));
}

TEST(CandidateResults, ALineThatWasCutOffIsDropped) {
  Folder folder;
  const std::string path = folder / "one.jsonl";
  {
    CandidateResults answers = CandidateResults::open(path, kAbout).value();
    ASSERT_TRUE(answers.add("p", false, {true, ""}).ok());
    ASSERT_TRUE(answers.add("q", false, {true, ""}).ok());
  }
  std::filesystem::resize_file(path, std::filesystem::file_size(path) - 5);
  {
    CandidateResults answers = CandidateResults::open(path, kAbout).value();
    EXPECT_TRUE(answers.find("p", false));
    EXPECT_FALSE(answers.find("q", false));
    ASSERT_TRUE(answers.add("r", false, {true, ""}).ok());
  }
  EXPECT_TRUE(CandidateResults::open(path, kAbout).value().find("r", false));
}

TEST(CandidateResults, AboutSomethingElseAreNone) {
  Folder folder;
  const std::string path = folder / "one.jsonl";
  ASSERT_TRUE(CandidateResults::open(path, kAbout).value().add("p", false, {true, ""}).ok());
  codec::Json other = kAbout;
  other["torch"] = "2.15.0";
  EXPECT_EQ(CandidateResults::open(path, other).value().size(), 0U);
  EXPECT_EQ(CandidateResults::open(path, kAbout).value().size(), 0U) << "what was begun anew is of the other";
}

TEST(CandidateResults, TellWhoseTheyAre) {
  Folder folder;
  const std::string path = folder / "one.jsonl";
  EXPECT_FALSE(CandidateResults::are_of(path, "abc"));
  ASSERT_TRUE(CandidateResults::open(path, kAbout).ok());
  EXPECT_TRUE(CandidateResults::are_of(path, "abc"));
  EXPECT_FALSE(CandidateResults::are_of(path, "abcd"));
  std::ofstream(path) << "{\"program\": 5}\n";
  EXPECT_FALSE(CandidateResults::are_of(path, "abc"));
}

TEST(CandidateResults, ADamagedFileHasWhatStandsBeforeTheDamage) {
  Folder folder;
  const std::string path = folder / "one.jsonl";
  ASSERT_TRUE(CandidateResults::open(path, kAbout).value().add("p", false, {true, ""}).ok());
  std::ofstream(path, std::ios::app) << "{\"sha256\": 7}\n"
                                     << R"({"sha256":"q","full":false,"alike":true})"
                                     << "\n";
  const CandidateResults answers = CandidateResults::open(path, kAbout).value();
  EXPECT_TRUE(answers.find("p", false));
  EXPECT_FALSE(answers.find("q", false));
}

}  // namespace
}  // namespace jp::campaign
