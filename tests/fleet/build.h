// A result of a test, with everything that one can have.
#pragma once

#include "campaign/tested.h"
#include "tests/report/build.h"

namespace jp::fleet::test {

inline campaign::Tested tested(std::uint64_t number) {
  const Finding found =
      report::test::finding_of("def program(x):\n    return x\n", "inductor", Mismatch::kValue, "output");
  campaign::Tested made{.number = number, .counts = {{"seeds", {{"made", 1}}}}, .valid = true};
  made.promises.push_back({"it did not", found.program});
  made.only_in_batch = true;
  made.verdict = found.verdict;
  made.row = {.test = number, .seed_source = "generated", .oracle = "eager_vs_compiled", .backend = "inductor"};
  made.known.push_back({found, "pytorch-1", "https://github.com/pytorch/pytorch/issues/1"});
  made.open = campaign::Case{.test = number, .found = found, .slip = {"ab", 1}};
  made.program = found.program;
  made.plan = found.plan;
  return made;
}

}  // namespace jp::fleet::test
