// What a request gets: a JSON value, or a refusal in a sentence.
#pragma once

#include <string>
#include <utility>

#include "codec/codec.h"
#include "core/result.h"

namespace jp::explore {

struct Reply {
  int status = 200;
  codec::Json body;
};

inline Reply refused(int status, std::string sentence) { return {status, {{"error", std::move(sentence)}}}; }
/// The value, or with 400 what is wrong with the request.
inline Reply reply_of(Result<codec::Json> answer) {
  if (!answer.ok()) return refused(400, answer.error().message);
  return {200, std::move(answer).value()};
}

}  // namespace jp::explore
