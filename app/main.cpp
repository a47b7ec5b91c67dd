// jitprobe: finds bugs in compilers that compile Python while it runs.
#include <fmt/format.h>

#include <csignal>
#include <exception>
#include <system_error>

#include "app/command.h"
#include "app/terminal.h"
#include "core/version.h"

namespace {

int run(int argc, char** argv) {
  CLI::App app{"finds bugs in compilers that compile Python while it runs, torch.compile first", "jitprobe"};
  app.set_version_flag("--version", std::string("jitprobe ") + JITPROBE_VERSION);
  app.require_subcommand(1);
  app.footer("example: jitprobe fuzz --time 5m\nEvery command explains itself: jitprobe COMMAND --help");
  int exit_code = jp::app::kDidItsWork;
  for (const jp::app::Command* command : jp::Registry<jp::app::Command>::instance().all())
    command->attach(app, exit_code);
  if (argc > 1 && argv[1][0] != '-' && !jp::Registry<jp::app::Command>::instance().find(argv[1])) {
    fmt::print(stderr, "jitprobe: there is no command '{}'\nSee jitprobe --help.\n", jp::for_errors(argv[1]));
    return jp::app::kCannot;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked) {
    return app.exit(asked);
  } catch (const CLI::ParseError& wrong) {
    fmt::print(stderr, "jitprobe: {}\nSee jitprobe --help, or jitprobe COMMAND --help.\n",
               jp::for_errors(wrong.what()));
    return jp::app::kCannot;
  }
  return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  // A reader of our output that goes away is no reason to die in the middle of a campaign's commit.
  std::signal(SIGPIPE, SIG_IGN);
  try {
    return run(argc, argv);
  } catch (const std::system_error& error) {
    if (error.code() == std::errc::broken_pipe) return jp::app::kCannot;  // nobody is left to tell
    fmt::print(stderr, "jitprobe: {}\n", error.what());
    return jp::app::kCannot;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "jitprobe: this machine's memory is used up; run with fewer --jobs\n");
    return jp::app::kCannot;
  } catch (const std::exception& error) {
    // A broken invariant of ours: what was written before stands, and the sentence says how to meet it again.
    const std::string what = error.what();
    return jp::app::cannot({what.starts_with("internal error") ? what : "internal error: " + what});
  }
}
