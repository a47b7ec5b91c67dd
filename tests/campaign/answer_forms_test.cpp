// The answers of runs about a case as JSON: what one process hands to another.
#include "campaign/triage/answer_forms.h"

#include <gtest/gtest.h>

#include "mutate/syntax/syntax.h"
#include "tests/report/build.h"

namespace jp::campaign {
namespace {

using report::test::finding_of;

/// Written, read as text, and written again.
template <typename T>
codec::Json again(const T& answer) {
  const codec::Json json = AnswerForm<T>::json(answer);
  const std::optional<T> read = AnswerForm<T>::read(codec::parse_text(codec::text(json)).value());
  EXPECT_TRUE(read) << codec::text(json, 1);
  EXPECT_FALSE(AnswerForm<T>::read("nonsense"));
  return read ? AnswerForm<T>::json(*read) : codec::Json();
}

template <typename T>
void comes_back(const T& answer) {
  EXPECT_EQ(again(answer), AnswerForm<T>::json(answer));
}

Finding found() {
  Finding finding = finding_of("def program(x):\n    return x\n", "inductor", Mismatch::kValue, "output");
  finding.status = Finding::Status::kConfirmed;
  finding.reproduced = finding.attempts = 3;
  finding.trials = {{"8 threads", 2, 5}};
  finding.outcomes = {{.role = "compiled", .ending = Died{.how = "exit", .exit_code = 3, .last_words = "gone"}}};
  return finding;
}

JudgedProgram judged() {
  const Finding finding = found();
  return {.plan = finding.plan,
          .outcomes = finding.outcomes,
          .verdict = finding.verdict,
          .signature = finding.signature,
          .seconds = 3,
          .planned = 2};
}

Piece piece() {
  const Program program = found().program;
  reduce::Progress progress{7, 3, {}};
  progress.passes["drop_dead"] = {4, 2};
  return {.parsed = mutate::parse(program).value(),
          .mutations = {"true_block"},
          .finished = true,
          .verified = true,
          .progress = progress,
          .others = {{"abc", program}},
          .judged = 9,
          .runs = 12,
          .signature = found().signature,
          .trail = {{{"drop_dead", "join_lines"}, program.source()}}};
}

// A member that is added to one of these doesn't compile here: its form must write and read it, and the tests below
// fill it.
[[maybe_unused]] void members(const oracle::PlanOptions& options, const JudgedProgram& judged, const Piece& piece) {
  [[maybe_unused]] const auto& [backend, gradients, threads, memory, fixed, depends, full, brief, device, report,
                                switches, seed] = options;
  [[maybe_unused]] const auto& [plan, outcomes, verdict, signature, seconds, planned] = judged;
  [[maybe_unused]] const auto& [parsed, mutations, finished, verified, progress, others, judgements, runs, own, trail] =
      piece;
}

TEST(AnswerForms, AllComeBack) {
  comes_back(found());
  comes_back(judged());
  comes_back(std::optional<JudgedProgram>());
  comes_back(std::optional(judged()));
  const oracle::PlanOptions options{.backend = "inductor",
                                    .gradients = false,
                                    .threads = 3,
                                    .memory_fill = 75,
                                    .fixed_addresses = true,
                                    .depends_on = "threads",
                                    .full = true,
                                    .brief = true,
                                    .device = "cuda",
                                    .report = {"warnings"},
                                    .switches = {"max_autotune"},
                                    .seed_text = "x"};
  comes_back(Explained{});
  comes_back(Explained{{{"pytorch-1", "https://x", found().signature}}, Diverging{found().program, options, judged()}});
  comes_back(report::Cause{});
  comes_back(report::Cause{report::Intermediate{"y", "y = x", 2, "1", "2", true, "// pad", "pad"}, "subsystem: x"});
  comes_back(std::optional(report::Intermediate{"y", "y = x", 2, "1", "2", true, "// pad", "pad"}));
  comes_back(std::optional(report::KnownVerdict{"ab", "pytorch-1", "https://x", "form", {{"a", "b", "c"}}, "first"}));
  comes_back(std::optional<report::KnownVerdict>());
  const UnderAvoid under{UnderAvoid::Kind::kDiverges, "because", found().program, judged()};
  comes_back(std::optional(KnownJudge::Behind{"line", under}));
}

TEST(AnswerForms, NoMemberIsLost) {
  const auto back = AnswerForm<JudgedProgram>::read(AnswerForm<JudgedProgram>::json(judged()));
  ASSERT_TRUE(back);
  EXPECT_EQ(codec::to_json(back->plan), codec::to_json(judged().plan));
  ASSERT_EQ(back->outcomes.size(), judged().outcomes.size());
  ASSERT_FALSE(back->outcomes.empty());
  EXPECT_EQ(back->outcomes[0].role, judged().outcomes[0].role);
  EXPECT_EQ(back->outcomes[0].ending.index(), judged().outcomes[0].ending.index());
  EXPECT_EQ(back->verdict.kind, judged().verdict.kind);
  EXPECT_EQ(back->verdict.reason, judged().verdict.reason);
  EXPECT_EQ(back->verdict.differences.size(), judged().verdict.differences.size());
  EXPECT_EQ(back->signature.id(), judged().signature.id());
  EXPECT_EQ(back->planned, judged().planned);
}

TEST(AnswerForms, AReductionComesBackWithoutItsTime) {
  comes_back(ReducedPiece{std::optional(piece()), 12});
  comes_back(ReducedPiece{std::optional<Piece>(), 12});
  const auto read = AnswerForm<ReducedPiece>::read(AnswerForm<ReducedPiece>::json({std::optional(piece()), 12}));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->seconds, 0);
  const Piece& back = *read->piece.value();
  EXPECT_EQ(back.parsed.program().source(), piece().parsed.program().source());
  EXPECT_EQ(back.progress, piece().progress);
  EXPECT_EQ(back.trail, piece().trail);
  EXPECT_EQ(back.others.at("abc").sha256(), piece().others.at("abc").sha256());
  EXPECT_TRUE(back.finished && back.verified);
  EXPECT_EQ(back.judged, 9);
  EXPECT_EQ(back.runs, 12);
  EXPECT_EQ(back.mutations, piece().mutations);
  EXPECT_EQ(back.signature.id(), piece().signature.id());
}

}  // namespace
}  // namespace jp::campaign
