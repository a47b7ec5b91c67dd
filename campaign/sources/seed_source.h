// Where seeds come from. A campaign has one or several seed sources, and its tests take them in turn: test i uses
// source i mod n, as its selection number i / n.
//
// A source without end (the generator) gives a randomly drawn seed each time. A finite one gives its seeds in order,
// over and over: at first as they are, from the second time on mutated. With `draw` each selection is a drawn seed,
// mutated as those of the generator are.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "codec/json.h"
#include "core/choices.h"
#include "core/program.h"
#include "core/result.h"
#include "seedgen/harvest/harvested_operator.h"

namespace jp::campaign {

class SeedSource {
 public:
  virtual ~SeedSource() = default;
  /// As `--from` takes it: "generated", "tables:views", "mine/".
  virtual std::string name() const = 0;
  /// The number of its seeds, at least one; nothing if it has no end.
  virtual std::optional<std::uint64_t> size() const = 0;
  /// The seed of a number below size(), its lineage set.
  virtual Program seed(std::uint64_t number) const = 0;
  /// Whether it can make seeds with one rule broken on purpose.
  virtual bool breaks_rules() const { return false; }
  /// Such a seed, of a single operator besides if `single`; nothing from a source that can't make one.
  virtual std::optional<Program> broken_seed(std::uint64_t /*number*/, bool /*single*/) const { return std::nullopt; }
  /// The same source for a torch that lacks this (seedgen::GenerateOptions::without); null if that changes nothing.
  virtual std::shared_ptr<const SeedSource> made_without(const std::vector<std::string>& /*without*/) const {
    return nullptr;
  }
  /// What open_source() needs to open it again; what the torch lacks is not part of it.
  virtual codec::Json settings() const = 0;
};

using SeedSources = std::vector<std::shared_ptr<const SeedSource>>;
using SeedSourceResult = Result<std::shared_ptr<const SeedSource>>;

/// How many calls a generated program has: each seed draws a number from `least` to `most`.
struct CallsOfProgram {
  int least = 20;
  int most = 20;
};

/// What is needed to make seed sources from the words of a user.
struct SeedSourceMaker {
  CallsOfProgram calls;
  /// Harvested calls among them; null for none.
  std::shared_ptr<const seedgen::HarvestedOperators> with = nullptr;
  /// The folder of the corpus that comes with jitprobe.
  std::string corpus;
  /// Why a program of the user's can't be a seed, in a sentence; "" if it can. An Error says why none can be tried.
  std::function<Result<std::string>(const Program&)> fault_of;
  /// Is told about every file that is left out.
  std::function<void(const std::string&)> note;
};

/// Opens a seed source: generated, tables, tables:NAME, models, a program file or a folder of them (every *.py below
/// it, by path). An Error names the choices, says that no program is left, or is that of `fault_of`.
SeedSourceResult seed_source_of(const std::string& source, const SeedSourceMaker& maker);

/// Opens a seed source again from its settings; an Error if its files are gone or have changed.
SeedSourceResult open_source(const codec::Json& settings);

/// One small class each: generated.cpp, tables.cpp, files.cpp.
std::shared_ptr<const SeedSource> generated_source(CallsOfProgram calls,
                                                   std::shared_ptr<const seedgen::HarvestedOperators> with = nullptr);
/// Returns an Error if its harvest is gone or has changed.
SeedSourceResult reopen_generated(const codec::Json& settings);
/// The programs of one table, or with "" of all of them one after the other, by name.
SeedSourceResult table_source(const std::string& table);
SeedSourceResult file_source(const std::string& name, const std::string& path, const SeedSourceMaker& maker);
SeedSourceResult reopen_files(const codec::Json& settings);

/// What a test gets from the seed sources.
struct SeedSelection {
  std::size_t seed_source = 0;
  /// The seed's number; nothing for a source without end, whose seeds are drawn.
  std::optional<std::uint64_t> seed;
  bool mutated = true;
};

/// A pure function of its arguments. `choices` are the test's own. `seed_sources` is not empty.
SeedSelection selection_of(const SeedSources& seed_sources, bool draw, std::uint64_t test, const Choices& choices);

/// The seed that a test draws from a source without end as its draw `number`; the second with one rule broken on
/// purpose, of a single operator half of the time, and nothing from a source that can't make one.
Program drawn_seed(const SeedSource& seed_source, const Choices& choices, std::uint64_t number);
std::optional<Program> drawn_broken_seed(const SeedSource& seed_source, const Choices& choices, std::uint64_t number);

/// The number of seeds of a source that have been run; for a finite one, of different seeds.
struct SeedCount {
  std::string source;
  std::optional<std::uint64_t> size;
  std::uint64_t run = 0;
};

/// Counts them.
class SeedLog {
 public:
  explicit SeedLog(const SeedSources& seed_sources);
  void add(const SeedSelection& selection);
  /// By source.
  const std::vector<SeedCount>& counts() const { return counts_; }

 private:
  std::vector<SeedCount> counts_;
  std::vector<std::vector<bool>> seen_;
};

}  // namespace jp::campaign
