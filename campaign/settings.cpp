#include "campaign/settings.h"

#include <fmt/format.h>

#include <vector>

#include "campaign/common/device.h"
#include "campaign/known/known.h"
#include "campaign/merge.h"
#include "codec/codec.h"
#include "core/files.h"
#include "core/hash.h"
#include "mutate/engine/engine.h"
#include "oracle/judge/oracle.h"

namespace jp::campaign {
namespace {

Error damaged() { return Error{"the campaign's settings are damaged: start a new campaign"}; }

// Campaigns of the first versions have no sources: all their seeds were generated. Later ones called them doors.
Result<SeedSources> read_sources(const codec::Json& json) {
  const char* key = json.contains("sources") ? "sources" : "doors";
  const codec::Json all = json.contains(key)
                              ? json.at(key)
                              : codec::Json::array({{{"source", "generated"}, {"operators", json.at("operators")}}});
  SeedSources seed_sources;
  for (const codec::Json& one : all) {
    SeedSourceResult seed_source = open_source(one);
    if (!seed_source.ok()) return seed_source.error();
    seed_sources.push_back(std::move(seed_source).value());
  }
  if (seed_sources.empty()) return damaged();
  return seed_sources;
}

// The backends that are files, with their contents.
codec::Json texts_of(const std::vector<std::string>& backends) {
  constexpr std::string_view kFile = "file:";
  codec::Json texts = codec::Json::object();
  for (const std::string& backend : backends) {
    if (!backend.starts_with(kFile)) continue;
    const Result<std::string> text = read_file(backend.substr(kFile.size()));
    texts[backend] = text.ok() ? sha256_hex(text.value()) : "";
  }
  return texts;
}

// The first of them that has changed; "" for none. A campaign of an older version doesn't say.
std::string changed_backend(const codec::Json& settings, const std::vector<std::string>& backends) {
  const codec::Json before = settings.value("backend_texts", codec::Json::object());
  const codec::Json now = texts_of(backends);
  for (const auto& [backend, text] : now.items())
    if (before.contains(backend) && before.at(backend) != text) return backend;
  return "";
}

// A flag and what settings say of it.
struct Decisive {
  const char* flag;
  std::function<codec::Json(const codec::Json&)> value;
};

std::function<codec::Json(const codec::Json&)> named(const char* key) {
  return [key](const codec::Json& settings) { return settings.value(key, codec::Json()); };
}

// For each source what --from says, without how generated programs are made.
codec::Json sources_of(const codec::Json& settings) {
  codec::Json sources = settings.value("sources", codec::Json::array());
  for (codec::Json& source : sources)
    for (const char* part : {"operators", "most_operators", "with"}) source.erase(part);
  return sources;
}

// One field of the generated sources, null if there are none.
std::function<codec::Json(const codec::Json&)> of_generated(const char* key) {
  return [key](const codec::Json& settings) {
    for (const codec::Json& source : settings.value("sources", codec::Json::array()))
      if (source.value("source", "") == "generated") return source.value(key, codec::Json());
    return codec::Json();
  };
}

// As --ops takes it.
codec::Json calls_of_generated(const codec::Json& settings) {
  const codec::Json least = of_generated("operators")(settings);
  const codec::Json most = of_generated("most_operators")(settings);
  return most.is_null() ? least : codec::Json(fmt::format("{}:{}", least.get<int>(), most.get<int>()));
}

codec::Json without_gradients(const codec::Json& settings) { return !settings.value("gradients", true); }

// The mutations that are on, with weights other than the default, or "all".
codec::Json mutations_of(const codec::Json& settings) {
  const codec::Json weights = settings.value("weights", codec::Json::object());
  codec::Json on = codec::Json::array();
  bool all = true;
  for (const mutate::Mutation* mutation : mutate::Mutations::instance().all()) {
    const std::string name(mutation->name());
    const std::uint32_t usual = mutate::unnamed_weight(*mutation);
    const std::uint32_t weight = weights.value(name, usual);
    all = all && weight == usual;
    if (weight > 0) on.push_back(weight == 1 || weight == usual ? name : fmt::format("{}={}", name, weight));
  }
  return all ? codec::Json("all") : on;
}

const std::vector<Decisive>& decisive() {
  static const std::vector<Decisive> all = {
      {"--seed", named("seed")},        {"--from", sources_of},
      {"--ops", calls_of_generated},    {"--with", of_generated("with")},
      {"--draw", named("draw_seeds")},  {"--mutations-per-program", named("mutations")},
      {"--only", mutations_of},         {"--without", mutations_of},
      {"--backend", named("backends")}, {"--oracle", named("oracles")},
      {"--report", named("report")},    {"--device", named("device")},
      {"--threads", named("threads")},  {"--no-gradients", without_gradients},
      {"--reduce", named("reduce")},    {"--epoch", named("epoch")},
      {"--cores", named("cores")},      {"--allow-known", named("allow_known")},
      {"--known", named("known")},      {"--depth", named("depth")},
      {"--accept", named("accept")}};
  return all;
}

// A value as a user would write it, if there is such a form.
std::string written(const codec::Json& value) {
  if (value.is_null()) return "none";
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_array()) return codec::text(value);
  std::string text;
  for (const codec::Json& part : value) {
    if (!text.empty()) text += ',';
    text += written(part);
  }
  return text.empty() ? "none" : text;
}

}  // namespace

