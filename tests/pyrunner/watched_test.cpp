// The two ways in which points come into a program, as lines of its text and into its syntax tree, show the same facts,
// and a run for facts alone those of a run that is recorded.
#include "mutate/watched.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "common.h"
#include "mutate/syntax.h"

namespace jp::pyrunner::test {
namespace {

namespace fs = std::filesystem;

// NaN is unlike itself, and these ask what is never the same twice.
const std::set<std::string> kUnsteady = {"not_a_number_as_integer", "clock_in_the_program",
                                         "random_number_of_the_system", "unwritten_memory"};

std::vector<fs::path> program_files() {
  std::vector<fs::path> files;
  for (const char* folder : {"tests/mutate/programs", "tests/judge/alike", "corpus/models"})
    for (const auto& entry : fs::directory_iterator(fs::path(JITPROBE_SOURCE_DIR) / folder))
      if (entry.path().extension() == ".py" && !kUnsteady.contains(entry.path().stem())) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

void expect_same(const Facts& one, const Facts& other, const std::string& what) {
  EXPECT_EQ(one.calls, other.calls) << what;
  EXPECT_EQ(one.visits, other.visits) << what;
  EXPECT_TRUE(one.before == other.before) << what;
  EXPECT_TRUE(one.after == other.after) << what;
}

TEST(Watched, TextAndTreeShowTheSame) {
  int as_text = 0;
  for (const fs::path& path : program_files()) {
    Result<mutate::Parsed> parsed = mutate::parse(program_of(read(path)));
    ASSERT_TRUE(parsed.ok()) << path << parsed.error().message;
    const Watched watched = mutate::watched(parsed.value());
    const Program& program = parsed.value().program();
    Runner::Profile by_tree = shared_runner().profile(program, {watched.places, std::nullopt});
    expect_same(shared_runner().facts(program, watched).facts, by_tree.facts, path);
    if (!watched.text) continue;
    ++as_text;
    Runner::Profile by_text = shared_runner().profile(program, watched);
    expect_same(by_text.facts, by_tree.facts, path);
    EXPECT_TRUE(by_text.outcome.ending == by_tree.outcome.ending) << path;
  }
  EXPECT_GT(as_text, 30);
}

}  // namespace
}  // namespace jp::pyrunner::test
