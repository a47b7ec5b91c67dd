// What to judge by, as users say it: the flags that run, fuzz and reduce have in common.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "app/command.h"
#include "core/result.h"
#include "oracle/judge/oracle.h"

namespace jp::app {

struct OracleFlags {
  /// Names of oracles, or "all".
  std::vector<std::string> oracles = {"eager_vs_compiled"};
  /// Weak classes of difference to report.
  std::vector<std::string> report;
  std::string device = "cpu";
  int threads = 1;
  bool no_gradients = false;
};

/// Adds the flags to a command.
void add_flags(CLI::App& command, OracleFlags& flags);

/// The oracles of the flags, each once; an Error names what there is. "all" leaves out those that need what is lacking.
Result<std::vector<std::string>> chosen_oracles(const OracleFlags& flags, const std::set<oracle::Needs>& lacking);

/// Options for any backend of these flags; an Error names what there is.
Result<oracle::PlanOptions> plan_options(const OracleFlags& flags);

}  // namespace jp::app
