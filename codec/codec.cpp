#include "codec/codec.h"

#include <fmt/format.h>

#include "codec/base64.h"
#include "codec/fields.h"
#include "codec/json_builder.h"

namespace jp::codec {
namespace {

/// Runs a reader and turns its exceptions into an Error.
template <typename F>
auto guarded(const char* what, F&& reader) -> Result<decltype(reader())> {
  try {
    return reader();
  } catch (const Misfit& misfit) {
    return Error{fmt::format("this is no {}: {}", what, misfit.message)};
  } catch (const Json::exception& error) {
    return Error{fmt::format("this is no {}: {}", what, error.what())};
  }
}

/// A struct with its members, including those with default values that a reader wants to see.
template <typename T>
Json tagged(const T& value, const char* kind) {
  Json json = write(value);
  json["kind"] = kind;
  return json;
}

Ending read_ending(const Json& json) {
  auto as = [&]<typename T>(T value) -> Ending {
    read_into(json, value);
    return value;
  };
  const std::string kind = json.is_object() ? json.value("kind", "") : "";
  if (kind == "finished") return as(Finished{});
  if (kind == "raised") return as(Raised{});
  if (kind == "died") return as(Died{});
  if (kind == "timed_out") return as(TimedOut{});
  if (kind == "out_of_memory") return as(OutOfMemory{});
  if (kind == "broken") return as(Broken{});
  throw Misfit{"ending: unknown kind \"" + kind + "\""};
}

Outcome read_outcome(const Json& json) {
  Outcome outcome;
  Reader reader(json);
  reader("role", outcome.role);
  reader("seconds", outcome.seconds);
  if (!json.contains("ending")) throw Misfit{"ending is missing"};
  outcome.ending = read_ending(json["ending"]);
  return outcome;
}

Program read_program(const Json& json) {
  std::string source, entry = "program", inputs = "make_inputs", path;
  Lineage lineage;
  Reader reader(json);
  reader("source", source);
  reader("entry", entry);
  reader("inputs", inputs);
  reader("path", path);
  reader("lineage", lineage);
  Result<Program> program =
      Program::make(std::move(source), std::move(lineage), std::move(path), std::move(entry), std::move(inputs));
  if (!program.ok()) throw Misfit{program.error().message};
  return std::move(program).value();
}

Finding read_finding(const Json& json) {
  if (!json.is_object() || !json.contains("program")) throw Misfit{"program is missing"};
  Finding finding{.program = read_program(json["program"]), .plan = {}, .outcomes = {}, .verdict = {}, .signature = {}};
  Reader reader(json);
  reader("plan", finding.plan);
  for (const Json& outcome : json.value("outcomes", Json::array())) finding.outcomes.push_back(read_outcome(outcome));
  reader("verdict", finding.verdict);
  reader("signature", finding.signature);
  reader("status", finding.status);
  reader("reproduced", finding.reproduced);
  reader("attempts", finding.attempts);
  reader("trials", finding.trials);
  return finding;
}

/// Binary values become {"base64": …}, recursively.
void binaries_to_text(Json& json) {
  if (json.is_binary()) {
    const auto& bytes = json.get_binary();
    json = Json{{"base64", base64(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()))}};
  } else if (json.is_structured()) {
    for (Json& item : json) binaries_to_text(item);
  }
}

void binaries_from_text(Json& json) {
  if (json.is_object() && json.size() == 1 && json.contains("base64") && json["base64"].is_string()) {
    std::optional<std::string> bytes = unbase64(json["base64"].get<std::string>());
    if (!bytes) throw Misfit{"base64 is malformed"};
    json = Json::binary({bytes->begin(), bytes->end()});
  } else if (json.is_structured()) {
    for (Json& item : json) binaries_from_text(item);
  }
}

}  // namespace

