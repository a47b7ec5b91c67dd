#include "answers/catalogues.h"

#include <fmt/format.h>

#include <algorithm>

#include "campaign/common/tools.h"
#include "campaign/evidence/verified_export.h"
#include "campaign/feedback/rule_statistics.h"
#include "codec/codec.h"
#include "core/broken_rule.h"
#include "mutate/engine/mutation.h"
#include "oracle/judge/oracle.h"
#include "oracle/judge/rules.h"
#include "pyrunner/paths.h"
#include "report/store.h"
#include "seedgen/bases/table.h"
#include "seedgen/constraints/constraint.h"
#include "seedgen/generate.h"

namespace jp::answers {
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
  // Those of the generator's operators, then those of the mutation break_rule.
  for (int i = 0; i < seedgen::kConstraints; ++i) {
    const auto constraint = static_cast<seedgen::Constraint>(i);
    rows.push_back({{"id", seedgen::constraint_name(constraint)}, {"says", seedgen::constraint_says(constraint)}});
  }
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
    rows.push_back({{"id", oracle->name()}, {"says", oracle->says()}});
  return rows;
}

Json backends() {
  Json rows = Json::array();
  for (const std::string& name : campaign::built_in_backends())
    rows.push_back({{"id", name}, {"says", pyrunner::backend_says(name)}});
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
  Result<std::vector<campaign::RuleStatistics>> shares = campaign::rule_statistics_of(folder);
  if (!shares.ok()) return shares.error();
  for (const campaign::RuleStatistics& kind : shares.value()) {
    if (kind.kind != "mutation") continue;
    for (const campaign::RuleCount& share : kind.rows)
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
  Result<std::string> newest = asked.empty() ? campaign::campaign_folder("") : Result<std::string>(asked);
  return newest.ok() ? add_mutation_counts(rows, newest.value()) : Status{Done{}};
}

// The configuration switches of each backend; asks the worker, since a backend's table stands in its file.
Result<Json> switches(const std::vector<std::string>& asked) {
  std::vector<std::string> names;
  for (const std::string& text : asked.empty() ? campaign::built_in_backends() : asked) {
    Result<std::string> name = campaign::resolve_backend(text);
    if (!name.ok()) return name.error();
    names.push_back(name.value());
  }
  Result<pyrunner::RunnerOptions> settings = campaign::runner_options(names);
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

}  // namespace

std::vector<std::string> catalogue_names() {
  std::vector<std::string> names;
  for (const Catalogue& catalogue : kCatalogues) names.emplace_back(catalogue.name);
  names.emplace_back("switches");
  return names;
}

Json mutations_json() { return mutations(); }

Result<codec::Json> catalogue_rows(const std::string& catalogue, const std::string& folder,
                                   const std::vector<std::string>& asked_backends) {
  if (!folder.empty() && !has_counts(catalogue))
    return Error{"--campaign goes with the catalogues of rules and mutations only"};
  if (!asked_backends.empty() && catalogue != "switches")
    return Error{"--backend goes with the catalogue of switches only"};
  if (catalogue == "switches") return switches(asked_backends);
  const Catalogue* chosen = std::find_if(std::begin(kCatalogues), std::end(kCatalogues),
                                         [&](const Catalogue& one) { return one.name == catalogue; });
  if (chosen == std::end(kCatalogues)) return Error{fmt::format("there is no catalogue '{}'", catalogue)};
  Json rows = chosen->rows();
  if (!has_counts(catalogue)) return rows;
  if (Status added = add_campaign(rows, catalogue, folder); !added.ok()) return added.error();
  return rows;
}

}  // namespace jp::answers
