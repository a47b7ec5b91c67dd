// Programs in, outcomes out: the driver's only access to Python.
//
// A Runner has a zygote, its own or one that it shares, and is used by one thread; several may exist in parallel, one
// per job. Whatever a program does is an Outcome. Failures of the machine (no fork, no folder) are retried with a new
// zygote; if that fails too, the outcome is died("protocol") and `failure()` says why. What jitprobe's own code in the
// worker can't do on this torch is the outcome Broken.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/facts.h"
#include "core/outcome.h"
#include "core/place.h"
#include "core/plan.h"
#include "core/program.h"
#include "core/result.h"
#include "pyrunner/child.h"
#include "pyrunner/child_sandbox.h"
#include "pyrunner/options.h"
#include "pyrunner/shared_zygote.h"
#include "pyrunner/warmth.h"
#include "pyrunner/zygote.h"

namespace jp::pyrunner {

/// What a backend's file declares.
struct BackendInfo {
  /// A planted fault that a run must show.
  struct Probe {
    std::string name;
    std::string source;
    std::map<std::string, std::string> options;  // Python literals, as RunRequest::options
    std::string expect;                          // "differs", "raises" (while compiling), "fails" (raises or dies)
  };
  bool counts = false;  // can count compiled frames
  /// Names that RunRequest::switches accepts, in the order of the backend's file.
  std::vector<std::string> switches;
  /// Those switches that are options of the compile call alone, as Python literals: a reproducer can print them.
  std::map<std::string, std::map<std::string, std::string>> configs;
  std::vector<Probe> probes;
};

class Runner {
 public:
  /// Starts the worker and waits until it is warm (seconds; the first time on a machine a minute). An Error says why
  /// that can't be; it is kStartCancelled if options.given_up ended the waiting.
  static Result<std::unique_ptr<Runner>> start(RunnerOptions options);
  /// Another runner with the same options, for another thread. Its children are forks of the same zygote, so it is
  /// ready at once. It may outlive this one.
  Result<std::unique_ptr<Runner>> another() const { return another(options_); }
  /// The same, cancelled by what it is given.
  Result<std::unique_ptr<Runner>> another(std::function<bool()> given_up) const;
  /// The same with options of its own, of which only `backends`, `limits`, `readable` and `given_up` may be others. The
  /// zygote gets warm for its backends, which may take seconds; what a run may take of a GPU stays as it is there.
  Result<std::unique_ptr<Runner>> another(RunnerOptions options) const;
  ~Runner();
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  /// One outcome per request, in the same order, each with its request's role. After a run without the compiler that
  /// gave no answer in time the others are not made: they are Died by "protocol".
  std::vector<Outcome> run(const Program& program, const std::vector<RunRequest>& requests, Isolation isolation);

  struct Profile {
    Outcome outcome;  // role "profile": of the instrumented eager run
    Facts facts;      // empty unless the outcome is Finished
  };
  /// Facts of a plain eager run.
  Profile profile(const Program& program, const Watched& watched);
  /// The same facts, faster: nothing is recorded of the program's results, so the observation of a Finished outcome is
  /// empty, and a backward that involves none of the program's own code isn't run. Only a program that counts how often
  /// it is inspected may show different facts.
  Profile facts(const Program& program, const Watched& watched);
  /// The same of a run in which operators that round give moved results, drawn from the seed (1 or more).
  Profile moved_facts(const Program& program, const Watched& watched, std::uint64_t noise_seed);

  /// What compiling the program did, as the runtime reports it (docs/formats.md, "What compiling did"): a compiled run
  /// in a process of its own, whose results are not recorded. An Error says how the run ended if it gave no report (it
  /// died, hung, needed too much memory), or why it could not be made. The time limit is that of one run; a hang is not
  /// tried again.
  Result<codec::Json> explain(const Program& program, const RunRequest& request);

  /// Information on a backend, or the sentence why it can't be used (it doesn't exist or doesn't import).
  Result<BackendInfo> backend(const std::string& name);

