#include "campaign/known/known_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <map>
#include <mutex>
#include <thread>

#include "campaign/common/internal_errors.h"
#include "campaign/common/python_query.h"
#include "codec/codec.h"
#include "core/check.h"
#include "core/files.h"
#include "core/hash.h"
#include "core/text.h"
#include "report/reproducer.h"

namespace jp::campaign {
namespace {

// A file that hangs must not hold up a campaign's start for long.
constexpr double kSeconds = 120;

// Runs a file as the interpreter does: an uncaught exception is status 1.
constexpr const char* kRun = R"(import os
import runpy
import sys
import tempfile
import traceback

TEXT = {}


def program():
    folder = tempfile.mkdtemp()
    path = os.path.join(folder, "repro.py")
    with open(path, "w", encoding="utf-8") as file:
        file.write(TEXT)
    os.chdir(folder)
    sys.argv = [path]
    try:
        runpy.run_path(path, run_name="__main__")
    except SystemExit as end:
        status = 0 if end.code is None else end.code
        return str(status if isinstance(status, int) else 1)
    except BaseException:
        return "1"
    return "0"
)";

constexpr const char* kRevision =
    "import torch\n\n\ndef program():\n    return str(getattr(torch.version, \"git_version\", None) or \"unknown\")\n";

/// The cached statuses of one build of torch, by the SHA-256 of files.
class Statuses {
 public:
  explicit Statuses(std::string path) : path_(std::move(path)) {
    std::error_code error;
    Result<std::string> text = read_file(path_);
    if (!text.ok()) return;
    Result<codec::Json> json = codec::parse_text(text.value());
    if (!json.ok() || !json.value().is_object()) return;
    for (const auto& [sha256, status] : json.value().items())
      if (status.is_number_integer()) statuses_[sha256] = status.get<int>();
  }

  std::optional<int> find(const std::string& sha256) const {
    const auto found = statuses_.find(sha256);
    return found == statuses_.end() ? std::nullopt : std::optional(found->second);
  }

  void add(const std::string& sha256, int status) {
    std::lock_guard lock(mutex_);
    statuses_[sha256] = status;
    changed_ = true;
  }

  // If the cache can't be written, the file is run again next time.
  void store(const std::string& folder) const {
    if (!changed_ || folder.empty() || !make_folder(folder).ok()) return;
    codec::Json json = codec::Json::object();
    for (const auto& [sha256, status] : statuses_) json[sha256] = status;
    if (Status written = write_file(path_, codec::text(json, 1) + "\n"); !written.ok()) return;
  }

 private:
  std::string path_;
  std::mutex mutex_;
  std::map<std::string, int> statuses_;
  bool changed_ = false;
};

Standing standing_of(int status) {
  if (status == 1) return Standing::kHere;
  return status == 0 ? Standing::kGone : Standing::kUnknown;
}

int status_in_fork(pyrunner::Runner& runner, const std::string& text) {
  const std::string answer = answer_of(runner, fmt::format(kRun, report::python_literal(text)), "program", kSeconds);
  if (answer == "0") return 0;
  return answer == "1" ? 1 : -1;
}

}  // namespace

std::string torch_build(pyrunner::Runner& runner) {
  const std::string revision = answer_of(runner, kRevision);
  // A bug of generated C++ may show on one kind of processor only.
  return fmt::format("torch-{}-{}-python-{}-{}", runner.info().torch, revision.substr(0, 12), runner.info().python,
                     runner.info().cpu_capability);
}

std::vector<Standing> standings(const std::vector<std::unique_ptr<pyrunner::Runner>>& runners,
                                const std::vector<report::KnownBug>& known, const pyrunner::Standalone& standalone) {
  std::vector<Standing> found(known.size(), Standing::kUnknown);
  if (known.empty() || runners.empty()) return found;
  const auto given_up = [&] { return runners.front()->given_up(); };
  const std::string& cache = runners.front()->options().cache_dir;
  const std::string folder = cache.empty() ? "" : cache + "/known";
  Statuses statuses(fmt::format("{}/{}.json", folder, torch_build(*runners.front())));
  std::vector<std::size_t> left;
  for (std::size_t i = 0; i < known.size(); ++i) {
    const std::optional<int> kept = statuses.find(sha256_hex(known[i].text));
    if (kept) found[i] = standing_of(*kept);
    if (!kept) left.push_back(i);
  }
  std::atomic<std::size_t> next = 0;
  const auto judge = [&](pyrunner::Runner& runner, std::size_t number, std::size_t which) {
    const report::KnownBug& bug = known[which];
    const CheckContext context("known bug " + bug.name);
    int status = status_in_fork(runner, bug.text);
    if (status != 0 && status != 1 && !given_up()) {
      pyrunner::Standalone own = standalone;
      own.folder += fmt::format("-{}", number);
      status = pyrunner::run_standalone(own, bug.text);
    }
    if (given_up()) return;
    found[which] = standing_of(status);
    if (status >= 0 && status <= 2) statuses.add(sha256_hex(bug.text), status);
  };
  std::vector<std::exception_ptr> thrown(runners.size());
  const auto work = [&](std::size_t number) {
    try {
      // A file that breaks an invariant can't be judged; the others can.
      for (std::size_t at; (at = next++) < left.size() && !given_up();)
        (void)broken_in([&] { judge(*runners[number], number, left[at]); });
    } catch (const std::exception&) {
      thrown[number] = std::current_exception();
    }
  };
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < runners.size(); ++i) threads.emplace_back([&, i] { work(i); });
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& one : thrown)
    if (one) std::rethrow_exception(one);
  statuses.store(folder);
  return found;
}

std::vector<Standing> announced(const std::vector<std::unique_ptr<pyrunner::Runner>>& runners,
                                const std::vector<report::KnownBug>& known, const std::string& folder,
                                const std::function<void(const std::string&)>& note) {
  const pyrunner::RunnerOptions& settings = runners.front()->options();
  std::vector<Standing> found = standings(runners, known, pyrunner::beside(settings, folder + "/known"));
  if (known.empty() || (settings.given_up && settings.given_up())) return found;
  note(standing_text(found));
  for (const std::string& sentence : regressions(known, found, runners.front()->info().torch)) note(sentence);
  return found;
}

std::string standing_text(const std::vector<Standing>& standings) {
  const auto count = [&](Standing standing) { return std::count(standings.begin(), standings.end(), standing); };
  std::string text = fmt::format("{}: {} here, {} gone", plural(standings.size(), "known bug"), count(Standing::kHere),
                                 count(Standing::kGone));
  if (const auto unknown = count(Standing::kUnknown)) text += fmt::format(", {} can't be judged", unknown);
  return text;
}

std::vector<std::string> regressions(const std::vector<report::KnownBug>& known, const std::vector<Standing>& standings,
                                     const std::string& torch) {
  std::vector<std::string> sentences;
  const std::string release = report::release_of(torch);
  for (std::size_t i = 0; i < known.size(); ++i)
    if (standings[i] == Standing::kHere && report::said_gone(known[i], release))
      sentences.push_back(report::regression_text(known[i], release));
  return sentences;
}

}  // namespace jp::campaign
