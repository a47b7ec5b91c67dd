#include "oracle/judge/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <string_view>
#include <utility>

#include "core/among.h"
#include "oracle/judge/exceptions.h"
#include "oracle/judge/one_sided.h"
#include "oracle/judge/overlap.h"
#include "oracle/judge/resting_modes.h"
#include "oracle/judge/shared_memory.h"
#include "oracle/judge/text.h"
#include "oracle/judge/walk.h"

namespace jp::oracle {
namespace {

bool ends_alike(const CallRecord& one, const CallRecord& other) {
  return one.exception.has_value() == other.exception.has_value();
}

bool is_heard_of_exceptions(ControlKind kind) {
  return kind == ControlKind::kNoise || kind == ControlKind::kFloat64 || kind == ControlKind::kFloat32 ||
         kind == ControlKind::kChoices;
}

std::string described(const std::optional<ExceptionRecord>& exception) {
  return exception ? describe_exception(*exception) : "no exception";
}

Value as_text(const std::string& text) {
  Value value;
  value.kind = Value::Kind::kText;
  value.type = "str";
  value.text = text;
  return value;
}

// Accumulates one comparison; the walk goes through all calls, since identities hold over the whole run.
class Calls {
 public:
  Calls(const Observation& eager, const Observation& compiled, const ControlRuns& controls)
      : eager_(eager),
        compiled_(compiled),
        controls_(controls),
        alive_(controls.runs.size(), true),
        walk_(eager, compiled, controls, result_) {}

  Comparison run() {
    if (eager_.calls.size() != compiled_.calls.size())
      mark(Mismatch::kStructure, 0, "calls", "calls", "structure", fmt::format("{} calls", eager_.calls.size()),
           fmt::format("{} calls", compiled_.calls.size()));
    const std::size_t count = std::min(eager_.calls.size(), compiled_.calls.size());
    bool alike = true;
    for (std::size_t i = 0; i < count && alike; ++i) alike = call(static_cast<int>(i));
    if (alike && eager_.calls.size() == compiled_.calls.size()) overwritten();
    if (alike) {
      const int last = count == 0 ? 0 : static_cast<int>(count) - 1;
      ControlValues thirds;
      for (std::size_t i = 0; i < controls_.runs.size(); ++i)
        thirds.push_back(alive_[i] ? ControlValue{Presence::kPresent, &controls_.runs[i].observation->observed}
                                   : ControlValue{});
      walk_.compare(Region::kState, last, "observed", eager_.observed, compiled_.observed, thirds);
    }
    excuse_overlaps();
    return std::move(result_);
  }

 private:
  // The call's record in a control run, or nullptr if that run says nothing about it.
  const CallRecord* compared(std::size_t run, int number) const {
    const auto at = static_cast<std::size_t>(number);
    const auto& calls = controls_.runs[run].observation->calls;
    return alive_[run] && at < calls.size() ? &calls[at] : nullptr;
  }

  ControlValues thirds(int number, Value CallRecord::*member) const {
    ControlValues list;
    for (std::size_t i = 0; i < controls_.runs.size(); ++i) {
      const CallRecord* record = compared(i, number);
      list.push_back(record ? ControlValue{Presence::kPresent, &(record->*member)} : ControlValue{});
    }
    return list;
  }

  // Returns false if later calls start from states that differ.
  bool call(int number) {
    const CallRecord& eager = eager_.calls[static_cast<std::size_t>(number)];
    const CallRecord& compiled = compiled_.calls[static_cast<std::size_t>(number)];
    const bool one_raised = raised(number, eager, compiled);
    for (std::size_t i = 0; i < alive_.size(); ++i) {
      const CallRecord* record = compared(i, number);
      alive_[i] = record && ends_alike(eager, *record);
    }
    if (one_raised) {
      if (eager.exception && compiled.exception)
        for (const ChangedMode& mode : changed_at_rest(eager, compiled))
          mark(Mismatch::kMode, number, "mode." + mode.name, mode.name, "mode", mode.eager, shorten(mode.compiled));
      return stand_alike(number, eager, compiled);
    }
    const auto values = [&](Region region, const std::string& where, Value CallRecord::*member) {
      walk_.compare(region, number, where, eager.*member, compiled.*member, thirds(number, member));
    };
    values(Region::kOutput, "output", &CallRecord::output);
    if (controls_.plain_reference) shared(number, eager, compiled);
    values(Region::kState, "inputs", &CallRecord::inputs);
    values(Region::kState, "state", &CallRecord::state);
    values(Region::kOutput, "late", &CallRecord::late);
    printed(number, eager, compiled);
    modes(number, eager, compiled);
    if (eager.warnings != compiled.warnings)
      result_.add_weak({Mismatch::kWarnings,
                        number,
                        "warnings",
                        fmt::format("{} warnings", eager.warnings.size()),
                        fmt::format("{} warnings", compiled.warnings.size()),
                        {},
                        ""});
    backward(number, eager, compiled);
    return true;
  }

