// What `jitprobe reduce` reduces, and how it is judged: a program file as flags say, or a finding as it was found.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/oracle_flags.h"
#include "core/program.h"
#include "core/result.h"
#include "core/verdict.h"
#include "oracle/judge/oracle.h"
#include "report/store.h"

namespace jp::app {

/// What the command line says of it.
struct ReduceSubject {
  std::string file;  // a program file, or the id of a finding
  std::string campaign;
  std::string backend = "inductor";
  std::string entry = "program";
  std::string inputs = "make_inputs";
  std::string lineage;
  OracleFlags judging;
  std::vector<std::string> switches;
  std::string against;
  std::vector<std::string> of_files;  // those of kFlagsOfFiles that were given
};

/// Flags that say what a program file is, and how it is judged: a finding has no use for them.
inline constexpr std::array kFlagsOfFiles = {"--backend",  "--entry",   "--inputs",      "--lineage",
                                             "--oracle",   "--report",  "--device",      "--threads",
                                             "--switches", "--against", "--no-gradients"};

/// What is to be reduced, and how to judge it.
struct ReduceTarget {
  Program program;
  std::string oracle;
  oracle::PlanOptions plan;
  /// For a finding: itself, and the campaign that stores its reduction.
  std::optional<Finding> finding;
  std::unique_ptr<report::Store> store;
  std::string folder;

  std::string id() const { return finding ? finding->signature.id() : ""; }
};

/// An Error says what is wrong with the command line. The campaign of a finding is locked as long as its target lives.
Result<ReduceTarget> reduce_target(const ReduceSubject& subject);

}  // namespace jp::app
