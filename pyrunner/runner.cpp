#include "pyrunner/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <utility>

#include "codec/codec.h"
#include "core/files.h"
#include "pyrunner/facts.h"
#include "pyrunner/replies.h"

namespace jp::pyrunner {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using codec::Json;

double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// Maps lines of an instrumented text to lines of the program's own text.
class AsWritten {
 public:
  explicit AsWritten(const WatchedText& text) : added_(text.lines) {}

  void operator()(Finished& finished) const {
    for (CallRecord& call : finished.observation.calls) {
      put_back(call.exception_line);
      if (call.exception) put_back(call.exception->frames);
      if (call.backward_exception) put_back(call.backward_exception->frames);
    }
  }
  void operator()(Raised& raised) const { put_back(raised.exception.frames); }
  void operator()(TimedOut& hung) const { put_back(hung.stack); }
  void operator()(Died& /*ending*/) const {}
  void operator()(OutOfMemory& /*ending*/) const {}
  void operator()(Broken& /*ending*/) const {}

 private:
  template <typename Line>
  void put_back(Line& line) const {
    line -= static_cast<Line>(std::upper_bound(added_.begin(), added_.end(), line) - added_.begin());
  }
  void put_back(std::vector<Frame>& frames) const {
    for (Frame& frame : frames)
      if (frame.file == "program") put_back(frame.line);
  }

  const std::vector<int>& added_;
};

std::string file_name_of(const Program& program) {
  return fmt::format("program_{}.py", program.sha256().substr(0, 12));
}

}  // namespace

Reply Runner::ask(std::unique_ptr<Child>& child, const Json& request, const Limits& limits, const FileNames& names) {
  if (given_up()) return lost("given up");
  if (!child) return lost(failure_ ? failure_->message : "no child");
  const double before = waited_for_seconds(child->pid());
  Reply reply = child->ask(request, limits, names, options_.given_up);
  subprocess_seconds_ += std::max(0.0, waited_for_seconds(child->pid()) - before);
  return reply;
}

Outcome Runner::one(const Json& base, const FileNames& names, const RunRequest& request, Isolation isolation) {
  Json message = base;
  message["op"] = "run";
  message["run"] = codec::to_json(request);
  message["run"]["role"] = request.role;
  if (request.fixed_addresses) isolation = Isolation::kExec;
  const std::string& backend = request.compiled ? request.backend : request.after;
  warm_up_for(backend);
  auto start = Clock::now();
  const Folders reads = folders_of(base.at("program").at("path").get<std::string>(), backend);
  const Child* before = isolation == Isolation::kBatch ? batch_.get() : nullptr;
  std::unique_ptr<Child> child = request.fixed_addresses ? new_child(reads, true, true) : take_child(isolation, reads);
  const bool served = child && child.get() == before;
  Reply reply = ask(child, message, options_.limits, names);
  // A hang without the compiler is nobody's bug: it need not be sure.
  const bool hangs =
      request.compiled && std::holds_alternative<TimedOut>(reply) && options_.limits.hang_retry_factor > 0;
  // An earlier program in the same child may be the reason why our code fails.
  const bool stumbles = served && is_broken(reply);
  put_back(std::move(child), isolation, reply);
  if (hangs || stumbles) {
    Limits patient = options_.limits;
    if (hangs) patient.seconds *= patient.hang_retry_factor;
    std::unique_ptr<Child> alone = new_child(reads, isolation == Isolation::kExec, request.fixed_addresses);
    start = Clock::now();
    reply = ask(alone, message, patient, names);
    if (alone) retire(std::move(alone));
  }
  Outcome outcome{.role = request.role, .ending = ending_of(std::move(reply)), .seconds = since(start)};
  note_broken(outcome);
  return outcome;
}

void Runner::note_broken(const Outcome& outcome) {
  if (const auto* broken = std::get_if<Broken>(&outcome.ending)) ++broken_[broken->what];
}

