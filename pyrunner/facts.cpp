#include "pyrunner/facts.h"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "pyrunner/packed_facts.h"

namespace jp::pyrunner {
namespace {

using codec::Json;

// at() throws where a number doesn't fit.
std::size_t index(std::int32_t number) { return static_cast<std::size_t>(number); }

std::vector<Names::Entry> items_of(const PackedFacts& packed) {
  std::vector<Names::Entry> items;
  items.reserve(packed.items.size());
  for (const auto& [name, entry, storage] : packed.items) {
    NameFacts known = packed.table.at(index(entry));
    if (storage >= 0) known.storage = storage;
    items.push_back(std::make_shared<const Names::value_type>(packed.names.at(index(name)), std::move(known)));
  }
  return items;
}

// Each point from the one before it.
class Walk {
 public:
  Walk(const PackedFacts& packed, std::vector<Names::Entry> items) : packed_(packed), items_(std::move(items)) {}

  Names step(const std::vector<std::int32_t>& edits) {
    for (std::int32_t edit : edits) {
      if (edit < 0) {
        drop(~edit);
      } else {
        put(packed_.items.at(index(edit)).name, items_[index(edit)]);
      }
    }
    return Names(now_);
  }

 private:
  std::pair<std::ptrdiff_t, bool> find(std::int32_t name) {
    auto place = std::lower_bound(names_.begin(), names_.end(), name);
    return {place - names_.begin(), place != names_.end() && *place == name};
  }
  void drop(std::int32_t name) {
    auto [place, stands] = find(name);
    if (!stands) throw std::runtime_error("malformed facts: a name that isn't live is gone");
    names_.erase(names_.begin() + place);
    now_.erase(now_.begin() + place);
  }
  void put(std::int32_t name, const Names::Entry& item) {
    auto [place, stands] = find(name);
    if (stands) {
      now_[static_cast<std::size_t>(place)] = item;
    } else {
      names_.insert(names_.begin() + place, name);
      now_.insert(now_.begin() + place, item);
    }
  }

  const PackedFacts& packed_;
  std::vector<Names::Entry> items_;
  std::vector<std::int32_t> names_;  // of what is live now, by number and so by text
  std::vector<Names::Entry> now_;
};

std::map<std::string, Names> placed(const std::vector<std::pair<std::string, std::int32_t>>& places,
                                    const std::vector<Names>& points) {
  std::map<std::string, Names> all;
  for (const auto& [statement, number] : places) all.emplace_hint(all.end(), statement, points.at(index(number)));
  return all;
}

}  // namespace

Json watched_json(const Watched& watched) {
  std::string ids;
  std::vector<int> places;
  for (const StatementPlace& place : watched.places) {
    ids += (ids.empty() ? "" : " ") + place.id;
    places.insert(places.end(), {place.line, place.column});
  }
  Json json = {{"ids", std::move(ids)}, {"places", std::move(places)}};
  if (!watched.text) return json;
  std::vector<int> points;
  for (const auto& [behind, before] : watched.text->points) points.insert(points.end(), {behind, before});
  json["text"] = {{"source", watched.text->source}, {"points", std::move(points)}, {"lines", watched.text->lines}};
  return json;
}

Result<Json> read_answer(const std::string& frame) {
  try {
    Json answer = Json::from_msgpack(frame.begin(), frame.end(), /*strict=*/false);
    auto facts = answer.find("facts");
    if (facts == answer.end()) return answer;
    const auto size = static_cast<std::ptrdiff_t>(facts->get<std::uint32_t>());
    if (size > static_cast<std::ptrdiff_t>(frame.size())) return Error{"an answer without its facts"};
    *facts = Json::binary({frame.end() - size, frame.end()});
    return answer;
  } catch (const Json::exception& error) {
    return Error{error.what()};
  }
}

Result<Facts> read_facts(const Json& json) {
  try {
    const auto& bytes = json.get_binary();
    const PackedFacts packed = unpack_facts({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    Walk walk(packed, items_of(packed));
    std::vector<Names> points;
    points.reserve(packed.points.size());
    for (const auto& edits : packed.points) points.push_back(walk.step(edits));
    return Facts{placed(packed.before, points),
                 placed(packed.after, points),
                 {packed.visits.begin(), packed.visits.end()},
                 packed.calls};
  } catch (const std::exception& error) {
    return Error{error.what()};
  }
}

}  // namespace jp::pyrunner
