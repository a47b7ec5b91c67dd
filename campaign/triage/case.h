// A divergence that a test showed and that no known bug explains, on the way to its triage decision.
#pragma once

#include <any>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
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

/// Which runs about a case are worth making before its turn.
struct StudyParts {
  bool place = false;  // where it first goes wrong
  bool rest = false;   // what a new finding is asked: confirming, reducing, its cause, known bugs
};

/// A note in a case's memory: its reduction has left answers (campaign/triage/candidate_results.h).
inline constexpr const char* kStudiedAhead = "studied ahead";

codec::Json to_json(const Case& one);
Result<Case> read_case(const codec::Json& json);

/// How an answer of type T is handed to another process: `static codec::Json json(const T&)`, and `static
/// std::optional<T> read(const codec::Json&)`, nothing if it can't be read. All of them:
/// campaign/triage/answer_forms.h.
template <typename T>
struct AnswerForm;

/// Answers of runs about a case. Each is a pure function of what was asked, so that it may be asked before the case's
/// turn comes, and by another process. Used by one thread at a time.
class CaseMemory {
 public:
  /// The answer to that question, which is asked if it is not remembered. A question is always of the same type.
  template <typename T>
  T answer(const std::string& question, const std::function<T()>& ask) {
    if (const auto known = answers_.find(question); known != answers_.end())
      return std::any_cast<T>(known->second.value);
    std::optional<T> made = told<T>(question);
    if (!made) made.emplace(ask());
    keep(question, *made);
    return *std::move(made);
  }
  /// Remembers something that is no answer.
  void note(const std::string& what) { answers_.insert_or_assign(what, Answer{}); }
  bool knows(const std::string& what) const { return answers_.contains(what) || told_about(what); }
  /// To be called once the runner has given up: what was answered since is meaningless.
  void forget();

  /// Everything that is remembered, by question; null for notes.
  codec::Json to_json() const;
  /// Takes over what another process remembers (`to_json`). An answer is read when it is asked for; one that can't be
  /// read is asked for anew.
  void tell(codec::Json answers);
  /// Answers of another process that were asked for.
  std::uint64_t told_answers() const { return told_answers_; }

 private:
  struct Answer {
    std::any value = {};
    codec::Json (*json)(const std::any&) = nullptr;
  };
  template <typename T>
  std::optional<T> told(const std::string& question) {
    const codec::Json* found = told_about(question);
    std::optional<T> answer = found ? AnswerForm<T>::read(*found) : std::nullopt;
    if (answer) ++told_answers_;
    return answer;
  }
  template <typename T>
  void keep(const std::string& question, const T& made) {
    answers_.insert_or_assign(question, Answer{std::any(made), [](const std::any& value) {
                                                 return AnswerForm<T>::json(std::any_cast<const T&>(value));
                                               }});
  }

  const codec::Json* told_about(const std::string& what) const;

  std::map<std::string, Answer> answers_;
  std::shared_ptr<const codec::Json> told_;  // by another process; null for nothing
  std::uint64_t told_answers_ = 0;
};

}  // namespace jp::campaign
