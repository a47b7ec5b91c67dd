#include "pyrunner/paths.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "core/files.h"
#include "core/own_program.h"

namespace jp::pyrunner {
namespace {

namespace fs = std::filesystem;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

// The executable's folder and its parents, nearest first.
std::vector<fs::path> folders_above() {
  fs::path at = fs::path(own_program()).parent_path();
  std::vector<fs::path> folders;
  while (!at.empty()) {
    folders.push_back(at);
    if (at == at.parent_path()) break;
    at = at.parent_path();
  }
  return folders;
}

std::optional<fs::path> find_above(const std::vector<std::string>& candidates) {
  for (const fs::path& folder : folders_above()) {
    for (const std::string& candidate : candidates) {
      if (is_there(folder / candidate)) return folder / candidate;
    }
  }
  return std::nullopt;
}

// What says from which Python a venv was made, without the end of its last line; "" if there is none.
std::string venv_settings(const fs::path& folder) {
  const Result<std::string> text = read_file((folder / "pyvenv.cfg").string());
  return text.ok() ? text.value().substr(0, text.value().find_last_not_of('\n') + 1) : "";
}

// The one that was built for this Python's venv, beside which `./dev build` keeps the venv's settings; if there is
// none, the first by name.
std::optional<fs::path> built_worker(const fs::path& root, const fs::path& python) {
  std::error_code error;
  std::vector<fs::path> folders;
  for (const auto& entry : fs::directory_iterator(root / "build/workers", error))
    if (is_there(entry.path() / "jitprobe-worker")) folders.push_back(entry.path());
  if (folders.empty()) return std::nullopt;
  std::sort(folders.begin(), folders.end());
  const std::string wanted = venv_settings(python.parent_path().parent_path());
  const auto own = std::find_if(folders.begin(), folders.end(), [&](const fs::path& folder) {
    return !wanted.empty() && venv_settings(folder) == wanted;
  });
  return (own == folders.end() ? folders.front() : *own) / "jitprobe-worker";
}

// The folder that contains pyrunner/, or "".
fs::path project_root() {
  if (std::string given = variable("JITPROBE_ROOT"); !given.empty()) return given;
  auto runtime = find_above({"pyrunner/runtime/serve.py", "share/jitprobe/pyrunner/runtime/serve.py"});
  return runtime ? runtime->parent_path().parent_path().parent_path() : fs::path();
}

}  // namespace

std::vector<std::string> folders_in(const char* name) {
  std::vector<std::string> folders;
  std::istringstream text(variable(name));
  for (std::string folder; std::getline(text, folder, ':');)
    if (!folder.empty()) folders.push_back(folder);
  return folders;
}

std::vector<std::string> backend_files() {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(project_root() / "pyrunner/backends", error))
    if (entry.path().extension() == ".py") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string backend_says(const std::string& name) {
  constexpr std::string_view kQuotes = "\"\"\"";
  const Result<std::string> file = read_file((project_root() / "pyrunner/backends" / (name + ".py")).string());
  std::string text = file.ok() ? file.value() : "";
  const std::size_t end = text.find(kQuotes, kQuotes.size());
  if (!text.starts_with(kQuotes) || end == std::string::npos) return "";
  text = text.substr(kQuotes.size(), end - kQuotes.size());
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

std::string default_cache_dir() {
  if (std::string given = variable("JITPROBE_CACHE"); !given.empty()) return given;
  if (std::string cache = variable("XDG_CACHE_HOME"); !cache.empty()) return cache + "/jitprobe";
  if (std::string home = variable("HOME"); !home.empty()) return home + "/.cache/jitprobe";
  return fmt::format("{}/jitprobe-{}/cache", fs::temp_directory_path().string(), geteuid());
}

Result<RunnerOptions> default_options() {
  RunnerOptions options;
  const fs::path root = project_root();
  options.runtime_dir = (root / "pyrunner").string();
  if (!is_there(root / "pyrunner/runtime")) return Error{"the folder pyrunner/ is not found: set JITPROBE_ROOT"};

  options.guard = variable("JITPROBE_GUARD");
  if (options.guard.empty()) {
    if (auto guard = find_above({"jitprobe-guard"})) options.guard = guard->string();
  }
  if (!is_there(options.guard)) return Error{"jitprobe-guard is not found: build it with ./dev build"};

  options.python = variable("JITPROBE_PYTHON");
  if (options.python.empty()) options.python = (root / ".venv/bin/python").string();
  if (!is_there(options.python)) return Error{fmt::format("there is no Python {}: run ./dev setup", options.python)};

  options.worker = variable("JITPROBE_WORKER");
  if (options.worker.empty()) {
    if (auto worker = built_worker(root, options.python)) options.worker = worker->string();
  }
  if (!is_there(options.worker)) return Error{"jitprobe-worker is not found: build it with ./dev setup"};

  options.cache_dir = default_cache_dir();
  const fs::path compiler = fs::path(options.guard).parent_path() / "compiler";
  if (variable(kCompilerVariable) != "default" && is_there(compiler / "g++")) options.compiler = compiler.string();
  options.sandbox = variable(kSandboxVariable) != "off";
  options.readable = folders_in(kReadableVariable);
  return options;
}

std::string why_plain_compiler(const RunnerOptions& options) {
  if (variable(kCompilerVariable) == "default") return "--cxx default";
  if (options.compiler.empty()) return "the faster one is not beside jitprobe-guard, where ./dev build puts it";
  if (const std::string named = variable("CXX"); !named.empty() && named != "g++")
    return "the faster one stands in for g++ alone, and CXX names another compiler: unset it";
  const fs::path folder = options.compiler;
  if (!is_there(folder / "keep_instances.so"))
    return "no plugin for its precompiled header: install g++'s plugin headers (gcc-N-plugin-dev), then ./dev build";
  return "";
}

}  // namespace jp::pyrunner
