#include "oracle/signature/signature.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/check.h"
#include "oracle/judge/compared_runs.h"
#include "oracle/judge/exceptions.h"
#include "oracle/signature/death_frames.h"

namespace jp::oracle {
namespace {

constexpr std::size_t kFrames = 3;
constexpr std::string_view kCalls = "calls ";
constexpr std::string_view kPlace = "first wrong: ";
constexpr std::string_view kBeyond = "beyond the known bug ";
constexpr std::string_view kSwitches = "switches ";

// The exception that a difference at (call, where) is about, or nullptr.
const ExceptionRecord* exception_of(const Outcome* outcome, const Difference& difference) {
  if (!outcome) return nullptr;
  if (const auto* raised = std::get_if<Raised>(&outcome->ending)) return &raised->exception;
  const auto* finished = std::get_if<Finished>(&outcome->ending);
  if (!finished || difference.call < 0) return nullptr;
  const auto& calls = finished->observation.calls;
  if (static_cast<std::size_t>(difference.call) >= calls.size()) return nullptr;
  const CallRecord& call = calls[static_cast<std::size_t>(difference.call)];
  const auto& exception = difference.where == "backward" ? call.backward_exception : call.exception;
  return exception ? &*exception : nullptr;
}

bool is_library(const std::string& file) { return file.starts_with("site-packages/"); }

// torch._check() raises on behalf of its caller.
bool only_checks(const Frame& frame) { return frame.function == "_check" || frame.function == "_check_with"; }

std::string frame_name(const Frame& frame) { return fmt::format("{}:{}", frame.file, frame.function); }

std::vector<std::string> library_frames(const std::vector<Frame>& frames) {
  std::vector<std::string> names;
  for (const Frame& frame : frames) {
    if (names.size() == kFrames) break;
    if (is_library(frame.file) && !only_checks(frame)) names.push_back(frame_name(frame));
  }
  return names;
}

// If the compiler ran code of the program's own (an operator's fake, a backend) that raised: what ran it.
std::string runner_of_program(const std::vector<Frame>& frames) {
  const auto own =
      std::find_if(frames.begin(), frames.end(), [](const Frame& frame) { return frame.file == "program"; });
  if (own == frames.end()) return "";
  const auto outside = std::find_if(own, frames.end(), [](const Frame& frame) { return is_library(frame.file); });
  return outside == frames.end() ? "" : "run by " + frame_name(*outside);
}

// A text that wraps another exception says nothing of the cause, nor does the class of the wrapper.
void add_exception(const ExceptionRecord& exception, Signature& signature) {
  signature.stage = exception.stage;
  const Innermost inner = innermost(exception);
  const bool wraps = inner.type != exception.type || inner.message != exception.message;
  signature.frames.push_back(inner.type);
  if (!wraps && !exception.causes.empty()) signature.frames.push_back("caused by " + exception.causes.back());
  for (std::string& frame : library_frames(exception.frames)) signature.frames.push_back(std::move(frame));
  if (std::string frame = wraps ? runner_of_program(exception.frames) : ""; !frame.empty())
    signature.frames.push_back(std::move(frame));
  signature.frames.push_back(clean_message(inner.message));
}

void add_death(const Outcome* outcome, const Difference& difference, Signature& signature) {
  signature.frames.push_back(difference.what);
  const Died* died = outcome ? std::get_if<Died>(&outcome->ending) : nullptr;
  if (!died || difference.where == "child") return;
  const std::string failure = difference.what == "SIGABRT" ? kernel_failure(died->last_words) : "";
  if (!failure.empty()) {
    signature.frames.push_back(failure);
    return;
  }
  for (std::string& frame : death_frames(died->frames, kFrames)) signature.frames.push_back(std::move(frame));
}

void add_hang(const Outcome* outcome, Signature& signature) {
  const TimedOut* late = outcome ? std::get_if<TimedOut>(&outcome->ending) : nullptr;
  if (!late || late->stack.empty()) return;
  const auto inside = std::find_if(late->stack.begin(), late->stack.end(),
                                   [](const Frame& frame) { return frame.file.starts_with("site-packages/torch/"); });
  const Frame& frame = inside == late->stack.end() ? late->stack.front() : *inside;
  signature.frames.push_back(frame.file == "program" ? "program" : fmt::format("{}:{}", frame.file, frame.function));
}

void add_difference(const Difference& difference, Signature& signature) {
  signature.frames.push_back(part_of_call(difference.where));
  signature.frames.push_back(difference.what);
  // A difference that first shows when a call is repeated is about guards, recompiles and state, not about the
  // operators.
  if (difference.call > 0) signature.frames.emplace_back("later call");
}

void add_oracle(const Plan& plan, const Verdict& verdict, Signature& signature) {
  if (plan.oracle == "eager_vs_compiled") return;
  signature.frames.push_back("oracle " + plan.oracle);
  const RunRequest* run = run_under_test(plan, verdict);
  if (!run || run->switches.empty()) return;
  std::string thrown(kSwitches);
  for (const std::string& name : run->switches) thrown += name + " ";
  signature.frames.push_back(std::move(thrown));
}

bool is_beyond(const std::string& frame) { return frame.starts_with(kBeyond); }

// The parts that tell findings of one failure apart.
bool is_refinement(const std::string& frame) {
  return frame.starts_with(kCalls) || frame.starts_with(kPlace) || is_beyond(frame);
}

std::vector<std::string> without_refinements(std::vector<std::string> frames) {
  std::erase_if(frames, [](const std::string& frame) { return is_refinement(frame) || frame.starts_with(kSwitches); });
  return frames;
}

}  // namespace

Signature signature_of(const std::string& backend, const Verdict& verdict, const std::vector<Outcome>& outcomes,
                       const Program* reduced, const Plan* plan) {
  JP_CHECK(!verdict.differences.empty(), "a signature of a verdict that doesn't diverge");
  const Difference& difference = verdict.differences.front();
  const Outcome* under_test = outcome_of(outcomes, verdict.under_test);
  Signature signature;
  signature.version = kSignatureVersion;
  signature.kind = mismatch_name(difference.mismatch);
  signature.backend = portable_backend(backend);
  switch (difference.mismatch) {
    case Mismatch::kDeath:
      add_death(under_test, difference, signature);
      break;
    case Mismatch::kHang:
      add_hang(under_test, signature);
      break;
    case Mismatch::kMemory:
      break;
    case Mismatch::kCost:
      signature.frames.push_back(difference.what);
      break;
    case Mismatch::kCompilerError:
    case Mismatch::kRaises:
      if (const ExceptionRecord* exception = exception_of(under_test, difference)) add_exception(*exception, signature);
      break;
    case Mismatch::kAccepts:
      if (const ExceptionRecord* exception = exception_of(outcome_of(outcomes, verdict.reference), difference))
        add_exception(*exception, signature);
      break;
    default:
      add_difference(difference, signature);
  }
  if (plan) add_oracle(*plan, verdict, signature);
  return reduced ? refined(std::move(signature), *reduced) : signature;
}

Signature current_signature(const Finding& finding) {
  if (finding.signature.version == kSignatureVersion || finding.verdict.differences.empty()) return finding.signature;
  return signature_of(finding.signature.backend, with_roles(finding.verdict, finding.plan), finding.outcomes);
}

bool is_of_values(const Signature& signature) {
  constexpr Mismatch kTelling[] = {Mismatch::kDeath, Mismatch::kHang,   Mismatch::kMemory,
                                   Mismatch::kCost,  Mismatch::kRaises, Mismatch::kCompilerError};
  return std::none_of(std::begin(kTelling), std::end(kTelling),
                      [&](Mismatch mismatch) { return mismatch_name(mismatch) == signature.kind; });
}

Signature refined(Signature signature, const Program& reduced) {
  if (!is_of_values(signature)) return signature;
  std::string calls(kCalls);
  for (const std::string& name : traits_of(reduced.source(), reduced.inputs())) calls += name + " ";
  signature.frames.push_back(std::move(calls));
  return signature;
}

Signature unrefined(Signature signature) {
  std::erase_if(signature.frames, is_of_values(signature) ? is_refinement : is_beyond);
  return signature;
}

Signature beyond(Signature signature, const std::string& known_bug) {
  signature.frames.push_back(std::string(kBeyond) + known_bug);
  return signature;
}

Signature of_known_bug(const Signature& signature, const std::string& known_bug) {
  return {.version = kSignatureVersion,
          .backend = signature.backend,
          .stage = "",
          .kind = signature.kind,
          .frames = {"the known bug " + known_bug}};
}

Signature located(Signature signature, const std::string& place) {
  if (is_of_values(signature) && !place.empty() && place_of(signature).empty())
    signature.frames.push_back(std::string(kPlace) + place);
  return signature;
}

std::string place_of(const Signature& signature) {
  if (!is_of_values(signature)) return "";
  for (const std::string& frame : signature.frames)
    if (frame.starts_with(kPlace)) return frame.substr(kPlace.size());
  return "";
}

bool diverges_alike(const Signature& one, const Signature& other) {
  if (one.version != other.version || one.backend != other.backend || one.kind != other.kind) return false;
  if (one.kind == mismatch_name(Mismatch::kHang)) return true;
  return one.stage == other.stage && without_refinements(one.frames) == without_refinements(other.frames);
}

std::string portable_backend(const std::string& backend) {
  if (!backend.starts_with("file:")) return backend;
  const std::size_t slash = backend.rfind('/');
  return slash == std::string::npos ? backend : "file:" + backend.substr(slash + 1);
}

}  // namespace jp::oracle
