// Where the case files of a rule lie. $JITPROBE_TESTS names another copy of tests/, whose rules a test program may be
// linked with that was compiled here (tests/templates).
#pragma once

#include <cstdlib>
#include <string>

namespace jp::test {

/// `folder` below tests/: "mutate/cases".
inline std::string case_file(const std::string& folder, const std::string& rule) {
  const char* copy = std::getenv("JITPROBE_TESTS");
  return std::string(copy ? copy : JITPROBE_TEST_DIR) + "/" + folder + "/" + rule + ".txt";
}

}  // namespace jp::test
