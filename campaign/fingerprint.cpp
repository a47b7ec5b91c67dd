#include "campaign/fingerprint.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "codec/codec.h"
#include "core/files.h"
#include "core/hash.h"
#include "core/own_program.h"
#include "core/version.h"

namespace jp::campaign {
namespace {

namespace fs = std::filesystem;

std::string short_hash(const std::string& text) { return sha256_hex(text).substr(0, 16); }

Result<std::string> hash_of_build(const std::string& runtime_dir) {
  Result<std::string> self = read_file(kOwnImage);
  if (!self.ok()) return self.error();
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::recursive_directory_iterator at(runtime_dir, error), end; !error && at != end; at.increment(error))
    if (at->path().extension() == ".py") files.push_back(at->path());
  if (error) return Error{fmt::format("{} can't be read: {}", runtime_dir, error.message())};
  std::sort(files.begin(), files.end());
  std::string hashes = sha256_hex(self.value());
  for (const fs::path& file : files) {
    const Result<std::string> text = read_file(file.string());
    if (!text.ok()) return text.error();
    hashes += fmt::format("\n{} {}", file.lexically_relative(runtime_dir).string(), sha256_hex(text.value()));
  }
  return short_hash(hashes);
}

// What programs may reach decides what comes of those that try.
std::string confinement_of(const pyrunner::RunnerOptions& runner) {
  if (!runner.sandbox) return "none (--no-sandbox)";
  return runner.readable.empty() ? "the usual one"
                                 : fmt::format("one that lets them read {}", fmt::join(runner.readable, ", "));
}

}  // namespace

Result<codec::Json> fingerprint(const pyrunner::RunnerOptions& runner, const KnownBefore& known) {
  const Result<std::string> build = hash_of_build(runner.runtime_dir);
  if (!build.ok()) return build.error();
  std::string hashes;
  for (const report::KnownBug& bug : known.bugs) hashes += fmt::format("{} {}\n", bug.name, sha256_hex(bug.text));
  return codec::Json{{"build", fmt::format("jitprobe {} ({})", JITPROBE_VERSION, build.value())},
                     {"known bugs", fmt::format("{} ({})", known.bugs.size(), short_hash(hashes))},
                     {"confinement", confinement_of(runner)}};
}

}  // namespace jp::campaign
