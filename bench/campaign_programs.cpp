// campaign_programs FOLDER TESTS: the programs of the first tests of a campaign of generated seeds without mutations,
// in their order: [{"source": text}, …]. A campaign keeps no programs of tests that agreed; its settings draw them
// again, and a guided one's guide.jsonl. Not for campaigns in which suppressions rejected a program.
#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "campaign/feedback/guide.h"
#include "campaign/settings.h"
#include "report/store.h"
#include "seedgen/generate.h"

namespace {

using namespace jp;

// By test.
std::map<std::uint64_t, Seed> guided_seeds(const std::string& folder) {
  std::map<std::uint64_t, Seed> seeds;
  std::ifstream file(folder + "/guide.jsonl");
  for (std::string line; std::getline(file, line);) {
    const nlohmann::json row = nlohmann::json::parse(line);
    Seed& seed = seeds[row.at("test")];
    seed.origin = Seed::Origin::kGenerated;
    seed.generator_version = row.at("version");
    seed.seed = row.at("seed");
    seed.operators = row.at("operators");
    seed.refused = row.at("refused").get<std::vector<std::int64_t>>();
    seed.without = row.at("without").get<std::vector<std::string>>();
  }
  return seeds;
}

int fail(const Error& error) {
  fmt::print(stderr, "campaign_programs: {}\n", error.message);
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return fail({"usage: campaign_programs FOLDER TESTS"});
  const Result<codec::Json> settings = report::read_campaign_settings(argv[1]);
  if (!settings.ok()) return fail(settings.error());
  campaign::CampaignOptions options;
  if (Status read = campaign::read_settings(settings.value(), options); !read.ok()) return fail(read.error());
  const std::map<std::uint64_t, Seed> guided = guided_seeds(argv[1]);
  nlohmann::json programs = nlohmann::json::array();
  for (std::uint64_t test = 0; test < std::strtoull(argv[2], nullptr, 10); ++test) {
    const Choices choices = Choices(options.maker.seed).fork("test", test);
    const auto row = guided.find(test);
    const Result<Program> program = row == guided.end()
                                        ? options.maker.seed_sources[0]->seed(campaign::drawn_number(choices, 0))
                                        : seedgen::regenerate(row->second);
    if (!program.ok()) return fail(program.error());
    programs.push_back({{"source", program.value().source()}});
  }
  fmt::print("{}\n", programs.dump());
  return 0;
}
