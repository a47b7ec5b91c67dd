#include "campaign/lease.h"

#include <fmt/format.h>

#include <utility>

#include "campaign/case_lease.h"
#include "campaign/common/confirm.h"
#include "campaign/common/tools.h"
#include "campaign/fingerprint.h"
#include "campaign/known/known.h"
#include "campaign/machine.h"
#include "campaign/settings.h"
#include "campaign/start.h"
#include "codec/codec.h"
#include "core/check.h"
#include "core/hash.h"
#include "pyrunner/temporary.h"

namespace jp::campaign {
namespace {

Error damaged(const codec::Json::exception& error) {
  return Error{fmt::format("what the lease says is damaged: {}", error.what())};
}

std::string hash_of(const codec::Json& tables) { return sha256_hex(codec::text(tables)).substr(0, 16); }

Status read_terms(const codec::Json& terms, CampaignOptions& options) {
  Result<KnownBefore> known = known_before({});
  if (!known.ok()) return known.error();
  options.known = std::move(known).value();
  Result<pyrunner::RunnerOptions> runner = runner_options({});
  if (!runner.ok()) return runner.error();
  options.runner = std::move(runner).value();
  return read_settings(terms.at("settings"), options);
}

}  // namespace

codec::Json lease_terms(const codec::Json& fingerprint, const codec::Json& settings,
                        const std::vector<Standing>& standings) {
  codec::Json all = codec::Json::array();
  for (const Standing one : standings) all.push_back(static_cast<int>(one));
  return {{"fingerprint", fingerprint}, {"settings", settings}, {"standings", std::move(all)}};
}

codec::Json leased_tables(std::uint64_t epoch, const EpochTables::Held& tables) {
  codec::Json json = {
      {"epoch", epoch}, {"suppressions", to_json(*tables.suppressions)}, {"feedback", to_json(*tables.feedback)}};
  json["hash"] = hash_of(json);
  return json;
}

Result<Lessee::Started> Lessee::start(const codec::Json& terms, const StopCondition& stop_condition,
                                      const std::function<void()>& alive) {
  try {
    std::unique_ptr<Lessee> lessee(new Lessee(stop_condition));
    CampaignOptions& options = lessee->options_;
    // A file that the campaign names, a backend's for example, may be another one here.
    if (Status read = read_terms(terms, options); !read.ok()) return Started{nullptr, read.error().message};
    const Result<codec::Json> ours = fingerprint(options.runner, options.known);
    if (!ours.ok()) return ours.error();
    if (std::string other = unlike(terms.at("fingerprint"), ours.value()); !other.empty())
      return Started{nullptr, std::move(other)};
    auto runner = warm_runner(options, stop_condition, alive);
    if (!runner.ok()) return runner.error();
    const Result<codec::Json> machine = machine_of(*runner.value());
    if (!machine.ok()) return Started{nullptr, machine.error().message};
    if (std::string other = unlike(terms["settings"].at("machine"), machine.value()); !other.empty())
      return Started{nullptr, std::move(other)};
    if (Status read = read_switches(options, *runner.value(), stop_condition); !read.ok()) return read.error();
    leave_out(options, terms["settings"]);
    if (Status tested = self_tested(options, *runner.value(), stop_condition); !tested.ok()) return tested.error();
    pyrunner::Limits limits = runner.value()->options().limits;
    limits.seconds = terms["settings"].at("limits").at("seconds").get<double>();
    runner.value()->set_limits(limits);
    std::vector<Standing> standings;
    for (const codec::Json& one : terms.at("standings")) {
      const auto standing = codec::enumerator(one.get<std::int64_t>(), Standing::kGone);
      if (!standing) return Error{"the terms of the campaign are damaged: a known bug is neither here nor gone"};
      standings.push_back(*standing);
    }
    lessee->runner_ = std::move(runner).value();
    lessee->known_.emplace(options.known.bugs, standings, lessee->runner_->info().torch);
    const Look look = [self = lessee.get()](const Divergence& met, std::uint64_t test) {
      return self->look(met, test);
    };
    lessee->tester_.emplace(options.maker, *lessee->runner_, look, stop_condition);
    return Started{std::move(lessee), ""};
  } catch (const codec::Json::exception& error) {
    return damaged(error);
  }
}

Status Lessee::know(const codec::Json& tables) {
  try {
    codec::Json told = tables;
    told.erase("hash");
    if (tables.at("hash") != hash_of(told)) return Error{"the tables of an epoch are not those of their hash"};
    Result<Suppressions> suppressions = read_suppressions(tables.at("suppressions"));
    if (!suppressions.ok()) return suppressions.error();
    Result<FeedbackState> feedback = read_feedback(tables.at("feedback"));
    if (!feedback.ok()) return feedback.error();
    const auto epoch = tables.at("epoch").get<std::uint64_t>();
    tables_.insert_or_assign(epoch, Known{std::move(suppressions).value(), std::move(feedback).value()});
    // The oldest other one: a process may come back to an earlier epoch.
    if (tables_.size() > kMostTables)
      tables_.erase(tables_.begin()->first == epoch ? std::next(tables_.begin()) : tables_.begin());
    return Done{};
  } catch (const codec::Json::exception& error) {
    return damaged(error);
  }
}

std::optional<Seen> Lessee::look(const Divergence& met, std::uint64_t test) {
  const Explained explained = known_->explain(*runner_, met.oracle, met.program, met.options, met.judged);
  if (stop_condition_.reached()) return std::nullopt;
  return seen_as(met, explained, test, {});
}

Result<std::optional<codec::Json>> Lessee::study(const codec::Json& asked) {
  const Result<pyrunner::TemporaryFolder> folder = pyrunner::TemporaryFolder::make("case");
  if (!folder.ok()) return folder.error();
  const std::string& path = folder.value().path();
  CaseRuns runs(
      {.folder = path, .reduce = options_.reduce, .versions = versions_of(*runner_), .tell = [](const std::string&) {}},
      stop_condition_);
  runs.know(*known_);
  Result<codec::Json> studied = study_case(*runner_, runs, path, asked);
  if (runner_->failure()) return *runner_->failure();
  if (stop_condition_.reached()) return std::optional<codec::Json>();
  if (!studied.ok()) return studied.error();
  return std::optional(std::move(studied).value());
}

Result<std::optional<Tested>> Lessee::test(std::uint64_t number) {
  const auto known = tables_.find(epochs().of(number));
  JP_CHECK(known != tables_.end(), "the tables of test {} are not known", number);
  const Tables tables{.suppressions = &known->second.suppressions, .feedback = &known->second.feedback};
  Result<std::optional<Tested>> tested = tester_->test(number, tables, [](const Tested&) { return Done{}; });
  if (runner_->failure()) return *runner_->failure();
  return tested;
}

}  // namespace jp::campaign
