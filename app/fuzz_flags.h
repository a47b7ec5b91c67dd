// The flags of `jitprobe fuzz`.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/mutation_flags.h"
#include "app/oracle_flags.h"
#include "campaign/campaign.h"

namespace jp::app {

/// As they are given; what is empty or missing has the default that its help says.
struct FuzzFlags {
  std::string time;
  std::optional<std::uint64_t> tests;
  std::optional<std::uint64_t> until_findings;
  std::optional<std::uint64_t> seed;
  std::string operators = "4:12";
  int mutations = MakerOptions{}.mutations;
  MutationFlags drawn;
  int jobs = 0;
  std::vector<std::string> backends;
  OracleFlags judging;
  std::vector<std::string> from = {"generated"};
  std::string with;
  bool draw = false;
  std::string folder;
  std::string on;
  std::vector<std::string> known;
  bool resume = false;
  std::optional<std::uint64_t> replay;
  std::optional<std::uint64_t> epoch;
  std::uint64_t cores = 0;
  std::int64_t reduce = CampaignOptions{}.reduce;
  std::optional<bool> finish;
  bool allow_known = false;
  int depth = MakerOptions{}.depth;
  std::string corpus_policy = "all";
  std::string keep_programs;
  bool statistics = false;
  bool json = false;
};

/// Adds them to the command; `flags` must outlive it.
void add_flags(CLI::App& command, FuzzFlags& flags);

}  // namespace jp::app
