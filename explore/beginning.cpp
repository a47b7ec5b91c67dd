#include "explore/beginning.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <vector>

#include "answers/catalogues.h"
#include "campaign/common/tools.h"
#include "core/files.h"
#include "core/version.h"
#include "explore/overview.h"
#include "explore/request.h"
#include "seedgen/generate.h"

namespace jp::explore {
namespace {

using codec::Json;

struct Example {
  std::string name;  // "trophies/yield_after_throw"
  std::string kind;  // "trophy", "model"
  std::string path;
};

/// The corpus's, by name. The list is made anew each time: only names in it are ever opened.
std::vector<Example> examples_in(const std::string& corpus) {
  std::vector<Example> found;
  for (const auto& [folder, kind] : {std::pair("trophies", "trophy"), std::pair("models", "model")}) {
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(corpus + "/" + folder, error))
      if (entry.path().extension() == ".py")
        found.push_back({fmt::format("{}/{}", folder, entry.path().stem().string()), kind, entry.path().string()});
  }
  std::sort(found.begin(), found.end(), [](const Example& one, const Example& other) { return one.name < other.name; });
  return found;
}

/// The comment in a program's first line.
std::string first_comment(const std::string& source) {
  const std::string line = source.substr(0, source.find('\n'));
  return line.starts_with("# ") ? line.substr(2) : "";
}

Json examples_json(const std::string& corpus) {
  Json rows = Json::array();
  for (const Example& example : examples_in(corpus)) {
    Result<std::string> text = read_file(example.path);
    if (text.ok())
      rows.push_back({{"name", example.name}, {"kind", example.kind}, {"says", first_comment(text.value())}});
  }
  rows.push_back({{"name", "drawn"}, {"kind", "program"}, {"says", "A program that the generator draws."}});
  return rows;
}

std::string says_of(const std::string& backend) {
  static const std::map<std::string, std::string> says = {
      {"eager",
       "Only the first part of torch.compile: Dynamo traces the Python code into graphs, which run as they are."},
      {"aot_eager", "Dynamo, then AOTAutograd: forward and backward graphs without mutation, run without a compiler."},
      {"aot_eager_decomp_partition", "The same, with operators decomposed and the graph split as Inductor would."},
      {"inductor", "All of torch.compile: Inductor generates C++ code, fuses operators and compiles them."}};
  auto found = says.find(backend);
  return found == says.end() ? "A backend that was named with --backend, or that the campaign has." : found->second;
}

/// What a mutation's section does, for those who don't know the sections.
std::string section_says(std::string_view section) {
  static const std::map<std::string, std::string, std::less<>> says = {
      {"A", "Writes operators in another way"},
      {"B", "Changes tensors and restores them"},
      {"C", "Moves code into functions, loops, modules and other control flow"},
      {"D", "Adds code that has no effect on this input"},
      {"E", "Makes a related program with a result of its own"}};
  auto found = says.find(section);
  return found == says.end() ? "Changes the program" : found->second;
}

Json mutations_json() {
  Json rows = answers::mutations_json();
  for (Json& row : rows)
    row["says"] = fmt::format("{}. It is aimed at: {}.", section_says(row["section"].get<std::string>()),
                              row["aims"].get<std::string>());
  return rows;
}

Json opened_json(const Opened& opened) {
  if (!opened.program) return nullptr;
  return {{"kind", opened.finding.empty() ? "program" : "finding"},
          {"name", opened.name},
          {"program", program_json(*opened.program)},
          {"steps", opened.steps},
          {"finding", opened.finding.empty() ? Json() : Json(opened.finding)},
          {"backend", opened.backend},
          {"oracle", opened.oracle}};
}

Json campaign_json(const std::string& folder) {
  if (folder.empty()) return nullptr;
  return {{"name", folder}, {"running", is_written(folder)}};
}

}  // namespace

Reply beginning(Explorer& explorer) {
  const ExplorerOptions& options = explorer.options();
  const auto info = explorer.runners().info();
  Json backends = Json::array();
  for (const std::string& name : options.backends) backends.push_back({{"name", name}, {"says", says_of(name)}});
  return {200,
          {{"version", JITPROBE_VERSION},
           {"torch", info ? info->torch : ""},
           {"python", info ? info->python : ""},
           {"backends", backends},
           {"mutations", mutations_json()},
           {"examples", examples_json(options.corpus)},
           {"opened", opened_json(options.opened)},
           {"campaign", campaign_json(options.opened.campaign)}}};
}

Reply example(Explorer& explorer, const Json& body) {
  Result<std::string> name = read_text(body, "name");
  if (!name.ok()) return refused(400, name.error().message);
  if (name.value() == "drawn") {
    Reply drawn = draw(Json::object());
    drawn.body["name"] = name.value();
    return drawn;
  }
  for (const Example& example : examples_in(explorer.options().corpus)) {
    if (example.name != name.value()) continue;
    Result<Program> program = campaign::load_program(example.path, "program", "make_inputs");
    if (!program.ok()) return refused(500, program.error().message);
    return {200, {{"name", example.name}, {"program", program_json(program.value())}}};
  }
  return refused(404, "there is no example of that name");
}

Reply draw(const Json& body) {
  Result<std::optional<std::uint64_t>> asked = read_number(body, "seed", kLargestSeed);
  if (!asked.ok()) return refused(400, asked.error().message);
  Result<std::optional<std::uint64_t>> operators = read_number(body, "operators", seedgen::kMaxOperators);
  if (!operators.ok()) return refused(400, operators.error().message);
  const std::uint64_t seed = asked.value().value_or(campaign::fresh_seed());
  seedgen::GenerateOptions options;
  if (operators.value()) options.operators = static_cast<int>(*operators.value());
  Result<Program> program = seedgen::generate(seed, options);
  if (!program.ok()) return refused(400, program.error().message);
  return {200, {{"seed", seed}, {"program", program_json(program.value())}}};
}

}  // namespace jp::explore
