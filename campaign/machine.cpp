#include "campaign/machine.h"

#include <fmt/format.h>

#include <utility>

#include "campaign/common/device.h"
#include "campaign/common/python_query.h"
#include "codec/codec.h"
#include "pyrunner/probes.h"

namespace jp::campaign {
namespace {

constexpr const char* kCompilerVersion = R"(import os
import subprocess


def program():
    compiler = os.environ.get("CXX", "g++")
    return subprocess.run([compiler, "--version"], capture_output=True, text=True).stdout.split("\n")[0]
)";

}  // namespace

Result<codec::Json> machine_of(pyrunner::Runner& runner) {
  const pyrunner::WorkerInfo& info = runner.info();
  codec::Json machine = {{"torch", info.torch},
                         {"python", info.python},
                         {"processor", info.cpu_capability},
                         {"compiler", info.compiler.empty() ? "" : answer_of(runner, kCompilerVersion)},
                         {"template instances", info.keeps_instances ? "kept" : "not kept"}};
  const std::string& device = runner.options().device;
  if (device == "cpu") return machine;
  Result<std::string> gpu = device_name(runner, device);
  if (!gpu.ok()) return gpu.error();
  machine["GPU"] = std::move(gpu).value();
  return machine;
}

std::string unlike(const codec::Json& started, const codec::Json& here) {
  for (const auto& [what, now] : here.items()) {
    if (!started.contains(what) || started.at(what) == now) continue;
    const auto named = [](const codec::Json& value) {
      return value.is_string() && !value.get<std::string>().empty() ? value.get<std::string>() : "none";
    };
    return fmt::format("{}: the campaign was started with {}, and this is {}, on which tests come to something else",
                       what, named(started.at(what)), named(now));
  }
  return "";
}

Status same_machine(report::Store& store, pyrunner::Runner& runner) {
  const Result<codec::Json> found = machine_of(runner);
  // What is asked once the end has come is not answered, and must not be stored.
  if (runner.given_up()) return Done{};
  if (!found.ok()) return found.error();
  const codec::Json& machine = found.value();
  const codec::Json& settings = store.settings();
  codec::Json started = settings.value("machine", codec::Json::object());
  // Campaigns of earlier versions have this alone.
  if (settings.contains("torch")) started["torch"] = settings["torch"];
  if (const std::string other = unlike(started, machine); !other.empty())
    return Error{other + ": take the first one, or start another campaign in another folder"};
  if (!settings.contains("torch"))
    if (Status stored = store.set_setting("torch", machine.at("torch")); !stored.ok()) return stored;
  return store.settings().contains("machine") ? Status(Done{}) : store.set_setting("machine", machine);
}

Result<pyrunner::Limits> same_limits(report::Store& store, pyrunner::Runner& runner, const std::string& backend) {
  pyrunner::Limits limits = runner.options().limits;
  const codec::Json& settings = store.settings();
  if (settings.contains("limits") && settings["limits"].contains("seconds")) {
    limits.seconds = settings["limits"]["seconds"].get<double>();
  } else {
    limits = pyrunner::measure(runner, backend);
    if (runner.given_up()) return limits;
    if (Status stored = store.set_setting("limits", {{"seconds", limits.seconds}}); !stored.ok()) return stored.error();
  }
  runner.set_limits(limits);
  return limits;
}

}  // namespace jp::campaign
