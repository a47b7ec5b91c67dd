// A divergence that a test showed and that no known bug explains, on the way to its triage decision.
#pragma once

#include <any>
#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "codec/json.h"
#include "core/result.h"
#include "core/verdict.h"
#include "report/reduced.h"

namespace jp::campaign {

struct Case {
  std::uint64_t test = 0;
  /// The divergence, judged alone and attributed; a candidate.
  Finding found;
  /// If known bugs explain a part of what the test showed: under which of them this remains. Depth 0 for others.
  report::Slip slip = {};
};

codec::Json to_json(const Case& one);
Result<Case> read_case(const codec::Json& json);

/// Answers of runs about a case. Each is a pure function of what was asked, so that it may be asked before the case's
/// turn comes. Used by one thread at a time.
class CaseMemory {
 public:
  /// The answer to that question, which is asked if it is not remembered. A question is always of the same type.
  template <typename T>
  T answer(const std::string& question, const std::function<T()>& ask) {
    const auto known = answers_.find(question);
    if (known != answers_.end()) return std::any_cast<T>(known->second);
    T made = ask();
    answers_.insert_or_assign(question, std::any(made));
    return made;
  }
  /// Remembers something that is no answer.
  void note(const std::string& what) { answers_.insert_or_assign(what, std::any()); }
  bool knows(const std::string& what) const { return answers_.contains(what); }
  /// To be called once the runner has given up: what was answered since is meaningless.
  void forget() { answers_.clear(); }

 private:
  std::map<std::string, std::any> answers_;
};

}  // namespace jp::campaign
