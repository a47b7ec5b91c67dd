// What all requests of one `jitprobe explore` share.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "codec/json.h"
#include "core/program.h"
#include "explore/facts_cache.h"
#include "explore/overview.h"
#include "explore/runners.h"
#include "pyrunner/runner.h"

namespace jp::explore {

/// What the page begins with.
struct Opened {
  /// A file's name, or a finding's title; "" if nothing was opened.
  std::string name;
  std::optional<Program> program;
  /// Steps as they are written, at the place that is their number; "" where there is none.
  std::vector<std::string> steps;
  /// The id of the finding that it is, or "".
  std::string finding;
  /// The folder of the campaign, or "".
  std::string campaign;
  /// Of a finding: the backend that shows it, as the runner takes it, and the oracle that judged; else "".
  std::string backend;
  std::string oracle;
};

struct ExplorerOptions {
  Opened opened;
  /// Backends to show, as the runner takes them: the ladder first.
  std::vector<std::string> backends;
  /// The folder of the corpus that comes with jitprobe.
  std::string corpus;
  pyrunner::RunnerOptions runner;
  /// Seconds for one run of `/api/run`, 0 for the engine's.
  double seconds = 0;
};

/// Two runs at a time: one that hangs does not keep the page from learning the sites of another program.
inline constexpr int kMostRunners = 2;
/// Programs whose facts are kept. Chosen, not measured: more than the steps of a long session.
inline constexpr std::size_t kMostFacts = 64;

class Explorer {
 public:
  explicit Explorer(ExplorerOptions options)
      : options_(std::move(options)),
        runners_(options_.runner, kMostRunners),
        facts_(kMostFacts),
        overview_(options_.opened.campaign) {}

  const ExplorerOptions& options() const { return options_; }
  const Opened& opened() const { return options_.opened; }
  Runners& runners() { return runners_; }
  const Runners& runners() const { return runners_; }
  FactsCache& facts() { return facts_; }
  Overview& overview() { return overview_; }
  /// Held while a finding is measured, which starts a worker of its own and takes minutes.
  std::timed_mutex& measuring() { return measuring_; }

 private:
  ExplorerOptions options_;
  Runners runners_;
  FactsCache facts_;
  Overview overview_;
  std::timed_mutex measuring_;
};

}  // namespace jp::explore
