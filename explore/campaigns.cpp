#include "explore/campaigns.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "answers/exports.h"
#include "answers/findings.h"
#include "answers/steps.h"
#include "campaign/common/confirm.h"
#include "campaign/common/device.h"
#include "campaign/common/tools.h"
#include "campaign/triage/reduction.h"
#include "codec/codec.h"
#include "explore/request.h"
#include "mutate/engine/engine.h"
#include "pyrunner/cancellable_lock.h"
#include "report/store.h"

namespace jp::explore {
namespace {

using campaign::LoadedFinding;
using codec::Json;

/// Ids are hexadecimal: nothing else ever becomes a part of a path.
bool is_id(std::string_view id) {
  return !id.empty() && id.size() <= 64 && id.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

Result<LoadedFinding> load(const Explorer& explorer, const Json& body, const char* member = "id") {
  const std::string& folder = explorer.opened().campaign;
  if (folder.empty()) return Error{"no campaign was opened"};
  Result<std::string> id = read_text(body, member);
  if (!id.ok()) return id.error();
  if (!is_id(id.value())) return Error{"there is no finding of that id"};
  return campaign::load_finding(folder, id.value());
}

/// Where the finding's lineage begins, with its steps at the places of their numbers.
struct Origin {
  Program program;
  std::vector<std::string> steps;
};

/// The seed and the steps if they still give the program; else the program itself, without steps.
Origin origin_of(const Program& program) {
  const Lineage& lineage = program.lineage();
  if (lineage.steps.empty() || lineage.next_number() > static_cast<int>(kMostSteps)) return {program, {}};
  std::optional<mutate::Parsed> base = campaign::base_of(lineage.seed);
  const bool same = base && mutate::replay(*base, lineage.steps).source() == program.source();
  return same ? Origin{base->program(), answers::placed(lineage.steps)} : Origin{program, {}};
}

}  // namespace

Json full_finding_json(const LoadedFinding& kept) {
  Json json = answers::finding_json(kept);
  const Origin origin = origin_of(kept.finding.program);
  json["program"] = program_json(origin.program);
  json["steps"] = origin.steps;
  json["backend"] = campaign::plan_options_of(kept.finding.plan).backend;
  json["oracle"] = kept.finding.plan.oracle;
  json["title"] = campaign::title_of(kept);
  return json;
}

namespace {

using GivenUp = std::function<bool()>;

/// Minutes, the first time. Of several requests one measures; those that wait for it then find what it has stored.
Status measure(Explorer& explorer, Stream& stream, const GivenUp& given_up, LoadedFinding& kept) {
  if (campaign::has_evidence(kept)) return Done{};
  stream.say("waits until no other finding is measured");
  const auto alone = pyrunner::lock_unless(explorer.measuring(), given_up);
  if (!alone.owns_lock()) return Error{"cancelled"};
  Result<LoadedFinding> now = campaign::load_finding(kept.folder, kept.finding.signature.id());
  if (!now.ok()) return now.error();
  kept = std::move(now).value();
  return campaign::measure_missing(
      kept, [&](const std::string& what) { stream.say(what); }, given_up);
}

/// Until it is cancelled, or the server ends.
Result<Json> exported(Explorer& explorer, Stream& stream, const std::string& form, LoadedFinding& kept) {
  const GivenUp given_up = [&explorer, cancel = stream.cancel()] {
    return cancel.asked() || explorer.runners().stopped();
  };
  if (answers::needs_evidence(form)) {
    if (Status measured = measure(explorer, stream, given_up, kept); !measured.ok()) return measured.error();
    stream.say("writes the file and runs it by itself in a new interpreter");
  }
  Result<answers::Export> made = answers::export_of(kept, form, false, given_up);
  if (!made.ok()) return made.error();
  return Json{{"text", made.value().text},
              {"works", made.value().works ? Json(*made.value().works) : Json()},
              {"name", answers::export_name(kept, form)}};
}

}  // namespace

Reply campaign_overview(Explorer& explorer) {
  const std::string& folder = explorer.opened().campaign;
  if (folder.empty()) return refused(404, "no campaign was opened: jitprobe explore --campaign DIR opens one");
  return reply_of(explorer.overview().get());
}

Reply finding(Explorer& explorer, const Json& body) {
  Result<LoadedFinding> kept = load(explorer, body);
  if (!kept.ok()) return refused(404, kept.error().message);
  return {200, full_finding_json(kept.value())};
}

Result<Stream::Work> export_work(Explorer& explorer, const Json& body) {
  Result<LoadedFinding> loaded = load(explorer, body);
  if (!loaded.ok()) return loaded.error();
  Result<std::string> form = read_text(body, "as");
  if (!form.ok()) return form.error();
  if (Status known = answers::check_form(form.value()); !known.ok()) return known.error();
  auto kept = std::make_shared<LoadedFinding>(std::move(loaded).value());
  return Stream::Work([&explorer, kept, form = form.value()](Stream& stream) {
    tell(stream, "exported", exported(explorer, stream, form, *kept));
  });
}

Result<Opened> open_finding(const std::string& folder, const std::string& id) {
  if (!is_id(id)) return Error{fmt::format("{} is neither a file nor the id of a finding", id)};
  Result<LoadedFinding> kept = campaign::load_finding(folder, id);
  if (!kept.ok()) return kept.error();
  Origin origin = origin_of(kept.value().finding.program);
  const Plan& plan = kept.value().finding.plan;
  return Opened{.name = campaign::title_of(kept.value()),
                .program = std::move(origin.program),
                .steps = std::move(origin.steps),
                .finding = kept.value().finding.signature.id(),
                .campaign = folder,
                .backend = campaign::plan_options_of(plan).backend,
                .oracle = plan.oracle};
}

std::vector<std::string> campaign_backends(const std::string& folder) {
  std::vector<std::string> found;
  const Result<Json> settings = report::read_campaign_settings(folder);
  if (!settings.ok() || !settings.value().contains("backends")) return found;
  for (const Json& backend : settings.value()["backends"]) {
    if (!backend.is_string()) continue;
    const std::string name = backend.get<std::string>();
    constexpr std::string_view kFile = "file:";
    std::error_code error;
    const bool file = name.starts_with(kFile) && std::filesystem::exists(name.substr(kFile.size()), error);
    const std::vector<std::string>& own = campaign::built_in_backends();
    if (file || std::find(own.begin(), own.end(), name) != own.end()) found.push_back(name);
  }
  return found;
}

std::string campaign_device(const std::string& folder) {
  const Result<Json> settings = report::read_campaign_settings(folder);
  if (!settings.ok()) return "cpu";
  try {
    const oracle::PlanOptions plan{.device = settings.value().value("device", "cpu")};
    return campaign::device_of(settings.value().value("oracles", std::vector<std::string>{}), plan);
  } catch (const Json::exception&) {
    return "cpu";
  }
}

Result<oracle::PlanOptions> finding_plan(const Explorer& explorer, const Json& body) {
  Result<LoadedFinding> kept = load(explorer, body, "finding");
  if (!kept.ok()) return kept.error();
  return campaign::plan_options_of(kept.value().finding.plan);
}

}  // namespace jp::explore
