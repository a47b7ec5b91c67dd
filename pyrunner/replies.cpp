#include "pyrunner/replies.h"

#include <type_traits>
#include <utility>
#include <variant>

#include "codec/codec.h"

namespace jp::pyrunner {
namespace {

using codec::Json;

// The ending in an answer. Even an answer that is no outcome was written by jitprobe's own worker.
Ending ending_of(const Json& answer) {
  if (auto text = answer.find("broken"); text != answer.end() && text->is_string()) {
    return Broken{text->get<std::string>()};
  }
  auto found = answer.find("outcome");
  if (found == answer.end()) return Broken{"its answer holds no outcome"};
  Result<Outcome> outcome = codec::read<Outcome>(*found);
  if (!outcome.ok()) return Broken{"its answer can't be read: " + outcome.error().message};
  return std::move(outcome.value().ending);
}

}  // namespace

Died lost(const std::string& why) { return {.how = "protocol", .last_words = why}; }

bool is_broken(const Reply& reply) {
  const Json* answer = std::get_if<Json>(&reply);
  return answer != nullptr && answer->contains("broken");
}

Ending ending_of(Reply reply) {
  return std::visit(
      [](auto&& held) -> Ending {
        if constexpr (std::is_same_v<std::decay_t<decltype(held)>, Json>) {
          return ending_of(held);
        } else {
          return std::forward<decltype(held)>(held);
        }
      },
      std::move(reply));
}

bool wants_retirement(const Reply& reply) {
  const Json* answer = std::get_if<Json>(&reply);
  if (answer == nullptr || is_broken(reply)) return true;
  auto found = answer->find("retire");
  return found != answer->end() && found->is_boolean() && found->get<bool>();
}

bool lacked_compiler(const Reply& reply) {
  const Json* answer = std::get_if<Json>(&reply);
  return answer != nullptr && answer->value("lacked_compiler", false);
}

}  // namespace jp::pyrunner