  // A branch that rounding or a free choice decides may return an argument, or a copy of it.
  void shared(int number, const CallRecord& eager, const CallRecord& compiled) {
    for (const std::size_t tensor : outputs_that_became_held(eager_, eager, compiled_, compiled)) {
      const std::string where = fmt::format("shared[output, tensor {}]", tensor);
      std::optional<RuleName> rule;
      for (std::size_t i = 0; i < alive_.size() && !rule; ++i) {
        const CallRecord* record = compared(i, number);
        if (!record || is_other_precision(controls_.runs[i].kind)) continue;
        if (output_is_held(*controls_.runs[i].observation, *record, tensor)) rule = rule_of(controls_.runs[i].kind);
      }
      if (rule) {
        leave_out(number, where, *rule);
      } else {
        mark(Mismatch::kStateAfter, number, where, "shared", "shared_memory", "memory of its own",
             "the memory of an argument or of the state", true);
      }
    }
  }

  // A copy may stand for what shares memory, and keeps what eager's loses: only what the compiled run loses counts.
  // What a call does that is not compared counts for nothing: none may have raised.
  void overwritten() {
    const auto raises = [](const CallRecord& call) { return call.exception || call.backward_exception; };
    const auto any_raises = [&](const Observation& seen) {
      return std::any_of(seen.calls.begin(), seen.calls.end(), raises);
    };
    if (any_raises(eager_) || any_raises(compiled_)) return;
    for (std::size_t number = 0; number < eager_.calls.size(); ++number)
      overwritten(static_cast<int>(number), eager_.calls[number], compiled_.calls[number]);
  }

  void overwritten(int number, const CallRecord& eager, const CallRecord& compiled) {
    for (const std::string& tensor : compiled.overwritten) {
      bool in_eager = among(eager.overwritten, tensor);
      for (std::size_t i = 0; i < alive_.size() && !in_eager; ++i)
        if (const CallRecord* record = compared(i, number)) in_eager = among(record->overwritten, tensor);
      if (!in_eager)
        mark(Mismatch::kStateAfter, number, fmt::format("overwritten[{}]", tensor), "overwritten", "overwritten",
             "what the call left", "what a later call wrote");
    }
  }

  // Compares the call itself; true if either side raised in it.
  bool raised(int number, const CallRecord& eager, const CallRecord& compiled) {
    if (eager.backward_exception && compiled.exception && !eager.exception) {
      // Compilers trace backward together with the call, so errors that eager raises later appear during the call.
      const bool refused = compiled.exception->expected_refusal;
      note(refused ? Raise::kRefused : Raise::kErrorClass, number, "call", eager.backward_exception,
           compiled.exception);
      result_.decide({RuleName("eager_backward_fails").str(), number, "call", "allowed", {}});
      return true;
    }
    const Raise raise = judge_raise(eager.exception, compiled.exception);
    if (const std::optional<RuleName> rule = may_pass(raise, eager, controls_.dead_lines))
      return pass(number, "call", eager.exception, compiled.exception, *rule);
    if (flips(raise, number, "call", &CallRecord::exception)) return true;
    note(raise, number, "call", eager.exception, compiled.exception);
    return eager.exception || compiled.exception;
  }

  bool pass(int number, const std::string& where, const std::optional<ExceptionRecord>& eager,
            const std::optional<ExceptionRecord>& compiled, RuleName rule) {
    const Mismatch mismatch = compiled ? Mismatch::kRaises : Mismatch::kAccepts;
    result_.add_weak({mismatch, number, where, described(eager), described(compiled), {}, rule.str()});
    result_.decide({rule.str(), number, where, "weak", {}});
    result_.loosen(rule);
    return true;
  }

