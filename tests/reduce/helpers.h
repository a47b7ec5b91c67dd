// Shared helpers of the tests of reduction: programs from text, and a replacement for "still diverges".
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "oracle/reduce/engine.h"

namespace jp::reduce::testing {

inline Parsed parsed_from(const std::string& source) {
  auto program = Program::make(source, {});
  JP_CHECK(program.ok(), "{}", program.error().message);
  auto parsed = mutate::parse(program.value());
  JP_CHECK(parsed.ok(), "{}\n{}", parsed.error().message, source);
  return parsed.value();
}

inline std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Every one of the texts stands in the program.
inline bool holds_all(const std::string& source, const std::vector<std::string>& texts) {
  for (const std::string& text : texts)
    if (source.find(text) == std::string::npos) return false;
  return true;
}

/// The first program that the test finds interesting; with several jobs, all programs of a window are tested.
template <typename Test>
auto asker(Test test, std::size_t jobs = 1) {
  return [test, jobs](const std::vector<Program>& list) -> std::optional<std::size_t> {
    for (std::size_t from = 0; from < list.size(); from += jobs) {
      std::optional<std::size_t> found;
      for (std::size_t at = std::min(list.size(), from + jobs); at-- > from;)
        if (test(list[at])) found = at;
      if (found) return found;
    }
    return std::nullopt;
  };
}

/// All programs that tests of reduction start from: those of the mutation tests, and the trophies.
inline std::vector<std::filesystem::path> program_files() {
  std::vector<std::filesystem::path> paths;
  for (const char* folder : {JITPROBE_TEST_DIR "/mutate/programs", JITPROBE_SOURCE_DIR "/corpus/trophies"})
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      if (entry.path().extension() == ".py") paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace jp::reduce::testing
