#include "campaign/start_probes.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include "campaign/common/judging.h"
#include "campaign/common/self_test.h"
#include "core/files.h"
#include "core/hash.h"
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

// What changes with a file's content, without reading it.
std::string stamp(const fs::path& path) {
  std::error_code error;
  const auto size = fs::file_size(path, error);
  const auto time = fs::last_write_time(path, error);
  return error ? path.string() + " missing\n"
               : fmt::format("{} {} {}\n", path.string(), size, time.time_since_epoch().count());
}

std::string stamp_of_tree(const std::string& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (at->path().extension() == ".py") files.push_back(at->path());
  std::sort(files.begin(), files.end());
  std::string text;
  for (const fs::path& file : files) text += stamp(file);
  return text;
}

// Where torch lies below a venv: a torch that is built anew may have the same version.
std::string stamp_of_torch(const fs::path& prefix) {
  std::string text;
  std::error_code error;
  for (fs::directory_iterator at(prefix / "lib", error), end; !error && at != end; at.increment(error))
    if (at->path().filename().string().starts_with("python"))
      text += stamp(at->path() / "site-packages/torch/version.py");
  return text;
}

// A file whose presence says that the probes of this key passed.
class Passed {
 public:
  Passed(const std::string& cache, const std::string& key)
      : path_(fs::path(cache) / "probes" / sha256_hex(key).substr(0, 16)) {}
  bool before() const {
    std::error_code error;
    return fs::exists(path_, error);
  }
  // A cache that can't be written only costs the probes again.
  void keep(const std::string& text) const {
    std::error_code ignored;
    fs::create_directories(path_.parent_path(), ignored);
    if (Status written = write_file(path_.string(), text + "\n"); !written.ok()) return;
  }

 private:
  fs::path path_;
};

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
  const Passed passed(
      options.cache_dir,
      fmt::format("runner\n{}\n{}\n{}\n{}\n", info.torch, info.python, info.executable, options.device) +
          stamp_of_torch(info.prefix) + stamp(options.worker) + stamp(options.guard) +
          stamp(fs::read_symlink("/proc/self/exe")) + stamp_of_tree(options.runtime_dir));
  if (passed.before()) return Done{};
  const pyrunner::Limits limits = options.limits;
  pyrunner::Limits patient = limits;
  patient.seconds = std::max(limits.seconds, kProbeSeconds);
  runner.set_limits(patient);
  const std::string blind = failed_probes(test_probes(runner, {"eager"}));
  runner.set_limits(limits);
  if (options.given_up && options.given_up()) return Done{};
  if (!blind.empty() && !runner.broken().empty())
    return Error{fmt::format("jitprobe's own worker can't work with torch {}, so nothing is judged: {}", info.torch,
                             runner.broken().begin()->first)};
  if (!blind.empty())
    return Error{
        fmt::format("not every failure would be seen with torch {}, so nothing is judged: {} (see jitprobe doctor)",
                    info.torch, blind)};
  passed.keep(fmt::format("torch {}, Python {}", info.torch, info.python));
  return Done{};
}

Status probe_once(const pyrunner::Standalone& standalone, const std::string& torch, const std::string& runtime_dir) {
  const fs::path prefix = fs::path(standalone.python).parent_path().parent_path();
  const Passed passed(standalone.cache, fmt::format("standalone\n{}\n{}\n", torch, standalone.python) +
                                            stamp_of_torch(prefix) + stamp(standalone.guard) +
                                            stamp(fs::read_symlink("/proc/self/exe")) + stamp_of_tree(runtime_dir));
  if (passed.before()) return Done{};
  const std::vector<std::pair<const char*, int>> probes = {{"(1 if torch.compiler.is_compiling() else 2)", 1},
                                                           {"1", 0}};
  for (const auto& [added, expected] : probes) {
    const int status = pyrunner::run_standalone(standalone, file_of(added, runtime_dir));
    if (status != expected)
      return Error{
          fmt::format("a file that {} difference ends with {} under {} (torch {}), so nothing is said of others: "
                      "see whether torch.compile works there",
                      expected == 1 ? "shows a" : "shows no", status, standalone.python, torch)};
  }
  passed.keep("torch " + torch);
  return Done{};
}

}  // namespace jp::campaign
