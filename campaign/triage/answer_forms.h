// The answers of runs about a case as JSON, and back: the one place for the form of each of their types (CaseMemory).
// Seconds that another process spent are left out.
#pragma once

#include <optional>
#include <utility>

#include "campaign/common/judging.h"
#include "campaign/known/known_explain.h"
#include "campaign/known/known_judge.h"
#include "campaign/triage/case.h"
#include "campaign/triage/reduction.h"
#include "codec/codec.h"
#include "core/verdict.h"
#include "report/evidence.h"
#include "report/known_verdict.h"

namespace jp::campaign {

template <>
struct AnswerForm<Finding> {
  static codec::Json json(const Finding& finding);
  static std::optional<Finding> read(const codec::Json& json);
};
/// The piece must be no Error.
template <>
struct AnswerForm<ReducedPiece> {
  static codec::Json json(const ReducedPiece& reduced);
  static std::optional<ReducedPiece> read(const codec::Json& json);
};
template <>
struct AnswerForm<JudgedProgram> {
  static codec::Json json(const JudgedProgram& judged);
  static std::optional<JudgedProgram> read(const codec::Json& json);
};
template <>
struct AnswerForm<Explained> {
  static codec::Json json(const Explained& explained);
  static std::optional<Explained> read(const codec::Json& json);
};
template <>
struct AnswerForm<KnownJudge::Behind> {
  static codec::Json json(const KnownJudge::Behind& behind);
  static std::optional<KnownJudge::Behind> read(const codec::Json& json);
};
template <>
struct AnswerForm<report::Cause> {
  static codec::Json json(const report::Cause& cause);
  static std::optional<report::Cause> read(const codec::Json& json);
};
template <>
struct AnswerForm<report::Intermediate> {
  static codec::Json json(const report::Intermediate& seen);
  static std::optional<report::Intermediate> read(const codec::Json& json);
};
template <>
struct AnswerForm<report::KnownVerdict> {
  static codec::Json json(const report::KnownVerdict& verdict);
  static std::optional<report::KnownVerdict> read(const codec::Json& json);
};

/// An answer that may be none: a list of one, or of nothing.
template <typename T>
struct AnswerForm<std::optional<T>> {
  static codec::Json json(const std::optional<T>& answer) {
    codec::Json list = codec::Json::array();
    if (answer) list.push_back(AnswerForm<T>::json(*answer));
    return list;
  }
  static std::optional<std::optional<T>> read(const codec::Json& list) {
    if (!list.is_array()) return std::nullopt;
    if (list.empty()) return std::optional<std::optional<T>>(std::in_place);
    std::optional<T> answer = AnswerForm<T>::read(list.front());
    if (!answer) return std::nullopt;
    return std::optional<std::optional<T>>(std::in_place, *std::move(answer));
  }
};

}  // namespace jp::campaign