// A run of the program that comes with the request.
Outcome Runner::one_of_other(const Program& program, const RunRequest& request, Isolation isolation) {
  Result<Program> other = Program::make(request.source, {}, "", program.entry(), program.inputs());
  if (!other.ok()) return {.role = request.role, .ending = lost(other.error().message)};
  FileNames names;
  const std::string file = new_file(file_name_of(other.value()), other.value());
  Json base = describe(other.value(), file, names);
  RunRequest plain = request;
  plain.source.clear();
  Outcome outcome = one(base, names, plain, isolation);
  std::error_code ignored;
  fs::remove(file, ignored);
  return outcome;
}

Result<Json> Runner::explain(const Program& program, const RunRequest& request) {
  FileNames names;
  const std::string file = new_file(file_name_of(program), program);
  Json message = describe(program, file, names);
  message["op"] = "explain";
  message["run"] = codec::to_json(request);
  message["run"]["role"] = request.role;
  const Isolation isolation = options_.exec_isolation ? Isolation::kExec : Isolation::kFresh;
  warm_up_for(request.backend);
  std::unique_ptr<Child> child = take_child(isolation, folders_of(program.path(), request.backend));
  Reply reply = ask(child, message, options_.limits, names);
  put_back(std::move(child), isolation, reply);
  std::error_code ignored;
  fs::remove(file, ignored);
  if (Json* answer = std::get_if<Json>(&reply); answer != nullptr && answer->contains("compiled"))
    return std::move((*answer)["compiled"]);
  const Ending ending = ending_of(std::move(reply));
  if (const auto* hung = std::get_if<TimedOut>(&ending))
    return Error{fmt::format("the compiled run gave no answer within {:.0f} s", hung->seconds)};
  if (const auto* broken = std::get_if<Broken>(&ending))
    return Error{fmt::format("jitprobe's own worker can't report on the run: {}", broken->what)};
  if (const auto* died = std::get_if<Died>(&ending); died != nullptr && died->how == "signal")
    return Error{fmt::format("the compiled run was ended by signal {}", died->signal)};
  if (const auto* died = std::get_if<Died>(&ending); died != nullptr && died->how == "exit")
    return Error{fmt::format("the compiled run's process ended with exit code {}", died->exit_code)};
  if (const auto* died = std::get_if<Died>(&ending))
    return Error{fmt::format("the compiled run gave no report: {}", died->last_words)};
  return Error{"the compiled run needed more memory than the limit"};
}

Result<BackendInfo> Runner::backend(const std::string& name) {
  warm_up_for(name);
  std::unique_ptr<Child> child = take_child(Isolation::kFresh, folders_of("", name));
  Reply reply = ask(child, {{"op", "backend"}, {"name", name}}, options_.limits, {});
  put_back(std::move(child), Isolation::kFresh, reply);
  const Json* answer = std::get_if<Json>(&reply);
  if (answer == nullptr) return Error{"the backend " + name + " breaks the worker"};
  if (is_broken(reply))
    return Error{fmt::format("the backend {} can't be used: {}", name, answer->value("broken", ""))};
  if (answer->contains("error")) {
    const std::string error = answer->value("error", "");
    const bool missed =
        error.find("ModuleNotFoundError") != std::string::npos || error.find("PermissionError") != std::string::npos;
    if (!options_.sandbox || !missed) return Error{error};
    return Error{error + "; if it lies elsewhere, --allow-read FOLDER lets backends and programs read it"};
  }
  BackendInfo info;
  info.counts = answer->value("counts", false);
  info.configs = answer->value("configs", decltype(info.configs){});
  info.switches = answer->value("switches", decltype(info.switches){});
  for (const Json& probe : answer->value("probes", Json::array())) {
    info.probes.push_back({probe.value("name", ""), probe.value("source", ""),
                           probe.value("options", std::map<std::string, std::string>{}), probe.value("expect", "")});
  }
  return info;
}

std::string Runner::new_file(const std::string& name, const Program& program) {
  // The folder went with the zygote if there is none.
  if (!zygote_ && !given_up()) note_failure(take_zygote());
  std::string file = fmt::format("{}/programs/{}", folder_, name);
  note_failure(write_scratch(file, program.source()));
  return file;
}

