// What triggers a confirmed finding becomes rarer, so that the next campaign hours don't find it again and again: pairs
// of features that its reduced form keeps, each with a weight that recovers slowly.
//
// The tests of a campaign stand in epochs. The masks of epoch e come from the findings first seen in epochs up to e -
// 2, all of whose tests have ended by then; they are kept in the campaign's folder before the first test of e is made,
// and read from there ever after: a test stays a function of (campaign seed, number, table of its epoch).
//
// A program is weighed by the product of the masks of all pairs that it has. The generator is not asked to know about
// it: a program is drawn, kept with its weight as chance, else another is drawn. Of kDraws that were refused the one of
// the greatest weight is kept, so that a campaign never starves.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "campaign/common/epochs.h"
#include "codec/codec.h"
#include "core/choices.h"
#include "core/program.h"
#include "core/result.h"

namespace jp::campaign {

/// "op:unfold", "syntax:try_statement", "mutation:alias_write".
using Features = std::set<std::string>;

/// The operators that a program calls, the kinds of its statements beyond plain lines, and the mutations of its
/// lineage. How its arguments are made doesn't count.
Features features_of(const Program& program);

/// What a finding's reduced program keeps, and the mutations that it needs. What only makes tensors ("ones") doesn't
/// count, unless it calls nothing else.
Features kept_by(const Program& reduced, const std::vector<std::string>& mutations);
/// The same; empty when that is too much to blame.
Features trigger_of(const Program& reduced, const std::vector<std::string>& mutations);

/// Weights are in 1024ths.
inline constexpr std::uint32_t kFullWeight = 1024;
/// That of a new mask.
inline constexpr std::uint32_t kNewWeight = 64;
/// Most features that one finding masks in pairs.
inline constexpr std::size_t kMostFeatures = 5;
/// Programs drawn for one test, at most. Drawing and weighing one of 20 operators takes about a quarter of a
/// millisecond, a test a hundred times as much.
inline constexpr std::uint64_t kDraws = 64;

/// By pair, the names in order; a feature with itself where it is all that a finding keeps.
using Suppressions = std::map<std::pair<std::string, std::string>, std::uint32_t>;

/// A confirmed finding, and the epoch of the test in which it was first seen.
struct Trigger {
  Features features;
  std::uint64_t epoch = 0;
};

/// The table of an epoch. A pair that several findings keep has the lowest of their weights. A mask leaves a
/// 32nd more over with each epoch, and is gone when it leaves everything.
Suppressions suppressions_of(const std::vector<Trigger>& triggers, std::uint64_t epoch);

/// The product of the masks of all pairs in `features`, at least 1. Those in `but` don't count: they were weighed
/// before.
std::uint32_t weight_of(const Suppressions& suppressions, const Features& features, const Features& but = {});

/// Whether a program of that weight is kept, by chance.
bool passes(std::uint32_t weight, Choices choices);

/// The first of at most kDraws programs that the masks let pass, else the one that they refuse least. `draw(i)` gives
/// the program of draw i; `refused` is told how many were.
Program draw_unsuppressed(const Suppressions& suppressions, const Choices& choices,
                          const std::function<Program(std::uint64_t)>& draw, std::int64_t& refused);

codec::Json to_json(const Suppressions& suppressions);
Result<Suppressions> read_suppressions(const codec::Json& json);

/// The tables of a campaign's folder by epoch, in masks.json; none when there is no such file.
Result<std::map<std::uint64_t, Suppressions>> load_suppressions(const std::string& folder);
Status keep_suppressions(const std::string& folder, const std::map<std::uint64_t, Suppressions>& tables);

/// The triggers of a campaign's confirmed findings that are reduced.
Result<std::vector<Trigger>> triggers_of(const std::string& folder, const Epochs& epochs);

}  // namespace jp::campaign
