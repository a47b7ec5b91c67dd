#include "campaign/triage/answer_forms.h"

#include <functional>
#include <map>
#include <stdexcept>

#include "core/check.h"
#include "mutate/syntax/syntax.h"

namespace jp::campaign {
namespace {

using codec::Json;

// Thrown in here only.
struct Unreadable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

template <typename T>
T need(Result<T> read) {
  if (!read.ok()) throw Unreadable(read.error().message);
  return std::move(read).value();
}

template <typename T>
T need(std::optional<T> read) {
  if (!read) throw Unreadable("an answer");
  return *std::move(read);
}

template <typename T>
std::optional<T> readable(const std::function<T()>& read) {
  try {
    return read();
  } catch (const Json::exception&) {
    return std::nullopt;
  } catch (const Unreadable&) {
    return std::nullopt;
  }
}

Program program_in(const Json& json) { return need(codec::read<Program>(json)); }

Json to_json(const oracle::PlanOptions& options) {
  return {{"backend", options.backend},
          {"gradients", options.gradients},
          {"threads", options.threads},
          {"memory_fill", options.memory_fill},
          {"fixed_addresses", options.fixed_addresses},
          {"depends_on", options.depends_on},
          {"full", options.full},
          {"brief", options.brief},
          {"device", options.device},
          {"report", options.report},
          {"switches", options.switches},
          {"seed_text", options.seed_text}};
}

oracle::PlanOptions read_options(const Json& json) {
  return {.backend = json.at("backend").get<std::string>(),
          .gradients = json.at("gradients").get<bool>(),
          .threads = json.at("threads").get<int>(),
          .memory_fill = json.at("memory_fill").get<std::int64_t>(),
          .fixed_addresses = json.at("fixed_addresses").get<bool>(),
          .depends_on = json.at("depends_on").get<std::string>(),
          .full = json.at("full").get<bool>(),
          .brief = json.at("brief").get<bool>(),
          .device = json.at("device").get<std::string>(),
          .report = json.at("report").get<std::vector<std::string>>(),
          .switches = json.at("switches").get<std::vector<std::string>>(),
          .seed_text = json.at("seed_text").get<std::string>()};
}

Json to_json(const reduce::Progress& progress) {
  Json passes = Json::object();
  for (const auto& [name, count] : progress.passes) passes[name] = {count.asked, count.accepted};
  return {{"asked", progress.asked}, {"accepted", progress.accepted}, {"passes", std::move(passes)}};
}

reduce::Progress read_progress(const Json& json) {
  reduce::Progress progress{json.at("asked").get<std::int64_t>(), json.at("accepted").get<std::int64_t>(), {}};
  for (const auto& [name, count] : json.at("passes").items())
    progress.passes[name] = {count.at(0).get<std::int64_t>(), count.at(1).get<std::int64_t>()};
  return progress;
}

Json to_json(const Piece& piece) {
  Json others = Json::object();
  for (const auto& [id, program] : piece.others) others[id] = codec::to_json(program);
  return {{"program", codec::to_json(piece.parsed.program())},
          {"mutations", piece.mutations},
          {"finished", piece.finished},
          {"verified", piece.verified},
          {"progress", to_json(piece.progress)},
          {"others", std::move(others)},
          {"judged", piece.judged},
          {"runs", piece.runs},
          {"signature", codec::to_json(piece.signature)},
          {"trail", report::to_json(piece.trail)}};
}

Piece read_piece(const Json& json) {
  std::map<std::string, Program> others;
  for (const auto& [id, program] : json.at("others").items()) others.emplace(id, program_in(program));
  return {.parsed = need(mutate::parse(program_in(json.at("program")))),
          .mutations = json.at("mutations").get<std::vector<std::string>>(),
          .finished = json.at("finished").get<bool>(),
          .verified = json.at("verified").get<bool>(),
          .progress = read_progress(json.at("progress")),
          .others = std::move(others),
          .judged = json.at("judged").get<std::int64_t>(),
          .runs = json.at("runs").get<std::int64_t>(),
          .signature = need(codec::read<Signature>(json.at("signature"))),
          .trail = report::read_trail(json.at("trail"))};
}

Json to_json(const UnderAvoid& under) {
  Json json = {{"kind", static_cast<int>(under.kind)},
               {"reason", under.reason},
               {"judged", AnswerForm<JudgedProgram>::json(under.judged)}};
  if (under.program) json["program"] = codec::to_json(*under.program);
  return json;
}

UnderAvoid read_under(const Json& json) {
  const auto kind = codec::enumerator(json.at("kind").get<std::int64_t>(), UnderAvoid::Kind::kUnjudged);
  UnderAvoid under{.kind = need(kind), .reason = json.at("reason").get<std::string>()};
  under.judged = need(AnswerForm<JudgedProgram>::read(json.at("judged")));
  if (json.contains("program")) under.program = program_in(json["program"]);
  return under;
}

}  // namespace

Json AnswerForm<Finding>::json(const Finding& finding) { return codec::to_json(finding); }

std::optional<Finding> AnswerForm<Finding>::read(const Json& json) {
  return readable<Finding>([&] { return need(codec::read<Finding>(json)); });
}

Json AnswerForm<ReducedPiece>::json(const ReducedPiece& reduced) {
  JP_CHECK(reduced.piece.ok(), "an error is handed on as an answer: {}", reduced.piece.error().message);
  Json list = Json::array();
  if (reduced.piece.value()) list.push_back(to_json(*reduced.piece.value()));
  return list;
}

std::optional<ReducedPiece> AnswerForm<ReducedPiece>::read(const Json& json) {
  return readable<ReducedPiece>([&] {
    if (json.is_array() && json.empty()) return ReducedPiece{std::optional<Piece>(), 0};
    return ReducedPiece{std::optional(read_piece(json.at(0))), 0};
  });
}

Json AnswerForm<JudgedProgram>::json(const JudgedProgram& judged) {
  Json outcomes = Json::array();
  for (const Outcome& outcome : judged.outcomes) outcomes.push_back(codec::to_json(outcome));
  return {{"plan", codec::to_json(judged.plan)},
          {"outcomes", std::move(outcomes)},
          {"verdict", codec::to_json(judged.verdict)},
          {"signature", codec::to_json(judged.signature)},
          {"planned", judged.planned}};
}

std::optional<JudgedProgram> AnswerForm<JudgedProgram>::read(const Json& json) {
  return readable<JudgedProgram>([&] {
    JudgedProgram judged;
    judged.plan = need(codec::read<Plan>(json.at("plan")));
    for (const Json& outcome : json.at("outcomes")) judged.outcomes.push_back(need(codec::read<Outcome>(outcome)));
    judged.verdict = need(codec::read<Verdict>(json.at("verdict")));
    judged.signature = need(codec::read<Signature>(json.at("signature")));
    judged.planned = json.at("planned").get<std::size_t>();
    return judged;
  });
}

Json AnswerForm<Explained>::json(const Explained& explained) {
  Json json = {{"bugs", Json::array()}};
  for (const Recognised& bug : explained.bugs)
    json["bugs"].push_back({{"name", bug.name}, {"link", bug.link}, {"signature", codec::to_json(bug.signature)}});
  if (explained.rest)
    json["rest"] = {{"program", codec::to_json(explained.rest->program)},
                    {"options", to_json(explained.rest->options)},
                    {"judged", AnswerForm<JudgedProgram>::json(explained.rest->judged)}};
  return json;
}

std::optional<Explained> AnswerForm<Explained>::read(const Json& json) {
  return readable<Explained>([&] {
    Explained explained;
    for (const Json& bug : json.at("bugs"))
      explained.bugs.push_back({bug.at("name").get<std::string>(), bug.at("link").get<std::string>(),
                                need(codec::read<Signature>(bug.at("signature")))});
    if (!json.contains("rest")) return explained;
    const Json& rest = json["rest"];
    explained.rest = Diverging{program_in(rest.at("program")), read_options(rest.at("options")),
                               need(AnswerForm<JudgedProgram>::read(rest.at("judged")))};
    return explained;
  });
}

Json AnswerForm<KnownJudge::Behind>::json(const KnownJudge::Behind& behind) {
  return {{"line", behind.line}, {"under", to_json(behind.under)}};
}

std::optional<KnownJudge::Behind> AnswerForm<KnownJudge::Behind>::read(const Json& json) {
  return readable<KnownJudge::Behind>([&] {
    return KnownJudge::Behind{json.at("line").get<std::string>(), read_under(json.at("under"))};
  });
}

Json AnswerForm<report::Cause>::json(const report::Cause& cause) { return report::to_json(cause); }

std::optional<report::Cause> AnswerForm<report::Cause>::read(const Json& json) {
  return readable<report::Cause>([&] { return report::read_cause(json); });
}

Json AnswerForm<report::Intermediate>::json(const report::Intermediate& seen) { return report::to_json(seen); }

std::optional<report::Intermediate> AnswerForm<report::Intermediate>::read(const Json& json) {
  return readable<report::Intermediate>([&] { return report::read_intermediate(json); });
}

Json AnswerForm<report::KnownVerdict>::json(const report::KnownVerdict& verdict) { return report::to_json(verdict); }

std::optional<report::KnownVerdict> AnswerForm<report::KnownVerdict>::read(const Json& json) {
  return readable<report::KnownVerdict>([&] { return report::read_known_verdict(json); });
}

}  // namespace jp::campaign
