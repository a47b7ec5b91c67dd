// A pool of lease servers: gives them leases, takes their results, starts those again that have ended.
//
// Nothing of a lease is on disk: a result is the campaign's once the campaign has stored it, and a campaign that was
// killed makes again what has no result. A thread of its own talks to the servers, so that they have work while the
// campaign's jobs reduce findings.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "campaign/common/stopwatch.h"
#include "campaign/lease_pool.h"
#include "fleet/case_book.h"
#include "fleet/lease_book.h"
#include "fleet/servers.h"

namespace jp::fleet {

class ServerPool : public campaign::LeasePool {
 public:
  /// A server that can't start so often one after the other is given up. Chosen, not measured.
  static constexpr int kMostFailedStarts = 3;

  /// In seconds: a server that isn't ready by then has failed to start. Chosen, not measured, as ten times what a start
  /// took on a machine at a load of ten (docs/fleet.md).
  static constexpr double kStartDeadline = 600;

  /// `patience`: by default as the campaign's limits say.
  ServerPool(std::unique_ptr<Servers> servers, campaign::LeasedCampaign campaign,
             std::optional<Patience> patience = std::nullopt, double start_deadline = kStartDeadline);
  ~ServerPool() override;
  Status put_tables(std::uint64_t epoch, const std::function<Result<codec::Json>()>& make) override;
  Result<std::vector<campaign::Tested>> take() override;
  Status put_case(std::uint64_t test, const std::string& asked) override;
  std::vector<StudiedCase> take_cases() override;
  std::vector<std::string> take_notes() override;
  Status end() override;

 private:
  struct Server {
    enum class State { kAbsent, kStarting, kReady, kGivenUp } state = State::kAbsent;
    int failed_starts = 0;
    double starts = 0;              // not before, or when it was started if it was, by the pool's clock
    std::set<std::uint64_t> knows;  // epochs whose tables it was sent
  };
  using State = Server::State;
  void stop();
  void run();
  void talk();
  void start_servers();
  void end_slow_starts();
  void give_leases();
  bool give_next(int number, Server& server);
  bool give(int number, Server& server, const Range& range);
  void heard(const Servers::Said& said);
  void heard_message(int number, const codec::Json& message);
  void take_result(int number, const codec::Json& json);
  void take_study(int number, const codec::Json& json);
  void keep_unlike(const std::string& what, const std::string& name, const std::string& text);
  void lost(int number, const std::string& why);
  bool any_left();

  const campaign::LeasedCampaign campaign_;
  const std::string terms_;  // as a message
  const campaign::Stopwatch clock_;
  const double start_deadline_;

  // Of the thread.
  std::unique_ptr<Servers> servers_;
  std::vector<Server> states_;
  LeaseBook book_;
  CaseBook cases_;
  std::map<std::uint64_t, std::string> known_tables_;  // as messages, by epoch
  double placed_ = 0;  // when all servers had a place, or it was said that some have none

  std::mutex mutex_;  // guards everything below
  std::vector<std::pair<std::uint64_t, std::string>> new_tables_;
  std::vector<std::pair<std::uint64_t, std::string>> new_cases_;  // as messages, by test
  std::vector<campaign::Tested> results_;
  std::vector<StudiedCase> studied_;
  std::vector<std::string> notes_;
  std::string failure_;
  bool ending_ = false;

  std::thread thread_;  // last: it uses the others
};

}  // namespace jp::fleet
