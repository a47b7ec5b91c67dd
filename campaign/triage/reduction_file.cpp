#include "campaign/triage/reduction_file.h"

#include <fmt/format.h>

#include <filesystem>

#include "campaign/triage/candidate_results.h"
#include "core/files.h"

namespace jp::campaign {

std::string answers_beside(const std::string& out) { return out.empty() ? "" : out + ".reducing"; }

Status fits_reduction(const std::string& out, const Program* program) {
  if (out.empty()) return Done{};
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::path(out).parent_path();
  if (!folder.empty() && !std::filesystem::is_directory(folder, error))
    return Error{fmt::format("{}: there is no folder {}", out, folder.string())};
  if (std::filesystem::is_directory(out, error)) return Error{fmt::format("{} is a folder", out)};
  if (!program || !std::filesystem::is_regular_file(out, error)) return Done{};
  const Result<std::string> text = read_file(out);
  if (!text.ok()) return text.error();
  // Empty as mktemp makes it, or the program's own file.
  if (text.value().empty() || text.value() == program->source()) return Done{};
  // Any program that diverges alike is "a smaller one": only the answers tell whose it is.
  if (CandidateResults::are_of(answers_beside(out), program->sha256())) return Done{};
  return Error{
      fmt::format("{} exists, and is no unfinished reduction of this program: give another --out, or remove it", out)};
}

}  // namespace jp::campaign
