// g++, as Inductor calls it in the worker's processes: the same compiler, faster.
//
// $JITPROBE_CXX says how. Unset, or for anything but a kernel: g++ itself, with the very same arguments. "use": a
// kernel is compiled with the precompiled header that keeps its template instances (keep_instances.cpp), if there is
// one beside Inductor's, without warnings, and linked against a stand-in for torch's libraries, whose symbols the
// process that loads the kernel has. "keep": such a header is made first where it is missing. The code of the kernel is
// the same; where anything fails, g++ itself is called.
//
// Measured for kernels of a dozen operators (g++ 12.2, processor seconds): 0.75 by g++ itself, 0.36 so.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "core/own_program.h"
#include "pyrunner/compiler/kept.h"

namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

fs::path own_folder() { return fs::path(jp::own_program()).parent_path(); }

/// The first g++ of PATH that is not this program; "" if there is none.
std::string real_compiler(const fs::path& own) {
  std::istringstream folders(variable("PATH"));
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path there = fs::path(folder) / "g++";
    std::error_code error;
    if (access(there.c_str(), X_OK) == 0 && !fs::equivalent(folder, own, error)) return there.string();
  }
  return "";
}

[[noreturn]] void become(const std::string& compiler, const Words& arguments) {
  Words words = {compiler};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  execv(compiler.c_str(), pointers.data());
  std::perror(compiler.c_str());
  _exit(127);
}

/// Whether the compiler ends with 0; what it says is dropped.
bool succeeds(const std::string& compiler, const Words& arguments) {
  const pid_t pid = fork();
  if (pid == 0) {
    const int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, 1);
    dup2(nowhere, 2);
    become(compiler, arguments);
  }
  int status = 0;
  return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

bool is_source(const std::string& word) { return word.ends_with(".cpp") && !word.starts_with('-'); }

/// Inductor's precompiled header of a call that compiles and links one kernel; "" of any other call.
std::string header_of(const Words& arguments) {
  const auto included = std::find(arguments.begin(), arguments.end(), "-include");
  const bool links = std::find(arguments.begin(), arguments.end(), "-shared") != arguments.end();
  const bool kernel = links && std::count_if(arguments.begin(), arguments.end(), is_source) == 1 &&
                      std::count(arguments.begin(), arguments.end(), "-include") == 1;
  return kernel && std::next(included) != arguments.end() ? *std::next(included) : "";
}

std::string kept_name(const std::string& header) {
  return fs::path(header).replace_extension(std::string(jp::pyrunner::kKept) + ".h").string();
}

/// What compiles the kept header with the kernel's own flags, without which g++ would not take it.
Words header_arguments(const Words& kernel, const fs::path& plugin, const std::string& header,
                       const std::string& output) {
  Words arguments;
  for (std::size_t i = 0; i < kernel.size(); ++i) {
    const std::string& word = kernel[i];
    if (word == "-o" || word == "-include")
      ++i;
    else if (word != "-shared" && !is_source(word) && !word.starts_with("-l") && !word.starts_with("-L"))
      arguments.push_back(word);
  }
  for (const std::string& word : {"-fplugin=" + plugin.string(), std::string("-w"), std::string("-x"),
                                  std::string("c++-header"), header, std::string("-o"), output})
    arguments.push_back(word);
  return arguments;
}

/// What processes that were ended have left of it: files "KEPT.PROCESS.…".
void remove_left(const fs::path& kept) {
  std::error_code error;
  const std::string begin = kept.filename().string() + ".";
  for (const fs::directory_entry& entry : fs::directory_iterator(kept.parent_path(), error)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(begin)) continue;
    const long process = std::strtol(name.c_str() + begin.size(), nullptr, 10);
    if (process > 0 && kill(static_cast<pid_t>(process), 0) != 0 && errno == ESRCH) fs::remove(entry.path(), error);
  }
}

/// Makes the kept header, all at once for other processes that look for it. Where it can't be made there is none.
void keep(const std::string& compiler, const Words& kernel, const fs::path& plugin, const std::string& header) {
  std::error_code error;
  if (!fs::exists(plugin, error)) return;
  const std::string kept = kept_name(header);
  remove_left(kept);
  // g++ knows a header by its ending.
  const std::string input = kept + "." + std::to_string(getpid()) + ".h";
  std::ifstream text(header);
  {
    std::ofstream copy(input);
    copy << text.rdbuf() << "#pragma jitprobe instantiate\n";
  }
  const std::string output = input + ".gch";
  if (succeeds(compiler, header_arguments(kernel, plugin, input, output))) {
    fs::rename(input, kept, error);
    fs::rename(output, kept + ".gch", error);
  }
  fs::remove(input, error);
  fs::remove(output, error);
}

/// The kernel's call with the kept header and the stand-in for torch's libraries.
Words fast_arguments(const Words& kernel, const fs::path& own, const std::string& header) {
  Words arguments = {"-L" + (own / "stubs").string()};
  for (const std::string& word : kernel) {
    if (word == header)
      arguments.push_back(kept_name(header));
    else if (word != "-ltorch" && word != "-ltorch_cpu" && word != "-ltorch_python")
      arguments.push_back(word);
  }
  for (const char* word : {"-w", "-Wl,--push-state,--no-as-needed", "-ltorch_cpu", "-Wl,--pop-state"})
    arguments.emplace_back(word);
  return arguments;
}

}  // namespace

int main(int count, char** given) {
  const Words arguments(given + 1, given + count);
  const fs::path own = own_folder();
  const std::string compiler = real_compiler(own);
  if (compiler.empty()) {
    std::fputs("there is no g++\n", stderr);
    return 127;
  }
  const std::string mode = variable(jp::pyrunner::kCompilerMode);
  const std::string header = mode.empty() ? "" : header_of(arguments);
  if (header.empty()) become(compiler, arguments);
  const fs::path kept = kept_name(header) + ".gch";
  std::error_code error;
  if (mode == "keep" && !fs::exists(kept, error)) keep(compiler, arguments, own / "keep_instances.so", header);
  if (fs::exists(kept, error) && succeeds(compiler, fast_arguments(arguments, own, header))) return 0;
  become(compiler, arguments);
}
