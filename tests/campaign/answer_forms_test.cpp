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
}

}  // namespace
}  // namespace jp::campaign
