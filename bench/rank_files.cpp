// rank_files: reads a JSON list of {"kind", "stage", "frames", "file"} from standard input, each a finding's signature
// and its reduced program, and prints their indices in the order of `findings list`. Exit 2 when a file can't be read.
#include <fmt/format.h>

#include <iostream>
#include <nlohmann/json.hpp>

#include "campaign/common/tools.h"
#include "campaign/triage/ranking.h"

int main() {
  using namespace jp;
  std::vector<report::Traits> traits;
  for (const auto& told : nlohmann::json::parse(std::cin)) {
    const std::string file = told.at("file");
    const Result<Program> program = campaign::load_program(file, "program", "make_inputs");
    if (!program.ok()) {
      fmt::print(stderr, "rank_files: {}\n", program.error().message);
      return 2;
    }
    Signature signature;
    signature.kind = told.at("kind");
    signature.stage = told.at("stage");
    signature.frames = told.at("frames");
    traits.push_back(campaign::traits_of(signature, &program.value(), {}));
  }
  fmt::print("[{}]\n", fmt::join(report::furthest_first(traits), ", "));
}
