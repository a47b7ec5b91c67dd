// The driver's handle of a guard and its zygote: starting, asking for children, learning of their ends.
#pragma once

#include <sys/types.h>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "codec/json.h"
#include "core/result.h"
#include "pyrunner/options.h"
#include "pyrunner/sandbox.h"
#include "pyrunner/warmth.h"
#include "pyrunner/wire.h"

namespace jp::pyrunner {

/// What a child is to be.
struct Birth {
  std::string folder;              // of its files; exists
  bool fresh_interpreter = false;  // a new interpreter instead of a fork
  bool fixed_addresses = false;
  bool plain_compiler = false;     // the compiler and g++ as they are; so too in a new interpreter
  std::optional<Sandbox> sandbox;  // nothing: it is not confined
};

/// The result of a fork: the child's process and our end of its socket.
struct Forked {
  pid_t pid = 0;
  Descriptor socket;
};

class Zygote {
 public:
  /// Starts guard and zygote and waits until the zygote is warm. `folder` exists and belongs to them: the guard removes
  /// it at the end. The Error kStartCancelled if options.given_up says so before that. Neither outlives this object, or
  /// this process, by more than a moment.
  static Result<std::unique_ptr<Zygote>> start(const RunnerOptions& options, const std::string& folder, Warmth warmth);
  ~Zygote();
  Zygote(const Zygote&) = delete;
  Zygote& operator=(const Zygote&) = delete;

  /// Has it import what it lacks, so that it is as warm as that; children that exist stay as they are. An Error, also
  /// kStartCancelled, if this zygote can't be used any more.
  Status warm_up(Warmth warmth, const std::function<bool()>& given_up);
  Warmth warmth() const { return warmth_; }
  /// A new child; an Error if this zygote can't be used any more.
  Result<Forked> fork(const Birth& birth);
  /// The child's wait status, waiting for it up to `seconds`; nothing if it still runs.
  std::optional<int> exit_status(pid_t child, double seconds);
  /// Children whose end was reported since the last call: pid and wait status.
  std::map<pid_t, int> take_exits();

  const WorkerInfo& info() const { return info_; }
  pid_t pid() const { return pid_; }
  pid_t guard() const { return guard_; }
  /// The configuration as a MessagePack value: the first message to a child with a new interpreter.
  const std::string& configuration() const { return configuration_; }

 private:
  Zygote() = default;
  Status spawn(const RunnerOptions& options, const std::string& folder);
  Status greet(const RunnerOptions& options, const std::string& folder, Warmth warmth);
  /// Waits for a message, up to kStartSeconds; whether nobody gave up meanwhile.
  bool waits_through(const std::function<bool()>& given_up) const;
  void note_missing(const codec::Json& info);
  /// Whether there is a datagram, or the zygote has ended, within the time.
  bool speaks_within(double seconds) const;
  /// One datagram within the time, or nothing.
  std::optional<Datagram> receive(double seconds);

  pid_t guard_ = 0;
  pid_t pid_ = 0;
  Descriptor life_;
  Descriptor control_;
  WorkerInfo info_;
  Warmth warmth_ = Warmth::kTorch;
  std::string configuration_;
  std::map<pid_t, int> exits_;
};

}  // namespace jp::pyrunner
