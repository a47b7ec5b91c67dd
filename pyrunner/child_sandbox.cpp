#include "pyrunner/child_sandbox.h"

#include <filesystem>
#include <string_view>

#include "pyrunner/paths.h"
#include "pyrunner/python.h"

namespace jp::pyrunner {
namespace {

namespace fs = std::filesystem;

std::string folder_of(std::string_view file) {
  std::error_code error;
  return fs::absolute(file, error).parent_path().string();
}

// Where a backend's module may lie: the current folder and those of PYTHONPATH.
Folders folders_of_modules() {
  std::error_code error;
  Folders folders = {fs::current_path(error).string()};
  for (const std::string& folder : folders_in("PYTHONPATH")) folders.insert(fs::absolute(folder, error).string());
  return folders;
}

}  // namespace

Folders folders_of(const std::string& program, const std::string& backend) {
  Folders folders;
  constexpr std::string_view kFile = "file:";
  constexpr std::string_view kOfTorch = "torch:";
  if (!program.empty()) folders.insert(folder_of(program));
  if (backend.starts_with(kFile))
    folders.insert(folder_of(std::string_view(backend).substr(kFile.size())));
  else if (backend.find(':') != std::string::npos && !backend.starts_with(kOfTorch))
    folders.merge(folders_of_modules());
  return folders;
}

Folders readable_by_all(const RunnerOptions& options) {
  Folders folders(options.readable.begin(), options.readable.end());
  folders.insert(options.runtime_dir);
  for (const std::string& backend : options.backends) folders.merge(folders_of("", backend));
  return folders;
}

// Shared libraries, thread stacks and arenas count too, hence the room. Chosen, not measured.
std::int64_t address_space_for(const RunnerOptions& options) {
  return options.device == "cpu" ? 2 * options.limits.memory_bytes + (std::int64_t{8} << 30) : 0;
}

// Inductor's precompiled header is ready when the zygote is: children only read it.
Sandbox child_sandbox(const RunnerOptions& options, const std::string& runners, const std::string& own,
                      const Folders& reads) {
  Sandbox sandbox = system_sandbox();
  const auto add = [&](const auto& folders) {
    sandbox.readable.insert(sandbox.readable.end(), folders.begin(), folders.end());
  };
  add(folders_of_python(options.python));
  add(Folders{options.cache_dir, runners, folder_of(options.worker)});
  if (!options.compiler.empty()) add(Folders{options.compiler});
  add(readable_by_all(options));
  add(reads);
  sandbox.writable.push_back(own);
  sandbox.file_bytes = options.limits.disk_bytes;
  sandbox.address_bytes = address_space_for(options);
  return sandbox;
}

}  // namespace jp::pyrunner
