// Triage decisions: new, a sighting, or to be told apart first.
#include "campaign/triage/finding_index.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "campaign/evidence/verified_export.h"
#include "codec/codec.h"
#include "oracle/signature/signature.h"
#include "report/evidence.h"
#include "report/store.h"
#include "tests/report/build.h"

namespace jp::campaign {
namespace {

using report::test::finding_of;
using report::test::Folder;
using report::test::program_of;
using Kind = TriageDecision::Kind;

Program calling(const std::string& body) { return program_of("def program(x):\n    return " + body + "\n"); }
const Signature kWrong =
    finding_of("def program(x):\n    return x\n", "inductor", Mismatch::kValue, "output").signature;
const Signature kGradient =
    finding_of("def program(x):\n    return x\n", "inductor", Mismatch::kGradient, "gradients").signature;
const Signature kError =
    finding_of("def program(x):\n    return x\n", "inductor", Mismatch::kCompilerError, "call").signature;
const Program kLong = calling("x.relu().sum().exp()");

// In a test of its own.
TriageDecision placed(FindingIndex& finding_index, const Signature& signature, const Program& program) {
  static std::uint64_t number = 1000;
  return finding_index.place(signature, program, number++);
}

FindingIndex with_reduced(const Signature& signature, const std::string& body) {
  FindingIndex finding_index;
  finding_index.add(signature);
  finding_index.add_small(signature.id(), {calling(body), {}});
  return finding_index;
}

TEST(FindingIndex, NewUntilItIsAdded) {
  FindingIndex finding_index;
  EXPECT_EQ(placed(finding_index, kWrong, kLong).kind, Kind::kNew);
  finding_index.add(kWrong);
  const TriageDecision place = placed(finding_index, kWrong, kLong);
  EXPECT_EQ(place.kind, Kind::kSighting) << "while it is not reduced, it explains all that look alike";
  EXPECT_EQ(place.id, kWrong.id());
  EXPECT_EQ(placed(finding_index, kGradient, kLong).kind, Kind::kNew);
}

TEST(FindingIndex, ASightingHasAllThatTheReducedProgramKeeps) {
  FindingIndex finding_index = with_reduced(kWrong, "x.relu().exp()");
  EXPECT_EQ(placed(finding_index, kWrong, kLong).kind, Kind::kSighting);
  EXPECT_EQ(placed(finding_index, kWrong, calling("x.relu().sum()")).kind, Kind::kUnexplained);
  FindingIndex mutated;
  mutated.add(kWrong);
  mutated.add_small(kWrong.id(), {calling("x.relu()"), {"history"}});
  EXPECT_EQ(placed(mutated, kWrong, kLong).kind, Kind::kUnexplained) << "the mutation is missing";
}

TEST(FindingIndex, ThreeOfASignatureAreReducedAndSlowlyMore) {
  FindingIndex finding_index = with_reduced(kWrong, "x.cos()");
  EXPECT_EQ(placed(finding_index, kWrong, kLong).kind, Kind::kUnexplained);
  EXPECT_EQ(placed(finding_index, kWrong, kLong).kind, Kind::kUnexplained);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(placed(finding_index, kWrong, kLong).kind, Kind::kSighting);
  const Signature other = oracle::refined(kWrong, calling("x.sin()"));
  finding_index.add(other);
  finding_index.add_small(other.id(), {calling("x.sin()"), {}});
  EXPECT_EQ(placed(finding_index, kWrong, calling("x.sin().relu()")).id, other.id());
  std::size_t more = 0;
  for (std::size_t i = 0; i < 2 * FindingIndex::kSightings; ++i)
    if (placed(finding_index, kWrong, kLong).kind == Kind::kUnexplained) ++more;
  EXPECT_EQ(more, 2u);
}

TEST(FindingIndex, ATestThatIsPlacedAgainCountsOnce) {
  FindingIndex finding_index = with_reduced(kWrong, "x.cos()");
  for (int i = 0; i < 2; ++i) EXPECT_EQ(finding_index.place(kWrong, kLong, 7).kind, Kind::kUnexplained);
  for (std::size_t i = 0; i < 2 * FindingIndex::kSightings; ++i)
    EXPECT_EQ(finding_index.place(kWrong, kLong, 7).kind, Kind::kSighting);
}

TEST(FindingIndex, OtherKindsAreToldBySignature) {
  FindingIndex finding_index = with_reduced(kError, "x.cos()");
  EXPECT_EQ(placed(finding_index, kError, kLong).kind, Kind::kSighting);
}

TEST(FindingIndex, SameBugBySignatureOrForm) {
  FindingIndex finding_index = with_reduced(kWrong, "x.relu().add_(2)");
  EXPECT_EQ(finding_index.same_bug(kWrong, {calling("x.relu(3).add_(x)"), {}}), kWrong.id()) << "calls the same";
  EXPECT_EQ(finding_index.same_bug(kWrong, {calling("x.relu().sub_(2)"), {}}), "");
  EXPECT_EQ(finding_index.same_bug(kGradient, {calling("x.relu().add_(2)"), {}}), "") << "another signature";
  finding_index.add_small(kWrong.id(), {calling("x + 1"), {}});
  EXPECT_EQ(finding_index.same_bug(kWrong, {program_of("def program(y):\n    return y + 2\n"), {}}), kWrong.id());
}

TEST(FindingIndex, WhatCallsNothingExplainsNothing) {
  FindingIndex finding_index = with_reduced(kWrong, "x + 1");
  EXPECT_EQ(placed(finding_index, kWrong, kLong).kind, Kind::kUnexplained);
}

TEST(FindingIndex, WhatGoesWrongElsewhereIsReducedToo) {
  FindingIndex finding_index;
  finding_index.add(oracle::located(kWrong, "cos"));
  EXPECT_EQ(placed(finding_index, oracle::located(kWrong, "cos"), kLong).kind, Kind::kSighting) << "not reduced yet";
  EXPECT_EQ(placed(finding_index, oracle::located(kWrong, "sin"), kLong).kind, Kind::kUnexplained)
      << "nor is it that one";
  finding_index.add_small(oracle::located(kWrong, "cos").id(), {calling("x.relu()"), {}});
  EXPECT_EQ(placed(finding_index, kWrong, kLong).kind, Kind::kSighting) << "where it goes wrong isn't known";
  EXPECT_EQ(placed(finding_index, oracle::located(kWrong, "exp"), kLong).kind, Kind::kUnexplained)
      << "it calls relu too, and goes wrong at exp";
  finding_index.add_small(oracle::located(kWrong, "cos").id(), {calling("x.relu(1)"), {}, "exp"});
  EXPECT_EQ(placed(finding_index, oracle::located(kWrong, "exp"), kLong).kind, Kind::kSighting)
      << "it came to that one";
}

// A small model of a campaign: what each divergence reduces to is known beforehand.
struct Told {
  std::set<std::string> findings;
  std::size_t reductions = 0;
};
Told told(const std::vector<std::pair<Signature, Program>>& divergences,
          const std::function<Program(std::size_t)>& reduced) {
  FindingIndex finding_index;
  Told told;
  for (std::size_t i = 0; i < divergences.size(); ++i) {
    Signature signature = divergences[i].first;
    const TriageDecision place = finding_index.place(signature, divergences[i].second, i);
    if (place.kind == Kind::kSighting) continue;
    report::ReducedProgram small{reduced(i), {}, oracle::place_of(signature)};
    ++told.reductions;
    std::string id = finding_index.same_bug(signature, small);
    if (id.empty()) {
      if (place.kind == Kind::kUnexplained) signature = oracle::refined(signature, small.program);
      finding_index.add(signature);
      id = signature.id();
    }
    finding_index.add_small(id, small);
    told.findings.insert(id);
  }
  return told;
}

TEST(FindingIndex, FortyCausesOfOneSignatureAreFortyFindings) {
  std::vector<std::pair<Signature, Program>> divergences;
  for (int i = 0; i < 43; ++i)
    divergences.emplace_back(oracle::located(kWrong, fmt::format("of_{}", i)), calling(fmt::format("x.of_{}()", i)));
  const Told all = told(divergences, [&](std::size_t i) { return divergences[i].second; });
  EXPECT_EQ(all.findings.size(), 43u);
  EXPECT_EQ(all.reductions, 43u);
}

TEST(FindingIndex, OneFaultThatGoesWrongEverywhereIsReducedAFewTimes) {
  std::vector<std::pair<Signature, Program>> divergences;
  for (int i = 0; i < 300; ++i)
    divergences.emplace_back(oracle::located(kWrong, fmt::format("of_{}", i)),
                             calling(fmt::format("x.of_{}().relu()", i)));
  const Told one = told(divergences, [](std::size_t) { return calling("x.relu()"); });
  EXPECT_EQ(one.findings.size(), 1u);
  EXPECT_LE(one.reductions, 1 + FindingIndex::kWasted + 300 / FindingIndex::kSightings);
}

TEST(FindingIndex, PlacesAreMeasuredOfTheFirstAndNowAndThen) {
  FindingIndex finding_index = with_reduced(kWrong, "x.relu()");
  std::size_t measured = 0;
  for (std::size_t i = 0; i < FindingIndex::kMeasured + 5 * FindingIndex::kMeasureOne; ++i) {
    measured += finding_index.wants_place(kWrong) ? 1 : 0;
    placed(finding_index, kWrong, kLong);
  }
  EXPECT_EQ(measured, FindingIndex::kMeasured + 5);
  EXPECT_FALSE(finding_index.wants_place(kError)) << "errors tell enough";
}

TEST(FindingIndex, PlacesComeBackFromTheFolder) {
  Folder folder;
  auto store = report::Store::create(folder.path(), {}).value();
  Finding finding = finding_of(kLong.source(), "inductor", Mismatch::kValue, "output");
  const Signature coarse = finding.signature;
  finding.signature = oracle::located(coarse, "exp");
  const std::string id = finding.signature.id();
  ASSERT_TRUE(store->add_finding(finding, 3).ok());
  ASSERT_TRUE(report::keep_reduced(folder.path(), id, calling("x.exp()"), {}).ok());
  ASSERT_TRUE(report::keep_also(folder.path(), id, {calling("x.exp(1)"), {}, "sum"}).ok());
  FindingIndex finding_index = FindingIndex::of(folder.path(), true).value();
  EXPECT_EQ(placed(finding_index, oracle::located(coarse, "exp"), kLong).kind, Kind::kSighting);
  EXPECT_EQ(placed(finding_index, oracle::located(coarse, "sum"), kLong).kind, Kind::kSighting);
  EXPECT_EQ(placed(finding_index, oracle::located(coarse, "relu"), kLong).kind, Kind::kUnexplained);
}

TEST(FindingIndex, FlakyOnesAreTriedAgainAFewTimes) {
  FindingIndex finding_index;
  EXPECT_EQ(placed(finding_index, kWrong, kLong).kind, Kind::kNew);
  finding_index.add(kWrong);
  finding_index.set_flaky(kWrong.id(), true);
  for (std::size_t i = 0; i < FindingIndex::kReductions; ++i)
    EXPECT_EQ(placed(finding_index, kWrong, kLong).kind, Kind::kRetry);
  EXPECT_EQ(placed(finding_index, kWrong, kLong).kind, Kind::kSighting);
}

TEST(FindingIndex, FlakyOnesAreTriedAsOftenAfterAResume) {
  Folder folder;
  auto store = report::Store::create(folder.path(), {}).value();
  Finding finding = finding_of(kLong.source(), "inductor", Mismatch::kValue, "output");
  finding.status = Finding::Status::kFlaky;
  ASSERT_TRUE(store->add_finding(finding, 3).ok());
  for (std::uint64_t test = 4; test < 4 + FindingIndex::kReductions; ++test) {
    FindingIndex resumed = FindingIndex::of(folder.path(), true).value();
    EXPECT_EQ(resumed.place(finding.signature, kLong, test).kind, Kind::kRetry) << test;
    ASSERT_TRUE(store->sighted(finding.signature.id(), test).ok());
  }
  FindingIndex resumed = FindingIndex::of(folder.path(), true).value();
  EXPECT_EQ(resumed.place(finding.signature, kLong, 99).kind, Kind::kSighting);
}

TEST(FindingIndex, ComesBackFromTheFolder) {
  Folder folder;
  auto store = report::Store::create(folder.path(), {}).value();
  const Finding finding = finding_of(kLong.source(), "inductor", Mismatch::kValue, "output");
  const std::string id = finding.signature.id();
  ASSERT_TRUE(store->add_finding(finding, 3).ok());
  ASSERT_TRUE(report::keep_reduced(folder.path(), id, calling("x.cos()"), {"history"}).ok());
  ASSERT_TRUE(report::keep_also(folder.path(), id, {calling("x.sin()"), {}}).ok());
  ASSERT_TRUE(report::keep_also(folder.path(), id, {calling("x.tan()"), {"alias_write"}}).ok());
  FindingIndex finding_index = FindingIndex::of(folder.path(), true).value();
  EXPECT_EQ(placed(finding_index, finding.signature, calling("x.sin().abs()")).kind, Kind::kSighting);
  EXPECT_EQ(placed(finding_index, finding.signature, calling("x.cos()")).kind, Kind::kSighting)
      << "nothing is left to spend";
  EXPECT_EQ(finding_index.same_bug(finding.signature, {calling("x.tan()"), {}}), id);
  FindingIndex coarse = FindingIndex::of(folder.path(), false).value();
  EXPECT_EQ(placed(coarse, finding.signature, kLong).kind, Kind::kSighting);
}

TEST(Buckets, ByWhatFindingsWereReducedToAndWhatTheBisectorNames) {
  Folder folder;
  auto store = report::Store::create(folder.path(), {}).value();
  std::vector<std::string> ids;
  for (const char* place : {"exp", "sum", "cos"}) {
    Finding finding = finding_of(kLong.source(), "inductor", Mismatch::kValue, "output");
    finding.signature = oracle::located(finding.signature, place);
    ids.push_back(finding.signature.id());
    ASSERT_TRUE(store->add_finding(finding, ids.size()).ok());
  }
  ASSERT_TRUE(report::keep_reduced(folder.path(), ids[0], calling("x.relu()")).ok());
  ASSERT_TRUE(report::keep_reduced(folder.path(), ids[1], calling("x.relu(x, 2)")).ok());
  ASSERT_TRUE(report::keep_reduced(folder.path(), ids[2], calling("x.cos()")).ok());
  EXPECT_EQ(first_of_bug(folder.path(), ids), (std::vector<std::size_t>{0, 0, 2}))
      << "wherever they went wrong at first";
  ASSERT_TRUE(report::keep_cause(folder.path(), ids[0], {std::nullopt, "subsystem: lowerings\nrelu\n"}).ok());
  ASSERT_TRUE(report::keep_cause(folder.path(), ids[1], {std::nullopt, "subsystem: post_grad_passes\n"}).ok());
  EXPECT_EQ(first_of_bug(folder.path(), ids), (std::vector<std::size_t>{0, 1, 2})) << "two parts of Inductor";
}

// What a campaign stores for a divergence that reduces to a program of its own, or to nothing.
void keep(FindingIndex& finding_index, report::Store& store, const std::string& folder, std::uint64_t number,
          Finding finding) {
  const TriageDecision place = finding_index.place(finding.signature, finding.program, number);
  const report::ReducedProgram small{finding.program, {}};
  if (place.kind == Kind::kSighting) {
    ASSERT_TRUE(store.sighted(place.id, number).ok());
    return;
  }
  if (place.kind == Kind::kUnexplained) finding.signature = oracle::refined(finding.signature, finding.program);
  const std::string id = finding.signature.id();
  ASSERT_TRUE(store.add_finding(finding, number).ok());
  finding_index.add(finding.signature);
  finding_index.add_small(id, small);
  ASSERT_TRUE(report::keep_reduced(folder, id, small.program, small.mutations).ok());
}

TEST(FindingIndex, ReadBackAnywhereItGoesOnAlike) {
  Folder folder;
  auto store = report::Store::create(folder.path(), {}).value();
  FindingIndex finding_index;
  std::size_t findings = 0;
  for (std::uint64_t number = 0; number < 5 * FindingIndex::kSightings; ++number) {
    const Finding finding =
        finding_of(calling(fmt::format("x.of_{}()", number)).source(), "inductor", Mismatch::kValue, "output");
    FindingIndex again = FindingIndex::of(folder.path(), true).value();
    const TriageDecision here = FindingIndex(finding_index).place(finding.signature, finding.program, number);
    const TriageDecision there = again.place(finding.signature, finding.program, number);
    ASSERT_EQ(there.kind, here.kind) << number;
    ASSERT_EQ(there.id, here.id) << number;
    findings += here.kind != Kind::kSighting;
    keep(finding_index, *store, folder.path(), number, finding);
  }
  EXPECT_EQ(findings, FindingIndex::kReductions + 5) << "three, and one with every further thirty";
}

}  // namespace
}  // namespace jp::campaign
