// jitprobe doctor: what is tested, and whether every kind of failure is detected.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "app/command.h"
#include "app/terminal.h"
#include "campaign/common/device.h"
#include "campaign/common/self_test.h"
#include "campaign/common/tools.h"
#include "campaign/common/torch_lacks.h"
#include "codec/codec.h"
#include "pyrunner/paths.h"
#include "pyrunner/sandbox.h"

namespace jp::app::cmd_doctor_command {
namespace {

struct Options {
  std::vector<std::string> backends;
  std::string device = "cpu";
  bool warm = false;
  bool json = false;
};

codec::Json json_of(const std::vector<pyrunner::MissingName>& missing) {
  codec::Json rows = codec::Json::array();
  for (const pyrunner::MissingName& name : missing) rows.push_back({{"name", name.name}, {"lost", name.lost}});
  return rows;
}

codec::Json confinement_json(bool confined) {
  const pyrunner::Confinement able = confined ? pyrunner::confinement() : pyrunner::Confinement{};
  return {{"files", able.files()}, {"signals", able.signals()}, {"sockets", able.sockets}};
}

codec::Json json_of(const pyrunner::WorkerInfo& info, bool confined) {
  return {{"torch", info.torch},
          {"build", info.cuda.empty() ? "CPU" : "CUDA " + info.cuda},
          {"python", info.python},
          {"executable", info.executable},
          {"prefix", info.prefix},
          {"cpu_capability", info.cpu_capability},
          {"compiler", info.compiler},
          {"keeps_instances", info.keeps_instances},
          {"zygote_threads", info.threads},
          {"start_seconds", info.start_seconds},
          {"isolation", "fork of a warm process under a guard"},
          {"confined", confinement_json(confined)},
          {"private_names", info.private_names},
          {"missing_names", json_of(info.missing)}};
}

std::string compiler_line(const pyrunner::WorkerInfo& info, const std::string& why_plain) {
  if (info.compiler.empty()) return "none found: Inductor can't work";
  if (why_plain.empty()) return info.compiler + "; its precompiled header keeps template instances (--cxx kept)";
  return fmt::format("{} as it is ({})", info.compiler, why_plain);
}

void print(const pyrunner::WorkerInfo& info, bool confined, const std::string& why_plain) {
  put("torch       {} ({} build, CPU capability {})\n", info.torch, info.cuda.empty() ? "CPU" : "CUDA " + info.cuda,
      info.cpu_capability);
  put("Python      {} ({})\n", info.python, info.executable);
  put("compiler    {}\n", compiler_line(info, why_plain));
  put("isolation   forks of a warm process under a guard; it starts in {:.1f} s with {}\n", info.start_seconds,
      plural(static_cast<std::uint64_t>(info.threads), "thread"));
  put("confined    {}\n", confined ? pyrunner::describe(pyrunner::confinement()) : "no (--no-sandbox)");
  put("internals   {} of the {} private names of torch and Python that the runtime uses {} missing\n",
      info.missing.empty() ? "none" : std::to_string(info.missing.size()), info.private_names,
      info.missing.size() == 1 ? "is" : "are");
  for (const pyrunner::MissingName& name : info.missing) put("missing     {}: {}\n", name.name, name.lost);
}

int run(const Options& options) {
  std::vector<std::string> backends;
  for (const std::string& text : options.backends) {
    Result<std::string> backend = resolve_backend(text);
    if (!backend.ok()) return cannot(backend.error());
    backends.push_back(backend.value());
  }
  if (backends.empty()) backends = ladder();
  Result<pyrunner::RunnerOptions> settings = runner_options(backends, options.device);
  if (!settings.ok()) return cannot(settings.error());
  settings.value().backends.emplace_back("eager");  // the private names of the compiler are looked up in any case
  auto runner = pyrunner::Runner::start(settings.value());
  if (!runner.ok()) return cannot(runner.error());
  if (options.warm) return kDidItsWork;

  const pyrunner::WorkerInfo info = runner.value()->info();
  const std::string why_plain = pyrunner::why_plain_compiler(settings.value());
  if (!options.json) print(info, settings.value().sandbox, why_plain);
  Result<std::string> device = std::string("cpu");
  if (options.device != "cpu") device = device_name(*runner.value(), options.device);
  if (!device.ok()) return cannot(device.error());
  if (!options.json && options.device != "cpu") put("device      {}\n", device.value());
  const Result<std::vector<std::string>> lacks = torch_lacks(*runner.value());
  if (!lacks.ok()) return cannot(lacks.error());
  if (!options.json)
    put("operators   {}\n", lacks.value().empty() ? "torch has all that programs are generated of"
                                                  : "torch lacks what is therefore not generated: " +
                                                        fmt::format("{}", fmt::join(lacks.value(), ", ")));
  std::vector<pyrunner::ProbeResult> results = test_probes(*runner.value(), backends);
  codec::Json rows = codec::Json::array();
  for (const pyrunner::ProbeResult& result : results) {
    rows.push_back({{"name", result.name}, {"seen", result.seen}, {"detail", result.detail}});
    if (!options.json)
      put("{:<12}   {}{}{}\n", result.seen ? "detected" : "NOT DETECTED", result.name,
          result.detail.empty() ? "" : ": ", result.detail);
  }
  bool all = failed_probes(results).empty();
  if (options.json) {
    codec::Json json = json_of(info, settings.value().sandbox);
    json["device"] = device.value();
    json["why_plain_compiler"] = why_plain;
    json["lacks"] = lacks.value();
    json["probes"] = std::move(rows);
    json["sees_everything"] = all;
    put("{}\n", codec::text(json));
  }
  return all ? kDidItsWork : kFound;
}

class DoctorCommand : public Command {
 public:
  std::string_view name() const override { return "doctor"; }
  bool runs_programs() const override { return true; }
  void attach(CLI::App& parent, int& exit_code) const override {
    auto options = std::make_shared<Options>();
    CLI::App* command = parent.add_subcommand(
        "doctor", "say what is tested and run the self-test: exit 0 every planted failure was detected, 1 not all");
    command->footer("example: jitprobe doctor --json");
    command->add_option("--backend", options->backends, "what will be tested (the ladder by default); may be repeated")
        ->allow_extra_args(false);
    command->add_option("--device", options->device, "where tensors will live: the self-test plants failures there too")
        ->check(CLI::IsMember({"cpu", "cuda"}));
    command->add_flag("--warm", options->warm, "only start the warm process, which builds the caches");
    command->add_flag("--json", options->json, "one JSON object");
    command->callback([options, &exit_code] { exit_code = run(*options); });
  }
};

const Register<Command, DoctorCommand> registered;

}  // namespace
}  // namespace jp::app::cmd_doctor_command
