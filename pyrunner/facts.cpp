#include "pyrunner/facts.h"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "codec/codec.h"
#include "pyrunner/packed_facts.h"

namespace jp::pyrunner {
namespace {

using codec::Json;

// Of facts, so that few bytes don't become many: names over all points, and bytes of what is said of them.
constexpr std::size_t kMostLive = std::size_t{1} << 25;
constexpr std::size_t kMostSaid = std::size_t{1} << 28;

// at() throws if a number doesn't fit.
std::size_t index(std::int32_t number) { return static_cast<std::size_t>(number); }

std::size_t size_of(const NameFacts& known) {
  const std::size_t text = known.kind.size() + (known.literal ? known.literal->size() : 0);
  const std::size_t numbers = (known.shape ? known.shape->size() : 0) + (known.strides ? known.strides->size() : 0);
  return text + numbers * sizeof(std::int64_t);
}

// Moves the entries out of the table: the last item that uses an entry takes it.
std::vector<Names::Entry> items_of(PackedFacts& packed) {
  std::vector<int> left(packed.table.size());
  for (const auto& item : packed.items) ++left.at(index(item.entry));
  std::vector<Names::Entry> items;
  std::size_t said = 0;
  items.reserve(packed.items.size());
  for (const auto& [name, entry, storage] : packed.items) {
    NameFacts& told = packed.table[index(entry)];
    const std::string& text = packed.names.at(index(name));
    said += size_of(told) + text.size();
    if (said > kMostSaid) throw std::runtime_error("facts that say too much");
    NameFacts known = --left[index(entry)] == 0 ? std::move(told) : told;
    if (storage >= 0) known.storage = storage;
    items.push_back(std::make_shared<const Names::value_type>(text, std::move(known)));
  }
  return items;
}

// Reconstructs each point from the one before it.
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
    live_ += now_.size();
    if (live_ > kMostLive) throw std::runtime_error("facts of too many names");
    if (!edits.empty()) last_ = Names(now_);
    return last_;
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
  std::vector<std::int32_t> names_;  // the live names, by number and therefore by text
  std::vector<Names::Entry> now_;
  Names last_;
  std::size_t live_ = 0;
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
  const WatchedText& text = *watched.text;
  json["text"] = {{"source", text.source}, {"points", std::move(points)}, {"lines", text.lines}, {"parts", text.parts}};
  return json;
}

Result<Json> read_answer(const WireFrame& frame) {
  Result<Json> answer = codec::unpack(frame.message());
  if (!answer.ok()) return answer;
  if (!answer.value().is_object() || answer.value().contains("facts")) return Error{"malformed answer"};
  const std::string_view facts = frame.attachment();
  if (!facts.empty()) answer.value()["facts"] = Json::binary({facts.begin(), facts.end()});
  return answer;
}

Result<Facts> read_facts(const Json& json) {
  try {
    const auto& bytes = json.get_binary();
    PackedFacts packed = unpack_facts({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    std::vector<Names::Entry> items = items_of(packed);
    Walk walk(packed, std::move(items));
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