  // Whether raising depends on rounding, or on what nothing specifies: eager does the same when its roundings are moved
  // or its choices made otherwise.
  bool flips(Raise raise, int number, const std::string& where, std::optional<ExceptionRecord> CallRecord::*member) {
    if (raise != Raise::kOnlyEager && raise != Raise::kOnlyCompiled) return false;
    const auto& eager = eager_.calls[static_cast<std::size_t>(number)].*member;
    const auto& compiled = compiled_.calls[static_cast<std::size_t>(number)].*member;
    for (std::size_t i = 0; i < controls_.runs.size(); ++i) {
      const CallRecord* record = compared(i, number);
      if (!record || !is_heard_of_exceptions(controls_.runs[i].kind)) continue;
      const auto& control = record->*member;
      if (control.has_value() == eager.has_value()) continue;
      if (control && !fails_alike(*control, compiled, controls_.runs[i].kind)) continue;
      if (refuses_dtypes_anyway(eager) && has_other_dtypes(i)) continue;
      const RuleName rule = rule_of(controls_.runs[i].kind);
      leave_out(number, where, rule);
      return true;
    }
    return false;
  }

  static RuleName rule_of(ControlKind kind) {
    if (kind == ControlKind::kChoices || kind == ControlKind::kEquals) return RuleName("other_choices");
    if (kind == ControlKind::kFloat32) return RuleName("float32");
    return kind == ControlKind::kNoise ? RuleName("monte_carlo") : RuleName("float64");
  }

  // Whether the compiled run fails as a control run does. Casting may make a program fail in ways of its own, so a run
  // in another precision must say the same, unless it has to stand for the runs with moved roundings.
  bool fails_alike(const ExceptionRecord& control, const std::optional<ExceptionRecord>& compiled,
                   ControlKind kind) const {
    if (judge_raise(control, compiled) != Raise::kAlike) return false;
    const bool any_words = kind == ControlKind::kNoise || controls_.noise_failed;
    return any_words || alike_words(control, *compiled);
  }

  // What leads to the refusal may be a value that overflows in half precision and not in a fused kernel, which no moved
  // rounding shows: only in a program without choices it is the dtypes alone.
  bool refuses_dtypes_anyway(const std::optional<ExceptionRecord>& eager) const {
    return controls_.straight && eager && refuses_dtypes(*eager);
  }

  // Runs with moved roundings keep all dtypes; where none could be made, a run in another precision has to tell.
  bool has_other_dtypes(std::size_t run) const {
    const ControlKind kind = controls_.runs[run].kind;
    return kind != ControlKind::kNoise && kind != ControlKind::kChoices && !controls_.noise_failed;
  }

  void backward(int number, const CallRecord& eager, const CallRecord& compiled) {
    const Raise raise = judge_raise(eager.backward_exception, compiled.backward_exception);
    if (const std::optional<RuleName> rule = may_pass_backward(raise, eager, compiled))
      pass(number, "backward", eager.backward_exception, compiled.backward_exception, *rule);
    else if (!flips(raise, number, "backward", &CallRecord::backward_exception))
      note(raise, number, "backward", eager.backward_exception, compiled.backward_exception);
    if (eager.backward_exception || compiled.backward_exception) return;
    const auto values = [&](Region region, const std::string& where, Value CallRecord::*member) {
      ControlValues list = thirds(number, member);
      for (std::size_t i = 0; i < list.size(); ++i)
        if (const CallRecord* record = compared(i, number); record && record->backward_exception) list[i] = {};
      walk_.compare(region, number, where, eager.*member, compiled.*member, list);
    };
    values(Region::kGradient, "gradients", &CallRecord::gradients);
    // A mutant may register hooks that its seed doesn't have.
    if (eager.after_backward.labels == compiled.after_backward.labels)
      values(Region::kState, "after_backward", &CallRecord::after_backward);
  }

  void note(Raise raise, int number, const std::string& where, const std::optional<ExceptionRecord>& eager,
            const std::optional<ExceptionRecord>& compiled) {
    const std::string left = described(eager);
    const std::string right = described(compiled);
    switch (raise) {
      case Raise::kNeither:
        return;
      case Raise::kRefused:
        result_.decide({RuleName("expected_refusal").str(), number, where, "allowed", {}});
        result_.refused = true;
        return;
      case Raise::kErrorClass:
        result_.add_weak({Mismatch::kErrorClass, number, where, left, right, {}, ""});
        [[fallthrough]];
      case Raise::kAlike:
        result_.decide({RuleName("both_raise").str(), number, where, "allowed", {}});
        result_.both_raised = true;
        return;
      case Raise::kCompiler:
        return mark(Mismatch::kCompilerError, number, where, "exception", "compiler_error", left, right);
      case Raise::kOnlyCompiled:
        return mark(Mismatch::kRaises, number, where, "exception", "raises", left, right, true);
      case Raise::kOnlyEager:
        return mark(Mismatch::kAccepts, number, where, "exception", "accepts", left, right, true);
    }
  }

