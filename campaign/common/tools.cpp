#include "campaign/common/tools.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <random>

#include "core/files.h"
#include "core/hash.h"
#include "core/ladder.h"
#include "pyrunner/paths.h"

namespace jp::campaign {

const std::vector<std::string>& ladder() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Rung& rung : kLadder) all.emplace_back(rung.backend);
    return all;
  }();
  return names;
}

const std::vector<std::string>& built_in_backends() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all = ladder();
    for (const std::string& name : pyrunner::backend_files())
      if (std::find(all.begin(), all.end(), name) == all.end()) all.push_back(name);
    return all;
  }();
  return names;
}

Result<std::string> resolve_backend(const std::string& text) {
  const auto& names = built_in_backends();
  if (std::find(names.begin(), names.end(), text) != names.end()) return text;
  if (text.starts_with("torch:") && text.size() > 6) return text;
  if (text.ends_with(".py")) {
    std::error_code error;
    std::filesystem::path path = std::filesystem::canonical(text, error);
    if (error) return Error{fmt::format("the backend file {} can't be read: {}", text, error.message())};
    return "file:" + path.string();
  }
  std::size_t colon = text.find(':');
  if (colon != std::string::npos && colon > 0 && colon + 1 < text.size()) return text;
  return Error{fmt::format(
      "there is no backend '{}': take {}, a file.py, module:callable or torch:NAME (a backend registered with torch)",
      text, fmt::join(names, ", "))};
}

Result<pyrunner::RunnerOptions> runner_options(const std::vector<std::string>& backends, const std::string& device) {
  Result<pyrunner::RunnerOptions> options = pyrunner::default_options();
  if (!options.ok()) return options;
  options.value().backends = backends;
  options.value().device = device;
  return options;
}

Result<Program> load_program(const std::string& path, const std::string& entry, const std::string& inputs) {
  Result<std::string> text = read_file(path);
  if (!text.ok()) return text.error();
  Lineage lineage;
  lineage.seed = {.origin = Seed::Origin::kFile, .path = path, .sha256 = sha256_hex(text.value())};
  std::string real = std::filesystem::absolute(path).lexically_normal().string();
  Result<Program> program = Program::make(std::move(text).value(), std::move(lineage), real, entry, inputs);
  if (!program.ok()) return Error{fmt::format("{}: {}", path, program.error().message)};
  return program;
}

std::uint64_t fresh_seed() {
  std::random_device device;
  return (static_cast<std::uint64_t>(device()) << 21 ^ device()) & ((std::uint64_t{1} << 53) - 1);
}

}  // namespace jp::campaign
