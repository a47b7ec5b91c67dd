// Suppressions make what triggers a confirmed finding rarer, so that the next hours of a campaign don't find it again
// and again: pairs of features that its reduced program has, each with a weight that recovers slowly.
//
// The tests of a campaign are divided into epochs. The suppressions of epoch e come from what tests of epochs up to
// e - 2 showed, all of which are decided by then; they are stored in the campaign's folder before the first
// test of e is made, and read from there ever after: a test stays a function of (campaign seed, number, table of its
// epoch). What was known before the campaign (known bugs that are there, findings of earlier campaigns) is suppressed
// from its first epoch on, in the same way; its triggers are stored before the first test.
//
// The weight of a program is the product of the weights of all its suppressed pairs. The generator doesn't know about
// them: a program is drawn and kept with its weight as probability, else another is drawn. If all of kDraws programs
// are rejected, the one of the greatest weight is kept, so that a campaign never starves.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "campaign/common/epochs.h"
#include "codec/json.h"
#include "core/choices.h"
#include "core/program.h"
#include "core/result.h"

namespace jp::campaign {

/// "op:unfold", "syntax:try_statement", "mutation:alias_write".
using Features = std::set<std::string>;

/// The operators that a program calls, the kinds of its statements beyond simple ones, and the mutations of its
/// lineage. Code that makes its arguments doesn't count.
Features features_of(const Program& program);

/// The features of a finding's reduced program, and the mutations that it needs. Calls that only make tensors ("ones")
/// don't count, unless the program calls nothing else.
Features kept_by(const Program& reduced, const std::vector<std::string>& mutations);
/// The same; empty if there are too many features to blame.
Features trigger_of(const Program& reduced, const std::vector<std::string>& mutations);

/// Weights are in 1024ths.
inline constexpr std::uint32_t kFullWeight = 1024;
/// The weight of a new suppression (chosen, not measured).
inline constexpr std::uint32_t kNewWeight = 64;
/// Most features of one finding that are suppressed in pairs.
inline constexpr std::size_t kMostFeatures = 5;
/// Programs drawn for one test, at most. Drawing and weighing one of 20 operators takes about a quarter of a
/// millisecond, a test a hundred times as much.
inline constexpr std::uint64_t kDraws = 64;

/// Weights by pair, the names in order; a feature with itself if it is the only one of a finding.
using Suppressions = std::map<std::pair<std::string, std::string>, std::uint32_t>;

/// The features of a confirmed finding's reduced program, and the epoch of the test that showed that.
struct Trigger {
  Features features;
  std::uint64_t epoch = 0;
};

/// The table of an epoch. A pair that several findings share has the lowest of their weights. A suppression's weight
/// recovers by a 32nd with each epoch; the suppression is removed when it reaches kFullWeight. `known`: the features of
/// what was known before the campaign. `lag`: what tests of epoch e showed is suppressed from epoch e + lag on.
Suppressions suppressions_of(const std::vector<Trigger>& triggers, std::uint64_t epoch,
                             const std::vector<Features>& known = {}, std::uint64_t lag = Epochs::kLag);

/// The product of the weights of all suppressed pairs in `features`, at least 1. Pairs in `but` don't count: they were
/// weighed before.
std::uint32_t weight_of(const Suppressions& suppressions, const Features& features, const Features& but = {});

/// Whether a program of that weight is kept, by chance.
bool passes(std::uint32_t weight, Choices choices);

/// The first of at most kDraws programs that passes the suppressions, else the one of the greatest weight. `draw(i)`
/// returns the program of draw i; `refused` is told how many were rejected.
Program draw_unsuppressed(const Suppressions& suppressions, const Choices& choices,
                          const std::function<Program(std::uint64_t)>& draw, std::int64_t& refused);

codec::Json to_json(const Suppressions& suppressions);
Result<Suppressions> read_suppressions(const codec::Json& json);

/// The tables of a campaign's folder by epoch, in suppressions.json; none if there is no such file.
Result<std::map<std::uint64_t, Suppressions>> load_suppressions(const std::string& folder);
Status keep_suppressions(const std::string& folder, const std::map<std::uint64_t, Suppressions>& tables);

/// The features of what was known before the campaign, in known_triggers.json of its folder; nothing if there is no
/// such file.
Result<std::optional<std::vector<Features>>> load_known_triggers(const std::string& folder);
Status keep_known_triggers(const std::string& folder, const std::vector<Features>& triggers);

/// The triggers of a campaign's confirmed findings that are reduced: of the forms that tests below `border` showed.
Result<std::vector<Trigger>> triggers_of(const std::string& folder, const Epochs& epochs,
                                         std::uint64_t border = std::uint64_t{1} << 53);

}  // namespace jp::campaign
