// Where seeds come from. A door is one kind of source; the sources of a campaign are some doors, through which its
// tests come in turn: test i takes door i mod n, and is its visitor number i / n.
//
// A door without end (the generator) gives a drawn seed to every visitor. One with so many seeds gives them in order,
// over and over: at first as they are, from the second time on mutated. With `draw` each visitor gets a drawn one,
// mutated as those of the generator are.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "codec/codec.h"
#include "core/choices.h"
#include "core/program.h"
#include "core/result.h"
#include "seedgen/harvest/graft.h"
#include "seedgen/measure/coverage.h"

namespace jp::campaign {

class SeedSource {
 public:
  virtual ~SeedSource() = default;
  /// As `--from` takes it: "generated", "tables:views", "mine/".
  virtual std::string name() const = 0;
  /// How many seeds it has, at least one; nothing when it has no end.
  virtual std::optional<std::uint64_t> size() const = 0;
  /// The seed of a number below size(), its lineage set.
  virtual Program seed(std::uint64_t number) const = 0;
  /// Whether it can make seeds with one rule broken on purpose.
  virtual bool breaks_rules() const { return false; }
  /// Such a one, of a single operator beside it if `single`; nothing from a door that can't.
  virtual std::optional<Program> broken_seed(std::uint64_t /*number*/, bool /*single*/) const { return std::nullopt; }
  /// The seed of a number as a guide would have it; nothing from a door whose seeds can't be guided.
  virtual std::optional<Program> guided_seed(std::uint64_t /*number*/, const seedgen::Guide& /*guide*/) const {
    return std::nullopt;
  }
  /// What open_door() needs to open it again.
  virtual codec::Json settings() const = 0;
};

using SeedSources = std::vector<std::shared_ptr<const SeedSource>>;
using SeedSourceResult = Result<std::shared_ptr<const SeedSource>>;

/// What making doors from the words of a user takes.
struct SeedSourceMaker {
  /// Calls of generated programs.
  int operators = 20;
  /// Harvested calls among them; null for none.
  std::shared_ptr<const seedgen::HarvestedOperators> with = nullptr;
  /// The folder of what comes along.
  std::string corpus;
  /// Why a program of the user's is no seed, in a sentence; "" when it is one.
  std::function<std::string(const Program&)> fault_of;
  /// Is told about every file that is left out.
  std::function<void(const std::string&)> note;
};

/// The door of a source: generated, tables, tables:NAME, models, a program file or a folder of them (every *.py below
/// it, by path). An Error says what there is instead, or that no program is left.
SeedSourceResult seed_source_of(const std::string& source, const SeedSourceMaker& maker);

/// A door again from its settings; an Error when what was behind it is gone or has changed.
SeedSourceResult open_source(const codec::Json& settings);

/// One small class each, in door_<kind>.cpp.
std::shared_ptr<const SeedSource> generated_source(int operators,
                                                   std::shared_ptr<const seedgen::HarvestedOperators> with = nullptr);
/// An Error when its harvest is gone or has changed.
SeedSourceResult reopen_generated(const codec::Json& settings);
/// Of one table, or with "" of all of them one after the other, by name.
SeedSourceResult table_source(const std::string& table);
SeedSourceResult file_source(const std::string& name, const std::string& path, const SeedSourceMaker& maker);
SeedSourceResult reopen_files(const codec::Json& settings);

/// What a test gets from the doors.
struct SeedSelection {
  std::size_t seed_source = 0;
  /// The seed's number; nothing for a door without end, whose seeds are drawn.
  std::optional<std::uint64_t> seed;
  bool mutated = true;
};

/// A pure function of its arguments. `choices` are the test's own. `doors` is not empty.
SeedSelection visit_of(const SeedSources& seed_sources, bool draw, std::uint64_t test, const Choices& choices);

/// How many seeds of a door have been run; of one with an end, different ones.
struct SeedCount {
  std::string source;
  std::optional<std::uint64_t> size;
  std::uint64_t run = 0;
};

/// Counts them.
class SeedLog {
 public:
  explicit SeedLog(const SeedSources& seed_sources);
  void add(const SeedSelection& visit);
  /// By door.
  const std::vector<SeedCount>& counts() const { return counts_; }

 private:
  std::vector<SeedCount> counts_;
  std::vector<std::vector<bool>> seen_;
};

}  // namespace jp::campaign
