// The flags that run, fuzz and reduce share: which oracles judge, and what they report.
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

/// The oracles of the flags, each once; an Error names the choices. "all" leaves out those that need what is lacking.
Result<std::vector<std::string>> chosen_oracles(const OracleFlags& flags, const std::set<oracle::Needs>& lacking);

/// What oracles need of a device that the flags don't give: `--oracle all` leaves out those that compare with a GPU.
std::set<oracle::Needs> lacking_device(const OracleFlags& flags);

/// Plan options of these flags, for any backend; an Error names the choices.
Result<oracle::PlanOptions> plan_options(const OracleFlags& flags);

}  // namespace jp::app
