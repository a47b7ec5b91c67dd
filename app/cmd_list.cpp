// jitprobe list: what the catalogues hold.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "app/command.h"
#include "app/tools.h"
#include "codec/codec.h"
#include "mutate/mutation.h"
#include "oracle/oracle.h"
#include "seedgen/generate.h"

namespace jp::app {
namespace {

using codec::Json;

Json operators() {
  Json rows = Json::array();
  for (const seedgen::OperatorInfo& info : seedgen::list_operators())
    rows.push_back({{"id", info.id}, {"family", info.family}});
  return rows;
}

Json mutations() {
  Json rows = Json::array();
  for (const mutate::Mutation* mutation : Registry<mutate::Mutation>::instance().all())
    rows.push_back({{"id", mutation->name()},
                    {"section", mutation->section()},
                    {"exactness", mutate::exactness_name(mutation->exactness())},
                    {"needs_facts", mutation->needs_facts()},
                    {"source", mutation->source()},
                    {"aims", mutation->aims()}});
  return rows;
}

Json oracles() {
  Json rows = Json::array();
  for (const oracle::Oracle* oracle : Registry<oracle::Oracle>::instance().all())
    rows.push_back({{"id", oracle->name()}});
  return rows;
}

Json backends() {
  Json rows = Json::array();
  for (const std::string& name : built_in_backends()) rows.push_back({{"id", name}});
  return rows;
}

struct Options {
  std::string what;
  bool json = false;
};

int run(const Options& options) {
  Json rows = options.what == "operators"   ? operators()
              : options.what == "mutations" ? mutations()
              : options.what == "oracles"   ? oracles()
                                            : backends();
  if (options.json) {
    fmt::print("{}\n", codec::text(rows));
    return kDidItsWork;
  }
  for (const Json& row : rows) {
    std::string line = fmt::format("{:<28}", row["id"].get<std::string>());
    for (const auto& [key, value] : row.items())
      if (key != "id" && value.is_string()) line += fmt::format("  {}", value.get<std::string>());
    fmt::print("{}\n", line.substr(0, line.find_last_not_of(' ') + 1));
  }
  return kDidItsWork;
}

class ListCommand : public Command {
 public:
  std::string_view name() const override { return "list"; }
  void attach(CLI::App& parent, int& exit_code) const override {
    auto options = std::make_shared<Options>();
    CLI::App* command = parent.add_subcommand("list", "print a catalogue: operators, mutations, oracles or backends");
    command->footer("example: jitprobe list mutations --json");
    command->add_option("catalogue", options->what, "operators, mutations, oracles or backends")
        ->required()
        ->check(CLI::IsMember({"operators", "mutations", "oracles", "backends"}));
    command->add_flag("--json", options->json, "one JSON array");
    command->callback([options, &exit_code] { exit_code = run(*options); });
  }
};

const Register<Command, ListCommand> registered;

}  // namespace
}  // namespace jp::app
