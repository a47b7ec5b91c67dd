// The driver's handle of one child: sends requests, watches time and memory, and ends it with all its descendants.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <variant>

#include "codec/json.h"
#include "core/outcome.h"
#include "pyrunner/options.h"
#include "pyrunner/processes.h"
#include "pyrunner/stack_text.h"
#include "pyrunner/zygote.h"

namespace jp::pyrunner {

/// The result of a request: the answer, or how the child failed to give one.
using Reply = std::variant<codec::Json, Died, TimedOut, OutOfMemory>;

class Child {
 public:
  /// Forks or starts a child, whose folder is created. It is ready for requests. An Error if no child could be made;
  /// then the zygote should be replaced, unless `given_up` (RunnerOptions::given_up) is why.
  static Result<std::unique_ptr<Child>> make(std::shared_ptr<Zygote> zygote, const Birth& birth,
                                             const std::function<bool()>& given_up);
  /// Kills the tree. The zygote reaps it and reports; the folder stays.
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Sends the request and waits within the limits, or until `given_up` says true (RunnerOptions::given_up). After
  /// anything but an answer the child can't be used any more.
  Reply ask(const codec::Json& request, const Limits& limits, const FileNames& names,
            const std::function<bool()>& given_up = {});

  pid_t pid() const { return forked_.pid; }
  const std::string& folder() const { return folder_; }
  /// How much it has been used. A facts-only run counts one, because it leaves less than a kilobyte behind; any other
  /// run counts kWearOfRecording.
  static constexpr int kWearOfRecording = 100;
  int wear() const { return wear_; }

 private:
  Child(std::shared_ptr<Zygote> zygote, Forked forked, std::string folder);
  Reply wait(const Limits& limits, const std::function<bool()>& given_up = {});
  Reply ended();
  Died died(int status);
  TimedOut timed_out(double seconds);
  void mark_files();
  void bound_output();
  std::string since_mark(std::string_view name) const;
  std::string last_words() const;

  std::shared_ptr<Zygote> zygote_;
  Forked forked_;
  Process process_;
  std::string folder_;
  std::string program_;  // the executable of a fork of the zygote
  std::int64_t base_memory_ = 0;
  FrameReader reader_;
  FileNames names_;
  std::size_t stack_mark_ = 0;
  std::size_t native_mark_ = 0;
  int wear_ = 0;
};

}  // namespace jp::pyrunner
