#include "campaign/triage/finish.h"

#include <fmt/format.h>

#include <atomic>
#include <thread>

#include "campaign/common/device.h"
#include "campaign/common/stop_condition.h"
#include "campaign/common/tools.h"
#include "campaign/triage/reduction.h"
#include "campaign/triage/slips.h"
#include "core/text.h"
#include "oracle/judge/oracle.h"
#include "report/reduced.h"
#include "report/store.h"

namespace jp::campaign {

Status finish_reduction(const std::string& folder, const Finding& finding, double seconds,
                        const std::atomic<bool>& stop, const std::function<void(const std::string&)>& note) {
  const std::string id = finding.signature.id();
  const auto form = report::load_reduced_form(folder, id);
  if ((form && form->finished && form->verified) || !oracle::find_oracle(finding.plan.oracle)) return Done{};
  const auto say_unfinished = [&](const std::string& why) {
    note(fmt::format("not fully reduced{}: continue with jitprobe reduce {} --campaign {}", why, id,
                     shell_word(folder)));
  };
  if (seconds <= 0) {
    say_unfinished("");
    return Done{};
  }
  const auto store = report::Store::open(folder);
  if (!store.ok()) {
    say_unfinished(fmt::format(" ({})", store.error().message));
    return Done{};
  }
  note(fmt::format("finishing its reduction, for {:.0f} s at most", seconds));
  StopCondition stop_condition(stop);
  stop_condition.start(seconds);
  std::atomic<bool> searching = true;
  PieceEnds ends;
  ends.stop = [&] { return stop_condition.reached(); };
  ends.searched = [&] { searching = false; };
  ends.given_up = [&] { return stop || (searching && stop_condition.reached()); };
  Subject subject = subject_of(folder, finding, true);
  Result<pyrunner::RunnerOptions> settings = runner_options({subject.plan.backend}, device_of(finding.plan));
  if (!settings.ok()) return settings.error();
  settings.value().given_up = ends.given_up;
  auto pool = RunnerPool::start(settings.value(), std::max(1u, std::thread::hardware_concurrency()));
  if (!pool.ok()) {
    say_unfinished(fmt::format(" ({})", pool.error().message));
    return Done{};
  }
  Reduction reducing(std::move(subject));
  Result<std::optional<Piece>> piece = reducing.go_on(*pool.value(), ends);
  if (!piece.ok()) return piece.error();
  if (!piece.value()) {
    say_unfinished(stop_condition.reached() ? "" : ": it does not diverge in the same way this time");
    return Done{};
  }
  Result<report::ReducedForm> kept = keep_piece(folder, id, *piece.value(), reducing);
  if (!kept.ok()) return kept.error();
  Status slips = Done{};
  if (!stop_condition.asked())
    pool.value()->work_alone([&](pyrunner::Runner& runner) {
      slips = keep_slips(*store.value(), folder, finding, runner, piece.value()->others,
                         [&](const Finding& met) { note(slip_sentence(met)); });
    });
  if (!slips.ok()) return slips.error();
  if (kept.value().finished && kept.value().verified) reducing.forget();
  if (!kept.value().verified) note("not verified: it was stopped before the result was judged in full");
  if (!kept.value().finished) say_unfinished("");
  return Done{};
}

}  // namespace jp::campaign
