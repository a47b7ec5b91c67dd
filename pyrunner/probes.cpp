#include "pyrunner/probes.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <sstream>

#include "core/check.h"
#include "pyrunner/sandbox.h"

namespace jp::pyrunner {
namespace {

constexpr double kHangSeconds = 1.5;
constexpr std::int64_t kProbeMemory = std::int64_t{256} << 20;
constexpr double kFloorSeconds = 10;
constexpr double kCapSeconds = 300;
constexpr double kSlack = 2;

constexpr std::string_view kSegfault = R"(import ctypes


def program():
    ctypes.string_at(8)
)";
constexpr std::string_view kAbort = R"(import os


def program():
    os.abort()
)";
constexpr std::string_view kExit = R"(import os


def program():
    os._exit(7)
)";
// It waits rather than computes: other work on the machine goes on.
constexpr std::string_view kHang = R"(import time


def program():
    time.sleep(3600)
)";
constexpr std::string_view kMemory = R"(import time


def program():
    kept = []
    for _ in range(64):
        kept.append(bytearray(b"x") * (1 << 26))
    time.sleep(3600)
)";
// Dynamo folds the condition to True; a backend without Dynamo merely sees other random numbers.
constexpr std::string_view kMismatch = R"(import torch


def program():
    return torch.ones(3) + (1 if torch.compiler.is_compiling() else 0)
)";
constexpr std::string_view kRandom = R"(import torch


def program():
    return torch.rand(3)
)";
constexpr std::string_view kGraphBreak = R"(import torch


def make_inputs():
    return (torch.ones(3),)


def program(x):
    y = x + 1
    torch._dynamo.graph_break()
    return y * 2
)";

// What is made here lies on the device, because it is the default in such runs.
constexpr std::string_view kAgreement = R"(import torch


def make_inputs():
    return (torch.arange(4.0),)


def program(x):
    return x * 2 + torch.ones(4)
)";
constexpr std::string_view kFailedKernel = R"(import torch


def make_inputs():
    return (torch.arange(4.0),)


def program(x):
    return x[torch.tensor([7])]
)";
// Of more memory than any device has.
constexpr std::string_view kDeviceMemory = R"(import torch


def program():
    return torch.zeros(1 << 44, dtype=torch.uint8)
)";

// Its file lies in a folder of the driver's.
constexpr std::string_view kEscape = R"(import os
import signal
import socket


def program():
    escaped = []
    for what, attempt in (
        ("files", lambda: open(os.path.join(os.path.dirname(__file__), "escaped"), "w").close()),
        ("signals", lambda: os.kill(DRIVER, 0)),
        ("sockets", lambda: socket.socket().close()),
    ):
        try:
            attempt()
            escaped.append(what)
        except PermissionError:
            pass
    return " ".join(escaped)
)";

// Of three programs, this one, one of views with two calls and one of a product with gradients, it is the slowest or
// within a quarter of it (aot_eager and Inductor).
constexpr std::string_view kTimed = R"(import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.convolution = torch.nn.Conv2d(3, 4, 3)
        self.norm = torch.nn.BatchNorm2d(4)

    def forward(self, x):
        return self.norm(self.convolution(x)).relu().mean((2, 3))


program = Model()


def make_inputs():
    return (torch.ones(2, 3, 8, 8),)
)";

Program program_of(std::string_view source) {
  Result<Program> program = Program::make(std::string(source), {});
  JP_CHECK(program.ok(), "a probe is no program: {}", program.error().message);
  return program.value();
}

RunRequest through(const std::string& backend, std::map<std::string, std::string> options = {}) {
  return {.role = "compiled", .compiled = true, .backend = backend, .options = std::move(options)};
}

const RunRequest kEager{.role = "eager"};

Outcome run(Runner& runner, std::string_view source, const RunRequest& request) {
  return runner.run(program_of(source), {request}, Isolation::kFresh).at(0);
}

// A short phrase on the outcome of a run.
std::string shown(const Outcome& outcome) {
  std::string text(ending_name(outcome.ending));
  if (const Died* died = std::get_if<Died>(&outcome.ending)) {
    text += fmt::format(" ({}, signal {}, exit {})", died->how, died->signal, died->exit_code);
  }
  if (const Raised* raised = std::get_if<Raised>(&outcome.ending)) text += ": " + raised->reason;
  if (const Broken* broken = std::get_if<Broken>(&outcome.ending)) text = "could not be made: " + broken->what;
  if (const Finished* finished = std::get_if<Finished>(&outcome.ending)) {
    for (const CallRecord& call : finished->observation.calls) {
      if (call.exception) text += ", raised " + call.exception->type;
    }
  }
  return text;
}

