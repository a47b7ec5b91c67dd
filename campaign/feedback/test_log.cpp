#include "campaign/feedback/test_log.h"

#include <fmt/format.h>

#include <algorithm>

#include "campaign/common/row_file.h"
#include "codec/codec.h"
#include "report/files.h"

namespace jp::campaign {
namespace {

// Jobs lag behind by an epoch at most.
constexpr std::size_t kTables = 4;

Choices choices_of(std::uint64_t seed) { return Choices(seed).fork("ledger"); }

}  // namespace

std::string test_log_file(const std::string& folder) {
  return report::campaign_file(folder, "test_log.jsonl", "ledger.jsonl");
}

TestLog::TestLog(std::string path, const Options& options)
    : path_(std::move(path)), options_(options), choices_(choices_of(options.seed)) {}

void FeedbackState::learn(const TestRecord& row, CorpusPolicy corpus_policy, const Choices& choices, std::size_t most) {
  std::int64_t firsts = 0;
  for (const std::string& bucket : row.buckets) firsts += buckets.insert(bucket).second;
  const std::int64_t findings = !row.signature.empty() && signatures.insert(row.signature).second;
  shares.add(row.backend, row.oracle, MutationWeights::earned(findings, firsts));
  if (!row.steps.empty()) mutation_weights.add(row.steps, findings, firsts);
  corpus.add(row, firsts, corpus_policy, choices, most);
}

void FeedbackState::fade() {
  mutation_weights.fade();
  shares.fade();
}

codec::Json to_json(const FeedbackState& state) {
  return {{"weights", state.mutation_weights.to_json()},
          {"shares", state.shares.to_json()},
          {"corpus", state.corpus.to_json()},
          {"buckets", state.buckets}};
}

Result<FeedbackState> read_feedback(const codec::Json& json) {
  try {
    return FeedbackState{.mutation_weights = MutationWeights::read(json.at("weights")),
                         .shares = TestShares::read(json.at("shares")),
                         .corpus = Corpus::read(json.at("corpus")),
                         .buckets = json.at("buckets").get<std::set<std::string>>(),
                         .signatures = {}};
  } catch (const codec::Json::exception& error) {
    return Error{fmt::format("an epoch's tables are damaged: {}", error.what())};
  }
}

void read_test_log(const std::string& folder, const std::function<void(TestRecord)>& take) {
  read_rows(test_log_file(folder), [&](const codec::Json& json) {
    if (std::optional<TestRecord> row = read_test_record(json)) take(std::move(*row));
  });
}

Result<TestLog> TestLog::open(const std::string& folder, const Options& options,
                              const std::function<bool(std::uint64_t)>& ended) {
  TestLog test_log(test_log_file(folder), options);
  read_test_log(folder, [&](TestRecord row) {
    if (ended(row.test)) test_log.rows_.insert_or_assign(row.test, std::move(row));
  });
  if (Status ready = end_last_row(test_log.path_); !ready.ok()) return ready.error();
  return test_log;
}

bool TestLog::wants_program(const Options& options, std::uint64_t test, const std::vector<std::string>& buckets,
                            const std::set<std::string>& known) {
  const std::uint64_t tests = options.epochs.length(options.epochs.of(test));
  const std::uint64_t looked_at = kLookedAt * options.epochs.times();
  if (choices_of(options.seed).fork("look", test).chance(std::min(looked_at, tests), tests)) return true;
  return std::any_of(buckets.begin(), buckets.end(), [&](const std::string& name) { return !known.contains(name); });
}

Status TestLog::add(std::vector<TestRecord> rows) {
  if (rows.empty()) return Done{};
  std::vector<codec::Json> written;
  for (TestRecord& row : rows) {
    written.push_back(to_json(row));
    const std::uint64_t test = row.test;
    rows_.insert_or_assign(test, std::move(row));
  }
  return append_rows(path_, written);
}

std::shared_ptr<const FeedbackState> TestLog::table(std::uint64_t epoch) {
  if (auto made = tables_.find(epoch); made != tables_.end()) return made->second;
  const auto next = tables_.lower_bound(epoch);
  std::uint64_t known = 0;  // the epoch whose table this one extends
  const std::size_t most = Corpus::kMost * options_.epochs.times();
  auto table = std::make_shared<FeedbackState>();
  if (next != tables_.begin()) {
    known = std::prev(next)->first;
    table = std::make_shared<FeedbackState>(*std::prev(next)->second);
  }
  for (; known < epoch; ++known) {
    if (known == 0) continue;
    const auto begin = rows_.lower_bound(options_.epochs.begin(known - 1));
    const auto end = rows_.lower_bound(options_.epochs.begin(known));
    for (auto row = begin; row != end; ++row) table->learn(row->second, options_.corpus_policy, choices_, most);
    if (begin != end) table->fade();
    rows_.erase(begin, end);
    // A job that lags behind may still ask for it, and its rows are gone.
    if (known + 2 == epoch) tables_[known + 1] = std::make_shared<FeedbackState>(*table);
  }
  tables_[epoch] = table;
  while (tables_.size() > kTables) tables_.erase(tables_.begin());
  return table;
}

}  // namespace jp::campaign
