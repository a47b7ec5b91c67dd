#include "tests/judge/labelled.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <sstream>

#include "pyrunner/paths.h"

namespace jp::labelled {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> words(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

template <class Value>
Value or_exit(Result<Value> result) {
  if (result.ok()) return std::move(result).value();
  std::cerr << result.error().message << "\n";
  std::exit(1);
}

pyrunner::Limits limits_of(const Header& header) {
  pyrunner::Limits limits;
  limits.seconds = std::stod(at(header, "seconds", "30"));
  limits.hang_retry_factor = 1;
  limits.memory_bytes = std::stoll(at(header, "megabytes", "2048")) << 20;
  return limits;
}

}  // namespace

const fs::path& folder() {
  static const fs::path path = fs::path(JITPROBE_TEST_DIR) / "judge";
  return path;
}

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

Header header_of(const std::string& source) {
  Header header;
  std::istringstream lines(source);
  for (std::string line; std::getline(lines, line) && line.starts_with("# ");) {
    const std::size_t colon = line.find(": ");
    if (colon != std::string::npos) header[line.substr(2, colon - 2)] = line.substr(colon + 2);
  }
  return header;
}

std::string at(const Header& header, const std::string& key, const std::string& otherwise) {
  const auto found = header.find(key);
  return found == header.end() ? otherwise : found->second;
}

std::vector<std::string> names() {
  std::vector<std::string> found;
  for (const char* half : {"alike", "diverge"})
    for (const auto& entry : fs::directory_iterator(folder() / half))
      if (entry.path().extension() == ".py") found.push_back(std::string(half) + "/" + entry.path().stem().string());
  std::sort(found.begin(), found.end());
  return found;
}

std::string test_name(const std::string& name) {
  std::string text = name;
  std::replace(text.begin(), text.end(), '/', '_');
  return text;
}

pyrunner::Runner& shared_runner() {
  static const std::unique_ptr<pyrunner::Runner> runner =
      or_exit(pyrunner::Runner::start(or_exit(pyrunner::default_options())));
  return *runner;
}

const oracle::Oracle* oracle_of(const Header& header) {
  return oracle::find_oracle(at(header, "oracle", "eager_vs_compiled"));
}

oracle::PlanOptions options_of(const Header& header) {
  oracle::PlanOptions options;
  options.backend = at(header, "backend");
  if (options.backend.ends_with(".py")) options.backend = "file:" + (folder() / options.backend).string();
  options.report = words(at(header, "report"));
  return options;
}

campaign::JudgedProgram judge(const Program& program, const Header& header) {
  shared_runner().set_limits(limits_of(header));
  return campaign::judge_alone(shared_runner(), *oracle_of(header), program, options_of(header));
}

}  // namespace jp::labelled