bool died(const Outcome& outcome, const std::string& how, int number) {
  const Died* died = std::get_if<Died>(&outcome.ending);
  return died != nullptr && died->how == how && (how == "signal" ? died->signal : died->exit_code) == number;
}

// The bytes of a run's first output tensor, or nothing.
std::optional<std::string> output_bytes(const Outcome& outcome) {
  const Finished* finished = std::get_if<Finished>(&outcome.ending);
  if (finished == nullptr || finished->observation.calls.empty()) return std::nullopt;
  const CallRecord& call = finished->observation.calls[0];
  if (call.exception || call.output.kind != Value::Kind::kTensor) return std::nullopt;
  return finished->observation.tensors.at(static_cast<std::size_t>(call.output.index)).bytes;
}

bool raised(const Outcome& outcome, bool while_compiling) {
  const Finished* finished = std::get_if<Finished>(&outcome.ending);
  if (finished == nullptr || finished->observation.calls.empty()) return false;
  const auto& exception = finished->observation.calls[0].exception;
  return exception && (!while_compiling || exception->while_compiling);
}

ProbeResult judged(std::string name, bool seen, const Outcome& outcome) {
  return {std::move(name), seen, seen ? "" : "the run " + shown(outcome)};
}

ProbeResult differs(const std::string& name, const Outcome& eager, const Outcome& other) {
  std::optional<std::string> one = output_bytes(eager);
  std::optional<std::string> two = output_bytes(other);
  if (!one) return judged(name, false, eager);
  if (!two) return judged(name, false, other);
  return {name, *one != *two, *one != *two ? "" : "both results have the same bytes"};
}

RunRequest on(const std::string& device, RunRequest request) {
  request.device = device;
  return request;
}

ProbeResult mismatch(Runner& runner, const std::string& name, const std::string& backend, bool counts,
                     const std::string& device = "cpu") {
  const RunRequest eager = on(device, kEager);
  if (counts) return differs(name, run(runner, kMismatch, eager), run(runner, kMismatch, on(device, through(backend))));
  RunRequest other = eager;
  other.random_seed = 1;
  return differs(name, run(runner, kRandom, eager), run(runner, kRandom, other));
}

// The device of a run's first output tensor, "cuda:0"; "" without one.
std::string output_device(const Outcome& outcome) {
  if (!output_bytes(outcome)) return "";
  const Observation& seen = std::get<Finished>(outcome.ending).observation;
  return seen.tensors.at(static_cast<std::size_t>(seen.calls[0].output.index)).device;
}

// The backend's result lies there; whether it is right is not ours to say.
ProbeResult agreement(Runner& runner, const std::string& name, const std::string& backend, const std::string& device) {
  const Outcome eager = run(runner, kAgreement, on(device, kEager));
  const Outcome again = run(runner, kAgreement, on(device, kEager));
  const Outcome compiled = run(runner, kAgreement, on(device, through(backend)));
  for (const Outcome* outcome : {&eager, &again, &compiled}) {
    if (!output_bytes(*outcome)) return judged(name, false, *outcome);
    if (const std::string there = output_device(*outcome); !there.starts_with(device))
      return {name, false, "its result is on " + there};
  }
  const bool same = output_bytes(eager) == output_bytes(again);
  return {name, same, same ? "" : "eager differs from itself"};
}

ProbeResult graph_break(Runner& runner, const std::string& backend) {
  Outcome outcome = run(runner, kGraphBreak, through(backend));
  const Finished* finished = std::get_if<Finished>(&outcome.ending);
  bool seen = finished != nullptr && !finished->counters.graph_breaks.empty() && finished->counters.graphs > 0;
  return {"graph break", seen, seen ? "" : "no graph break was counted"};
}

// Whether what this kernel can enforce is enforced.
ProbeResult confined(Runner& runner) {
  std::string source(kEscape);
  constexpr std::string_view kDriver = "DRIVER";
  source.replace(source.find(kDriver), kDriver.size(), std::to_string(getpid()));
  Outcome outcome = run(runner, source, kEager);
  const Finished* finished = std::get_if<Finished>(&outcome.ending);
  if (finished == nullptr || finished->observation.calls.size() != 1) return judged("sandbox", false, outcome);
  std::istringstream escaped(finished->observation.calls[0].output.text);
  const Confinement able = confinement();
  for (std::string what; escaped >> what;)
    if (what == "files" ? able.files() : what == "signals" ? able.signals() : able.sockets)
      return {"sandbox", false, fmt::format("a program escaped: {}", what)};
  return {"sandbox", true, ""};
}

