// The judgements of a reduction's candidates, stored in a file: a reduction that was stopped or killed repeats its path
// without running anything, and continues where it was. Therefore it ends with the same program however often it was
// cut off, and the result of a campaign's bounded reduction does not depend on that either.
//
// The file has one JSON object a line: first what the answers are about, then one answer each. It is append-only; a
// last line that was cut off is dropped.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "codec/json.h"
#include "core/facts.h"
#include "core/program.h"
#include "core/result.h"

namespace jp::campaign {

/// Used by one thread at a time.
class CandidateResults {
 public:
  struct Answer {
    bool alike = false;  // it diverges in the same way
    std::string other;   // the ID of the signature if it diverges in another way; "" if it doesn't
    bool operator==(const Answer&) const = default;
  };

  /// Kept in memory only.
  CandidateResults() = default;
  /// Opens the answers stored in the file; further ones are added to it. A file about something other than `about`
  /// (another program, torch, plan or signature) is started anew.
  static Result<CandidateResults> open(const std::string& path, const codec::Json& about);
  /// Whether the file has answers on candidates of the program of this SHA-256.
  static bool are_of(const std::string& path, const std::string& sha256);

  /// Looks up an answer by the program's SHA-256 and whether the judgement was full or brief.
  std::optional<Answer> find(const std::string& sha256, bool full) const;
  Status add(const std::string& sha256, bool full, const Answer& answer);
  std::size_t size() const { return answers_.size(); }

  /// Facts of programs, in memory only: another run gives the same.
  std::map<std::string, Facts>& facts() { return facts_; }

 private:
  std::map<std::pair<std::string, bool>, Answer> answers_;
  std::map<std::string, Facts> facts_;
  std::string path_;  // "" in memory
};

}  // namespace jp::campaign
