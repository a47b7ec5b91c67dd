// Steps that should have changed nothing in eager, and did: promises.jsonl in a campaign's folder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "campaign/making/step.h"
#include "codec/json.h"
#include "core/result.h"

namespace jp::campaign {

/// Those of a test, to be stored.
struct TestPromises {
  std::uint64_t test = 0;
  const std::vector<BrokenPromise>* broken = nullptr;
};

/// Used by one thread at a time.
class BrokenPromises {
 public:
  /// `ended`: whether a test has its verdict. Tests that have none are made again, and their rows are not written
  /// again.
  static Result<BrokenPromises> open(const std::string& folder, const std::function<bool(std::uint64_t)>& ended);
  /// Writes a row for each: the test, what differed, and the program, whose lineage ends with the step. All are on the
  /// disk when this returns.
  Status keep(const std::vector<TestPromises>& tests);

 private:
  explicit BrokenPromises(std::string path) : path_(std::move(path)) {}

  std::string path_;
  std::map<std::uint64_t, std::size_t> there_;  // rows of tests without a verdict
};

}  // namespace jp::campaign
