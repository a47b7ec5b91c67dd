// The guard ends when its command ends, or when our end of the life pipe closes; it doesn't report the command's
// status, so a shell writes it into a file beside the folder that the guard removes, below the folder that the program
// may write.
#include "pyrunner/standalone.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "core/files.h"
#include "pyrunner/child_sandbox.h"
#include "pyrunner/inductor_variables.h"
#include "pyrunner/left_files.h"
#include "pyrunner/processes.h"
#include "pyrunner/protocol.h"
#include "pyrunner/python.h"

namespace jp::pyrunner {
namespace {

namespace fs = std::filesystem;

constexpr const char* kScript =
    R"(cd "$1" && HOME="$1" "$2" repro.py >/dev/null 2>&1 </dev/null; echo $? >"$1.status")";

// What an interpreter with torch, its compiler and a GPU's driver takes by itself; children of a worker have it from
// birth. Chosen, not measured.
constexpr std::int64_t kTorchItself = std::int64_t{2} << 30;

std::string temporary(const Standalone& options) { return options.folder + "/tmp"; }

// A header that was not compiled to its end has no file that says so beside it (runtime/compat/headers.py).
bool is_whole(const fs::path& header) {
  std::error_code error;
  return header.extension() != ".gch" || fs::exists(header.string() + ".whole", error);
}

// Inductor keeps precompiled headers (of some 150 MB each) in $TMPDIR/torchinductor_USER/precompiled_headers. The
// program gets links to those of the cache in a temporary folder of its own, where it may add others.
void offer_headers(const Standalone& options) {
  std::error_code error;
  for (const fs::directory_entry& user : fs::directory_iterator(options.cache, error)) {
    if (!user.path().filename().string().starts_with("torchinductor_")) continue;
    const fs::path own = fs::path(temporary(options)) / user.path().filename() / "precompiled_headers";
    fs::create_directories(own, error);
    for (const fs::directory_entry& header : fs::directory_iterator(user.path() / "precompiled_headers", error))
      if (header.is_regular_file(error) && is_whole(header.path()))
        fs::create_symlink(header.path(), own / header.path().filename(), error);
  }
}

std::vector<std::string> environment(const Standalone& options) {
  std::vector<std::string> variables;
  for (char** entry = environ; *entry; ++entry) variables.emplace_back(*entry);
  auto set = [&](std::string_view name, const std::string& value) {
    std::erase_if(variables, [&](const std::string& entry) { return entry.starts_with(fmt::format("{}=", name)); });
    variables.push_back(fmt::format("{}={}", name, value));
  };
  for (const auto& [name, value] : kInductorVariables) set(name, value);
  set("TORCHINDUCTOR_CACHE_DIR", options.folder + "/inductor");
  if (!options.cache.empty()) set("TMPDIR", temporary(options));
  return variables;
}

std::vector<std::string> command(const Standalone& options, const std::string& run) {
  std::vector<std::string> words = {options.guard, run};
  const auto add = [&](const std::vector<std::string>& more) { words.insert(words.end(), more.begin(), more.end()); };
  if (options.sandbox) {
    add({"--confine"});
    add(folders_of_python(options.python));
    add(options.readable);
    if (!options.cache.empty()) add({options.cache});
    add({"--write", options.folder});
    if (options.address_bytes > 0) add({"--address", std::to_string(options.address_bytes)});
  }
  add({"--", "/bin/sh", "-c", kScript, "sh", run, options.python});
  return words;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (std::string& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

// Between fork and exec only async-signal-safe calls are allowed: the process had threads.
pid_t start(char* const* arguments, char* const* variables, int life) {
  pid_t pid = fork();
  if (pid != 0) return pid;
  if (life != kLifeDescriptor)
    dup2(life, kLifeDescriptor);
  else
    fcntl(life, F_SETFD, 0);
  close_range(kLifeDescriptor + 1, ~0U, 0);  // what the driver has open is not for the program
  execve(arguments[0], arguments, variables);
  _exit(127);
}

// What children of a worker are watched for too (child.cpp).
bool takes_too_much(pid_t guard, const Standalone& options, bool weighs) {
  if (tree_growth(guard, 0, "") > options.memory_bytes) return true;
  return weighs && fills(options.folder, options.disk_bytes);
}

// Looks every 20 ms whether it has ended, ten times a second at its processes and twice at its folder.
bool wait_for(pid_t guard, const Standalone& options) {
  constexpr int kTicksOfTree = 5;
  constexpr int kTicksOfFolder = 25;
  auto deadline = std::chrono::steady_clock::now() + std::chrono::duration<double>(options.seconds);
  for (int tick = 1; waitpid(guard, nullptr, WNOHANG) == 0; ++tick) {
    if (std::chrono::steady_clock::now() > deadline || (options.given_up && options.given_up())) return false;
    if (tick % kTicksOfTree == 0 && takes_too_much(guard, options, tick % kTicksOfFolder == 0)) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return true;
}

// The shell writes it; the program may have put anything in its place.
int written_status(const std::string& file) {
  constexpr std::size_t kDigits = 16;
  int status = -1;
  std::istringstream(left_text(file, 0, kDigits)) >> status;
  return status;
}

}  // namespace

Standalone beside(const RunnerOptions& options, std::string folder) {
  const Folders readable = readable_by_all(options);
  return {.python = options.python,
          .guard = options.guard,
          .cache = options.cache_dir,
          .folder = std::move(folder),
          .sandbox = options.sandbox,
          .readable = {readable.begin(), readable.end()},
          .memory_bytes = options.limits.memory_bytes + kTorchItself,
          .disk_bytes = options.limits.disk_bytes,
          .address_bytes = address_space_for(options),
          .given_up = options.given_up};
}

int run_standalone(const Standalone& asked, const std::string& text) {
  std::error_code error;
  Standalone options = asked;
  // The shell changes to the folder.
  options.folder = std::filesystem::absolute(asked.folder, error).string();
  options.python = std::filesystem::absolute(asked.python, error).string();
  const std::string run = options.folder + "/run";
  std::filesystem::create_directories(run, error);
  if (!options.cache.empty()) {
    std::filesystem::create_directories(temporary(options), error);
    offer_headers(options);
  }
  const Status written = write_scratch(run + "/repro.py", text);
  std::vector<std::string> words = command(options, run);
  std::vector<std::string> variables = environment(options);
  int life[2];
  if (error || !written.ok() || pipe2(life, O_CLOEXEC) != 0) return -1;
  pid_t guard = start(pointers(words).data(), pointers(variables).data(), life[0]);
  close(life[0]);
  bool ended = guard > 0 && wait_for(guard, options);
  close(life[1]);
  if (guard > 0 && !ended) waitpid(guard, nullptr, 0);
  const int status = written_status(run + ".status");
  remove_left(options.folder);
  return ended ? status : -1;
}

}  // namespace jp::pyrunner
