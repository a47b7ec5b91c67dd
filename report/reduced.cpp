#include "report/reduced.h"

#include <utility>

#include "codec/codec.h"
#include "report/files.h"
#include "report/object_file.h"

namespace jp::report {
namespace {

constexpr const char* kReduced = "reduced.json";
constexpr const char* kAlso = "also.json";
constexpr const char* kSlip = "slip.json";

codec::Json form_json(const ReducedProgram& form) {
  codec::Json json = {{"program", codec::to_json(form.program)}, {"mutations", form.mutations}, {"place", form.place}};
  if (form.test) json["test"] = *form.test;
  return json;
}

std::optional<ReducedProgram> read_form(const codec::Json& json) {
  if (!json.is_object() || !json.contains("program")) return std::nullopt;
  Result<Program> program = codec::read<Program>(json["program"]);
  if (!program.ok()) return std::nullopt;
  ReducedProgram form{std::move(program).value(), {}};
  if (json.contains("place") && json["place"].is_string()) form.place = json["place"].get<std::string>();
  if (json.contains("test") && json["test"].is_number_unsigned()) form.test = json["test"].get<std::uint64_t>();
  if (!json.contains("mutations") || !json["mutations"].is_array()) return form;
  for (const codec::Json& name : json["mutations"])
    if (name.is_string()) form.mutations.push_back(name.get<std::string>());
  return form;
}

// The stored programs that other sightings of a finding were reduced to.
codec::Json also_rows(const std::string& folder, const std::string& id) {
  const std::optional<codec::Json> json = read_object(folder, id, kAlso);
  const bool sound = json && json->contains("also") && (*json)["also"].is_array();
  return sound ? (*json)["also"] : codec::Json::array();
}

bool flag(const codec::Json& json, const char* name) {
  return json.contains(name) && json[name].is_boolean() && json[name].get<bool>();
}

}  // namespace

std::optional<ReducedForm> load_reduced_form(const std::string& folder, const std::string& id) {
  const std::optional<codec::Json> json = read_object(folder, id, kReduced);
  std::optional<ReducedProgram> best = json ? read_form(*json) : std::nullopt;
  if (!best) return std::nullopt;
  ReducedForm form{.best = *std::move(best), .bounded = std::nullopt};
  form.finished = flag(*json, "finished");
  form.verified = flag(*json, "verified");
  if (json->contains("bounded")) form.bounded = read_form((*json)["bounded"]);
  // Files of versions that knew one program only.
  if (!json->contains("finished")) form.bounded = form.best;
  return form;
}

Status keep_reduced_form(const std::string& folder, const std::string& id, const ReducedForm& form) {
  codec::Json json = form_json(form.best);
  json["version"] = codec::kVersion;
  json["finished"] = form.finished;
  json["verified"] = form.verified;
  json["bytes"] = form.best.program.source().size();
  if (form.bounded) json["bounded"] = form_json(*form.bounded);
  if (Status put = write_object(folder, id, kReduced, json); !put.ok()) return put;
  return write_file(finding_file(folder, id, "reduced.py"), form.best.program.source());
}

std::optional<Program> load_reduced(const std::string& folder, const std::string& id) {
  std::optional<ReducedForm> form = load_reduced_form(folder, id);
  return form ? std::optional(form->best.program) : std::nullopt;
}

std::vector<std::string> load_needed_mutations(const std::string& folder, const std::string& id) {
  const std::optional<ReducedForm> form = load_reduced_form(folder, id);
  return form ? form->best.mutations : std::vector<std::string>{};
}

Status keep_reduced(const std::string& folder, const std::string& id, const Program& program,
                    const std::vector<std::string>& mutations, std::optional<std::uint64_t> test) {
  const ReducedProgram small{.program = program, .mutations = mutations, .test = test};
  std::optional<ReducedForm> form = load_reduced_form(folder, id);
  if (!form) form = ReducedForm{.best = small, .bounded = std::nullopt};
  form->bounded = small;
  return keep_reduced_form(folder, id, *form);
}

std::vector<ReducedProgram> load_reduced_programs(const std::string& folder, const std::string& id) {
  const std::optional<ReducedForm> own = load_reduced_form(folder, id);
  if (!own || !own->bounded) return {};
  std::vector<ReducedProgram> forms = {*own->bounded};
  for (const codec::Json& row : also_rows(folder, id))
    if (std::optional<ReducedProgram> form = read_form(row)) forms.push_back(*std::move(form));
  return forms;
}

Status keep_also(const std::string& folder, const std::string& id, const ReducedProgram& also) {
  codec::Json rows = also_rows(folder, id);
  rows.push_back(form_json(also));
  return write_object(folder, id, kAlso, {{"version", codec::kVersion}, {"also", rows}});
}

Slip load_slip(const std::string& folder, const std::string& id) {
  const std::optional<codec::Json> json = read_object(folder, id, kSlip);
  if (!json || !json->contains("depth") || !(*json)["depth"].is_number_integer()) return {};
  const auto text = [&](const char* key) {
    const auto found = json->find(key);
    return found != json->end() && found->is_string() ? found->get<std::string>() : std::string();
  };
  return {text("of"), (*json)["depth"].get<int>(), text("behind")};
}

Status keep_slip(const std::string& folder, const std::string& id, const Slip& slip) {
  codec::Json json = {{"version", codec::kVersion}, {"of", slip.of}, {"depth", slip.depth}};
  if (!slip.behind.empty()) json["behind"] = slip.behind;
  return write_object(folder, id, kSlip, json);
}

}  // namespace jp::report
