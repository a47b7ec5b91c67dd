#include "explore/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

#include "answers/exports.h"
#include "campaign/evidence/verified_export.h"
#include "codec/codec.h"
#include "core/version.h"
#include "explore/campaigns.h"
#include "explore/overview.h"

namespace jp::explore {
namespace {

using campaign::LoadedFinding;
using codec::Json;

/// In the order in which they get their place. None is run for a report.
constexpr std::array<const char*, 5> kExports = {"repro", "unittest", "issue", "program", "json"};

/// A finding of the report: what every reader sees of it, and what has its place if there is room.
struct Row {
  LoadedFinding kept;
  Json shown;
  Json reductions;
};

/// What a reader of a report looks at: recorded values are not among it, and are most of a finding's bytes. Of the
/// reduction it has where it began and what came of it.
Row row_of(LoadedFinding kept) {
  Json all = full_finding_json(kept);
  all.erase("outcomes");
  if (all.contains("evidence")) all["evidence"].erase("plain");
  Row row{std::move(kept), std::move(all), Json()};
  row.reductions = row.shown["reductions"];
  Json ends = Json::array();
  for (const Json& step : row.reductions)
    if (step["step"] == "reduction" && !ends.empty() && ends.back()["step"] == "reduction")
      ends.back()["source"] = step["source"];
    else
      ends.push_back(step);
  if (ends != row.reductions) ends[1].update({{"passes", Json::array()}, {"says", "All steps of the reduction."}});
  row.shown["reductions"] = std::move(ends);
  return row;
}

/// The bytes that a report may still have.
class Room {
 public:
  explicit Room(std::size_t left) : left_(left) {}
  /// Whether there is a place for a thing; it is taken if so.
  bool take(const Json& wanted) { return exchange(bytes_of(wanted), 0); }
  /// The same for a thing that comes in the place of another.
  bool take(const Json& wanted, const Json& instead) { return exchange(bytes_of(wanted), bytes_of(instead)); }
  /// As the page has it: "<" becomes an escape of six bytes (report_html), and a comma and a name go with each value.
  static std::size_t bytes_of(const Json& json) {
    const std::string text = codec::text(json);
    return text.size() + 5 * static_cast<std::size_t>(std::count(text.begin(), text.end(), '<')) + 32;
  }

 private:
  bool exchange(std::size_t more, std::size_t less) {
    if (more > left_ + less) return false;
    left_ = left_ + less - more;
    return true;
  }
  std::size_t left_;
};

/// The rows that people look for first: those with the most findings, then with the most tests.
void best_first(Json& rows) {
  const auto number = [](const Json& row, const char* name) { return row.value(name, 0.0); };
  std::stable_sort(rows.begin(), rows.end(), [&](const Json& one, const Json& other) {
    const double more = number(one, "findings") - number(other, "findings");
    return more != 0 ? more > 0 : number(one, "tests") > number(other, "tests");
  });
}

void add_export(Row& row, const std::string& form, Room& room) {
  Result<answers::Export> made = answers::untried_export_of(row.kept, form);
  if (!made.ok()) return;  // an issue needs evidence
  Json one = {{"text", made.value().text}, {"works", nullptr}, {"name", answers::export_name(row.kept, form)}};
  if (room.take(one))
    row.shown["exports"][form] = std::move(one);
  else
    row.shown["left_out"].push_back(form);
}

}  // namespace

void cut_tables(Json& overview, std::size_t most) {
  overview["cut"] = Json::object();
  std::map<std::string, Json*> tables = {{"findings", &overview["findings"]}};
  for (const auto& [name, rows] : overview["statistics"].items()) tables[name] = &overview["statistics"][name];
  while (Room::bytes_of(overview) > most) {
    const auto longest = std::max_element(tables.begin(), tables.end(), [](const auto& one, const auto& other) {
      return one.second->size() < other.second->size();
    });
    auto& [name, rows] = *longest;
    const std::size_t left = rows->size() / 2;
    if (left == 0) return;
    if (name != "findings") best_first(*rows);  // those of findings stand by how bad they are
    overview["cut"][name] = overview["cut"].value(name, std::size_t{0}) + rows->size() - left;
    rows->erase(rows->begin() + static_cast<std::ptrdiff_t>(left), rows->end());
  }
}

Result<Json> report_data(const std::string& folder, const std::string& id, std::size_t most) {
  Json data = {{"version", JITPROBE_VERSION}, {"campaign", nullptr}, {"findings", Json::array()}, {"left_out", 0}};
  std::vector<std::string> ids = {id};
  if (id.empty()) {
    Result<Json> overview = overview_json(folder);
    if (!overview.ok()) return overview;
    ids.clear();
    for (const Json& row : overview.value()["findings"]) ids.push_back(row["id"].get<std::string>());
    cut_tables(overview.value(), most / 2);
    data["campaign"] = std::move(overview).value();
  }
  Room room(most);
  room.take(data);
  std::vector<Row> rows;
  for (const std::string& one : ids) {
    Result<LoadedFinding> kept = campaign::load_finding(folder, one);
    if (!kept.ok() && !id.empty()) return kept.error();
    if (!kept.ok()) continue;
    Row row = row_of(std::move(kept).value());
    // With the names of the exports, of which any may be left out.
    if (room.take(Json::array({row.shown, kExports}))) rows.push_back(std::move(row));
  }
  data["left_out"] = ids.size() - rows.size();
  if (!id.empty() && rows.empty()) return Error{fmt::format("the finding {} is larger than a report may be", id)};
  for (Row& row : rows)
    if (room.take(row.reductions, row.shown["reductions"])) row.shown["reductions"] = std::move(row.reductions);
  for (const char* form : kExports)
    for (Row& row : rows) add_export(row, form, room);
  for (Row& row : rows) data["findings"].push_back(std::move(row.shown));
  return data;
}

}  // namespace jp::explore
