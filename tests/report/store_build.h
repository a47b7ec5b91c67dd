// Shared helpers of the tests of the store: stores in temporary folders, a finding and a program for them.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "report/store.h"
#include "tests/report/build.h"

namespace jp::report::test {

inline const codec::Json kSettings = {{"seed", 7}, {"operators", 20}};

inline std::unique_ptr<Store> created(const Folder& folder) {
  auto store = Store::create(folder.path(), kSettings);
  EXPECT_TRUE(store.ok()) << store.error().message;
  return std::move(store).value();
}
inline std::unique_ptr<Store> opened(const Folder& folder) {
  auto store = Store::open(folder.path());
  EXPECT_TRUE(store.ok()) << (store.ok() ? "" : store.error().message);
  return std::move(store).value();
}
inline Verdict verdict_of(Verdict::Kind kind) { return {kind, "rule", "reason", {}, {}}; }
inline Finding finding(const std::string& where, Finding::Status status = Finding::Status::kConfirmed) {
  Finding made = finding_of("def program():\n    return 1\n", "aot_eager", Mismatch::kValue, where);
  made.status = status;
  return made;
}
inline const Program kProgram = program_of("def program():\n    return 1\n");
inline const Plan kPlan = plan_for("aot_eager");

/// A test of kProgram gets that verdict.
inline Status finish(Store& store, std::uint64_t number, Verdict::Kind kind, const Counts& counts = {}) {
  const Verdict verdict = verdict_of(kind);
  return store.add_tests({{number, &kProgram, &kPlan, &verdict, &counts}});
}
/// It has no program.
inline Status reject(Store& store, std::uint64_t number, const Counts& counts = {}) {
  return store.add_tests({{.number = number, .counts = &counts}});
}

}  // namespace jp::report::test
