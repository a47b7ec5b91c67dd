// jitprobe lease: makes tests of a campaign that another process drives.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <memory>
#include <string>

#include "app/command.h"
#include "app/stop.h"
#include "fleet/folder_server.h"
#include "fleet/serve.h"

namespace jp::app::cmd_lease_command {
namespace {

/// This machine is unlike the campaign's: others may do, and trying again here won't help.
constexpr int kUnlike = 3;

struct Options {
  bool serve = false;
  std::string folder;
  std::uint64_t index = 0;
  std::uint64_t count = 1;
  std::uint64_t wait = static_cast<std::uint64_t>(fleet::kSilence);  // seconds
};

int exit_of(const std::string& refused) {
  if (refused.empty()) return kDidItsWork;
  cannot(Error{refused});
  return kUnlike;
}

/// Frames go to what was standard output; whatever else is printed goes to standard error.
int serve_frames() {
  std::signal(SIGPIPE, SIG_IGN);
  const int out = dup(STDOUT_FILENO);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  const Result<fleet::Server> served = fleet::serve_leases(STDIN_FILENO, out, listen_to_signals());
  return served.ok() ? exit_of(served.value().refused) : cannot(served.error());
}

int run(const Options& options) {
  if (options.serve) return serve_frames();
  if (options.folder.empty()) return cannot(Error{"lease takes --of DIR or --serve"});
  if (options.index >= options.count)
    return cannot(Error{fmt::format("--index {}: take one below --count {}", options.index, options.count)});
  const auto note = [](const std::string& line) { fmt::print(stderr, "{}\n", line); };
  const Result<fleet::Served> served = fleet::serve(options.folder, options.index, options.count, listen_to_signals(),
                                                    note, static_cast<double>(options.wait));
  if (!served.ok()) return cannot(served.error());
  const fleet::Served& did = served.value();
  if (!did.refused.empty()) return exit_of(did.refused);
  fmt::print(stderr, "{} made, {} studied{}\n", plural(did.tests, "test"), plural(did.cases, "case"),
             did.stopped ? "; stopped before the campaign has ended" : "");
  // As after a signal that nobody handles: a cluster starts the process again.
  return did.stopped ? 128 + signal_heard() : kDidItsWork;
}

class LeaseCommand : public Command {
 public:
  std::string_view name() const override { return "lease"; }
  bool runs_programs() const override { return true; }
  void attach(CLI::App& parent, int& exit_code) const override {
    auto options = std::make_shared<Options>();
    CLI::App* command = parent.add_subcommand(
        "lease",
        "make tests of a campaign that jitprobe fuzz --on drives, until it ends: exit 2 on an error, if a test takes "
        "too long, without a campaign after --wait, or if the driver falls silent; 3 if this machine, its build or a "
        "file is unlike the campaign's");
    command->footer("example: jitprobe lease --of /shared/night --index $SLURM_ARRAY_TASK_ID --count 64");
    CLI::Option* of = command->add_option("--of", options->folder, "the folder that fuzz --on files:DIR has");
    command->add_option("--index", options->index, "the number of this process, from 0")
        ->check(CLI::Range(0, 999999))
        ->needs(of);
    command->add_option("--count", options->count, "how many processes there are")
        ->check(CLI::Range(1, 1000000))
        ->needs(of);
    command->add_option("--wait", options->wait, "seconds to wait for the folder and a campaign in it")
        ->check(CLI::Range(0, 1000000000))
        ->capture_default_str()
        ->needs(of);
    command
        ->add_flag("--serve", options->serve,
                   "take leases from standard input, until its end, and give results to standard output: what fuzz "
                   "--on processes:N and --on ray: start")
        ->excludes(of);
    command->callback([options, &exit_code] { exit_code = run(*options); });
  }
};

const Register<Command, LeaseCommand> registered;

}  // namespace
}  // namespace jp::app::cmd_lease_command
