#include "campaign/feedback/corpus.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <utility>

#include "codec/codec.h"
#include "mutate/syntax/syntax.h"

namespace jp::campaign {
namespace {

constexpr std::array<std::string_view, 3> kNames = {"all", "distant", "mcmc"};
constexpr std::int64_t kForKind = 4;
// Every kScale steps by which a program is nearer to its seed halve its chance.
constexpr std::int64_t kScale = 6;
// A bucket of counters that no test was in before weighs as much as two kinds of statements.
constexpr std::int64_t kForBucket = 8;

struct Shape {
  std::set<std::string> kinds;
  std::int64_t statements = 0;
};

std::optional<Shape> shape_of(const Program& program) {
  Result<mutate::Parsed> parsed = mutate::parse(program);
  if (!parsed.ok()) return std::nullopt;
  Shape shape;
  for (const mutate::Statement& statement : parsed.value().statements()) shape.kinds.emplace(statement.kind());
  shape.statements = static_cast<std::int64_t>(parsed.value().statements().size());
  return shape;
}

}  // namespace

std::string_view corpus_policy_name(CorpusPolicy corpus_policy) {
  return kNames[static_cast<std::size_t>(corpus_policy)];
}

std::optional<CorpusPolicy> corpus_policy_named(std::string_view name) {
  for (std::size_t i = 0; i < kNames.size(); ++i)
    if (kNames[i] == name) return static_cast<CorpusPolicy>(i);
  return std::nullopt;
}

std::int64_t distance_of(const Program& seed, const Program& mutant) {
  const std::optional<Shape> one = shape_of(seed);
  const std::optional<Shape> other = shape_of(mutant);
  if (!one || !other) return 0;
  std::set<std::string> differing;
  std::set_symmetric_difference(one->kinds.begin(), one->kinds.end(), other->kinds.begin(), other->kinds.end(),
                                std::inserter(differing, differing.end()));
  return kForKind * static_cast<std::int64_t>(differing.size()) + std::abs(one->statements - other->statements);
}

bool Corpus::accepted(const TestRecord& row, std::int64_t firsts, CorpusPolicy corpus_policy, const Choices& choices) {
  const std::int64_t distance = row.distance + kForBucket * firsts;
  if (corpus_policy == CorpusPolicy::kDistant) return firsts > 0 || distance >= kFar;
  if (corpus_policy == CorpusPolicy::kAll) return true;
  // The chance is halved for each kScale by which the program is nearer, and once more, with a probability in
  // proportion, for the remainder.
  const std::int64_t nearer = std::max<std::int64_t>(last_ - distance, 0);
  const std::int64_t halvings = std::min<std::int64_t>(nearer / kScale, 20);
  Choices drawn = choices.fork("accept", row.test);
  const bool passes = drawn.below(std::uint64_t{1} << halvings) == 0 &&
                      drawn.below(2 * kScale) >= static_cast<std::uint64_t>(nearer % kScale);
  if (!passes && firsts == 0) return false;
  last_ = distance;
  return true;
}

void Corpus::add(const TestRecord& row, std::int64_t firsts, CorpusPolicy corpus_policy, const Choices& choices,
                 std::size_t most) {
  if (!row.mutant || !accepted(row, firsts, corpus_policy, choices)) return;
  corpus_.push_back(std::make_shared<const CorpusEntry>(CorpusEntry{*row.mutant, row.depth + 1}));
  if (corpus_.size() > most) corpus_.pop_front();
}

const CorpusEntry* Corpus::draw(int depth, Choices& choices) const {
  std::vector<const CorpusEntry*> fitting;
  for (const auto& parent : corpus_)
    if (parent->depth < depth) fitting.push_back(parent.get());
  return fitting.empty() ? nullptr : choices.pick(fitting);
}

codec::Json Corpus::to_json() const {
  codec::Json entries = codec::Json::array();
  for (const auto& entry : corpus_) {
    codec::Json json = campaign::to_json(entry->mutant);
    json["depth"] = entry->depth;
    entries.push_back(std::move(json));
  }
  return entries;
}

Corpus Corpus::read(const codec::Json& json) {
  Corpus corpus;
  for (const codec::Json& one : json)
    if (std::optional<CorpusProgram> mutant = read_corpus_program(one))
      corpus.corpus_.push_back(
          std::make_shared<const CorpusEntry>(CorpusEntry{*std::move(mutant), one.at("depth").get<int>()}));
  return corpus;
}

}  // namespace jp::campaign
