// The exhaustive tables as a seed source: the programs of one, or those of all of them one after the other.
#include <fmt/format.h>

#include "campaign/sources/seed_source.h"
#include "codec/codec.h"
#include "core/check.h"
#include "seedgen/bases/table.h"

namespace jp::campaign {
namespace {

using Tables = std::vector<const seedgen::Table*>;

class TableSource : public SeedSource {
 public:
  TableSource(std::string table, Tables tables) : table_(std::move(table)), tables_(std::move(tables)) {
    for (const seedgen::Table* one : tables_) size_ += one->size();
  }

  std::string name() const override { return table_.empty() ? "tables" : "tables:" + table_; }
  std::optional<std::uint64_t> size() const override { return size_; }
  codec::Json settings() const override { return {{"source", "table"}, {"table", table_}}; }
  Program seed(std::uint64_t number) const override {
    std::size_t table = 0;
    for (; table + 1 < tables_.size() && number >= tables_[table]->size(); ++table) number -= tables_[table]->size();
    Result<Program> program = seedgen::table_program(*tables_[table], number);
    JP_CHECK(program.ok(), "{}", program.error().message);
    return std::move(program).value();
  }

 private:
  std::string table_;
  Tables tables_;
  std::uint64_t size_ = 0;
};

}  // namespace

SeedSourceResult table_source(const std::string& table) {
  const auto& all = Registry<seedgen::Table>::instance();
  if (table.empty()) return std::shared_ptr<const SeedSource>(new TableSource(table, all.all()));
  const seedgen::Table* found = all.find(table);
  if (!found) return Error{fmt::format("there is no table '{}': see jitprobe list tables", table)};
  return std::shared_ptr<const SeedSource>(new TableSource(table, Tables{found}));
}

}  // namespace jp::campaign
