// Reduces programs that diverge, with the parts that the command and campaigns share.
//
// Whatever stops a reduction, nothing is lost: every better program is handed to its keeper at once, and what was asked
// about candidates is kept in a file of answers. A reduction may so be made in pieces, by processes that don't know of
// each other, and comes to the same program.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "campaign/common/judging.h"
#include "campaign/triage/candidate_results.h"
#include "campaign/triage/interestingness.h"
#include "mutate/syntax/syntax.h"
#include "oracle/reduce/engine.h"
#include "report/reduced.h"

namespace jp::campaign {

/// How long a candidate may run: some times what the program itself took, so that one which happens to hang doesn't eat
/// the time of all others. A program whose fault is a hang keeps the limits of a run. `asked`: seconds that the user
/// wants, 0 for none.
pyrunner::Limits limits_for(pyrunner::Limits limits, const JudgedProgram& judged, double asked);

/// When a piece of a reduction ends.
struct PieceEnds {
  /// Programs tried at most, those answered before among them: a bound that does not depend on the clock. 0: none.
  std::int64_t candidates = 0;
  /// It ends with what it has once the program under way is judged; what it has is then judged as a whole.
  std::function<bool()> stop;
  /// Called when nothing is searched for any more, before the result is judged as a whole. May be empty.
  std::function<void()> searched;
  /// It ends at once: the runners, whose own `given_up` says the same, answer no more.
  std::function<bool()> given_up;
};

/// What a piece of a reduction came to.
struct Piece {
  mutate::Parsed parsed;
  std::vector<std::string> mutations;  // the steps that stage one left
  bool finished = false;               // nothing that the reducer knows makes it smaller
  bool verified = false;               // judged as a whole, by everything that is asked, and it diverges alike
  reduce::Progress progress;
  std::map<std::string, Program> others;  // that diverge in other ways, by the signature's ID
  std::int64_t judged = 0;
  std::int64_t runs = 0;
  Signature signature;  // of the program that was reduced

  report::ReducedProgram small() const { return {parsed.program(), mutations}; }
};

/// What is reduced, and where it is kept.
struct Subject {
  Program program;
  const oracle::Oracle* oracle = nullptr;
  oracle::PlanOptions plan;
  /// How it diverges; nothing: however it does.
  std::optional<Signature> signature;
  /// The file of answers; "" to keep none.
  std::string answers;
  /// What it was reduced to so far. May be empty.
  std::function<std::optional<report::ReducedProgram>()> kept;
  /// Gets each better program, and keeps it if it is simpler than what is kept. May be empty.
  std::function<Status(const report::ReducedProgram&)> better;
  /// Takes the program itself in place of what is kept and does not diverge alike. Without it that is an Error: what is
  /// kept is no form of this program.
  std::function<Status(const report::ReducedProgram&)> replace;
  /// An avoid line behind which it must stay as well (report::Slip); "" for none.
  std::string behind = "";
  /// Seconds that a run of a candidate may take; 0: measured.
  double limit = 0;
};

/// The reduction of one program, made in any number of pieces.
class Reduction {
 public:
  explicit Reduction(Subject subject) : subject_(std::move(subject)) {}

  /// From the program itself, whatever was kept: what comes of a bound is the same always. Nothing when the program
  /// does not diverge so this time, or when it was given up.
  Result<std::optional<Piece>> from_start(RunnerPool& pool, const PieceEnds& ends);
  /// From what is kept where that still diverges alike, else from the program. Nothing when neither does, or when it
  /// was given up before it began.
  Result<std::optional<Piece>> go_on(RunnerPool& pool, const PieceEnds& ends);

  /// The last judgement of a program that did not diverge alike.
  const JudgedProgram& refusal() const { return refusal_; }
  /// What is known of a program, all being asked.
  bool refuted(const Program& program) const;
  /// Removes the file of answers: the result is safe.
  void forget();

 private:
  struct Start {
    mutate::Parsed parsed;
    std::vector<std::string> mutations;
    JudgedProgram judged;
  };
  Result<bool> open(RunnerPool& pool);
  std::optional<Start> started(RunnerPool& pool, const Program& program, std::vector<std::string> mutations,
                               const PieceEnds& ends);
  Result<std::optional<Piece>> reduce(RunnerPool& pool, const Start& start, const PieceEnds& ends);

  Subject subject_;
  std::optional<CandidateResults> answers_;
  std::map<std::string, Start> starts_;  // by SHA-256
  JudgedProgram refusal_;
};

/// The subject that a finding of a campaign is; its better programs go to reduced.json where `keeps`.
Subject subject_of(const std::string& folder, const Finding& finding, bool keeps);

/// Keeps a program that a finding was reduced to, if it is simpler than what is kept.
Status keep_better(const std::string& folder, const std::string& id, const report::ReducedProgram& small);
/// Keeps what a piece came to with what is known of it. What is kept and simpler stays, unless it is `refuted`.
Result<report::ReducedForm> keep_piece(const std::string& folder, const std::string& id, const Piece& piece,
                                       const Reduction& reducing);

}  // namespace jp::campaign
