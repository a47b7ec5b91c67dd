// A finding as a unit test in the style of the file of torch's where it would land. It runs alone and fails as long as
// the difference is there.
#pragma once

#include <string>

#include "core/verdict.h"
#include "report/reproducer.h"

namespace jp::report {

struct UnitTest {
  /// Where it would land: "test/dynamo/test_repros.py".
  std::string home;
  /// The text of a file of its own.
  std::string text;
};

/// `expected_failure`: marked as such, so it passes as long as the difference is there.
UnitTest unit_test(const Finding& finding, bool expected_failure, const ReproducerOptions& options = {});

/// The same using the general reproducer, run by the test in a process of its own.
UnitTest unit_test_of_process(const Finding& finding, bool expected_failure, const ReproducerOptions& options = {});

/// The file of torch's tests where a finding belongs, by the component at fault and what the program does.
std::string test_home(const Finding& finding);

}  // namespace jp::report
