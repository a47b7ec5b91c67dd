#include "campaign/making/broken_promises.h"

#include "campaign/common/row_file.h"
#include "codec/codec.h"

namespace jp::campaign {

Status keep_broken(const std::string& folder, std::uint64_t test, const std::vector<BrokenPromise>& broken) {
  for (const BrokenPromise& one : broken) {
    const codec::Json row = {{"test", test}, {"reason", one.reason}, {"program", codec::to_json(one.program)}};
    if (Status kept = append_row(folder + "/promises.jsonl", row); !kept.ok()) return kept;
  }
  return Done{};
}

}  // namespace jp::campaign
