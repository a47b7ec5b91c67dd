#include "campaign/triage/candidate_results.h"

#include <fmt/format.h>

#include <filesystem>
#include <sstream>
#include <vector>

#include "codec/codec.h"
#include "core/files.h"

namespace jp::campaign {
namespace {

// The whole lines of a file; none if it can't be read.
std::vector<codec::Json> whole_lines(const std::string& path) {
  std::vector<codec::Json> lines;
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return lines;
  Result<std::string> text = read_file(path);
  if (!text.ok()) return lines;
  std::istringstream stream(text.value());
  for (std::string line; std::getline(stream, line);) {
    Result<codec::Json> json = codec::parse_text(line);
    if (!json.ok() || !json.value().is_object()) break;
    lines.push_back(std::move(json).value());
  }
  return lines;
}

using Key = std::pair<std::string, bool>;
using Row = std::pair<Key, CandidateResults::Answer>;

codec::Json row_json(const Key& key, const CandidateResults::Answer& answer) {
  codec::Json row = {{"sha256", key.first}, {"full", key.second}, {"alike", answer.alike}};
  if (!answer.other.empty()) row["other"] = answer.other;
  return row;
}

std::optional<Row> read_row(const codec::Json& json) {
  try {
    return Row{{json.at("sha256").get<std::string>(), json.at("full").get<bool>()},
               {json.at("alike").get<bool>(), json.value("other", "")}};
  } catch (const codec::Json::exception&) {
    return std::nullopt;
  }
}

}  // namespace

Result<CandidateResults> CandidateResults::open(const std::string& path, const codec::Json& about) {
  CandidateResults answers;
  answers.path_ = path;
  const std::string folder = std::filesystem::path(path).parent_path().string();
  if (!folder.empty())
    if (Status made = make_folder(folder); !made.ok()) return made.error();
  const std::vector<codec::Json> lines = whole_lines(path);
  std::string text = codec::text(about) + "\n";
  const bool same = !lines.empty() && lines.front() == about;
  for (std::size_t i = 1; same && i < lines.size(); ++i) {
    const std::optional<Row> row = read_row(lines[i]);
    if (!row) break;
    if (answers.answers_.emplace(row->first, row->second).second)
      text += codec::text(row_json(row->first, row->second)) + "\n";
  }
  // The file is rewritten, so that a line that was cut off disappears.
  if (Status put = write_file(path, text); !put.ok()) return put.error();
  return answers;
}

bool CandidateResults::are_of(const std::string& path, const std::string& sha256) {
  const std::vector<codec::Json> lines = whole_lines(path);
  return !lines.empty() && lines.front().contains("program") && lines.front()["program"] == sha256;
}

std::optional<CandidateResults::Answer> CandidateResults::find(const std::string& sha256, bool full) const {
  const auto found = answers_.find({sha256, full});
  return found == answers_.end() ? std::nullopt : std::optional(found->second);
}

Status CandidateResults::add(const std::string& sha256, bool full, const Answer& answer) {
  if (!answers_.insert_or_assign({sha256, full}, answer).second || path_.empty()) return Done{};
  // The file is not held open: a campaign has many.
  return append_file(path_, codec::text(row_json({sha256, full}, answer)) + "\n");
}

}  // namespace jp::campaign
