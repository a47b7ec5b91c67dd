#include "pyrunner/spawn.h"

#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstring>

namespace jp::pyrunner {
namespace {

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> found;
  for (std::string& text : texts) found.push_back(text.data());
  found.push_back(nullptr);
  return found;
}

}  // namespace

Spawn::Spawn() { posix_spawn_file_actions_init(&actions_); }
Spawn::~Spawn() { posix_spawn_file_actions_destroy(&actions_); }

void Spawn::give(int ours, int its) { posix_spawn_file_actions_adddup2(&actions_, ours, its); }

void Spawn::open(int its, const std::string& path, int flags) {
  posix_spawn_file_actions_addopen(&actions_, its, path.c_str(), flags, 0600);
}

void Spawn::in_folder(const std::string& path) { posix_spawn_file_actions_addchdir_np(&actions_, path.c_str()); }

Result<pid_t> Spawn::start(std::vector<std::string> words, int end) {
  posix_spawn_file_actions_addclosefrom_np(&actions_, end);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  sigset_t all;
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  const int session = session_ ? POSIX_SPAWN_SETSID : 0;
  posix_spawnattr_setflags(&attributes, static_cast<short>(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | session));
  const std::vector<char*> arguments = pointers(words);
  if (environment_.empty()) environment_ = environment();
  const std::vector<char*> variables = pointers(environment_);
  pid_t pid = 0;
  const int error =
      posix_spawn(&pid, words.front().c_str(), &actions_, &attributes, arguments.data(), variables.data());
  posix_spawnattr_destroy(&attributes);
  if (error == 0) return pid;
  return Error{fmt::format("{} can't be started: {}", words.front(), std::strerror(error))};
}

}  // namespace jp::pyrunner
