// The labelled set: each file of diverge/ and alike/ is judged like `jitprobe run` judges a program, and must get the
// verdict that its header says. README.md tells the form of the headers.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <sstream>

#include "campaign/common/judging.h"
#include "oracle/judge/oracle.h"
#include "pyrunner/paths.h"
#include "pyrunner/runner.h"

namespace jp {
namespace {

namespace fs = std::filesystem;
using Header = std::map<std::string, std::string>;

const fs::path kFolder = fs::path(JITPROBE_TEST_DIR) / "judge";

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The lines "# key: text" at the head of a file.
Header header_of(const std::string& source) {
  Header header;
  std::istringstream lines(source);
  for (std::string line; std::getline(lines, line) && line.starts_with("# ");) {
    const std::size_t colon = line.find(": ");
    if (colon != std::string::npos) header[line.substr(2, colon - 2)] = line.substr(colon + 2);
  }
  return header;
}

std::string at(const Header& header, const std::string& key, const std::string& otherwise = "") {
  const auto found = header.find(key);
  return found == header.end() ? otherwise : found->second;
}

std::vector<std::string> words(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

// Names relative to the folder of the set, without ".py": "alike/sum_backwards".
std::vector<std::string> names() {
  std::vector<std::string> found;
  for (const char* half : {"alike", "diverge"})
    for (const auto& entry : fs::directory_iterator(kFolder / half))
      if (entry.path().extension() == ".py") found.push_back(std::string(half) + "/" + entry.path().stem().string());
  std::sort(found.begin(), found.end());
  return found;
}

std::unique_ptr<pyrunner::Runner> start() {
  Result<pyrunner::RunnerOptions> options = pyrunner::default_options();
  if (!options.ok()) {
    std::cerr << options.error().message << "\n";
    std::exit(1);
  }
  Result<std::unique_ptr<pyrunner::Runner>> runner = pyrunner::Runner::start(options.value());
  if (!runner.ok()) {
    std::cerr << runner.error().message << "\n";
    std::exit(1);
  }
  return std::move(runner.value());
}

pyrunner::Runner& shared_runner() {
  static std::unique_ptr<pyrunner::Runner> runner = start();
  return *runner;
}

pyrunner::Limits limits_of(const Header& header) {
  pyrunner::Limits limits;
  limits.seconds = std::stod(at(header, "seconds", "30"));
  limits.hang_retry_factor = 1;
  limits.memory_bytes = std::stoll(at(header, "megabytes", "2048")) << 20;
  return limits;
}

// As `jitprobe run` judges.
campaign::JudgedProgram judge(const Program& program, const Header& header) {
  const oracle::Oracle* oracle = oracle::find_oracle(at(header, "oracle", "eager_vs_compiled"));
  if (!oracle) {
    ADD_FAILURE() << "no oracle named " << at(header, "oracle");
    return {};
  }
  oracle::PlanOptions options;
  options.backend = at(header, "backend");
  if (options.backend.ends_with(".py")) options.backend = "file:" + (kFolder / options.backend).string();
  options.report = words(at(header, "report"));
  shared_runner().set_limits(limits_of(header));
  return campaign::judge_alone(shared_runner(), *oracle, program, options);
}

const Ending* ending(const campaign::JudgedProgram& judged, std::string_view role) {
  for (const Outcome& outcome : judged.outcomes)
    if (outcome.role == role) return &outcome.ending;
  return nullptr;
}

// Bit for bit, everything that was observed: what a comparison without rules would report.
bool differs_naively(const campaign::JudgedProgram& judged) {
  const Ending* eager = ending(judged, "eager");
  const Ending* compiled = ending(judged, "compiled");
  if (!eager || !compiled) return true;
  const auto* one = std::get_if<Finished>(eager);
  const auto* other = std::get_if<Finished>(compiled);
  if (!one || !other) return !one || eager->index() != compiled->index();
  return !(one->observation == other->observation);
}

std::string describe(const campaign::JudgedProgram& judged) {
  const Verdict& verdict = judged.verdict;
  std::string text = fmt::format("{} ({}): {}", verdict_name(verdict.kind), verdict.rule, verdict.reason);
  for (const Difference& difference : verdict.differences)
    text += fmt::format("\n  {} at {}", mismatch_name(difference.mismatch), difference.where);
  for (const Difference& difference : verdict.weak)
    text += fmt::format("\n  weak {} at {}", mismatch_name(difference.mismatch), difference.where);
  for (const Decision& decision : verdict.decisions) {
    text += fmt::format("\n  {} {}: {}", decision.rule, decision.where, decision.answer);
    for (const auto& [name, number] : decision.numbers) text += fmt::format(" {}={:.3g}", name, number);
  }
  return text;
}

// "agree or unstable" stands where rounding decides: which of the two it is depends on the machine's own bits, and
// neither is reported.
bool allows(const std::string& label, std::string_view verdict) {
  return label == verdict || (label == "agree or unstable" && (verdict == "agree" || verdict == "unstable"));
}

class Labelled : public testing::TestWithParam<std::string> {};

TEST_P(Labelled, IsJudgedAsItsHeaderSays) {
  const std::string path = (kFolder / (GetParam() + ".py")).string();
  const std::string source = read(path);
  const Header header = header_of(source);
  Result<Program> program = Program::make(source, {}, path);
  ASSERT_TRUE(program.ok()) << program.error().message;
  const campaign::JudgedProgram judged = judge(program.value(), header);
  const std::string label = at(header, "judge");
  EXPECT_TRUE(allows(label, verdict_name(judged.verdict.kind))) << label << " is not " << describe(judged);
  if (label == "diverge") {
    const std::vector<Difference>& found = judged.verdict.differences;
    EXPECT_TRUE(std::any_of(
        found.begin(), found.end(),
        [&](const Difference& difference) { return mismatch_name(difference.mismatch) == at(header, "class"); }))
        << "no difference of class " << at(header, "class") << " in " << describe(judged);
  }
  EXPECT_TRUE(label == "diverge" || differs_naively(judged)) << "both runs show the same, bit for bit";
  if (std::getenv("JUDGE_TELL")) std::cout << GetParam() << ": " << describe(judged) << "\n";
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '/', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Set, Labelled, testing::ValuesIn(names()), test_name);

TEST(TheSet, IsLargeAndBalanced) {
  std::map<std::string, int> halves;
  for (const std::string& name : names()) {
    const Header header = header_of(read(kFolder / (name + ".py")));
    EXPECT_EQ(name.starts_with("diverge/"), at(header, "judge") == "diverge") << name;
    ++halves[at(header, "judge") == "diverge" ? "diverge" : "alike"];
    for (const char* key : {"judge", "backend", "construct", "class", "why"})
      EXPECT_TRUE(header.contains(key)) << name << ": " << key;
    EXPECT_TRUE(at(header, "judge") == "diverge" || header.contains("rule")) << name;
  }
  EXPECT_GE(halves["diverge"], 65);
  EXPECT_GE(halves["alike"], 65);
}

TEST(TheSet, NoTwoFilesShareOperatorAndConstruct) {
  std::map<std::string, std::string> seen;
  for (const std::string& name : names()) {
    const std::string construct = at(header_of(read(kFolder / (name + ".py"))), "construct");
    const auto [first, is_new] = seen.emplace(construct, name);
    EXPECT_TRUE(is_new) << name << " and " << first->second << ": " << construct;
  }
}

}  // namespace
}  // namespace jp
