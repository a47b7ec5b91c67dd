// jitprobe warm: runs a command, and keeps workers warm for the jitprobe commands that it runs.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "app/command.h"
#include "pyrunner/attached.h"
#include "pyrunner/environment.h"
#include "pyrunner/warm_server.h"

namespace jp::app::cmd_warm_command {
namespace {

int run(const std::vector<std::string>& command) {
  if (command.empty() || command.front().empty())
    return cannot({"warm needs a command after --, for example: jitprobe warm -- bash"});
  Result<std::unique_ptr<pyrunner::WarmServer>> server = pyrunner::WarmServer::start();
  if (!server.ok()) return cannot(server.error());
  setenv(pyrunner::kWarmVariable, server.value()->address().c_str(), 1);
  const Result<int> status = pyrunner::run_attached(command);
  if (server.value()->users() > 0)
    fmt::print(stderr, "jitprobe: waiting for commands in the background, which use the warm workers\n");
  while (server.value()->users() > 0) std::this_thread::sleep_for(std::chrono::milliseconds(100));
  return status.ok() ? status.value() : cannot(status.error());
}

class WarmCommand : public Command {
 public:
  std::string_view name() const override { return "warm"; }
  void attach(CLI::App& parent, int& exit_code) const override {
    CLI::App* command = parent.add_subcommand(
        "warm", "run a command; jitprobe commands that it runs find torch and the compiler imported");
    command->footer(
        "Ends with the command's exit status.\n"
        "example: jitprobe warm -- sh -c 'for file in programs/*.py; do jitprobe run \"$file\"; done'");
    auto words = std::make_shared<std::vector<std::string>>();
    command->add_option("command", *words, "the command and its words, after --");
    command->callback([words, &exit_code] { exit_code = run(*words); });
  }
};

const Register<Command, WarmCommand> registered;

}  // namespace
}  // namespace jp::app::cmd_warm_command
