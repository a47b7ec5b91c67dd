#include "report/short_form.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>

#include "core/among.h"
#include "core/ladder.h"
#include "core/operators.h"
#include "core/utf8.h"
#include "oracle/judge/compared_runs.h"
#include "oracle/signature/signature.h"
#include "report/inputs.h"
#include "report/logical_lines.h"
#include "report/reproducer_subject.h"

namespace jp::report {
namespace {

// The text may speak of chance: some name in it is that of an operator that draws, or has a part by which those of
// modules and of others' generators of random numbers are known.
bool speaks_of_chance(std::string_view code) {
  constexpr std::string_view kParts[] = {"rand", "dropout", "normal", "uniform"};
  if (std::any_of(std::begin(kParts), std::end(kParts), [&](std::string_view part) { return contains(code, part); }))
    return true;
  const auto in_name = [](char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0; };
  for (auto at = code.begin(); (at = std::find_if(at, code.end(), in_name)) != code.end();) {
    const auto end = std::find_if_not(at, code.end(), in_name);
    const OperatorFacts* op = find_operator(base_name(std::string_view(at, end)));
    if (op && op->random) return true;
    at = end;
  }
  return false;
}

// The run under test, where it is held against the program's own plain run: what one comparison of two calls shows.
const RunRequest* compiled_run(const Finding& finding) {
  const RunRequest* reference = oracle::reference_run(finding.plan, finding.verdict);
  const RunRequest* run = oracle::run_under_test(finding.plan, finding.verdict);
  const bool plain = reference && reference == oracle::plain_run(finding.plan);
  return plain && run && run->compiled ? run : nullptr;
}

// A backend that torch.compile takes by name, without code of jitprobe.
std::optional<std::string> backend_name(const RunRequest& run) {
  if (!run.switches.empty() || !run.after.empty() || !run.source.empty() || run.device != "cpu") return std::nullopt;
  if (run.backend.starts_with("torch:")) return run.backend.substr(6);
  return rung_of(run.backend) ? std::optional(run.backend) : std::nullopt;
}

// Whether torch.testing.assert_close can compare it.
bool comparable(const Value& value) {
  switch (value.kind) {
    case Value::Kind::kNone:
    case Value::Kind::kBool:
    case Value::Kind::kInt:
    case Value::Kind::kFloat:
      return true;
    case Value::Kind::kTensor:
      return value.type == "torch.Tensor" || value.type == "torch.nn.parameter.Parameter";
    case Value::Kind::kSequence:
    case Value::Kind::kMapping:
      return (value.type == "tuple" || value.type == "list" || value.type == "dict") &&
             std::all_of(value.items.begin(), value.items.end(), comparable);
    default:
      return false;
  }
}

// Tensors, alone or in one list or tuple.
bool is_flat(const Value& output) {
  if (output.kind == Value::Kind::kTensor) return true;
  return output.kind == Value::Kind::kSequence && (output.type == "tuple" || output.type == "list") &&
         std::none_of(output.items.begin(), output.items.end(), [](const Value& item) { return !item.items.empty(); });
}

bool has_complex(const Observation& seen) {
  return std::any_of(seen.tensors.begin(), seen.tensors.end(),
                     [](const TensorRecord& record) { return contains(record.dtype, "complex"); });
}

// Backward is written for plain lists of real tensors, through the arguments alone.
bool plain_backward(const Observation& eager) {
  return !has_complex(eager) && !stores_graphs(eager) &&
         std::all_of(eager.calls.begin(), eager.calls.end(),
                     [](const CallRecord& call) { return is_flat(call.output) && !call.backward_exception; });
}

// "gradients[inputs[0]]": the gradient of a tensor that is an argument itself.
bool is_argument(std::string_view where) {
  constexpr std::string_view kBegin = "gradients[inputs[";
  if (!where.starts_with(kBegin) || !where.ends_with("]]")) return false;
  where.remove_prefix(kBegin.size());
  where.remove_suffix(2);
  return !where.empty() && where.find_first_not_of("0123456789") == std::string_view::npos;
}

std::optional<ShortForm::About> about(const Difference& lead) {
  const std::string place = part_of_call(lead.where);
  switch (lead.mismatch) {
    case Mismatch::kValue:
    case Mismatch::kDtype:
    case Mismatch::kShape:
      if (place == "output") return ShortForm::About::kOutput;
      [[fallthrough]];
    case Mismatch::kStateAfter:
      if (place == "inputs") return ShortForm::About::kInputs;
      return std::nullopt;
    case Mismatch::kGradient:
      return is_argument(lead.where) ? std::optional(ShortForm::About::kGradients) : std::nullopt;
    case Mismatch::kCompilerError:
    case Mismatch::kRaises:
      return place == "call" || place == "compile" || place == "backward" ? std::optional(ShortForm::About::kRaises)
                                                                          : std::nullopt;
    case Mismatch::kAccepts:
      return place == "call" ? std::optional(ShortForm::About::kAccepts) : std::nullopt;
    default:
      return std::nullopt;
  }
}

// Splits the text into imports and definitions, and sees whether it has options; false if there is anything else at the
// top level of the file.
bool split(const std::string& source, ShortForm& form) {
  std::size_t blank = 0;
  for (const std::string& line : logical_lines(source)) {
    if (line.empty()) {
      ++blank;
      continue;
    }
    const bool import = line.starts_with("import ") || line.starts_with("from ");
    if (import && line == "import torch") continue;
    if (import) {
      if (line.starts_with("from __future__")) return false;
      form.imports += line + "\n";
      continue;
    }
    const bool definition = line.starts_with("def ") || line.starts_with("@") || line.starts_with("class ");
    const bool goes_on = line[0] == ' ' || line[0] == '\t';
    const bool options = line.starts_with("COMPILE_OPTIONS = {");
    if (options) form.options = ", **COMPILE_OPTIONS";
    if (!definition && !goes_on && !options && line[0] != '#') return false;
    if (!form.body.empty()) form.body += std::string(goes_on ? std::min<std::size_t>(blank, 1) : blank, '\n');
    form.body += line + "\n";
    blank = 0;
  }
  return true;
}

std::string options_text(const RunRequest& run) {
  std::string text;
  for (const auto& [key, literal] : run.options) text += fmt::format(", {}={}", key, literal);
  return text;
}

bool calls_fit(const Finding& finding, const Difference& lead, ShortForm& form) {
  const Finished* plain = oracle::plain_outcome(finding.plan, finding.outcomes);
  if (!plain || plain->observation.calls.empty()) return false;
  const Observation* eager = &plain->observation;
  form.several_calls = eager->calls.size() > 1;
  const bool accepts = form.about == ShortForm::About::kAccepts;
  if (accepts) return !form.several_calls;
  for (const CallRecord& call : eager->calls) {
    if (call.exception) return false;
    if (form.about == ShortForm::About::kOutput && !comparable(call.output)) return false;
    if (form.about == ShortForm::About::kInputs && !comparable(call.inputs)) return false;
  }
  form.single_output = eager->calls[0].output.kind == Value::Kind::kTensor;
  form.backward = form.about == ShortForm::About::kGradients || lead.where.starts_with("backward");
  return !form.backward || plain_backward(*eager);
}

// "process dies (SIGSEGV in at::native::add)": the signature has how it died and, if known, the native frames.
std::string death_text(const Difference& lead, const Signature& signature) {
  std::string text = lead.where == "child" ? "a process that it starts dies" : "process dies";
  if (signature.frames.empty() || lead.where == "child") return text;
  text += fmt::format(" ({}", signature.frames[0]);
  if (signature.frames.size() > 1 && !signature.frames[1].starts_with("oracle "))
    text += fmt::format(" in {}", signature.frames[1]);
  return text + ")";
}

/// "RuntimeError" of a first frame "builtins.RuntimeError". A frame can be a whole sentence: only the name that it
/// begins with counts.
std::string exception_name(const Signature& signature) {
  if (signature.frames.empty()) return "";
  const std::string& frame = signature.frames[0];
  std::string name = frame.substr(0, frame.find_first_of(" :(\\\n\t"));
  while (name.ends_with('.')) name.pop_back();
  return name.substr(name.rfind('.') + 1);  // npos + 1 is 0
}

std::string_view state_symptom(std::string_view where) {
  if (where.starts_with("inputs")) return "argument is wrong afterwards";
  if (where.starts_with("shared")) return "output shares memory with what was there before";
  return where.starts_with("overwritten") ? "later call writes to an earlier result" : "wrong state afterwards";
}

std::string symptom_text(const Difference& lead, const Signature& signature) {
  const std::string exception = exception_name(signature);
  switch (lead.mismatch) {
    case Mismatch::kValue:
      return "wrong values";
    case Mismatch::kGradient:
      return "wrong gradient";
    case Mismatch::kStateAfter:
      return std::string(state_symptom(lead.where));
    case Mismatch::kDeath:
      return death_text(lead, signature);
    case Mismatch::kHang:
      return "never ends";
    case Mismatch::kMemory:
      return "takes all memory";
    case Mismatch::kCompilerError:
      return exception + " while compiling";
    case Mismatch::kRaises:
      return "raises " + exception + " where eager does not";
    case Mismatch::kAccepts:
      return "accepts what eager rejects with " + exception;
    case Mismatch::kDtype:
      return "wrong dtype";
    case Mismatch::kShape:
      return "wrong shape";
    case Mismatch::kRequiresGrad:
      return "wrong requires_grad";
    case Mismatch::kStructure:
      return "result of another type or structure";
    case Mismatch::kHandler:
      return "another exception handler runs";
    case Mismatch::kMode:
      return fmt::format("leaves {} changed", lead.where.substr(lead.where.find('.') + 1));
    case Mismatch::kCost:
      return "compiling takes far too much";
    default:
      return "wrong " + std::string(mismatch_name(lead.mismatch));
  }
}

}  // namespace

std::optional<ShortForm> short_form(const Finding& finding) {
  if (finding.verdict.differences.empty()) return std::nullopt;
  // The condition that it depends on must be set.
  if (!finding.plan.depends_on.empty()) return std::nullopt;
  const Difference& lead = finding.verdict.differences.front();
  const RunRequest* run = compiled_run(finding);
  const std::optional<ShortForm::About> subject = about(lead);
  if (!run || !subject) return std::nullopt;
  const std::optional<std::string> backend = backend_name(*run);
  const Program& program = finding.program;
  const std::string& source = program.source();
  if (!backend || contains(source, "def before_call") || contains(source, "def observe") ||
      contains(source, "global ") || contains(source, "__main__"))
    return std::nullopt;
  ShortForm form;
  form.about = *subject;
  form.backend = *backend;
  form.entry = program.entry();
  if (top_definition(source, program.entry()).begin == std::string::npos || !split(source, form)) return std::nullopt;
  if (top_definition(source, program.inputs()).begin != std::string::npos) form.inputs = program.inputs();
  form.options.insert(0, options_text(*run));
  const Lines inputs = top_definition(source, program.inputs());
  std::string code = source;
  if (inputs.begin != std::string::npos) code.erase(inputs.begin, inputs.end - inputs.begin);
  form.random = speaks_of_chance(code);
  form.numpy_random = form.random && contains(code, "numpy");
  if (!calls_fit(finding, lead, form)) return std::nullopt;
  return form;
}

std::string compile_call(const ShortForm& form, const std::string& function) {
  return fmt::format("torch.compile({}, backend=\"{}\"{})", function, form.backend, form.options);
}

std::string run_definition(const ShortForm& form, std::size_t indent) {
  const bool loop = form.several_calls;
  const bool inputs = form.about == ShortForm::About::kInputs;
  const std::string made = form.inputs.empty() ? "()" : form.inputs + "()";
  std::string text = "def run(function):\n";
  if (form.random) text += "    torch.manual_seed(0)\n";
  if (form.backward) {
    text += loop ? "    gradients = []\n    for arguments in " + made + ":\n" : "    arguments = " + made + "\n";
    const std::size_t depth = loop ? 8 : 4;
    std::string step = "output = function(*arguments)\n";
    step += fmt::format("outputs = [x for x in {} if torch.is_tensor(x) and x.requires_grad]\n",
                        form.single_output ? "[output]" : "output");
    step += "weights = [torch.arange(1, x.numel() + 1).view(x.shape) for x in outputs]\n";
    step += "sum((x * w).sum() for x, w in zip(outputs, weights)).backward()\n";
    const std::string leaves = "[x.grad for x in arguments if torch.is_tensor(x) and x.is_leaf]";
    step += loop ? "gradients.append(" + leaves + ")\n" : "return " + leaves + "\n";
    text += indented(step, depth) + (loop ? "    return gradients\n" : "");
  } else if (inputs) {
    text +=
        loop ? "    calls = " + made + "\n    for arguments in calls:\n        function(*arguments)\n    return calls\n"
             : "    arguments = " + made + "\n    function(*arguments)\n    return arguments\n";
  } else if (loop) {
    text += "    return [function(*arguments) for arguments in " + made + "]\n";
  } else {
    text += form.inputs.empty() ? "    return function()\n" : "    return function(*" + made + ")\n";
  }
  return indented(text, indent);
}

std::string operations(const Finding& finding) {
  std::string source = finding.program.source();
  if (const Lines inputs = top_definition(source, finding.program.inputs()); inputs.begin != std::string::npos)
    source.erase(inputs.begin, inputs.end - inputs.begin);
  std::vector<std::string> names = oracle::called_names(source);
  std::erase(names, finding.program.entry());
  if (names.size() > 3) names.resize(3);
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string symptom(const Finding& finding, const Cause& cause) {
  if (finding.verdict.differences.empty()) return "differs from eager";
  const Difference& lead = finding.verdict.differences.front();
  std::string text = symptom_text(lead, finding.signature);
  if (lead.where == "backward") text += " in backward";
  if (lead.call > 0) text += " when called again";
  std::string deed = cause.intermediate ? cause.intermediate->words : "";
  if (deed.empty()) deed = operations(finding);
  const bool placed = lead.mismatch != Mismatch::kDeath && lead.mismatch != Mismatch::kMode && !lead.where.empty();
  if (deed.empty() && placed) deed = "in " + part_of_call(lead.where);
  if (!deed.empty()) text += ": " + deed;
  if (const std::string part = bisected_part(cause.bisection); !part.empty()) text += fmt::format(" ({})", part);
  return text;
}

std::string title(const Finding& finding, const Cause& cause) {
  if (finding.status == Finding::Status::kKnown && !finding.signature.frames.empty())
    return fmt::format("[{}] {}", component(finding.signature), finding.signature.frames.front());
  // For a finding that is not confirmed under the condition that showed it first, the dependence is unknown.
  const std::string depends_on = finding.status == Finding::Status::kConfirmed ? finding.plan.depends_on : "";
  return one_line(fmt::format("[{}] {}", component(finding.signature), symptom(finding, cause)), 150) +
         (depends_on.empty() ? "" : ", depends on " + depends_on);
}

// A finding is stored with the lowest backend of the ladder that shows it, so the components of the backends below are
// not at fault, whatever raised.
std::string component(const Signature& signature) {
  if (const Rung* rung = rung_of(signature.backend)) return std::string(rung->component);
  const std::string& stage = signature.stage;
  if (stage == "dynamo" || stage == "fake_tensor" || stage == "symbolic_shapes") return "dynamo";
  return stage == "aot_autograd" || stage == "inductor" ? stage : signature.backend;
}

std::string effect(const Signature& signature) {
  const std::string& kind = signature.kind;
  if (kind == "hang") return "hang";
  return kind == "death" || kind == "memory" || kind == "compiler_error" || kind == "raises" ? "crash" : "inconsistent";
}

std::string origin_comment(const Finding& finding, const ReproducerOptions& options) {
  const Seed& origin = finding.program.lineage().seed;
  std::optional<std::uint64_t> seed = options.seed;
  if (!seed && origin.origin == Seed::Origin::kGenerated) seed = origin.seed;
  return fmt::format("# Found by jitprobe{}{}{}.\n", options.version.empty() ? "" : " ", options.version,
                     seed ? fmt::format(", seed {}", *seed) : "");
}

std::string indented(const std::string& text, std::size_t spaces) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (end > at) result += std::string(spaces, ' ') + text.substr(at, end - at);
    result += "\n";
    at = end + 1;
  }
  return result;
}

std::string one_line(const std::string& text, std::size_t most) {
  std::string line;
  for (char c : text) line += static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? ' ' : c;
  line = line.substr(0, invalid_utf8_at(line));
  if (line.size() <= most) return line;
  std::string cut(whole_characters(line, most));
  // A word is left out rather than halved, where that costs little of the line.
  if (const std::size_t space = cut.rfind(' ');
      line[cut.size()] != ' ' && space != std::string::npos && space > most * 3 / 4)
    cut.resize(space);
  return cut + "…";
}

}  // namespace jp::report
