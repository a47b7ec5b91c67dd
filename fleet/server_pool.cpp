#include "fleet/server_pool.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "campaign/lease.h"
#include "codec/codec.h"
#include "core/files.h"
#include "core/hash.h"
#include "fleet/patience.h"
#include "fleet/without_times.h"

namespace jp::fleet {
namespace {

// How long the thread waits for servers before it looks whether there is more to give. Chosen, not measured.
constexpr double kBetweenLooks = 0.05;
// A server that could not start is started again after so many seconds. Chosen, not measured.
constexpr double kBetweenStarts = 2;

}  // namespace

ServerPool::ServerPool(std::unique_ptr<Servers> servers, campaign::LeasedCampaign campaign,
                       std::optional<Patience> patience, double start_deadline)
    : campaign_(std::move(campaign)),
      terms_(codec::pack({{"op", "terms"}, {"terms", campaign_.terms}})),
      start_deadline_(start_deadline),
      servers_(std::move(servers)),
      book_(patience.value_or(Patience{.deadline = deadline_of(campaign_.terms)})),
      cases_(patience.value_or(Patience{.deadline = deadline_of(campaign_.terms), .least_long = kLeastLongStudy})),
      thread_([this] { run(); }) {}

ServerPool::~ServerPool() { stop(); }

Status ServerPool::put_tables(std::uint64_t epoch, const std::function<Result<codec::Json>()>& make) {
  Result<codec::Json> tables = make();
  if (!tables.ok()) return tables.error();
  std::string message = codec::pack({{"op", "tables"}, {"tables", std::move(tables).value()}});
  std::lock_guard lock(mutex_);
  new_tables_.emplace_back(epoch, std::move(message));
  return Done{};
}

Result<std::vector<campaign::Tested>> ServerPool::take() {
  std::lock_guard lock(mutex_);
  if (results_.empty() && !failure_.empty()) return Error{failure_};
  return std::exchange(results_, {});
}

Status ServerPool::put_case(std::uint64_t test, const std::string& asked) {
  std::string message = codec::pack({{"op", "case"}, {"asked", asked}});
  std::lock_guard lock(mutex_);
  new_cases_.emplace_back(test, std::move(message));
  return Done{};
}

std::vector<campaign::LeasePool::StudiedCase> ServerPool::take_cases() {
  std::lock_guard lock(mutex_);
  return std::exchange(studied_, {});
}

std::vector<std::string> ServerPool::take_notes() {
  std::lock_guard lock(mutex_);
  return std::exchange(notes_, {});
}

Status ServerPool::end() {
  stop();
  return Done{};
}

void ServerPool::stop() {
  {
    std::lock_guard lock(mutex_);
    ending_ = true;
  }
  if (thread_.joinable()) thread_.join();
  servers_.reset();
}

void ServerPool::run() {
  try {
    talk();
  } catch (const std::exception& error) {
    std::lock_guard lock(mutex_);
    failure_ = error.what();
  }
}

void ServerPool::talk() {
  while (true) {
    {
      std::lock_guard lock(mutex_);
      if (ending_) return;
      for (auto& [epoch, message] : std::exchange(new_tables_, {})) {
        for (const Range& range : ranges_of(campaign_.epochs, epoch, campaign_.tests))
          book_.add(range, campaign_.ended);
        known_tables_.insert_or_assign(epoch, std::move(message));
        while (known_tables_.size() > campaign::Lessee::kMostTables) known_tables_.erase(known_tables_.begin());
      }
      for (auto& [test, message] : std::exchange(new_cases_, {})) cases_.add(test, std::move(message));
    }
    start_servers();
    give_leases();
    for (const Servers::Said& said : servers_->hear(kBetweenLooks)) heard(said);
    for (const std::vector<int>& overdue : {book_.overdue(clock_.seconds()), cases_.overdue(clock_.seconds())})
      for (const int number : overdue) {
        servers_->kill(number);
        lost(number, "it gave no result in time");
      }
    end_slow_starts();
    if (!any_left()) return;
  }
}

void ServerPool::start_servers() {
  states_.resize(static_cast<std::size_t>(servers_->count()));
  for (std::size_t i = 0; i < states_.size(); ++i) {
    Server& server = states_[i];
    if (server.state != State::kAbsent || clock_.seconds() < server.starts) continue;
    const int number = static_cast<int>(i);
    server.state = State::kStarting;
    server.starts = clock_.seconds();
    server.knows.clear();
    if (Status started = servers_->start(number); !started.ok()) lost(number, started.error().message);
    // What is sent to one that has ended at once is lost; its end is heard of.
    else
      servers_->send(number, terms_);
  }
}

void ServerPool::end_slow_starts() {
  int without_place = 0;
  for (std::size_t i = 0; i < states_.size(); ++i) {
    const int number = static_cast<int>(i);
    if (states_[i].state != State::kStarting) continue;
    if (!servers_->has_place(number)) {
      states_[i].starts = clock_.seconds();
      ++without_place;
    }
    if (clock_.seconds() - states_[i].starts <= start_deadline_) continue;
    servers_->kill(number);
    lost(number, fmt::format("it was not ready after {:.0f} s", start_deadline_));
  }
  if (without_place == 0) placed_ = clock_.seconds();
  if (clock_.seconds() - placed_ <= start_deadline_) return;
  placed_ = clock_.seconds();
  std::lock_guard lock(mutex_);
  notes_.push_back(fmt::format("{} of {} processes wait for a machine to run on", without_place, states_.size()));
}

void ServerPool::give_leases() {
  for (std::size_t i = 0; i < states_.size(); ++i) {
    const int number = static_cast<int>(i);
    if (states_[i].state != State::kReady || book_.has_lease(number) || cases_.has_case(number)) continue;
    if (give_next(number, states_[i])) continue;
    // It did not die in what it never got.
    book_.hand_back(number);
    cases_.hand_back(number);
    states_[i].state = State::kStarting;  // counts as a start that failed
    servers_->kill(number);
    lost(number, "it takes no lease");
  }
}

// Cases come first: decisions wait for them, and tests of later epochs for decisions. False if it takes nothing in.
bool ServerPool::give_next(int number, Server& server) {
  if (const std::string* asked = cases_.take(number, clock_.seconds())) return servers_->send(number, *asked);
  if (const std::optional<Range> range = book_.take(number, clock_.seconds())) return give(number, server, *range);
  const std::string* slow = cases_.take_copy(number, clock_.seconds());
  return !slow || servers_->send(number, *slow);
}

bool ServerPool::give(int number, Server& server, const Range& range) {
  const std::uint64_t epoch = campaign_.epochs.of(range.first);
  if (server.knows.insert(epoch).second && !servers_->send(number, known_tables_.at(epoch))) return false;
  return servers_->send(number, codec::pack({{"op", "lease"}, {"begin", range.first}, {"end", range.second}}));
}

void ServerPool::heard(const Servers::Said& said) {
  // What came together with something for which it was taken for lost.
  const State state = states_.at(static_cast<std::size_t>(said.server)).state;
  if (state == State::kAbsent || state == State::kGivenUp) return;
  if (said.gone) return lost(said.server, said.bytes);
  const Result<codec::Json> message = codec::unpack(said.bytes);
  try {
    if (!message.ok()) throw std::invalid_argument(message.error().message);
    heard_message(said.server, message.value());
  } catch (const std::exception& error) {
    servers_->kill(said.server);
    lost(said.server, fmt::format("it spoke nonsense: {}", error.what()));
  }
}

void ServerPool::heard_message(int number, const codec::Json& message) {
  Server& server = states_.at(static_cast<std::size_t>(number));
  if (message.contains("tested") || message.contains("studied")) server.failed_starts = 0;
  if (message.contains("tested")) return take_result(number, message["tested"]);
  if (message.contains("done")) return book_.done(number, clock_.seconds());
  if (message.contains("alive")) return cases_.heard(number, clock_.seconds());
  if (message.contains("studied")) return take_study(number, message["studied"]);
  if (message.contains("ready")) {
    server.state = State::kReady;
    return;
  }
  const bool refused = message.contains("refused");
  servers_->kill(number);
  if (refused) server.failed_starts = kMostFailedStarts;
  lost(number, message.at(refused ? "refused" : "error").get<std::string>());
}

void ServerPool::take_result(int number, const codec::Json& json) {
  Result<campaign::Tested> tested = campaign::read_tested(json);
  if (!tested.ok()) throw std::invalid_argument(tested.error().message);
  const std::uint64_t test = tested.value().number;
  const std::string text = codec::text(without_times(json));
  const Came came = book_.result(number, test, sha256_hex(text), clock_.seconds());
  std::lock_guard lock(mutex_);
  if (came == Came::kFirst) results_.push_back(std::move(tested).value());
  if (came == Came::kUnlike) keep_unlike(fmt::format("test {}", test), std::to_string(test), text);
}

void ServerPool::take_study(int number, const codec::Json& json) {
  const auto test = json.at("test").get<std::uint64_t>();
  const Came came = cases_.done(number, test, digest_of_study(json), clock_.seconds());
  if (came == Came::kUnknown) throw std::invalid_argument(fmt::format("it was not asked about test {}", test));
  std::lock_guard lock(mutex_);
  if (came == Came::kFirst) studied_.push_back({test, json});
  if (came == Came::kUnlike)
    keep_unlike(fmt::format("the study of test {}", test), fmt::format("case-{}", test), codec::text(json));
}

// Called under mutex_.
void ServerPool::keep_unlike(const std::string& what, const std::string& name, const std::string& text) {
  const std::string folder = campaign_.folder + "/unlike";
  const std::string file = fmt::format("{}/{}.json", folder, name);
  Status kept = make_folder(folder);
  if (kept.ok()) kept = write_file(file, text + "\n");
  notes_.push_back(said_unlike(what, kept.ok() ? "in " + file : "lost (" + kept.error().message + ")"));
}

// A server has ended. One that had started is started again at once, and its lease goes to another.
void ServerPool::lost(int number, const std::string& why) {
  Server& server = states_.at(static_cast<std::size_t>(number));
  const bool had_started = server.state == State::kReady;
  if (!had_started) ++server.failed_starts;
  server.state = server.failed_starts >= kMostFailedStarts ? State::kGivenUp : State::kAbsent;
  server.starts = clock_.seconds() + (had_started ? 0 : kBetweenStarts);
  const std::optional<std::uint64_t> skipped = book_.failed(number);
  const std::optional<std::uint64_t> left = cases_.failed(number);
  std::lock_guard lock(mutex_);
  if (left) {
    studied_.push_back({*left, std::nullopt});
    notes_.push_back(fmt::format("what test {} showed is studied by the driver, because {} processes ended in it",
                                 *left, kMostFailures));
  }
  if (server.state == State::kGivenUp) notes_.push_back(fmt::format("process {} is given up: {}", number, why));
  if (had_started) notes_.push_back(fmt::format("process {} has ended and is started again: {}", number, why));
  if (!skipped) return;
  results_.push_back(
      {.number = *skipped,
       .broken = fmt::format("skipped, because {} processes ended in it; the last: {}", kMostFailures, why),
       .skipped = true});
}

// Whether there will be results. Where not, it says why.
bool ServerPool::any_left() {
  const std::string failure = servers_->failure();
  const bool any =
      std::any_of(states_.begin(), states_.end(), [](const Server& server) { return server.state != State::kGivenUp; });
  if (failure.empty() && (any || states_.empty())) return true;
  std::lock_guard lock(mutex_);
  failure_ = failure.empty() ? "no process is left that makes tests: see what was said of them above" : failure;
  return false;
}

}  // namespace jp::fleet
