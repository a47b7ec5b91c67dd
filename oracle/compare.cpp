#include "oracle/compare.h"

#include <fmt/format.h>

#include "oracle/exceptions.h"
#include "oracle/text.h"
#include "oracle/walk.h"

namespace jp::oracle {
namespace {

bool ends_alike(const CallRecord& one, const CallRecord& other) {
  return one.exception.has_value() == other.exception.has_value();
}

// Gathers one comparison; the walk goes through all calls, since identities hold over the whole run.
class Calls {
 public:
  Calls(const Observation& eager, const Observation& compiled, const Observation* float64)
      : eager_(eager), compiled_(compiled), float64_(float64), walk_(eager, compiled, float64, result_) {}

  Comparison run() {
    if (eager_.calls.size() != compiled_.calls.size())
      mark(Mismatch::kStructure, 0, "calls", "calls", "structure", fmt::format("{} calls", eager_.calls.size()),
           fmt::format("{} calls", compiled_.calls.size()));
    const std::size_t count = std::min(eager_.calls.size(), compiled_.calls.size());
    bool alike = true;
    bool witness = float64_ != nullptr;
    for (std::size_t i = 0; i < count && alike; ++i) {
      witness = witness && i < float64_->calls.size() && ends_alike(eager_.calls[i], float64_->calls[i]);
      alike = call(static_cast<int>(i), eager_.calls[i], compiled_.calls[i], witness ? &float64_->calls[i] : nullptr);
    }
    if (alike) {
      const int last = count == 0 ? 0 : static_cast<int>(count) - 1;
      walk_.compare(Region::kState, last, "observed", eager_.observed, compiled_.observed,
                    third(witness ? &float64_->observed : nullptr));
    }
    return std::move(result_);
  }

 private:
  static Third third(const Value* value) {
    return value ? Third{Witness::kPresent, value} : Third{Witness::kAbsent, nullptr};
  }

  // False: later calls start from states that differ.
  bool call(int number, const CallRecord& eager, const CallRecord& compiled, const CallRecord* float64) {
    if (raised(number, eager, compiled)) return stand_alike(number, eager, compiled, float64);
    const auto at = [&](Value CallRecord::*member) { return third(float64 ? &(float64->*member) : nullptr); };
    walk_.compare(Region::kOutput, number, "output", eager.output, compiled.output, at(&CallRecord::output));
    walk_.compare(Region::kState, number, "inputs", eager.inputs, compiled.inputs, at(&CallRecord::inputs));
    walk_.compare(Region::kState, number, "state", eager.state, compiled.state, at(&CallRecord::state));
    walk_.compare(Region::kOutput, number, "late", eager.late, compiled.late, at(&CallRecord::late));
    walk_.compare_texts(Region::kState, number, "printed", eager.printed, compiled.printed,
                        float64 ? Witness::kPresent : Witness::kAbsent, float64 ? float64->printed : "");
    modes(number, eager, compiled);
    if (eager.warnings != compiled.warnings)
      result_.add_weak({Mismatch::kWarnings,
                        number,
                        "warnings",
                        fmt::format("{} warnings", eager.warnings.size()),
                        fmt::format("{} warnings", compiled.warnings.size()),
                        {},
                        ""});
    backward(number, eager, compiled, float64);
    return true;
  }

  // The call itself; true when either side raised in it.
  bool raised(int number, const CallRecord& eager, const CallRecord& compiled) {
    if (eager.backward_exception && compiled.exception && !eager.exception) {
      // Compilers trace backward together with the call, and meet there what eager meets later.
      const bool refused = compiled.exception->expected_refusal;
      note(refused ? Raise::kRefused : Raise::kErrorClass, number, "call", eager.backward_exception,
           compiled.exception);
      return true;
    }
    note(judge_raise(eager.exception, compiled.exception), number, "call", eager.exception, compiled.exception);
    return eager.exception || compiled.exception;
  }

  void backward(int number, const CallRecord& eager, const CallRecord& compiled, const CallRecord* float64) {
    note(judge_raise(eager.backward_exception, compiled.backward_exception), number, "backward",
         eager.backward_exception, compiled.backward_exception);
    if (eager.backward_exception || compiled.backward_exception) return;
    const bool witness = float64 && !float64->backward_exception;
    walk_.compare(Region::kGradient, number, "gradients", eager.gradients, compiled.gradients,
                  third(witness ? &float64->gradients : nullptr));
  }

  void note(Raise raise, int number, const std::string& where, const std::optional<ExceptionRecord>& eager,
            const std::optional<ExceptionRecord>& compiled) {
    const std::string left = eager ? describe_exception(*eager) : "no exception";
    const std::string right = compiled ? describe_exception(*compiled) : "no exception";
    switch (raise) {
      case Raise::kNeither:
        return;
      case Raise::kRefused:
        result_.refused = true;
        return;
      case Raise::kErrorClass:
        result_.add_weak({Mismatch::kErrorClass, number, where, left, right, {}, ""});
        [[fallthrough]];
      case Raise::kAlike:
        result_.both_raised = true;
        return;
      case Raise::kCompiler:
        return mark(Mismatch::kCompilerError, number, where, "exception", "compiler_error", left, right);
      case Raise::kOnlyCompiled:
        return mark(Mismatch::kRaises, number, where, "exception", "raises", left, right);
      case Raise::kOnlyEager:
        return mark(Mismatch::kAccepts, number, where, "exception", "accepts", left, right);
    }
  }

  void modes(int number, const CallRecord& eager, const CallRecord& compiled) {
    for (const auto& [name, value] : eager.mode) {
      const auto found = compiled.mode.find(name);
      const std::string other = found == compiled.mode.end() ? "missing" : found->second;
      if (other != value) mark(Mismatch::kMode, number, "mode." + name, name, "mode", shorten(value), shorten(other));
    }
  }

  // Whether arguments and state are still the same on both sides, by the usual rules, on a sheet of its own.
  bool stand_alike(int number, const CallRecord& eager, const CallRecord& compiled, const CallRecord* float64) const {
    Comparison sheet;
    Walk walk(eager_, compiled_, float64_, sheet);
    walk.compare(Region::kState, number, "inputs", eager.inputs, compiled.inputs,
                 third(float64 ? &float64->inputs : nullptr));
    walk.compare(Region::kState, number, "state", eager.state, compiled.state,
                 third(float64 ? &float64->state : nullptr));
    return sheet.strong.empty() && sheet.unstable.empty();
  }

  void mark(Mismatch mismatch, int number, const std::string& where, const std::string& what, const std::string& rule,
            const std::string& eager, const std::string& compiled) {
    result_.add({{mismatch, number, where, eager, compiled, {}, what},
                 rule,
                 fmt::format("{}: eager has {}, compiled has {}", place(number, where), eager, compiled),
                 false});
  }

  const Observation& eager_;
  const Observation& compiled_;
  const Observation* float64_;
  Comparison result_;
  Walk walk_;
};

}  // namespace

Comparison compare(const Observation& eager, const Observation& compiled, const Observation* float64) {
  return Calls(eager, compiled, float64).run();
}

}  // namespace jp::oracle
