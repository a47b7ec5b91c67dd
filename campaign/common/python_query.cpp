#include "campaign/common/python_query.h"

namespace jp::campaign {

std::string answer_of(pyrunner::Runner& runner, const std::string& source, const std::string& entry, double seconds) {
  Result<Program> program = Program::make(source, {}, "", entry);
  JP_CHECK(program.ok(), "a question of ours is no program: {}", program.error().message);
  return answer_of(runner, program.value(), seconds);
}

std::string answer_of(pyrunner::Runner& runner, const Program& question, double seconds) {
  const pyrunner::Limits limits = runner.options().limits;
  if (seconds > 0) {
    pyrunner::Limits longer = limits;
    longer.seconds = seconds;
    longer.hang_retry_factor = 0;
    runner.set_limits(longer);
  }
  RunRequest request;
  request.role = "eager";
  request.gradients = false;
  const std::vector<Outcome> outcomes = runner.run(question, {request}, pyrunner::Isolation::kFresh);
  runner.set_limits(limits);
  const auto* finished = std::get_if<Finished>(&outcomes.front().ending);
  if (!finished || finished->observation.calls.empty()) return "";
  const CallRecord& call = finished->observation.calls.front();
  return call.exception || call.output.kind != Value::Kind::kText ? "" : call.output.text;
}

}  // namespace jp::campaign