  const WorkerInfo& info() const { return info_; }
  const RunnerOptions& options() const { return options_; }
  /// Whether its options say that nobody waits for its outcomes any more.
  bool given_up() const { return options_.given_up && options_.given_up(); }
  void set_limits(const Limits& limits) { options_.limits = limits; }
  /// Processes of the zygote and its guard, for tests and statistics; 0 while there is none.
  pid_t zygote_pid() const { return zygote_ ? zygote_->pid() : 0; }
  pid_t guard_pid() const { return zygote_ ? zygote_->guard() : 0; }
  /// What the zygote has imported; kTorch while there is none.
  Warmth warmth() const { return zygote_ ? zygote_->warmth() : Warmth::kTorch; }
  /// The last failure of the machine; nothing if all is well.
  const std::optional<Error>& failure() const { return failure_; }
  /// What jitprobe's own runtime could not do so far: what is missing, and the number of runs in which that happened.
  const std::map<std::string, std::int64_t>& broken() const { return broken_; }
  /// From now on the compiler does all that warm processes leave out of it, and g++ compiles kernels as it is; or again
  /// as the options say. For runs that confirm a finding.
  void use_plain_compiler(bool plain);
  /// Processor time so far, in seconds, of the processes that runs started and waited for (the C++ compiler). Those of
  /// runs whose process has ended are missing.
  double subprocess_seconds() const { return subprocess_seconds_; }

 private:
  Runner(RunnerOptions options, std::shared_ptr<SharedZygote> shared)
      : options_(std::move(options)), shared_(std::move(shared)), needed_(warmth_for(options_.backends)) {}
  /// Leaves the zygote that it had, if any, for the one that is in use.
  Status take_zygote();
  /// Has nobody use the zygote any more: the next child has a new one started.
  void retire_zygote();
  void leave_zygote();
  /// Keeps why something failed, for those who ask for an outcome; of what was given up, nothing.
  void note_failure(const Status& done);
  /// Makes the zygote, and the batch's child, as warm as a run through this backend needs.
  void warm_up_for(const std::string& backend);
  std::unique_ptr<Child> new_child(const Folders& reads, bool fresh_interpreter, bool fixed_addresses = false);
  void note_broken(const Outcome& outcome);
  Profile profiled(const Program& program, const Watched& watched, bool record, std::uint64_t noise_seed);
  /// The child for the next run, which may read these folders: the batch's, or one of its own.
  std::unique_ptr<Child> take_child(Isolation isolation, const Folders& reads);
  Reply ask(std::unique_ptr<Child>& child, const codec::Json& request, const Limits& limits, const FileNames& names);
  Outcome one(const codec::Json& base, const FileNames& names, const RunRequest& request, Isolation isolation);
  Outcome one_of_other(const Program& program, const RunRequest& request, Isolation isolation);
  /// Keeps a batch's child for the next run, or ends it.
  void put_back(std::unique_ptr<Child> child, Isolation isolation, const Reply& reply);
  void retire(std::unique_ptr<Child> child);
  void sweep();
  /// Writes the program's text into a file of that name, before it runs; the caller removes it.
  std::string new_file(const std::string& name, const Program& program);
  /// What requests have in common, and the stable names of its files in stacks.
  codec::Json describe(const Program& program, const std::string& file, FileNames& names) const;

  RunnerOptions options_;
  std::shared_ptr<SharedZygote> shared_;
  std::shared_ptr<Zygote> zygote_;
  std::string folder_;  // this Runner's own, below the zygote's
  std::unique_ptr<Child> batch_;
  Warmth batch_warmth_ = Warmth::kTorch;                // of the batch's child, or less
  Folders batch_reads_;                                 // what the batch's child may read besides what every child may
  std::vector<std::pair<pid_t, std::string>> leaving_;  // killed; their folders are removed when the zygote has
                                                        // reported their end
  WorkerInfo info_;
  std::optional<Error> failure_;
  std::map<std::string, std::int64_t> broken_;
  double subprocess_seconds_ = 0;
  bool plain_compiler_ = false;
  Warmth needed_;  // how warm a zygote must be, as far as it is known
  int children_ = 0;
  int zygotes_ = 0;
};

}  // namespace jp::pyrunner
