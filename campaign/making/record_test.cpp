#include "campaign/making/record_test.h"

#include <algorithm>

#include "campaign/feedback/counter_buckets.h"

namespace jp::campaign {
namespace {

void add_counters(TestRecord& row, const Counters& counters) {
  for (const auto& [reason, number] : counters.graph_breaks) row.graph_breaks += number;
  if (auto found = counters.others.find("recompiles"); found != counters.others.end()) row.recompiles += found->second;
}

bool raises(const Outcome& outcome) {
  const auto* finished = std::get_if<Finished>(&outcome.ending);
  return finished && !all_calls_work(finished->observation);
}

}  // namespace

TestRecord record_of(const TestCase& test, const std::string& seed_source, const JudgedProgram& hunted) {
  TestRecord row{.test = test.number,
                 .seed_source = seed_source,
                 .oracle = std::string(test.oracle->name()),
                 .backend = test.plan.backend,
                 .depth = test.start.depth,
                 .buckets = counter_buckets(hunted.outcomes),
                 .seconds = hunted.seconds};
  const std::vector<Step>& steps = test.program.lineage().steps;
  for (std::size_t i = test.start.mutant.steps.size(); i < steps.size(); ++i) row.steps.push_back(steps[i].mutation);
  for (const Outcome& outcome : hunted.outcomes)
    if (const auto* finished = std::get_if<Finished>(&outcome.ending); finished && finished->counters.known)
      add_counters(row, finished->counters);
  return row;
}

void enter_verdict(TestRecord& row, const JudgedProgram& judged) {
  row.verdict = verdict_name(judged.verdict.kind);
  if (judged.verdict.kind == Verdict::Kind::kDiverge) {
    row.signature = judged.signature.id();
    row.call = judged.verdict.differences.front().call;
  }
}

void add_program(TestRecord& row, const TestCase& test, const std::vector<Outcome>& outcomes) {
  if (test.oracle->needs() == oracle::Needs::kBroken) return;
  if (std::any_of(outcomes.begin(), outcomes.end(), raises)) return;
  row.mutant = CorpusProgram{test.start.mutant.seed, test.program.lineage().steps};
  row.distance = distance_of(test.start.mutant.seed, test.program);
}

}  // namespace jp::campaign
