// jitprobe list: what the catalogues hold.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "app/command.h"
#include "app/terminal.h"
#include "campaign/common/tools.h"
#include "campaign/evidence/verified_export.h"
#include "campaign/feedback/rule_statistics.h"
#include "codec/codec.h"
#include "core/broken_rule.h"
#include "mutate/engine/mutation.h"
#include "oracle/judge/oracle.h"
#include "oracle/judge/rules.h"
#include "report/store.h"
#include "seedgen/bases/table.h"
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

Json broken_rules() {
  Json rows = Json::array();
  for (const BrokenRule& rule : jp::broken_rules()) rows.push_back({{"id", rule.name}, {"says", rule.says}});
  return rows;
}

Json tables() {
  Json rows = Json::array();
  for (const seedgen::Table* table : Registry<seedgen::Table>::instance().all())
    rows.push_back({{"id", table->name()}, {"programs", table->size()}, {"varies", table->varies()}});
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

Json rules() {
  Json rows = Json::array();
  for (const oracle::Rule& rule : oracle::kRules)
    rows.push_back({{"id", rule.name}, {"decided_by", oracle::decided_by_name(rule.by)}, {"says", rule.sentence}});
  return rows;
}

// What a campaign counted for each: "rule:" fired, decided; "mutation:" tried, applied, undone.
Status add_counts(Json& rows, const std::string& folder, const std::string& subject,
                  const std::vector<const char*>& names) {
  auto counts = report::read_counts(folder);
  if (!counts.ok()) return counts.error();
  for (Json& row : rows) {
    auto& found = counts.value()[subject + row["id"].get<std::string>()];
    for (const char* name : names) row[name] = found[name];
  }
  return Done{};
}

// Adds the mutations' counts in findings, too.
Status add_mutation_counts(Json& rows, const std::string& folder) {
  if (Status added = add_counts(rows, folder, "mutation:", {"tried", "applied", "undone"}); !added.ok()) return added;
  Result<std::vector<RuleStatistics>> shares = rule_statistics_of(folder);
  if (!shares.ok()) return shares.error();
  for (const RuleStatistics& kind : shares.value()) {
    if (kind.kind != "mutation") continue;
    for (const RuleCount& share : kind.rows)
      for (Json& row : rows)
        if (row["id"] == share.name)
          row.update(Json{{"tests", share.tests}, {"diverging", share.diverging}, {"findings", share.findings}});
  }
  return Done{};
}

bool has_counts(const std::string& catalogue) { return catalogue == "rules" || catalogue == "mutations"; }

// Counts of the campaign named; for mutations otherwise of the newest, if there is one.
Status add_campaign(Json& rows, const std::string& catalogue, const std::string& asked) {
  if (catalogue == "rules")
    return asked.empty() ? Status{Done{}} : add_counts(rows, asked, "rule:", {"fired", "decided"});
  Result<std::string> newest = asked.empty() ? campaign_folder("") : Result<std::string>(asked);
  return newest.ok() ? add_mutation_counts(rows, newest.value()) : Status{Done{}};
}

// The configuration switches of each backend; asks the worker, since a backend's table stands in its file.
Result<Json> switches(const std::vector<std::string>& asked) {
  std::vector<std::string> names;
  for (const std::string& text : asked.empty() ? built_in_backends() : asked) {
    Result<std::string> name = resolve_backend(text);
    if (!name.ok()) return name.error();
    names.push_back(name.value());
  }
  Result<pyrunner::RunnerOptions> settings = runner_options(names);
  if (!settings.ok()) return settings.error();
  auto runner = pyrunner::Runner::start(settings.value());
  if (!runner.ok()) return runner.error();
  Json rows = Json::array();
  for (const std::string& name : names) {
    auto info = runner.value()->backend(name);
    if (!info.ok()) return info.error();
    for (const std::string& id : info.value().switches) rows.push_back({{"id", id}, {"backend", name}});
  }
  return rows;
}

struct Catalogue {
  const char* name;
  Json (*rows)();
};
constexpr Catalogue kCatalogues[] = {{"operators", operators}, {"tables", tables},   {"broken-rules", broken_rules},
                                     {"mutations", mutations}, {"oracles", oracles}, {"rules", rules},
                                     {"backends", backends}};

std::vector<std::string> catalogue_names() {
  std::vector<std::string> names;
  for (const Catalogue& catalogue : kCatalogues) names.emplace_back(catalogue.name);
  names.emplace_back("switches");
  return names;
}

struct Options {
  std::string what;
  std::string campaign;
  std::vector<std::string> backends;
  bool json = false;
};

Result<Json> rows_of(const Options& options) {
  if (!options.campaign.empty() && !has_counts(options.what))
    return Error{"--campaign goes with the catalogues of rules and mutations only"};
  if (!options.backends.empty() && options.what != "switches")
    return Error{"--backend goes with the catalogue of switches only"};
  if (options.what == "switches") return switches(options.backends);
  const Catalogue* chosen = std::find_if(std::begin(kCatalogues), std::end(kCatalogues),
                                         [&](const Catalogue& one) { return one.name == options.what; });
  Json rows = chosen->rows();
  if (!has_counts(options.what)) return rows;
  if (Status added = add_campaign(rows, options.what, options.campaign); !added.ok()) return added.error();
  return rows;
}

int run(const Options& options) {
  Result<Json> found = rows_of(options);
  if (!found.ok()) return cannot(found.error());
  const Json& rows = found.value();
  if (options.json) {
    put("{}\n", codec::text(rows));
    return kDidItsWork;
  }
  for (const Json& row : rows) {
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
    const std::string names = fmt::format("{}", fmt::join(catalogue_names(), ", "));
    CLI::App* command = parent.add_subcommand("list", "print a catalogue: " + names);
    command->footer("example: jitprobe list mutations --json");
    command->add_option("catalogue", options->what, names)->required()->check(CLI::IsMember(catalogue_names()));
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