Json Runner::describe(const Program& program, const std::string& file, FileNames& names) const {
  names.library = info_.library;
  names.program = file;
  if (!program.path().empty()) {
    std::ifstream own(program.path(), std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(own), {}};
    if (text == program.source()) names.program = program.path();
  }
  Json described = {
      {"source", program.source()}, {"entry", program.entry()}, {"inputs", program.inputs()}, {"path", program.path()}};
  return {{"program", std::move(described)}, {"file", file}};
}

std::vector<Outcome> Runner::run(const Program& program, const std::vector<RunRequest>& requests, Isolation isolation) {
  if (options_.exec_isolation) isolation = Isolation::kExec;
  // A series is a batch that is empty before and after.
  const bool series = isolation == Isolation::kSeries;
  std::unique_ptr<Child> batch = series ? std::move(batch_) : nullptr;
  const int before = zygotes_;
  if (series) isolation = Isolation::kBatch;
  std::vector<Outcome> outcomes;
  FileNames names;
  std::string file = new_file(file_name_of(program), program);
  Json base = describe(program, file, names);
  int zygotes = zygotes_;
  bool pointless = false;
  for (const RunRequest& request : requests) {
    if (pointless) {
      outcomes.push_back(
          {.role = request.role, .ending = lost("not run: the program gives no answer in time without it")});
      continue;
    }
    if (zygotes != std::exchange(zygotes, zygotes_)) {  // it has a new folder
      file = new_file(file_name_of(program), program);
      base = describe(program, file, names);
    }
    outcomes.push_back(request.source.empty() ? one(base, names, request, isolation)
                                              : one_of_other(program, request, isolation));
    pointless = !request.compiled && std::holds_alternative<TimedOut>(outcomes.back().ending);
  }
  std::error_code ignored;
  fs::remove(file, ignored);
  if (series && batch_) retire(std::move(batch_));
  if (series && before == zygotes_) batch_ = std::move(batch);
  return outcomes;
}

Runner::Profile Runner::profile(const Program& program, const Watched& watched) {
  return profiled(program, watched, true, 0);
}

Runner::Profile Runner::facts(const Program& program, const Watched& watched) {
  return profiled(program, watched, false, 0);
}

Runner::Profile Runner::moved_facts(const Program& program, const Watched& watched, std::uint64_t noise_seed) {
  return profiled(program, watched, false, noise_seed);
}

Runner::Profile Runner::profiled(const Program& program, const Watched& watched, bool record,
                                 std::uint64_t noise_seed) {
  FileNames names;
  const std::string file = new_file("profiled.py", program);
  Json message = describe(program, file, names);
  message["op"] = "profile";
  message["record"] = record;
  message["noise_seed"] = noise_seed;
  message["watched"] = watched_json(watched);
  warm_up_for("");
  auto start = Clock::now();
  Isolation isolation = options_.exec_isolation ? Isolation::kExec : Isolation::kBatch;
  std::unique_ptr<Child> child = take_child(isolation, folders_of(program.path(), ""));
  Reply reply = ask(child, message, options_.limits, names);
  Profile profile;
  if (const Json* answer = std::get_if<Json>(&reply); answer != nullptr && answer->contains("facts")) {
    Result<Facts> facts = read_facts((*answer)["facts"]);
    if (facts.ok()) profile.facts = std::move(facts.value());
    if (!facts.ok()) reply = Json{{"broken", "its facts can't be read: " + facts.error().message}};
  }
  put_back(std::move(child), isolation, reply);
  profile.outcome = {.role = "profile", .ending = ending_of(std::move(reply)), .seconds = since(start)};
  note_broken(profile.outcome);
  if (watched.text) std::visit(AsWritten(*watched.text), profile.outcome.ending);
  if (!std::holds_alternative<Finished>(profile.outcome.ending)) profile.facts = {};
  return profile;
}

}  // namespace jp::pyrunner
