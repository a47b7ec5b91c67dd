// Pinned texts: files of tests/goldens. With JITPROBE_BLESS=1 in the environment (./dev bless) a file is rewritten with
// the current text; read `git diff` afterwards.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace jp::test {

/// The text is that of tests/goldens/NAME.
inline void expect_golden(const std::string& name, const std::string& text) {
  const std::filesystem::path path = std::filesystem::path(JITPROBE_TEST_DIR) / "goldens" / name;
  if (std::getenv("JITPROBE_BLESS") != nullptr) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
    return;
  }
  std::ifstream file(path, std::ios::binary);
  ASSERT_TRUE(file) << path << " is not there: ./dev bless writes it";
  EXPECT_EQ(text, std::string(std::istreambuf_iterator<char>(file), {}))
      << path << ": another text; if that is meant, ./dev bless rewrites it";
}

}  // namespace jp::test
