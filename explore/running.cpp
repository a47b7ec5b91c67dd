#include "explore/running.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "answers/judged.h"
#include "campaign/common/judging.h"
#include "campaign/common/tools.h"
#include "campaign/evidence/compile_report.h"
#include "codec/codec.h"
#include "explore/campaigns.h"
#include "explore/request.h"

namespace jp::explore {
namespace {

using codec::Json;

struct RunAsked {
  Asked asked;
  oracle::PlanOptions plan;  // the finding's, or the usual one
  std::string backend;
  std::string oracle;
  bool explain = false;
};

/// As `run` makes them: all cheap control runs from the start. An oracle that compares with a seed has the program
/// before its steps.
oracle::PlanOptions plan_options(const RunAsked& run) {
  oracle::PlanOptions options = run.plan;
  options.backend = run.backend;
  options.full = true;
  if (options.seed_text.empty()) options.seed_text = run.asked.base.source();
  return options;
}

/// The oracle of a request: one that needs nothing that a page can't give, unless the plan of a finding gives it.
Result<std::string> read_oracle(const Json& body, bool of_finding) {
  Result<std::string> name = read_text(body, "oracle", "eager_vs_compiled");
  if (!name.ok()) return name;
  const oracle::Oracle* found = oracle::find_oracle(name.value());
  if (!found) return Error{fmt::format("there is no oracle '{}'", name.value())};
  if (!of_finding && found->needs() != oracle::Needs::kNothing && found->needs() != oracle::Needs::kSeed)
    return Error{fmt::format("the oracle {} needs what is given on the command line only", name.value())};
  return name;
}

void explain_into(Stream& stream, pyrunner::Runner& runner, const RunAsked& run) {
  stream.say("looks at what compiling did");
  Result<Json> report = campaign::compile_report(runner, run.asked.made.program(), run.backend, run.plan.device);
  if (stream.cancel().asked()) return;
  if (report.ok())
    stream.emit("explained", report.value());
  else
    stream.emit("failed", {{"error", report.error().message}, {"part", "explain"}});
}

void make_run(Explorer& explorer, Stream& stream, const RunAsked& run) {
  const auto say = [&](const std::string& what) { stream.say(what); };
  Result<Runners::Lease> lease = explorer.runners().take(stream.cancel(), run_limits(explorer), say);
  if (!lease.ok()) {
    if (!stream.cancel().asked()) stream.emit("failed", {{"error", lease.error().message}});
    return;
  }
  pyrunner::Runner& runner = lease.value().runner();
  stream.say(fmt::format("runs it plain and under {}", run.backend));
  const campaign::JudgedProgram judged =
      campaign::judge(runner, campaign::need_oracle(run.oracle), run.asked.made.program(), plan_options(run),
                      pyrunner::Isolation::kFresh);
  if (stream.cancel().asked()) return;
  if (runner.failure()) return stream.emit("failed", {{"error", runner.failure()->message}});
  stream.emit("result", answers::judged_json(run.backend, judged));
  // What does not end without the compiler would only be waited for once more.
  if (run.explain && judged.verdict.kind != Verdict::Kind::kRejected) explain_into(stream, runner, run);
}

}  // namespace

pyrunner::Limits run_limits(const Explorer& explorer) {
  pyrunner::Limits limits = explorer.options().runner.limits;
  if (explorer.options().seconds > 0) limits.seconds = explorer.options().seconds;
  return limits;
}

Result<std::string> read_backend(const Json& body, const Explorer& explorer) {
  Result<std::string> name = read_text(body, "backend");
  if (!name.ok()) return name;
  const auto has = [&](const std::vector<std::string>& names) {
    return std::find(names.begin(), names.end(), name.value()) != names.end();
  };
  if (has(explorer.options().backends) || has(campaign::built_in_backends())) return name;
  return Error{fmt::format("there is no backend '{}' here: name it with --backend", name.value())};
}

Result<Stream::Work> run_work(Explorer& explorer, const Json& body) {
  Result<Asked> asked = read_asked(body, explorer);
  if (!asked.ok()) return asked.error();
  Result<std::string> backend = read_backend(body, explorer);
  if (!backend.ok()) return backend.error();
  const bool of_finding = body.contains("finding") && !body["finding"].is_null();
  Result<oracle::PlanOptions> plan = oracle::PlanOptions{};
  if (of_finding) plan = finding_plan(explorer, body);
  if (!plan.ok()) return plan.error();
  Result<std::string> oracle = read_oracle(body, of_finding);
  if (!oracle.ok()) return oracle.error();
  const bool explain = body.contains("explain") && body["explain"] == true;
  auto run = std::make_shared<const RunAsked>(
      RunAsked{std::move(asked).value(), std::move(plan).value(), backend.value(), oracle.value(), explain});
  return Stream::Work([&explorer, run](Stream& stream) { make_run(explorer, stream, *run); });
}

}  // namespace jp::explore