codec::Json settings_json(const CampaignOptions& campaign) {
  const MakerOptions& options = campaign.maker;
  codec::Json seed_sources = codec::Json::array();
  for (const auto& seed_source : options.seed_sources) seed_sources.push_back(seed_source->settings());
  codec::Json tests;
  if (campaign.tests) tests = *campaign.tests;
  codec::Json json = {{"generator_version", seedgen::kGeneratorVersion},
                      {"maker_version", kMakerVersion},
                      {"reduce", campaign.reduce},
                      {"tests", std::move(tests)},
                      {"seed", options.seed},
                      {"sources", std::move(seed_sources)},
                      {"draw_seeds", options.draw_seeds},
                      {"mutations", options.mutations},
                      {"weights", options.weights},
                      {"epoch", options.epochs.size()},
                      {"allow_known", options.allow_known},
                      {"known", campaign.known.folders},
                      {"depth", options.depth},
                      {"accept", corpus_policy_name(options.corpus_policy)},
                      {"backends", options.backends},
                      {"backend_texts", texts_of(options.backends)},
                      {"backend_weights", options.backend_weights},
                      {"oracles", options.oracles},
                      {"gradients", options.plan.gradients},
                      {"threads", options.plan.threads},
                      {"device", options.plan.device},
                      {"report", options.plan.report}};
  if (options.epochs.cores() > 0) json["cores"] = options.epochs.cores();
  return json;
}

namespace {

Status same_versions(const codec::Json& json) {
  if (int version = json.at("generator_version").get<int>(); version != seedgen::kGeneratorVersion)
    return Error{fmt::format(
        "the campaign was made by version {} of the generator, this is {}: the same numbers would give other tests; "
        "start a new campaign",
        version, seedgen::kGeneratorVersion)};
  if (json.value("maker_version", 1) != kMakerVersion)
    return Error{
        "the campaign was made by another version of jitprobe, which drew tests in another way: start a new campaign"};
  return Done{};
}

// Throws codec::Json::exception where the settings have another form.
Result<MakerOptions> read_maker(const codec::Json& json) {
  MakerOptions options;
  options.seed = json.at("seed").get<std::uint64_t>();
  Result<SeedSources> seed_sources = read_sources(json);
  if (!seed_sources.ok()) return seed_sources.error();
  options.seed_sources = std::move(seed_sources).value();
  options.draw_seeds = json.value("draw_seeds", options.draw_seeds);
  options.mutations = json.at("mutations").get<int>();
  options.weights = json.at("weights").get<std::map<std::string, std::uint32_t, std::less<>>>();
  options.backends = json.at("backends").get<std::vector<std::string>>();
  options.backend_weights = json.at("backend_weights").get<std::vector<std::uint32_t>>();
  if (const std::string changed = changed_backend(json, options.backends); !changed.empty())
    return Error{
        fmt::format("the backend {} is another than when the campaign was started, so its tests would come to "
                    "something else: put it back to go on, or start another campaign in another folder",
                    changed)};
  options.oracles = json.value("oracles", options.oracles);
  const std::uint64_t epoch = json.value("epoch", Epochs::kSize);
  if (epoch == 0) return damaged();
  options.epochs = Epochs::for_cores(json.value("cores", std::uint64_t{0}), epoch);
  options.allow_known = json.value("allow_known", options.allow_known);
  options.depth = json.value("depth", options.depth);
  const std::optional<CorpusPolicy> corpus_policy = corpus_policy_named(json.value("accept", "all"));
  if (!corpus_policy) return damaged();
  options.corpus_policy = *corpus_policy;
  options.plan.gradients = json.value("gradients", options.plan.gradients);
  options.plan.threads = json.value("threads", options.plan.threads);
  options.plan.device = json.value("device", options.plan.device);
  options.plan.report = json.value("report", options.plan.report);
  for (const std::string& name : options.oracles)
    if (!oracle::find_oracle(name)) return Error{fmt::format("the campaign uses an oracle '{}', which is gone", name)};
  if (options.oracles.empty()) return damaged();
  if (options.backends.empty() || options.backends.size() != options.backend_weights.size()) return damaged();
  return options;
}

}  // namespace

Status read_settings(const codec::Json& json, CampaignOptions& into) {
  if (is_merged(json))
    return Error{
        "this folder holds the merged findings of other campaigns and no tests: continue those, and merge again"};
  try {
    if (Status same = same_versions(json); !same.ok()) return same;
    Result<MakerOptions> maker = read_maker(json);
    if (!maker.ok()) return maker.error();
    if (json.contains("reduce")) into.reduce = json.at("reduce").get<std::int64_t>();
    if (!into.tests && json.contains("tests") && !json.at("tests").is_null())
      into.tests = json.at("tests").get<std::uint64_t>();
    // Whatever was known decides tests too: what counts as known is not reduced, and suppresses nothing.
    const auto folders = json.value("known", std::vector<std::string>());
    if (folders != into.known.folders) {
      Result<KnownBefore> known = known_before(folders);
      if (!known.ok()) return known.error();
      into.known = std::move(known).value();
    }
    into.maker = std::move(maker).value();
    into.runner.backends = into.maker.backends;
    into.runner.device = device_of(into.maker.oracles, into.maker.plan);
    into.tried_by = nullptr;  // its options are those of the flags
    return Done{};
  } catch (const codec::Json::exception&) {
    return damaged();
  }
}

Status same_settings(const codec::Json& started, const codec::Json& asked,
                     const std::function<bool(const std::string&)>& given) {
  for (const Decisive& one : decisive()) {
    if (!given(one.flag)) continue;
    const codec::Json before = one.value(started);
    const codec::Json now = one.value(asked);
    if (before == now) continue;
    return Error{fmt::format(
        "{}: the campaign was started with {}, and was now given {}, which would make other tests: leave it out to go "
        "on, or start another campaign in another folder",
        one.flag, written(before), written(now))};
  }
  return Done{};
}

}  // namespace jp::campaign
