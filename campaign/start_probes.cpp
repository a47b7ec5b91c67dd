#include "campaign/start_probes.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include "campaign/common/device.h"
#include "campaign/common/judging.h"
#include "campaign/common/kept_answer.h"
#include "campaign/common/self_test.h"
#include "report/reproducer.h"

namespace jp::campaign {
namespace {

namespace fs = std::filesystem;

// A probe must not fail because a user wants short runs.
constexpr double kProbeSeconds = 60;

constexpr const char* kFile = R"(import torch


def make_inputs():
    return (torch.arange(4.0),)


def program(x):
    return x + {}
)";

Program program_with(const std::string& added) {
  Result<Program> program = Program::make(fmt::format(kFile, added), {});
  JP_CHECK(program.ok(), "a probe is no program: {}", program.error().message);
  return program.value();
}

std::string file_of(const std::string& added, const std::string& runtime_dir) {
  const Program program = program_with(added);
  oracle::PlanOptions options;
  options.backend = "eager";
  Finding finding{.program = program,
                  .plan = need_oracle("eager_vs_compiled").plan(program, options),
                  .outcomes = {},
                  .verdict = {},
                  .signature = {}};
  finding.verdict.kind = Verdict::Kind::kDiverge;
  finding.verdict.reason = "a probe";
  finding.verdict.differences = {{Mismatch::kValue, 0, "output", "", "", {}, "float"}};
  return report::reproducer(finding, {.python_folder = runtime_dir});
}

}  // namespace

Status probe_once(pyrunner::Runner& runner) {
  const pyrunner::RunnerOptions& options = runner.options();
  const pyrunner::WorkerInfo& info = runner.info();
  const KeptAnswer passed(options.cache_dir, "runner\n" + stamp_of_runner(runner));
  if (passed.get()) return Done{};
  if (options.device != "cpu") {
    const Result<std::string> found = device_name(runner, options.device);
    if (options.given_up && options.given_up()) return Done{};
    if (!found.ok()) return found.error();
  }
  const pyrunner::Limits limits = options.limits;
  pyrunner::Limits patient = limits;
  patient.seconds = std::max(limits.seconds, kProbeSeconds);
  runner.set_limits(patient);
  const std::string failed = failed_probes(test_probes(runner, {"eager"}));
  runner.set_limits(limits);
  if (options.given_up && options.given_up()) return Done{};
  if (!failed.empty() && !runner.broken().empty())
    return Error{fmt::format("jitprobe's own worker does not work with torch {}; refusing to judge: {}", info.torch,
                             runner.broken().begin()->first)};
  if (!failed.empty())
    return Error{fmt::format(
        "self-test failed with torch {}: planted {} was not detected; refusing to judge (see jitprobe doctor)",
        info.torch, failed)};
  passed.keep(fmt::format("torch {}, Python {}", info.torch, info.python));
  return Done{};
}

Status probe_once(const pyrunner::Standalone& standalone, const std::string& torch, const std::string& runtime_dir) {
  const fs::path prefix = fs::path(standalone.python).parent_path().parent_path();
  const KeptAnswer passed(standalone.cache, fmt::format("standalone\n{}\n{}\n", torch, standalone.python) +
                                                stamp_of_torch(prefix) + stamp_of_file(standalone.guard) +
                                                stamp_of_self() + stamp_of_runtime(runtime_dir));
  if (passed.get()) return Done{};
  const std::vector<std::pair<const char*, int>> probes = {{"(1 if torch.compiler.is_compiling() else 2)", 1},
                                                           {"1", 0}};
  for (const auto& [added, expected] : probes) {
    const int status = pyrunner::run_standalone(standalone, file_of(added, runtime_dir));
    if (status != expected)
      return Error{fmt::format(
          "self-test failed: a file that {} difference exits with {} under {} (torch {}); refusing to judge: "
          "check whether torch.compile works there",
          expected == 1 ? "shows a" : "shows no", status, standalone.python, torch)};
  }
  passed.keep("torch " + torch);
  return Done{};
}

}  // namespace jp::campaign
