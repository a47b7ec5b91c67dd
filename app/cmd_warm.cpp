// jitprobe warm: runs a command, and keeps workers warm for the jitprobe commands that it runs.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "app/command.h"
#include "pyrunner/attached.h"
#include "pyrunner/warm_client.h"
#include "pyrunner/warm_server.h"

namespace jp::app::cmd_warm_command {
namespace {

int run(const std::vector<std::string>& command) {
  if (command.empty()) return cannot({"warm needs a command after --, for example: jitprobe warm -- bash"});
  Result<std::unique_ptr<pyrunner::WarmServer>> server = pyrunner::WarmServer::start();
  if (!server.ok()) return cannot(server.error());
  setenv(pyrunner::kWarmVariable, server.value()->address().c_str(), 1);
  const Result<int> status = pyrunner::run_attached(command);
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