ProbeResult planted(Runner& runner, const std::string& backend, const BackendInfo::Probe& probe) {
  Outcome outcome = run(runner, probe.source, through(backend, probe.options));
  if (probe.expect == "differs") return differs(probe.name, run(runner, probe.source, kEager), outcome);
  if (probe.expect == "raises") return judged(probe.name, raised(outcome, true), outcome);
  bool dead = std::holds_alternative<Died>(outcome.ending);
  return judged(probe.name, dead || raised(outcome, false), outcome);
}

void probe_processes(Runner& runner, std::vector<ProbeResult>& results) {
  Outcome signal = run(runner, kSegfault, kEager);
  results.push_back(judged("signal", died(signal, "signal", SIGSEGV), signal));
  Outcome abort = run(runner, kAbort, kEager);
  results.push_back(judged("abort", died(abort, "signal", SIGABRT), abort));
  Outcome exit = run(runner, kExit, kEager);
  results.push_back(judged("exit", died(exit, "exit", 7), exit));
}

void probe_limits(Runner& runner, std::vector<ProbeResult>& results) {
  const Limits limits = runner.options().limits;
  Limits small = limits;
  small.seconds = kHangSeconds;
  small.hang_retry_factor = 0;
  runner.set_limits(small);
  Outcome hang = run(runner, kHang, kEager);
  const TimedOut* timed_out = std::get_if<TimedOut>(&hang.ending);
  results.push_back(judged("hang", timed_out != nullptr && !timed_out->stack.empty(), hang));
  small.seconds = std::max(limits.seconds, kFloorSeconds);
  small.memory_bytes = kProbeMemory;
  runner.set_limits(small);
  Outcome memory = run(runner, kMemory, kEager);
  results.push_back(judged("memory", std::holds_alternative<OutOfMemory>(memory.ending), memory));
  runner.set_limits(limits);
}

}  // namespace

std::vector<ProbeResult> probe_runner(Runner& runner) {
  std::vector<ProbeResult> results;
  probe_processes(runner, results);
  probe_limits(runner, results);
  if (runner.options().sandbox) results.push_back(confined(runner));
  return results;
}

std::vector<ProbeResult> probe_backend(Runner& runner, const std::string& backend) {
  Result<BackendInfo> info = runner.backend(backend);
  if (!info.ok()) return {{"backend", false, info.error().message}};
  std::vector<ProbeResult> results;
  results.push_back(mismatch(runner, "mismatch", backend, info.value().counts));
  if (info.value().counts) results.push_back(graph_break(runner, backend));
  for (const BackendInfo::Probe& own : info.value().probes) results.push_back(planted(runner, backend, own));
  return results;
}

std::vector<ProbeResult> probe_device(Runner& runner, const std::string& backend) {
  const std::string& device = runner.options().device;
  if (device == "cpu") return {};
  const auto named = [&](const char* what) { return fmt::format("{} on {}", what, device); };
  Result<BackendInfo> info = runner.backend(backend);
  if (!info.ok()) return {{named("backend"), false, info.error().message}};
  std::vector<ProbeResult> results = {agreement(runner, named("agreement"), backend, device),
                                      mismatch(runner, named("mismatch"), backend, info.value().counts, device)};
  const Outcome abort = run(runner, kAbort, on(device, kEager));
  results.push_back(judged(named("abort"), died(abort, "signal", SIGABRT), abort));
  const Outcome kernel = run(runner, kFailedKernel, on(device, kEager));
  results.push_back(judged(named("failed kernel"), died(kernel, "signal", SIGABRT), kernel));
  const Outcome memory = run(runner, kDeviceMemory, on(device, kEager));
  results.push_back(judged(named("memory"), std::holds_alternative<OutOfMemory>(memory.ending), memory));
  return results;
}

Limits measure(Runner& runner, const std::string& backend) {
  Limits limits = runner.options().limits;
  Limits patient = limits;
  patient.seconds = kCapSeconds;
  patient.hang_retry_factor = 0;
  runner.set_limits(patient);
  const double seconds = run(runner, kTimed, on(runner.options().device, through(backend))).seconds;
  limits.seconds = std::clamp(kSlack * seconds, kFloorSeconds, kCapSeconds);
  runner.set_limits(limits);
  return limits;
}

}  // namespace jp::pyrunner
