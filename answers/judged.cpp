#include "answers/judged.h"

#include "codec/codec.h"

namespace jp::answers {

codec::Json judged_json(const std::string& backend, const campaign::JudgedProgram& judged) {
  codec::Json json = {{"backend", backend},
                      {"verdict", codec::to_json(judged.verdict)},
                      {"plan", codec::to_json(judged.plan)},
                      {"outcomes", codec::Json::array()}};
  if (judged.verdict.kind == Verdict::Kind::kDiverge) json["signature"] = codec::to_json(judged.signature);
  for (const Outcome& outcome : judged.outcomes) json["outcomes"].push_back(codec::to_json(outcome));
  return json;
}

}  // namespace jp::answers
