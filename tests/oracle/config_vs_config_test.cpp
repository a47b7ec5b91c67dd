// Two compile configurations of one program: what only one of them shows, or both.
#include <gtest/gtest.h>

#include "tests/oracle/shown.h"

namespace jp::oracle::test {
namespace {

using VerdictKind = Verdict::Kind;

TEST(ConfigVsConfig, ReportsSwitchesThatChangeTheResult) {
  const auto of = [](float compiled, float switched) {
    return on("config_vs_config", {{"eager", shows(1)}, {"compiled", shows(compiled)}, {"switched", shows(switched)}});
  };
  EXPECT_EQ(of(1, 1).rule, "bitwise");
  EXPECT_EQ(of(1, 3).kind, VerdictKind::kDiverge);
  EXPECT_NE(of(1, 3).reason.find("between compiled and switched"), std::string::npos) << of(1, 3).reason;
  EXPECT_EQ(of(3, 1).kind, VerdictKind::kDiverge);
  EXPECT_EQ(of(3, 3).rule, "both_configurations");
  EXPECT_EQ(of(3, 4).kind, VerdictKind::kDiverge);
}

TEST(ConfigVsConfig, EndingsOfBoth) {
  const auto of = [](const Ending& compiled, const Ending& switched) {
    std::vector<Outcome> outcomes = {shows(1).outcome("eager"), {"compiled", compiled, 0}, {"switched", switched, 0}};
    return verdict_of_oracle("config_vs_config", plan_of("config_vs_config"), outcomes);
  };
  const Ending fine = shows(1).outcome("").ending;
  EXPECT_EQ(of(fine, Died{"signal", 11, 0, "", {}}).rule, "death");
  EXPECT_EQ(of(fine, TimedOut{3, {}}).rule, "hang");
  EXPECT_EQ(of(Died{"signal", 11, 0, "", {}}, Died{"signal", 11, 0, "", {}}).rule, "both_configurations");
  EXPECT_EQ(of(fine, Raised{"backend", "no such switch", {}}).kind, VerdictKind::kRejected);
}

TEST(ConfigVsConfig, AProcessThatBothLostIsNoDifference) {
  const auto of = [](const std::vector<std::string>& compiled, const std::vector<std::string>& switched) {
    const auto ending = [](const std::vector<std::string>& lost) {
      Outcome outcome = shows(1).outcome("");
      std::get<Finished>(outcome.ending).lost_children = lost;
      return outcome.ending;
    };
    std::vector<Outcome> outcomes = {
        shows(1).outcome("eager"), {"compiled", ending(compiled), 0}, {"switched", ending(switched), 0}};
    return verdict_of_oracle("config_vs_config", plan_of("config_vs_config"), outcomes);
  };
  EXPECT_EQ(of({"cc1plus: signal 11"}, {"cc1plus: signal 11"}).kind, VerdictKind::kAgree);
  EXPECT_EQ(of({}, {"cc1plus: signal 11"}).kind, VerdictKind::kDiverge);
  EXPECT_EQ(of({"cc1plus: signal 11"}, {"as: signal 9"}).kind, VerdictKind::kDiverge);
}

// Sixty-four differences are kept, and more are looked at: those that rounding explains must not push out another.
TEST(ConfigVsConfig, ManyExplainedDifferencesHideNone) {
  const auto shown = [](double last, bool off) {
    Recorded run;
    std::vector<Value> items;
    for (int i = 0; i < 100; ++i) items.push_back(run.add(floats({off ? 3.0F : 1.0F})));
    items.push_back(run.add(floats({static_cast<float>(last)})));
    run.call().output = sequence("list", std::move(items));
    return run;
  };
  // The first hundred differ from eager in both configurations alike.
  const auto of = [&](double switched) {
    return on("config_vs_config",
              {{"eager", shown(1, false)}, {"compiled", shown(1, true)}, {"switched", shown(switched, true)}});
  };
  EXPECT_EQ(of(1).kind, VerdictKind::kAgree);
  EXPECT_EQ(of(5).kind, VerdictKind::kDiverge);
  EXPECT_LE(of(5).differences.size(), 64U);
}

TEST(ConfigVsConfig, NeedsSwitches) {
  const Plan plan = find_oracle("config_vs_config")->plan(Program::make("x = 1\n", {}).value(), {});
  EXPECT_EQ(verdict_of_oracle("config_vs_config", plan, {shows(1).outcome("eager")}).rule, "no_switches");
  EXPECT_EQ(plan_of("config_vs_config").runs[2].switches, (std::vector<std::string>{"dynamic"}));
}

}  // namespace
}  // namespace jp::oracle::test
