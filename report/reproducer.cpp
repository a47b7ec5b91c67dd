#include "report/reproducer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "core/check.h"
#include "core/utf8.h"
#include "oracle/judge/compared_runs.h"
#include "oracle/judge/condition.h"
#include "report/files.h"
#include "report/logical_lines.h"
#include "report/reproducer_backend.h"
#include "report/reproducer_device.h"
#include "report/reproducer_parts.h"
#include "report/reproducer_subject.h"
#include "report/reproducer_values.h"

namespace jp::report {
namespace {

// One line without control characters, for a comment.
std::string comment_line(const std::string& text) {
  std::string line;
  for (char c : text) line += static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? ' ' : c;
  return line.substr(0, invalid_utf8_at(line));
}

class Writer {
 public:
  Writer(const Finding& finding, const ReproducerOptions& options)
      : finding_(finding), options_(options), program_(finding.program), subject_(finding) {
    if (const RunRequest* run = oracle::run_under_test(finding.plan, finding.verdict)) run_ = *run;
    if (!run_.after.empty()) run_.backend = run_.after;
    const RunRequest* reference = oracle::reference_run(finding.plan, finding.verdict);
    two_devices_ = reference && reference->device != run_.device && !subject_.process();
    if (run_.source.empty()) return;
    // The run at fault is one of another program, as of the seed that a mutant was made from.
    const Result<Program> other = Program::make(run_.source, {}, "", finding.program.entry(), finding.program.inputs());
    if (other.ok()) program_ = other.value();
  }

  std::string text() {
    head();
    program();
    text_ += "\n\nif __name__ == \"__main__\":\n";
    imports();
    condition();
    text_ += reproducer_backend(program_, run_, options_);
    helpers();
    run_function();
    main();
    return text_;
  }

 private:
  bool names(std::string_view word) const { return program_.source().find(word) != std::string::npos; }
  // Whether the program may have a global of this name. Whether it has one is asked when the file runs.
  bool may_have(std::string_view name) const { return names(name) || names("import *"); }
  bool on_device() const { return run_.device != "cpu"; }

  void head() {
    const Verdict& verdict = finding_.verdict;
    text_ += fmt::format("# {}\n", comment_line(verdict.reason));
    const bool has_sides = !verdict.differences.empty() && !(verdict.differences.front().reference.empty() &&
                                                             verdict.differences.front().observed.empty());
    if (has_sides) {
      const Difference& lead = verdict.differences.front();
      const oracle::SideTexts names = oracle::side_texts(finding_.plan, verdict);
      const std::string reference = comment_line(names.reference) + ":";
      const std::string under_test = comment_line(names.under_test) + ":";
      const std::size_t width = std::max(reference.size(), under_test.size());
      text_ += fmt::format("#   {:<{}} {}\n", reference, width, comment_line(lead.reference));
      text_ += fmt::format("#   {:<{}} {}\n", under_test, width, comment_line(lead.observed));
    }
    text_ += "#\n# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.\n";
    if (on_device()) text_ += fmt::format("# Needs a device that torch calls \"{}\".\n", run_.device);
    const Seed& seed = finding_.program.lineage().seed;
    text_ += fmt::format("# Found by jitprobe{}{}", options_.version.empty() ? "" : " ", options_.version);
    if (!options_.torch_version.empty()) text_ += " with torch " + options_.torch_version;
    if (!options_.python_version.empty()) text_ += ", Python " + options_.python_version;
    const std::uint64_t number = options_.seed.value_or(seed.seed);
    const bool generated = options_.seed || seed.origin == Seed::Origin::kGenerated;
    text_ += generated ? fmt::format("; seed {}.\n\n", number) : ".\n\n";
  }

  // The program, after a prelude. Imports from __future__ must come first; a main block of its own must not run.
  void program() {
    std::string future;
    std::string body;
    for (std::string& line : logical_lines(program_.source())) {
      if (line.starts_with("from __future__")) {
        future += line + "\n";
        continue;
      }
      if (line.starts_with("if __name__ =="))
        if (const std::size_t at = line.find("__main__"); at != std::string::npos) line.replace(at, 8, "__never__");
      body += line + "\n";
    }
    text_ += future + parts::kPrelude + (run_.fixed_addresses ? parts::kFixedAddresses : "") + body;
  }

  // Sets what the difference depends on, so that the file shows it by itself.
  void condition() {
    const std::string text = oracle::condition_text(finding_.plan);
    if (!text.empty()) text_ += fmt::format("\n    # The difference {}.\n", text);
    if (run_.memory_fill == 0) return;
    text_ += fmt::format("    BYTE = 0x{:02x}\n", fresh_byte());
    text_ += parts::kFillMemory;
  }

  std::int64_t fresh_byte() const { return ~run_.memory_fill & 0xFF; }

