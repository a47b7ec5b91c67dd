// The part of a finding that a person would write by hand: a plain function, its arguments, and one comparison. Shared
// by reproducers, unit tests and issues; findings that need more (state, modes, printed text, processes, backends of
// files) use the general reproducer.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/verdict.h"
#include "report/evidence.h"
#include "report/reproducer.h"

namespace jp::report {

struct ShortForm {
  enum class About { kOutput, kInputs, kGradients, kRaises, kAccepts };
  About about = About::kOutput;
  bool several_calls = false;
  /// Backward is compared or raises.
  bool backward = false;
  /// The output is one tensor and not a container of tensors.
  bool single_output = false;
  /// The program draws random numbers.
  bool random = false;
  bool numpy_random = false;  // perhaps with numpy
  std::string entry;
  std::string inputs;   // "" when there are no arguments
  std::string backend;  // as torch.compile takes it
  std::string options;  // ", dynamic=True"
  /// The program's unchanged text without its import of torch: imports first, then definitions.
  std::string imports;
  std::string body;
};

/// Nothing if the finding does not fit.
std::optional<ShortForm> short_form(const Finding& finding);

/// `torch.compile(FUNCTION, backend="inductor", dynamic=True)`.
std::string compile_call(const ShortForm& form, const std::string& function);

/// The definition of `run(function)`, which makes all calls and returns what is compared; its first line is indented by
/// `indent` spaces.
std::string run_definition(const ShortForm& form, std::size_t indent);

/// "wrong values: F.pad over a floor division (lowerings, constant_pad_nd)", "TypeError while compiling: expand,
/// zero_": what a finding is about in a few words, free of jitprobe's terms: the symptom, what the first wrong
/// statement does, what the bisector names. If no first wrong value is known, what the program calls; else the place
/// that differs.
std::string symptom(const Finding& finding, const Cause& cause = {});
/// "[inductor] wrong gradient: relu": component and symptom, at most 150 bytes.
std::string title(const Finding& finding, const Cause& cause = {});
/// Up to three of the names that the program calls, "expand, zero_"; "" if it calls none.
std::string operations(const Finding& finding);
/// The component at fault as far as stage and backend tell: "dynamo", "aot_autograd", "inductor", or the backend.
std::string component(const Signature& signature);
/// "crash", "hang" or "inconsistent".
std::string effect(const Signature& signature);

/// The one comment that names jitprobe: "# Found by jitprobe 0.1.0, seed 7.\n".
std::string origin_comment(const Finding& finding, const ReproducerOptions& options);
/// The text with so many spaces before each line that is not empty.
std::string indented(const std::string& text, std::size_t spaces);
/// One line without control characters, at most `most` bytes and a "…" where something was left out. Text is taken as
/// far as it is UTF-8.
std::string one_line(const std::string& text, std::size_t most = 200);

}  // namespace jp::report
