#include "campaign/common/kept_answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "campaign/common/tools.h"
#include "core/files.h"
#include "core/hash.h"
#include "core/own_program.h"

namespace jp::campaign {

namespace fs = std::filesystem;

std::string stamp_of_file(const std::string& path) {
  std::error_code error;
  const auto size = fs::file_size(path, error);
  const auto time = fs::last_write_time(path, error);
  return error ? path + " missing\n" : fmt::format("{} {} {}\n", path, size, time.time_since_epoch().count());
}

std::string stamp_of_runtime(const std::string& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (at->path().extension() == ".py") files.push_back(at->path());
  std::sort(files.begin(), files.end());
  std::string text;
  for (const fs::path& file : files) text += stamp_of_file(file);
  return text;
}

std::string stamp_of_torch(const std::string& prefix) {
  std::string text;
  std::error_code error;
  for (fs::directory_iterator at(fs::path(prefix) / "lib", error), end; !error && at != end; at.increment(error))
    if (at->path().filename().string().starts_with("python"))
      text += stamp_of_file(at->path() / "site-packages/torch/version.py");
  return text;
}

std::string stamp_of_self() { return stamp_of_file(own_program()); }

std::string stamp_of_runner(const pyrunner::Runner& runner) {
  const pyrunner::RunnerOptions& options = runner.options();
  const pyrunner::WorkerInfo& info = runner.info();
  return fmt::format("{}\n{}\n{}\n{}\n", info.torch, info.python, info.executable, options.device) +
         stamp_of_torch(info.prefix) + stamp_of_file(options.worker) + stamp_of_file(options.guard) + stamp_of_self() +
         stamp_of_runtime(options.runtime_dir);
}

KeptAnswer::KeptAnswer(const std::string& cache, const std::string& key)
    : path_(fs::path(cache) / "probes" / sha256_hex(key).substr(0, 16)) {}

std::optional<std::string> KeptAnswer::get() const {
  std::error_code error;
  if (!fs::exists(path_, error)) return std::nullopt;
  Result<std::string> text = read_file(path_);
  return text.ok() ? std::optional(std::move(text).value()) : std::nullopt;
}

void KeptAnswer::keep(const std::string& answer) const {
  std::error_code ignored;
  fs::create_directories(fs::path(path_).parent_path(), ignored);
  if (Status written = write_file(path_, answer + "\n"); !written.ok()) return;
}

}  // namespace jp::campaign
