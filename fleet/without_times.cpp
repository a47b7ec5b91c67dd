#include "fleet/without_times.h"

#include <fmt/format.h>

#include <string_view>

#include "codec/codec.h"
#include "core/hash.h"

namespace jp::fleet {
namespace {

bool is_measured(std::string_view key) { return key == "seconds" || key == "start_seconds" || key == "peak_bytes"; }

}  // namespace

codec::Json without_times(const codec::Json& json) {
  if (!json.is_structured()) return json;
  codec::Json kept = json.is_object() ? codec::Json::object() : codec::Json::array();
  if (json.is_array())
    for (const codec::Json& part : json) kept.push_back(without_times(part));
  else
    for (const auto& [key, part] : json.items())
      if (!is_measured(key)) kept[key] = without_times(part);
  return kept;
}

std::string digest_of_study(const codec::Json& studied) {
  return sha256_hex(codec::text(without_times(studied.value("answers", codec::Json()))));
}

std::string said_unlike(const std::string& which, const std::string& where) {
  return fmt::format(
      "{}: a second process came to something else, which is {}: a program's result is a matter of chance, or jitprobe "
      "has a bug; the first result counts",
      which, where);
}

}  // namespace jp::fleet
