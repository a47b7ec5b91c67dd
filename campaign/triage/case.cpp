#include "campaign/triage/case.h"

#include <fmt/format.h>

#include <utility>

#include "codec/codec.h"

namespace jp::campaign {

codec::Json to_json(const Case& one) {
  codec::Json json = {{"version", codec::kVersion}, {"test", one.test}, {"finding", codec::to_json(one.found)}};
  if (one.slip.depth > 0) json["slip"] = {{"of", one.slip.of}, {"depth", one.slip.depth}};
  return json;
}

Result<Case> read_case(const codec::Json& json) {
  try {
    Result<Finding> found = codec::read<Finding>(json.at("finding"));
    if (!found.ok()) return found.error();
    Case one{.test = json.at("test").get<std::uint64_t>(), .found = std::move(found).value()};
    if (json.contains("slip"))
      one.slip = {json["slip"].at("of").get<std::string>(), json["slip"].at("depth").get<int>()};
    return one;
  } catch (const codec::Json::exception& error) {
    return Error{fmt::format("a divergence that waits for its turn is damaged: {}", error.what())};
  }
}

void CaseMemory::forget() {
  answers_.clear();
  told_.reset();
}

codec::Json CaseMemory::to_json() const {
  codec::Json json = codec::Json::object();
  for (const auto& [question, answer] : answers_) json[question] = answer.json ? answer.json(answer.value) : nullptr;
  return json;
}

void CaseMemory::tell(codec::Json answers) { told_ = std::make_shared<const codec::Json>(std::move(answers)); }

const codec::Json* CaseMemory::told_about(const std::string& what) const {
  if (!told_ || !told_->is_object()) return nullptr;
  const auto found = told_->find(what);
  return found == told_->end() ? nullptr : &*found;
}

}  // namespace jp::campaign
