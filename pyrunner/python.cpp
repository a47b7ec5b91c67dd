#include "pyrunner/python.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <map>
#include <mutex>
#include <sstream>

#include "pyrunner/wire.h"

// NOLINTNEXTLINE(readability-redundant-declaration): POSIX leaves it to the program to declare it
extern char** environ;

namespace jp::pyrunner {
namespace {

// A package that is installed for development lies anywhere: its finder knows where. So may the compiler and libraries.
constexpr const char* kFolders = R"(
import importlib.util, os, shutil, sys
found = [sys.prefix, sys.base_prefix, sys.exec_prefix, os.path.dirname(os.path.realpath(sys.executable)), *sys.path]
for name in ("torch", "triton", "numpy"):
    spec = importlib.util.find_spec(name)
    found += [os.path.dirname(folder) for folder in spec.submodule_search_locations or []] if spec else []
compiler = shutil.which(os.environ.get("CXX", "g++"))
found += [os.path.dirname(os.path.dirname(os.path.realpath(compiler)))] if compiler else []
found += os.environ.get("LD_LIBRARY_PATH", "").split(":")
print(*{folder: None for folder in map(os.path.abspath, filter(None, found))}, sep="\n")
)";

std::string all_of(int descriptor) {
  std::string text;
  std::array<char, 4096> part{};
  while (true) {
    const ssize_t size = read(descriptor, part.data(), part.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return text;
    text.append(part.data(), static_cast<std::size_t>(size));
  }
}

}  // namespace

Result<std::string> ask_python(const std::string& python, const std::string& code) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return Error{fmt::format("pipe: {}", std::strerror(errno))};
  const Descriptor ours(ends[0]);
  Descriptor theirs(ends[1]);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, theirs.get(), 1);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  std::array<std::string, 4> words = {python, "-I", "-c", code};
  std::array<char*, 5> arguments = {words[0].data(), words[1].data(), words[2].data(), words[3].data(), nullptr};
  pid_t pid = 0;
  const int error = posix_spawn(&pid, python.c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return Error{fmt::format("{} can't be started: {}", python, std::strerror(error))};
  theirs.reset();
  std::string answer = all_of(ours.get());
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return Error{fmt::format("{} does not answer", python)};
  return answer;
}

std::vector<std::string> folders_of_python(const std::string& python) {
  static std::mutex mutex;
  static std::map<std::string, std::vector<std::string>> known;
  const std::lock_guard lock(mutex);
  const auto [place, is_new] = known.try_emplace(python);
  if (!is_new) return place->second;
  const Result<std::string> answer = ask_python(python, kFolders);
  std::istringstream lines(answer.ok() ? answer.value() : "");
  for (std::string folder; std::getline(lines, folder);) place->second.push_back(folder);
  return place->second;
}

}  // namespace jp::pyrunner