Json to_json(const Lineage& lineage) { return write(lineage); }
Json to_json(const Step& step) { return write(step); }
Json to_json(const RunRequest& run) { return write(run); }
Json to_json(const Plan& plan) { return write(plan); }
Json to_json(const Value& value) { return write(value); }
Json to_json(const ExceptionRecord& exception) { return write(exception); }
Json to_json(const Observation& observation) { return write(observation); }
Json to_json(const Counters& counters) { return write(counters); }
Json to_json(const Difference& difference) { return write(difference); }

Json to_json(const Program& program) {
  return {{"source", program.source()},
          {"entry", program.entry()},
          {"inputs", program.inputs()},
          {"path", program.path()},
          {"lineage", to_json(program.lineage())}};
}

Json to_json(const Outcome& outcome) {
  Json ending = std::visit([](const auto& held) { return write(held); }, outcome.ending);
  ending["kind"] = ending_name(outcome.ending);
  return {{"role", outcome.role}, {"ending", std::move(ending)}, {"seconds", outcome.seconds}};
}

Json to_json(const Verdict& verdict) { return tagged(verdict, std::string(verdict_name(verdict.kind)).c_str()); }

Json to_json(const Signature& signature) {
  Json json = write(signature);
  json["id"] = signature.id();
  return json;
}

Json to_json(const Finding& finding) {
  Json outcomes = Json::array();
  for (const Outcome& outcome : finding.outcomes) outcomes.push_back(to_json(outcome));
  Json trials = Json::array();
  for (const Trial& trial : finding.trials) trials.push_back(write(trial));
  return {{"program", to_json(finding.program)},
          {"plan", to_json(finding.plan)},
          {"outcomes", std::move(outcomes)},
          {"verdict", to_json(finding.verdict)},
          {"signature", to_json(finding.signature)},
          {"status", status_name(finding.status)},
          {"reproduced", finding.reproduced},
          {"attempts", finding.attempts},
          {"trials", std::move(trials)}};
}

template <typename T>
Result<T> read(const Json& json) {
  return guarded("value of the expected form", [&] {
    T value;
    read_into(json, value);
    return value;
  });
}
template <>
Result<Outcome> read<Outcome>(const Json& json) {
  return guarded("outcome", [&] { return read_outcome(json); });
}
template <>
Result<Program> read<Program>(const Json& json) {
  return guarded("program", [&] { return read_program(json); });
}
template <>
Result<Finding> read<Finding>(const Json& json) {
  return guarded("finding", [&] { return read_finding(json); });
}
template Result<Lineage> read<Lineage>(const Json&);
template Result<Step> read<Step>(const Json&);
template Result<Draws> read<Draws>(const Json&);
template Result<RunRequest> read<RunRequest>(const Json&);
template Result<Plan> read<Plan>(const Json&);
template Result<Value> read<Value>(const Json&);
template Result<ExceptionRecord> read<ExceptionRecord>(const Json&);
template Result<Observation> read<Observation>(const Json&);
template Result<Counters> read<Counters>(const Json&);
template Result<Difference> read<Difference>(const Json&);
template Result<Verdict> read<Verdict>(const Json&);
template Result<Signature> read<Signature>(const Json&);

std::string pack(const Json& json) {
  std::string bytes;
  Json::to_msgpack(json, bytes);
  return bytes;
}

Result<Json> unpack(std::string_view bytes) {
  JsonBuilder builder(kMostNested);
  const bool whole = Json::sax_parse(bytes.begin(), bytes.end(), &builder, Json::input_format_t::msgpack);
  if (!whole) return Error{"this is no MessagePack message: " + builder.error()};
  return builder.take();
}

std::string text(Json json, int indent) {
  binaries_to_text(json);
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

Result<Json> parse_text(std::string_view text) {
  JsonBuilder builder(kMostNested);
  if (!Json::sax_parse(text.begin(), text.end(), &builder)) return Error{"this is no JSON text: " + builder.error()};
  return guarded("JSON text", [&] {
    Json json = builder.take();
    binaries_from_text(json);
    return json;
  });
}

}  // namespace jp::codec
