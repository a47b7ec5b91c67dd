// Reduces programs that diverge: the parts that the command and campaigns share.
//
// Whatever stops a reduction, nothing is lost: every better program is stored at once, and the answers on candidates
// are stored in a file. A reduction may therefore be made in pieces, by processes that don't know of each other, and
// comes to the same program.
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
#include "report/trail.h"

namespace jp::campaign {

/// How long a candidate may run: a multiple of what the program itself took, so that one which happens to hang doesn't
/// use up the time of all others. A program whose fault is a hang keeps the limits of a run. `asked`: seconds that the
/// user wants, 0 for none.
pyrunner::Limits limits_for(pyrunner::Limits limits, const JudgedProgram& judged, double asked);

/// When a piece of a reduction ends.
struct PieceEnds {
  /// Programs tried at most, those answered before included: a bound that does not depend on the clock. 0: none.
  std::int64_t candidates = 0;
  /// The piece ends with the current best program once the program under way is judged; the best one is then judged in
  /// full.
  std::function<bool()> stop;
  /// Called when the search has ended, before the result is judged in full. May be empty.
  std::function<void()> searched;
  /// The piece ends at once: the runners, whose own `given_up` says the same, answer no more.
  std::function<bool()> given_up;
};

/// The result of a piece of a reduction.
struct Piece {
  mutate::Parsed parsed;
  std::vector<std::string> mutations;  // the steps that stage one left
  bool finished = false;               // no pass of the reducer makes it smaller
  bool verified = false;               // it diverges in the same way in a full judgement
  reduce::Progress progress;
  std::map<std::string, Program> others;  // programs that diverge in other ways, by the signature's ID
  std::int64_t judged = 0;
  std::int64_t runs = 0;
  Signature signature;  // of the program that was reduced
  /// How the program came about, from the one that was to be reduced.
  report::Trail trail = {};

  report::ReducedProgram small() const { return {parsed.program(), mutations}; }
};

/// A piece, and the seconds that this process spent on it.
struct ReducedPiece {
  Result<std::optional<Piece>> piece;
  double seconds = 0;
};

/// What is reduced, and where the result is stored.
struct Subject {
  Program program;
  const oracle::Oracle* oracle = nullptr;
  oracle::PlanOptions plan;
  /// How it diverges; nothing: any divergence counts.
  std::optional<Signature> signature;
  /// The full judgement of the program, if it has just been made: it is not made again.
  std::optional<JudgedProgram> judged = std::nullopt;
  /// The file of answers; "" for none.
  std::string answers;
  /// Returns what it was reduced to so far. May be empty.
  std::function<std::optional<report::ReducedProgram>()> kept;
  /// Returns how that came about, as far as it is stored. May be empty.
  std::function<report::Trail()> trail;
  /// Gets each better program, and stores it if it is simpler than the stored one. May be empty.
  std::function<Status(const report::ReducedProgram&)> better;
  /// Stores the program itself in place of a stored one that does not diverge in the same way although the program
  /// does. Without it that is an Error: the stored program is no form of this program.
  std::function<Status(const report::ReducedProgram&)> replace;
  /// An avoid line under which it must diverge as well (report::Slip); "" for none.
  std::string behind = "";
  /// Seconds that a run of a candidate may take; 0: measured.
  double limit = 0;
  /// A candidate need not diverge in the same way, only in some way: one fault shows differently where garbage is NaN
  /// and where it isn't. The chance that the reduction slips to another fault is the user's.
  bool in_any_way = false;
  /// Only the lineage is simplified (stage one); the text stays as the steps make it.
  bool only_steps = false;
};

/// The reduction of one program, made in any number of pieces.
class Reduction {
 public:
  explicit Reduction(Subject subject) : subject_(std::move(subject)) {}

  /// Starts from the program itself, whatever was stored: the result within a bound is always the same. Nothing if the
  /// program does not diverge in this way this time, or if it was given up.
  Result<std::optional<Piece>> from_start(RunnerPool& pool, const PieceEnds& ends);
  /// Starts from the stored program if that still diverges in the same way, else from the program itself. Nothing if
  /// neither does, or if it was given up before it began: what is stored stays.
  Result<std::optional<Piece>> go_on(RunnerPool& pool, const PieceEnds& ends);

  /// The last judgement of a program that did not diverge in the same way.
  const JudgedProgram& refusal() const { return refusal_; }
  /// Whether a full judgement has said that the program does not diverge in the same way.
  bool refuted(const Program& program) const;
  /// Removes the file of answers: the result is stored.
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
  /// `earlier`: how the start came about.
  Result<std::optional<Piece>> reduce(RunnerPool& pool, const Start& start, const PieceEnds& ends,
                                      report::Trail earlier);

  Subject subject_;
  std::optional<CandidateResults> answers_;
  std::map<std::string, Start> starts_;  // by SHA-256
  JudgedProgram refusal_;
};

/// The subject for a finding of a campaign; its better programs are written to reduced.json if `keeps`.
Subject subject_of(const std::string& folder, const Finding& finding, bool keeps);

/// The same for a reduction that follows at once on the judgement which the finding has.
Subject subject_now(const std::string& folder, const Finding& finding, bool keeps);

/// Stores a program that a finding was reduced to, if it is simpler than the stored one.
Status keep_better(const std::string& folder, const std::string& id, const report::ReducedProgram& small);
/// Stores the result of a piece with what is known of it, and its trail. A simpler stored program stays, unless it is
/// `refuted`.
Result<report::ReducedForm> keep_piece(const std::string& folder, const std::string& id, const Piece& piece,
                                       const Reduction& reducing);

/// The program that a lineage starts from, drawn or read anew; nothing if it can't be made any more.
std::optional<mutate::Parsed> base_of(const Seed& seed);

}  // namespace jp::campaign
