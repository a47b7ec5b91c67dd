// jitprobe: finds bugs in compilers that compile Python while it runs.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "app/command.h"
#include "app/terminal.h"
#include "core/version.h"
#include "pyrunner/paths.h"

namespace {

/// "list, show, export": what may follow the command.
std::string parts_of(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::App* part : command.get_subcommands([](const CLI::App*) { return true; }))
    if (!part->get_group().empty()) names.push_back(part->get_name());  // hidden ones have no group
  return fmt::format("{}", fmt::join(names, ", "));
}

/// What is wrong with the use, in a sentence. CLI11 says of a command with parts only that one is missing, whatever
/// stands in its place.
std::string wrong_use(const CLI::App& app, const CLI::ParseError& wrong, int argc, char** argv) {
  if (wrong.get_exit_code() != static_cast<int>(CLI::ExitCodes::RequiredError)) return jp::for_errors(wrong.what());
  const CLI::App* asked = &app;
  if (const auto given = app.get_subcommands(); !given.empty()) asked = given.front();
  if (asked->get_require_subcommand_min() == 0 || !asked->get_subcommands().empty())
    return jp::for_errors(wrong.what());
  if (asked != &app && argc > 2 && argv[2][0] != '-')
    return fmt::format("{} has no part '{}', but: {}", asked->get_name(), jp::for_errors(argv[2]), parts_of(*asked));
  if (asked == &app) return fmt::format("a command is missing, one of: {}", parts_of(app));
  return fmt::format("{} needs one of: {}", asked->get_name(), parts_of(*asked));
}

void allow_reading(const std::vector<std::string>& folders) {
  const char* before = std::getenv(jp::pyrunner::kReadableVariable);
  std::string all = before == nullptr ? "" : before;
  for (const std::string& folder : folders) all += ":" + std::filesystem::absolute(folder).string();
  setenv(jp::pyrunner::kReadableVariable, all.c_str(), 1);
}

/// What is wrong with a folder that programs may read; "" if nothing is. The list of them is a variable.
std::string cannot_be_listed(const std::string& folder) {
  if (std::filesystem::absolute(folder).string().find(':') == std::string::npos) return "";
  return fmt::format("{} can't be allowed: its path has a colon, which separates folders in {}", jp::for_errors(folder),
                     jp::pyrunner::kReadableVariable);
}

/// What is wrong with a way to compile kernels; "" if it is one.
std::string no_such_compiler(const std::string& how) {
  if (how == "kept" || how == "default") return "";
  std::string why = fmt::format("there is no '{}'", jp::for_errors(how));
  if (how == "server") why = "there is no compile server (it would save 0.1 s of each kernel)";
  if (how == "clang") why = "clang is not used, because it adds in another order than g++, which users have";
  return why + "; choose kept or default";
}

/// To the command's parts, or to itself if it has none.
void add_running_flags(CLI::App& command) {
  const auto parts = command.get_subcommands([](const CLI::App*) { return true; });
  for (CLI::App* part : parts) add_running_flags(*part);
  if (!parts.empty()) return;
  command
      .add_option_function<std::vector<std::string>>(
          "--allow-read", allow_reading, "a folder that programs under test and backends may read; may be repeated")
      ->check(CLI::ExistingPath)
      ->check(CLI::Validator(cannot_be_listed, ""))
      ->allow_extra_args(false);
  command.add_flag_callback(
      "--no-sandbox", [] { setenv(jp::pyrunner::kSandboxVariable, "off", 1); },
      "let programs under test reach files, processes and the network as you can");
  command
      .add_option_function<std::string>(
          "--cxx", [](const std::string& how) { setenv(jp::pyrunner::kCompilerVariable, how.c_str(), 1); },
          "how g++ compiles Inductor's kernels: kept (with template instances in the precompiled header, where its "
          "plugin is installed) or default; findings are confirmed with default")
      ->check(CLI::Validator(no_such_compiler, "{kept,default}"));
}

int run(int argc, char** argv) {
  CLI::App app{"finds bugs in compilers that compile Python while it runs, torch.compile first", "jitprobe"};
  app.set_version_flag("--version", std::string("jitprobe ") + JITPROBE_VERSION);
  app.require_subcommand(1);
  app.footer("example: jitprobe fuzz --time 5m\nEvery command explains itself: jitprobe COMMAND --help");
  int exit_code = jp::app::kDidItsWork;
  for (const jp::app::Command* command : jp::Registry<jp::app::Command>::instance().all()) {
    command->attach(app, exit_code);
    if (command->runs_programs()) add_running_flags(*app.get_subcommand(std::string(command->name())));
  }
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
               wrong_use(app, wrong, argc, argv));
    return jp::app::kCannot;
  }
  return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  // A closed output pipe is no reason to die in the middle of a campaign's commit.
  std::signal(SIGPIPE, SIG_IGN);
  try {
    const int status = run(argc, argv);
    // Little output is written only now.
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
    throw std::system_error(errno, std::generic_category(), "standard output can't be written");
  } catch (const std::system_error& error) {
    if (error.code() == std::errc::broken_pipe) return jp::app::kCannot;  // nobody is left to tell
    fmt::print(stderr, "jitprobe: {}\n", error.what());
    return jp::app::kCannot;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "jitprobe: this machine's memory is used up; run with fewer --jobs\n");
    return jp::app::kCannot;
  } catch (const std::exception& error) {
    // A broken invariant of jitprobe: what was written before stays valid, and the sentence says how to reproduce it.
    const std::string what = error.what();
    return jp::app::cannot({what.starts_with("internal error") ? what : "internal error: " + what});
  }
}
