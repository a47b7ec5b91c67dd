#include "app/mutation_flags.h"

#include <CLI/CLI.hpp>

namespace jp::app {

void add_flags(CLI::App& command, MutationFlags& flags) {
  command.add_option("--only", flags.only, "draw only these mutations (comma-separated)")->delimiter(',');
  command.add_option("--without", flags.without, "never draw these mutations (comma-separated)")->delimiter(',');
}

}  // namespace jp::app
