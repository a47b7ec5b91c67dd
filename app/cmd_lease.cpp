// jitprobe lease: makes tests of a campaign that another process drives.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "app/command.h"
#include "app/stop.h"
#include "campaign/shared_folder.h"

namespace jp::app::cmd_lease_command {
namespace {

/// This machine is unlike the campaign's: others may do, and trying again here won't help.
constexpr int kUnlike = 3;

struct Options {
  std::string folder;
  std::uint64_t index = 0;
  std::uint64_t count = 1;
};

int run(const Options& options) {
  if (options.index >= options.count)
    return cannot(Error{fmt::format("--index {}: take one below --count {}", options.index, options.count)});
  const auto note = [](const std::string& line) { fmt::print(stderr, "{}\n", line); };
  const Result<Served> served = serve(options.folder, options.index, options.count, listen_to_signals(), note);
  if (!served.ok()) return cannot(served.error());
  if (!served.value().refused.empty()) {
    cannot(Error{served.value().refused});
    return kUnlike;
  }
  fmt::print(stderr, "{} made\n", plural(served.value().tests, "test"));
  return kDidItsWork;
}

class LeaseCommand : public Command {
 public:
  std::string_view name() const override { return "lease"; }
  bool runs_programs() const override { return true; }
  void attach(CLI::App& parent, int& exit_code) const override {
    auto options = std::make_shared<Options>();
    CLI::App* command = parent.add_subcommand(
        "lease", "make tests of a campaign that jitprobe fuzz --on files:DIR drives, until it ends");
    command->footer("example: jitprobe lease --of /shared/night --index $SLURM_ARRAY_TASK_ID --count 64");
    command->add_option("--of", options->folder, "the folder that fuzz --on files:DIR has")->required();
    command->add_option("--index", options->index, "the number of this process, from 0");
    command->add_option("--count", options->count, "how many processes there are")->check(CLI::Range(1, 1000000));
    command->callback([options, &exit_code] { exit_code = run(*options); });
  }
};

const Register<Command, LeaseCommand> registered;

}  // namespace
}  // namespace jp::app::cmd_lease_command
