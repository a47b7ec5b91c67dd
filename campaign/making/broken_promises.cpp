#include "campaign/making/broken_promises.h"

#include <utility>

#include "campaign/common/row_file.h"
#include "codec/codec.h"

namespace jp::campaign {

Result<BrokenPromises> BrokenPromises::open(const std::string& folder,
                                            const std::function<bool(std::uint64_t)>& ended) {
  BrokenPromises promises(folder + "/promises.jsonl");
  read_rows(promises.path_, [&](const codec::Json& row) {
    const auto test = row.find("test");
    if (test == row.end() || !test->is_number_unsigned()) return;
    if (const auto number = test->get<std::uint64_t>(); !ended(number)) ++promises.there_[number];
  });
  if (Status ready = end_last_row(promises.path_); !ready.ok()) return ready.error();
  return promises;
}

Status BrokenPromises::keep(const std::vector<TestPromises>& tests) {
  std::vector<codec::Json> rows;
  for (const auto& [test, broken] : tests) {
    const auto there = there_.find(test);
    // A test comes to the same each time that it is made, so that its first rows are those that are there.
    for (std::size_t i = there == there_.end() ? 0 : there->second; i < broken->size(); ++i)
      rows.push_back(
          {{"test", test}, {"reason", (*broken)[i].reason}, {"program", codec::to_json((*broken)[i].program)}});
    if (there != there_.end()) there_.erase(there);
  }
  return rows.empty() ? Status(Done{}) : append_rows(path_, rows);
}

}  // namespace jp::campaign
