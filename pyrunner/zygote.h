// The driver's handle of a guard and its zygote: starting, asking for children, learning of their ends. Several threads
// may use it.
#pragma once

#include <sys/types.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>

#include "codec/json.h"
#include "core/result.h"
#include "pyrunner/options.h"
#include "pyrunner/processes.h"
#include "pyrunner/sandbox.h"
#include "pyrunner/temporary.h"
#include "pyrunner/warm_client.h"
#include "pyrunner/warmth.h"
#include "pyrunner/wire.h"
#include "pyrunner/zygote_messages.h"

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

/// Where another driver's guard and zygote are to live.
struct NewZygote {
  std::string folder;   // the guard removes it in the end
  std::string guard;    // path of jitprobe-guard
  std::string current;  // their current folder
};

class Zygote {
 public:
  /// Starts guard and zygote, or has a warm server fork them, and waits until the zygote is warm. They write into a
  /// temporary folder, which the guard removes at the end. The Error kStartCancelled if options.given_up says so before
  /// that. Neither outlives this object, or this process, by more than a moment.
  static Result<std::unique_ptr<Zygote>> start(const RunnerOptions& options, Warmth warmth);
  ~Zygote();
  Zygote(const Zygote&) = delete;
  Zygote& operator=(const Zygote&) = delete;

  /// Has it import what it lacks, so that it is as warm as that; children that exist stay as they are. An Error, also
  /// kStartCancelled, if this zygote can't be used any more.
  Status warm_up(Warmth warmth, const std::function<bool()>& given_up);
  Warmth warmth() const { return warmth_; }
  /// A new child; an Error if this zygote can't be used any more, or kStartCancelled if `given_up` said so before it
  /// was asked for one.
  Result<Forked> fork(const Birth& birth, const std::function<bool()>& given_up);
  /// A guard below this zygote, and below that a zygote as warm as this one, for the driver that has the other ends of
  /// these descriptors: the guard's end of its pipe of life, the zygote's of its control socket, and their log. The
  /// guard's number.
  Result<pid_t> fork_zygote(const NewZygote& born, std::span<const Descriptor> descriptors);
  /// Whether it answers.
  bool usable() const { return messages_->listens(); }
  /// The child's wait status, waiting for it up to `seconds`; nothing if it still runs.
  std::optional<int> exit_status(pid_t child, double seconds) { return messages_->exit_status(child, seconds); }
  /// Whether a child's end was reported; it is forgotten then.
  bool take_exit(pid_t child) { return messages_->take_exit(child); }

  /// What the worker said of itself, `missing` as it is now.
  WorkerInfo info() const;
  pid_t pid() const { return pid_; }
  pid_t guard() const { return guard_; }
  /// Resident bytes of the zygote, with what it shares with the one that it was forked of.
  std::int64_t resident() const { return std::max(shared_bytes_, resident_bytes(pid_)); }
  /// A new name in its folder.
  std::string new_path(std::string_view kind);
  /// The configuration as a MessagePack value: the first message to a child with a new interpreter.
  const std::string& configuration() const { return configuration_; }

 private:
  explicit Zygote(TemporaryFolder folder) : folder_(std::move(folder)) {}
  /// The guard's end of the pipe of life, the zygote's of the control socket.
  struct Ends {
    Descriptor life;
    Descriptor control;
  };
  static Result<std::unique_ptr<Zygote>> begin(const RunnerOptions& options, Warmth warmth,
                                               Status (Zygote::*guarded)(const RunnerOptions&));
  Result<Ends> connect();
  /// A guard with a zygote: of a warm server, or started here.
  Status borrow(const RunnerOptions& options);
  Status spawn(const RunnerOptions& options);
  void wait_for_guard();
  Status greet(const RunnerOptions& options, Warmth warmth);
  void note_missing(const codec::Json& info);
  Error did_not_start(const std::string& why) const;

  TemporaryFolder folder_;
  pid_t guard_ = 0;
  std::optional<WarmGuard> borrowed_;  // the guard, if it isn't a child of this process
  pid_t pid_ = 0;
  std::int64_t shared_bytes_ = 0;
  Descriptor life_;
  std::unique_ptr<ZygoteMessages> messages_;
  std::string configuration_;
  std::atomic<Warmth> warmth_ = Warmth::kTorch;
  std::atomic<int> paths_ = 0;
  mutable std::mutex info_mutex_;
  WorkerInfo info_;  // guarded by info_mutex_
};

}  // namespace jp::pyrunner
