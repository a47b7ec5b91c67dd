// jitprobe list: what the catalogues hold.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "answers/catalogues.h"
#include "app/command.h"
#include "app/terminal.h"
#include "codec/codec.h"

namespace jp::app {
namespace {

struct Options {
  std::string what;
  std::string campaign;
  std::vector<std::string> backends;
  bool json = false;
};

int run(const Options& options) {
  Result<codec::Json> found = answers::catalogue_rows(options.what, options.campaign, options.backends);
  if (!found.ok()) return cannot(found.error());
  const codec::Json& rows = found.value();
  if (options.json) {
    put("{}\n", codec::text(rows));
    return kDidItsWork;
  }
  for (const codec::Json& row : rows) {
    std::string line = fmt::format("{:<28}", row["id"].get<std::string>());
    if (row.contains("programs")) line += fmt::format("{:>8}", row["programs"].get<std::uint64_t>());
    if (row.contains("fired")) line += fmt::format("{:>8}{:>8}", row["fired"].get<int>(), row["decided"].get<int>());
    for (const auto& [key, value] : row.items())
      if (key != "id" && value.is_string()) line += fmt::format("  {}", value.get<std::string>());
    put("{}\n", line.substr(0, line.find_last_not_of(' ') + 1));
  }
  return kDidItsWork;
}

class ListCommand : public Command {
 public:
  std::string_view name() const override { return "list"; }
  void attach(CLI::App& parent, int& exit_code) const override {
    auto options = std::make_shared<Options>();
    const std::string names = fmt::format("{}", fmt::join(answers::catalogue_names(), ", "));
    CLI::App* command = parent.add_subcommand("list", "print a catalogue: " + names);
    command->footer("example: jitprobe list mutations --json");
    command->add_option("catalogue", options->what, names)
        ->required()
        ->check(CLI::IsMember(answers::catalogue_names()));
    command->add_option("--campaign", options->campaign,
                        "with rules: how often each fired in this campaign, and how often it decided; with mutations: "
                        "what this campaign counted of each (the newest in ./campaigns by default)");
    command->add_option("--backend", options->backends, "with switches: of this backend (all built-in ones by default)")
        ->allow_extra_args(false);
    command->add_flag("--json", options->json, "one JSON array");
    command->callback([options, &exit_code] { exit_code = run(*options); });
  }
};

const Register<Command, ListCommand> registered;

}  // namespace
}  // namespace jp::app
