// Prints programs of tables as JSON lines {"table", "cell", "source"}: food for check_tables.py.
//
//   table_dump MOST [TABLE]
//
// At most MOST programs of each table, evenly spread; 0: all of them.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "seedgen/bases/table.h"

int main(int argc, char** argv) {
  using namespace jp;
  if (argc < 2) {
    fmt::print(stderr, "usage: table_dump MOST [TABLE]\n");
    return 2;
  }
  const std::uint64_t most = std::strtoull(argv[1], nullptr, 10);
  const std::string only = argc > 2 ? argv[2] : "";
  for (const seedgen::Table* table : Registry<seedgen::Table>::instance().all()) {
    if (!only.empty() && table->name() != only) continue;
    const std::uint64_t size = table->size();
    const std::uint64_t count = most == 0 ? size : std::min(most, size);
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t cell = i * size / count;
      nlohmann::json line = {{"table", table->name()}, {"cell", cell}, {"source", table->text(cell)}};
      fmt::print("{}\n", line.dump());
    }
  }
  return 0;
}
