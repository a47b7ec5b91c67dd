// What the candidates of a reduction were found to be, kept in a file: a reduction that was stopped or killed goes the
// same way again without running anything, and goes on where it was. So it ends with the same program however often it
// was cut off, and what a campaign's bounded reduction comes to does not depend on that either.
//
// The file has one JSON object a line: what the answers are about, then one answer each. It is only added to; a last
// line that was cut off is dropped.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "codec/codec.h"
#include "core/facts.h"
#include "core/program.h"
#include "core/result.h"

namespace jp::campaign {

/// Used by one thread at a time.
class CandidateResults {
 public:
  struct Answer {
    bool alike = false;  // it diverges in the same way
    std::string other;   // the ID of the signature of another way in which it diverges; "" for none
    bool operator==(const Answer&) const = default;
  };

  /// Kept in memory alone.
  CandidateResults() = default;
  /// Those kept in the file, and further ones are added to it. A file about something else than `about` (another
  /// program, torch, plan or signature) is begun anew.
  static Result<CandidateResults> open(const std::string& path, const codec::Json& about);

  /// By the program's SHA-256 and whether everything was asked (a full judgement) or what mostly decides.
  std::optional<Answer> find(const std::string& sha256, bool full) const;
  Status add(const std::string& sha256, bool full, const Answer& answer);
  std::size_t size() const { return answers_.size(); }

  /// Facts of programs, in memory alone: they come back the same from another run.
  std::map<std::string, Facts>& facts() { return facts_; }

 private:
  std::map<std::pair<std::string, bool>, Answer> answers_;
  std::map<std::string, Facts> facts_;
  std::string path_;  // "" in memory
};

}  // namespace jp::campaign