  void printed(int number, const CallRecord& eager, const CallRecord& compiled) {
    if (eager.printed == compiled.printed) return;
    std::deque<Value> texts;
    ControlValues list;
    for (std::size_t i = 0; i < controls_.runs.size(); ++i) {
      const CallRecord* record = compared(i, number);
      list.push_back(record ? ControlValue{Presence::kPresent, &texts.emplace_back(as_text(record->printed))}
                            : ControlValue{});
    }
    walk_.compare(Region::kState, number, "printed", as_text(eager.printed), as_text(compiled.printed), list);
  }

  void modes(int number, const CallRecord& eager, const CallRecord& compiled) {
    for (const auto& [name, value] : eager.mode) {
      if (name == kSetByTheProgram) continue;  // of its text: a mutant or a line of a known bug may have other words
      const auto found = compiled.mode.find(name);
      const std::string other = found == compiled.mode.end() ? "missing" : found->second;
      if (other == value || mode_flips(number, name, value)) continue;
      mark(Mismatch::kMode, number, "mode." + name, name, "mode", shorten(value), shorten(other), true);
    }
  }

  // Whether a mode depends on rounding: on another branch a program may draw a random number.
  bool mode_flips(int number, const std::string& name, const std::string& value) {
    for (std::size_t i = 0; i < controls_.runs.size(); ++i) {
      if (controls_.runs[i].kind != ControlKind::kNoise) continue;
      const CallRecord* record = compared(i, number);
      if (!record || !record->mode.contains(name) || record->mode.at(name) == value) continue;
      leave_out(number, "mode." + name, "monte_carlo");
      return true;
    }
    return false;
  }

  // Whether arguments and state are still the same on both sides, by the usual rules, recorded in a separate
  // comparison.
  bool stand_alike(int number, const CallRecord& eager, const CallRecord& compiled) const {
    Comparison sheet;
    Walk walk(eager_, compiled_, controls_, sheet);
    walk.compare(Region::kState, number, "inputs", eager.inputs, compiled.inputs, thirds(number, &CallRecord::inputs));
    walk.compare(Region::kState, number, "state", eager.state, compiled.state, thirds(number, &CallRecord::state));
    return sheet.strong.empty() && sheet.unstable.empty();
  }

  // Values after a write through an argument that overlaps itself depend on the order of elements. Runs with other
  // choices show which; without them any may.
  void excuse_overlaps() {
    if (result_.strong.empty() || !(controls_.choices_failed || overlaps_beyond_choices(eager_))) return;
    const std::optional<int> from = overlapping_write(eager_);
    if (!from) return;
    std::erase_if(result_.strong, [&](const Mark& mark) {
      const Mismatch mismatch = mark.difference.mismatch;
      const bool value = mismatch <= Mismatch::kStateAfter && mark.open;
      if (!value || mark.difference.call < *from) return false;
      leave_out(mark.difference.call, mark.difference.where, "overlapping_write");
      return true;
    });
  }

  // The place isn't compared, since eager itself varies there.
  void leave_out(int number, const std::string& where, RuleName rule) {
    result_.decide({rule.str(), number, where, "unstable", {}});
    result_.skip(place(number, where), rule);
  }

  void mark(Mismatch mismatch, int number, const std::string& where, const std::string& what, RuleName rule,
            const std::string& eager, const std::string& compiled, bool open = false) {
    Mark made{.difference = {mismatch, number, where, eager, compiled, {}, what}, .rule = rule};
    made.sentence = fmt::format("{}: {} has {}, {} has {}", place(number, where), controls_.reference, eager,
                                controls_.observed, compiled);
    made.open = open;
    result_.add(std::move(made));
  }

  const Observation& eager_;
  const Observation& compiled_;
  const ControlRuns& controls_;
  std::vector<bool> alive_;
  Comparison result_;
  Walk walk_;
};

}  // namespace

Comparison compare(const Observation& eager, const Observation& compiled, const ControlRuns& controls) {
  return Calls(eager, compiled, controls).run();
}

}  // namespace jp::oracle
