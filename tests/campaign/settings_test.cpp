// Settings that decide a campaign's tests are stored, and can't be changed on resuming.
#include "campaign/settings.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "campaign/machine.h"
#include "codec/codec.h"

namespace jp::campaign {
namespace {

CampaignOptions campaign() {
  CampaignOptions options;
  options.maker.seed = 11;
  options.maker.backends = {"eager", "aot_eager"};
  options.maker.backend_weights = {1, 1};
  options.reduce = 5;
  return options;
}

std::string refusal(const CampaignOptions& asked, const std::set<std::string>& given) {
  const Status same = same_settings(settings_json(campaign()), settings_json(asked),
                                    [&](const std::string& flag) { return given.contains(flag); });
  return same.ok() ? "" : same.error().message;
}

TEST(Settings, AreKeptWhole) {
  CampaignOptions before = campaign();
  before.tests = 7;
  before.maker.plan.threads = 3;
  CampaignOptions again;
  ASSERT_TRUE(read_settings(settings_json(before), again).ok());
  EXPECT_EQ(settings_json(again), settings_json(before));
  EXPECT_EQ(again.reduce, 5);
  EXPECT_EQ(again.tests, 7U);
  again.tests = 9;
  ASSERT_TRUE(read_settings(settings_json(before), again).ok());
  EXPECT_EQ(again.tests, 9U) << "more tests of the same campaign";
}

TEST(Settings, OfAVersionThatDrewOtherTestsAreRefused) {
  codec::Json settings = settings_json(campaign());
  settings.erase("maker_version");  // none of the first version has it
  CampaignOptions again;
  const Status read = read_settings(settings, again);
  ASSERT_FALSE(read.ok());
  EXPECT_NE(read.error().message.find("start a new campaign"), std::string::npos);
}

TEST(Settings, WhatWasKnownIsReadAnewAndNoOtherIsTaken) {
  CampaignOptions before = campaign();
  before.known.folders = {"none"};
  CampaignOptions again = campaign();
  again.known.bugs.resize(1);
  again.known.folders = {"/other"};
  ASSERT_TRUE(read_settings(settings_json(before), again).ok());
  EXPECT_EQ(again.known.folders, before.known.folders);
  EXPECT_TRUE(again.known.bugs.empty());
  before.known.folders = {"/a/folder/that/is/gone"};
  EXPECT_FALSE(read_settings(settings_json(before), again).ok());
  EXPECT_NE(refusal(before, {"--known"}), "");
  EXPECT_EQ(refusal(before, {}), "");
}

TEST(Settings, ABackendThatIsAnotherNowIsRefused) {
  const std::string path = testing::TempDir() + "backend_of_settings.py";
  CampaignOptions options = campaign();
  options.maker.backends = {"file:" + path, "eager"};
  std::ofstream(path) << "def compile(fn):\n    return fn\n";
  const codec::Json started = settings_json(options);
  CampaignOptions again;
  EXPECT_TRUE(read_settings(started, again).ok());
  std::ofstream(path, std::ios::app) << "\n";
  const Status changed = read_settings(started, again);
  ASSERT_FALSE(changed.ok());
  EXPECT_NE(changed.error().message.find(path), std::string::npos);
}

TEST(Settings, OfOlderCampaignsOpen) {
  codec::Json old = settings_json(campaign());
  for (const char* later : {"backend_texts", "reduce", "tests", "depth", "accept", "report", "oracles", "epoch"})
    old.erase(later);
  CampaignOptions flags;
  flags.reduce = 33;
  flags.tests = 4;
  ASSERT_TRUE(read_settings(old, flags).ok());
  EXPECT_EQ(flags.maker.seed, 11U);
  EXPECT_EQ(flags.reduce, 33) << "nothing is known of it";
  EXPECT_EQ(flags.tests, 4U);
}

TEST(Settings, OthersAreRefusedByNameWithBothValues) {
  const std::vector<std::pair<std::string, std::function<void(CampaignOptions&)>>> others = {
      {"--seed", [](auto& one) { one.maker.seed = 12; }},
      {"--ops",
       [](auto& one) {
         one.maker.seed_sources = {generated_source({3, 3})};
       }},
      {"--ops",
       [](auto& one) {
         one.maker.seed_sources = {generated_source({5, 21})};
       }},
      {"--from", [](auto& one) { one.maker.seed_sources = {table_source("exceptions").value()}; }},
      {"--draw", [](auto& one) { one.maker.draw_seeds = true; }},
      {"--mutations-per-program", [](auto& one) { one.maker.mutations = 1; }},
      {"--without", [](auto& one) { one.maker.weights["true_block"] = 0; }},
      {"--backend", [](auto& one) { one.maker.backends = {"inductor"}; }},
      {"--oracle", [](auto& one) { one.maker.oracles = {"survives"}; }},
      {"--report", [](auto& one) { one.maker.plan.report = {"strides"}; }},
      {"--device", [](auto& one) { one.maker.plan.device = "cuda"; }},
      {"--threads", [](auto& one) { one.maker.plan.threads = 4; }},
      {"--no-gradients", [](auto& one) { one.maker.plan.gradients = false; }},
      {"--reduce", [](auto& one) { one.reduce = 6; }},
      {"--epoch", [](auto& one) { one.maker.epochs = Epochs(64); }},
      {"--cores", [](auto& one) { one.maker.epochs = Epochs::for_cores(8); }},
      {"--allow-known", [](auto& one) { one.maker.allow_known = true; }},
      {"--depth", [](auto& one) { one.maker.depth = 1; }},
      {"--accept", [](auto& one) { one.maker.corpus_policy = CorpusPolicy::kMcmc; }}};
  for (const auto& [flag, change] : others) {
    CampaignOptions asked = campaign();
    change(asked);
    EXPECT_TRUE(refusal(asked, {flag}).starts_with(flag + ":")) << flag << " gave '" << refusal(asked, {flag}) << "'";
    EXPECT_EQ(refusal(asked, {}), "") << flag << " was not given";
    EXPECT_EQ(refusal(campaign(), {flag}), "") << flag << " says the same";
  }
  CampaignOptions asked = campaign();
  asked.maker.backends = {"inductor"};
  EXPECT_NE(refusal(asked, {"--backend"}).find("started with eager,aot_eager, and was now given inductor"),
            std::string::npos)
      << refusal(asked, {"--backend"});
}

TEST(Machine, OneThatIsUnlikeIsNamedWithBothValues) {
  const codec::Json here = {{"torch", "2.13.0"}, {"processor", "AVX2"}, {"compiler", ""}};
  EXPECT_EQ(unlike(here, here), "");
  EXPECT_EQ(unlike({{"torch", "2.13.0"}}, here), "") << "an older campaign says nothing of the others";
  codec::Json there = here;
  there["processor"] = "AVX512";
  EXPECT_EQ(unlike(there, here),
            "processor: the campaign was started with AVX512, and this is AVX2, on which tests come to something else");
  there = here;
  there["compiler"] = "g++ 12";
  EXPECT_NE(unlike(there, here).find("with g++ 12, and this is none"), std::string::npos) << unlike(there, here);
}

}  // namespace
}  // namespace jp::campaign