  // A check in one process. Eager's second run, which tells whether it can be judged, is made under another condition.
  std::string check() const {
    if (two_devices_) return parts::kMainDevices;
    std::string text = run_.after.empty() ? parts::kMain : parts::kMainAfter;
    std::string other;
    std::string back;
    if (run_.memory_fill != 0) {
      other = "    fill_memory(~BYTE & 0xFF)\n";
      back = "    fill_memory(BYTE)\n";
    } else if (finding_.plan.depends_on == "threads" && run_.threads != 1 && !subject_.at("mode")) {
      other = "    torch.set_num_threads(1)\n";
      back = fmt::format("    torch.set_num_threads({})\n", run_.threads);
    }
    if (other.empty()) return text;
    constexpr std::string_view kAgain = "    if list(differences(eager, run(False))):\n";
    const std::size_t at = text.find(kAgain);
    JP_CHECK(at != std::string::npos, "a check that runs eager once");
    text.replace(at, kAgain.size(),
                 other + "    again = run(False)\n" + back + "    if list(differences(eager, again)):\n");
    return text;
  }

  void imports() {
    std::vector<std::string> modules = {"importlib.util", "os", "random", "sys", "contextlib", "io"};
    if (subject_.process()) {
      modules.insert(modules.end(), {"signal", "subprocess"});
      if (subject_.backward(run_.gradients))
        modules.insert(modules.end(), {"collections.abc", "functools", "itertools"});
      if (subject_.mismatch == Mismatch::kMemory) modules.push_back("resource");
    } else {
      modules.insert(modules.end(), {"collections.abc", "functools", "itertools", "math", "re"});
    }
    if (needs_types()) modules.push_back("types");
    std::sort(modules.begin(), modules.end());
    for (const std::string& module : modules) text_ += "    import " + module + "\n";
    text_ += "\n    # A cache of compiled graphs must not answer for this run.\n";
    text_ += "    os.environ[\"TORCHINDUCTOR_FX_GRAPH_CACHE\"] = \"0\"\n";
    text_ += "    os.environ[\"TORCHINDUCTOR_AUTOGRAD_CACHE\"] = \"0\"\n";
    text_ += "    sys.dont_write_bytecode = True\n\n    import torch\n    import torch._inductor.config\n";
    // Seeded before the program imports it.
    if (names("numpy")) text_ += "    import numpy\n";
    text_ += fmt::format("\n    torch.set_num_threads({})\n", run_.threads);
    if (on_device()) text_ += parts::device_setup(run_.device);
  }

  bool reads_state() const { return subject_.at("state") || subject_.at("after_backward"); }

  bool reads_tensors() const { return subject_.backward(run_.gradients) || subject_.at("shared"); }

  bool needs_types() const { return reads_tensors() || reads_state() || backend_needs_types(run_) || on_device(); }

  void helpers() {
    const auto add = [&](const std::string& part) {
      text_ += on_device() ? parts::for_device(part, two_devices_) : part;
    };
    add(parts::kLoad);
    const bool backward = subject_.backward(run_.gradients);
    if (!subject_.process() || backward) add(parts::kAttributes);
    if (!subject_.process()) add(comparison());
    if (reads_tensors() || reads_state()) add(parts::kHeld);
    if (reads_tensors()) add(parts::kTensors);
    if (backward && subject_.stored) add(parts::kGraphs);
    if (subject_.at("shared")) add(parts::kShared);
    if (reads_state()) add(parts::kState);
    if (subject_.at("mode")) add(parts::kModes);
    if (on_device()) text_ += parts::kMoving;
  }

  // Two exceptions are alike, unless the finding is how the compiler refuses what eager refuses, too.
  std::string comparison() const {
    std::string text = parts::kCompare;
    if (finding_.verdict.rule == "small_numbers") {
      constexpr std::string_view kUsual = "check_stride=False";
      const std::size_t usual = text.find(kUsual);
      JP_CHECK(usual != std::string::npos, "a comparison of tensors");
      text = parts::kSmall + text.insert(usual + kUsual.size(), ", **small(eager)");
    }
    if (!subject_.refused) return parts::kRaised + text;
    const std::size_t at = text.find(parts::kBothRaise);
    JP_CHECK(at != std::string::npos, "a comparison that knows of exceptions");
    return parts::kRefused + text.replace(at, std::string_view(parts::kBothRaise).size(), parts::kBothRefuse);
  }

