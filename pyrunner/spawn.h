// What a process that is spawned gets: no signal blocked or ignored, and no descriptors but those that it is given.
#pragma once

#include <spawn.h>
#include <sys/types.h>

#include <string>
#include <utility>
#include <vector>

#include "core/result.h"
#include "pyrunner/environment.h"

namespace jp::pyrunner {

class Spawn {
 public:
  Spawn();
  ~Spawn();
  Spawn(const Spawn&) = delete;
  Spawn& operator=(const Spawn&) = delete;

  /// Its descriptor `its` is `ours`.
  void give(int ours, int its);
  /// Its descriptor `its` is that file, opened with `flags`; one that is made is for this user alone.
  void open(int its, const std::string& path, int flags);
  /// It leads a session of its own: Ctrl-C at the terminal doesn't reach it.
  void in_own_session() { session_ = true; }
  /// Its variables, "NAME=value"; this process's, but for a warm server's, if none are given.
  void with_environment(std::vector<std::string> variables) { environment_ = std::move(variables); }
  /// Its current folder; this process's if none is given.
  void in_folder(const std::string& path);
  /// Starts `words`, with no descriptors from `end` on: libraries open without O_CLOEXEC. An Error says why it can't.
  Result<pid_t> start(std::vector<std::string> words, int end);

 private:
  posix_spawn_file_actions_t actions_{};
  bool session_ = false;
  std::vector<std::string> environment_;
};

}  // namespace jp::pyrunner
