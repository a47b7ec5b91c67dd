#include "report/trail.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "codec/codec.h"
#include "report/object_file.h"

namespace jp::report {
namespace {

constexpr const char* kTrail = "trail.json";

std::size_t size_of(const Trail& trail) {
  std::size_t size = 0;
  for (const TrailStep& step : trail) size += step.source.size();
  return size;
}

/// Takes a step's source away; the step after it has its passes, too.
void merge_into_next(Trail& trail, Trail::iterator step) {
  std::vector<std::string>& after = std::next(step)->passes;
  std::vector<std::string> both = std::move(step->passes);
  for (std::string& pass : after)
    if (both.empty() || both.back() != pass) both.push_back(std::move(pass));
  after = std::move(both);
  trail.erase(step);
}

}  // namespace

void extend(Trail& trail, std::string_view pass, std::string source) {
  const bool same = !trail.empty() && trail.back().passes == std::vector<std::string>{std::string(pass)};
  if (same)
    trail.back().source = std::move(source);
  else
    trail.push_back({{std::string(pass)}, std::move(source)});
}

void bound(Trail& trail, std::size_t most) {
  while (trail.size() > 1 && size_of(trail) > most) {
    const auto larger = [](const TrailStep& one, const TrailStep& other) {
      return one.source.size() < other.source.size();
    };
    merge_into_next(trail, std::max_element(trail.begin(), std::prev(trail.end()), larger));
  }
}

Trail ending_in(Trail trail, const std::string& source) {
  if (trail.empty() || trail.back().source != source) trail.push_back({{}, source});
  return trail;
}

codec::Json to_json(const Trail& trail) {
  codec::Json rows = codec::Json::array();
  for (const TrailStep& step : trail) rows.push_back({{"passes", step.passes}, {"source", step.source}});
  return rows;
}

Trail read_trail(const codec::Json& rows) {
  Trail trail;
  if (!rows.is_array()) return trail;
  for (const codec::Json& row : rows) {
    const bool sound = row.is_object() && row.contains("source") && row["source"].is_string() &&
                       row.contains("passes") && row["passes"].is_array();
    if (!sound) return {};
    TrailStep step{{}, row["source"].get<std::string>()};
    for (const codec::Json& pass : row["passes"])
      if (pass.is_string()) step.passes.push_back(pass.get<std::string>());
    trail.push_back(std::move(step));
  }
  return trail;
}

Trail load_trail(const std::string& folder, const std::string& id) {
  const std::optional<codec::Json> json = read_object(folder, id, kTrail);
  return json && json->contains("steps") ? read_trail((*json)["steps"]) : Trail();
}

Status keep_trail(const std::string& folder, const std::string& id, Trail trail) {
  bound(trail);
  return write_object(folder, id, kTrail, {{"version", codec::kVersion}, {"steps", to_json(trail)}});
}

}  // namespace jp::report