  // Defines `run(compile_it)`: makes all calls, and returns a record of what is compared.
  void run_function() {
    const bool process = subject_.process();
    const bool backward = subject_.backward(run_.gradients);
    line(1, "");
    line(1, two_devices_ ? "def run(compile_it, device):" : "def run(compile_it):");
    line(2, process ? "\"\"\"One run of all calls; what they raise is shown.\"\"\""
                    : "\"\"\"One run of all calls, from fresh inputs: what is compared, by place.\"\"\"");
    // In the run after a compiled one it counts what that has left set.
    if (subject_.at("mode") && run_.after.empty()) {
      line(2, "put_modes_back()");
      line(2, fmt::format("torch.set_num_threads({})", run_.threads));
    }
    line(2, fmt::format("random.seed({})", run_.random_seed));
    line(2, fmt::format("torch.manual_seed({})", run_.random_seed));
    if (may_have("numpy") || subject_.at("mode")) {
      line(2, "if \"numpy\" in sys.modules:");
      line(3, fmt::format("sys.modules[\"numpy\"].random.seed({})", run_.random_seed & 0xFFFFFFFF));
    }
    if (names("set_grad_enabled")) line(2, "torch.set_grad_enabled(True)");
    if (names("set_default_dtype")) line(2, "torch.set_default_dtype(torch.float32)");
    if (on_device()) line(2, "torch.set_default_device(None)  # the file and its arguments are made on the CPU");
    line(2, "printed = io.StringIO()");
    line(2, "with contextlib.redirect_stdout(printed):");
    line(3, "module = load()");
    line(3, "calls = " + calls());
    line(3, "calls = [calls] if isinstance(calls, tuple) else calls");
    move("calls, moving = moved_to({}, module, calls)", 3);
    compile_step();
    if (!process) line(3, "seen = {}");
    if (subject_.at("overwritten")) line(3, "kept = []");
    line(3, "for i, arguments in enumerate(calls):");
    if (may_have("before_call")) {
      line(4, "if callable(getattr(module, \"before_call\", None)):");
      step(5, "module.before_call(i)", "before_call");
      move("moving.globals(module)", 5);
    }
    if (backward) line(4, "found = leaves([arguments, vars(module)], [arguments, {} if i else vars(module)])");
    if (backward && subject_.stored)
      line(4, "begins_at_stored = i + 1 == len(calls) and not graphs([arguments, vars(module)])");
    if (process)
      process_call(backward);
    else
      compared_call(backward);
    if (subject_.at("overwritten")) line(3, "seen[\"after all calls\"] = snapshot(kept)");
    if (may_have("observe")) observe_step();
    if (!process) line(2, "return seen");
  }

  // Only make_inputs may be missing.
  std::string calls() const {
    const std::string& name = program_.inputs();
    const std::string made = fmt::format("module.{}()", name);
    if (name != "make_inputs") return made;
    return may_have(name) ? made + " if hasattr(module, \"make_inputs\") else ()" : "()";
  }

  // A step of a run on a device; `text` has {} for the device if it names it.
  void move(const std::string& text, int depth) {
    if (!on_device()) return;
    if (two_devices_) line(depth, "if device != \"cpu\":");
    line(two_devices_ ? depth + 1 : depth, fmt::format(fmt::runtime(text), two_devices_ ? "device" : "DEVICE"));
  }

  // torch.compile itself may be what raises.
  void compile_step() {
    // The program may have set it when it was loaded.
    line(3, parts::kSameDraws);
    if (program_.source().find("numpy") != std::string::npos) line(3, parts::kSameNumpyDraws);
    const std::string entry = "module." + program_.entry();
    if (!subject_.at("compile")) return line(3, fmt::format("entry = compiled(module) if compile_it else {}", entry));
    line(3, fmt::format("entry = attempt(lambda: compiled(module)) if compile_it else {}", entry));
    line(3, "if isinstance(entry, Raised):");
    line(4, "return {\"compile\": entry}");
  }

  void step(int depth, const std::string& text, std::string_view place) {
    if (!subject_.at(place)) return line(depth, text);
    line(depth, fmt::format("done = attempt(lambda: {})", text));
    line(depth, "if isinstance(done, Raised):");
    line(depth + 1, fmt::format("return {{\"{}\": done}}", place));
  }

  void observe_step() {
    if (!subject_.process() && !subject_.at("observe") && !subject_.at("observed")) return;
    line(3, "if callable(getattr(module, \"observe\", None)):");
    if (subject_.at("observed")) return line(4, "seen[\"observed\"] = snapshot(module.observe(), draw=True)");
    step(4, "module.observe()", "observe");
  }

  std::string way_back() const {
    if (!subject_.stored) return "backward(output, found)";
    return "backward(output, found, graphs([arguments, vars(module)]) if begins_at_stored else [])";
  }

  void process_call(bool backward) {
    line(4, "try:");
    line(5, "output = entry(*arguments)");
    if (backward) line(5, way_back());
    line(4, "except KeyboardInterrupt:");
    line(5, "raise");
    line(4, "except BaseException as error:");
    line(5, "print(f\"call {i}: {type(error).__name__}: {error}\", file=sys.stderr)");
    if (subject_.mismatch == Mismatch::kMemory) line(5, "os._exit(3)");
    if (run_.device == "cuda") line(4, "torch.cuda.synchronize()  # a kernel that has failed ends the process here");
  }

  void compared_call(bool backward) {
    const auto record = [&](const std::string& place, const std::string& value) {
      line(4, fmt::format("seen[f\"call {{i}} {}\"] = snapshot({})", place, value));
    };
    line(4, "output = attempt(lambda: entry(*arguments))");
    if (subject_.at("mode")) record("mode", "modes()");
    line(4, "if isinstance(output, Raised):");
    line(5, "seen[f\"call {i}\"] = output");
    line(5, "continue");
    line(4, "seen[f\"call {i}\"] = \"no exception\"");
    if (subject_.at("output") || subject_.at("late")) record("output", "output, draw=True");
    if (subject_.at("shared")) record("shared memory", "shared(output, [arguments, vars(module)])");
    if (subject_.at("overwritten")) line(4, "kept.append([output, arguments])");
    if (subject_.at("inputs") || subject_.at("late")) record("inputs", "arguments");
    if (subject_.at("state")) record("state", "state(module)");
    if (backward) {
      line(4, "found += begun([arguments, vars(module)], found)");
      line(4, fmt::format("gradients = attempt(lambda: {})", way_back()));
      if (subject_.at("backward"))
        line(4, "seen[f\"call {i} backward\"] = gradients if isinstance(gradients, Raised) else \"no exception\"");
      if (subject_.at("gradients"))
        line(4, "seen[f\"call {i} gradients\"] = gradients if isinstance(gradients, Raised) else snapshot(gradients)");
      if (subject_.at("after_backward")) record("after backward", "[arguments, state(module)]");
    }
    if (subject_.at("printed")) line(4, "seen[f\"call {i} printed\"] = printed.getvalue()");
  }

  void main() {
    if (!subject_.process()) {
      text_ += check();
      return;
    }
    double seconds = 120;
    for (const Outcome& outcome : finding_.outcomes)
      if (const auto* late = std::get_if<TimedOut>(&outcome.ending)) seconds = std::max(seconds, late->seconds);
    text_ += fmt::format("\n    LIMIT = {}  # seconds\n", static_cast<int>(std::min(std::ceil(seconds), 200.0)));
    if (subject_.mismatch == Mismatch::kMemory) memory_limit();
    text_ += parts::kProcessMain;
    if (subject_.mismatch != Mismatch::kMemory) text_ += parts::kFailsOutside;
    text_ += parts::kProcessEnd;
    const bool hang = subject_.mismatch == Mismatch::kHang;
    text_ += hang ? "    present = ended is None\n" : "    present = ended is not None and ended != 0\n";
    text_ += "    print(\"the difference is there\" if present else \"there is no difference\")\n";
    text_ += "    sys.exit(1 if present else 0)\n";
  }

  void memory_limit() {
    std::int64_t bytes = std::int64_t{4} << 30;
    for (const Outcome& outcome : finding_.outcomes)
      if (const auto* memory = std::get_if<OutOfMemory>(&outcome.ending); memory && memory->bytes > 0)
        bytes = memory->bytes;
    text_ += fmt::format("    resource.setrlimit(resource.RLIMIT_DATA, ({0}, {0}))  # bytes, for both sides\n", bytes);
    if (run_.device == "cuda") text_ += parts::device_memory(bytes);
  }

  void line(int depth, const std::string& text) {
    text_ += text.empty() ? "\n" : std::string(static_cast<std::size_t>(depth) * 4, ' ') + text + "\n";
  }

  const Finding& finding_;
  const ReproducerOptions& options_;
  Program program_;
  Subject subject_;
  RunRequest run_;
  bool two_devices_ = false;  // the two sides of the difference are runs on different devices
  std::string text_;
};

}  // namespace

std::string reproducer(const Finding& finding, const ReproducerOptions& options) {
  return Writer(finding, options).text();
}

std::string python_literal(const std::string& text) {
  const bool plain = std::all_of(
      text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t'; });
  const bool lines = text.find('\n') != std::string::npos;
  const bool ends_badly = text.empty() || text.back() == '\\' || text.back() == '\'';
  if (lines && plain && !ends_badly && text.find("'''") == std::string::npos) return "r'''" + text + "'''";
  std::string literal = "\"";
  for (char c : text) {
    if (c == '\\' || c == '"')
      literal += std::string("\\") + c;
    else if (c == '\n')
      literal += "\\n";
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
      literal += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    else
      literal += c;
  }
  return literal + "\"";
}

}  // namespace jp::report
