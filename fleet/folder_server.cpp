#include "fleet/folder_server.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <utility>

#include "campaign/common/ticker.h"
#include "campaign/lease.h"
#include "codec/codec.h"
#include "core/files.h"
#include "fleet/folder_files.h"
#include "fleet/shared_folder.h"
#include "report/files.h"

namespace jp::fleet {
namespace {

namespace fs = std::filesystem;
using campaign::Lessee;
using campaign::StopCondition;
using campaign::Stopwatch;
using campaign::Tested;

// How often a process without work looks for some. Chosen, not measured.
constexpr std::chrono::milliseconds kBetweenLooks{500};
// Processes that make one range or study one case at the same time, at most: one of them may be slow. More would not
// be sooner, and would all be lost if it ends who makes it.
constexpr int kSideBySide = 2;

/// This process's note, in the folder while it lives.
class Sign {
 public:
  explicit Sign(std::string folder) : folder_(std::move(folder)) {
    std::array<char, 256> host{};
    gethostname(host.data(), host.size() - 1);
    note_.process =
        fmt::format("{}-{}-{}", host.data(), getpid(), std::chrono::system_clock::now().time_since_epoch().count());
    beating_.emplace(kBetweenBeats, [this] { write(); });
  }
  ~Sign() {
    beating_.reset();
    std::error_code none_there;
    fs::remove(begun_file(folder_, note_.process), none_there);
  }
  Sign(const Sign&) = delete;
  Sign& operator=(const Sign&) = delete;

  void makes(std::uint64_t test) { does(test, std::nullopt); }
  void studies(std::uint64_t test) { does(std::nullopt, test); }
  void waits() {
    if (note_.test || note_.of_case) does(std::nullopt, std::nullopt);
  }
  const std::string& process() const { return note_.process; }
  // An error in what it makes or studies counts as a death in it: the next process may meet the same error, and after
  // some deaths nobody is to try again.
  Error dies(const Error& why) {
    beating_.reset();
    const std::lock_guard lock(mutex_);
    note_death(folder_, note_);
    return why;
  }

 private:
  void does(std::optional<std::uint64_t> test, std::optional<std::uint64_t> of_case) {
    {
      const std::lock_guard lock(mutex_);
      note_.test = test;
      note_.of_case = of_case;
    }
    write();
  }

  // What can't be written is noticed where results are.
  void write() {
    const std::lock_guard lock(mutex_);
    ++note_.beat;
    (void)write_file(begun_file(folder_, note_.process), codec::text(to_json(note_)) + "\n");
  }

  const std::string folder_;
  std::mutex mutex_;  // guards the note but for its process
  Note note_;
  std::optional<campaign::Ticker> beating_;  // last: it uses the others
};

/// Makes ranges and studies cases.
class Server {
 public:
  Server(std::string folder, std::uint64_t index, std::uint64_t count, Lessee& lessee,
         std::optional<std::uint64_t> tests, const StopCondition& stop)
      : folder_(std::move(folder)),
        index_(index),
        count_(count),
        lessee_(lessee),
        tests_(tests),
        stop_(stop),
        sign_(folder_) {}

  // Studies the next case or makes the next range; false if there is none at the moment.
  Result<bool> work() {
    notes_ = notes_in(folder_);
    if (const auto test = next_case(true)) return worked(study(*test));
    const std::set<std::uint64_t> done = done_ranges();
    for (std::uint64_t epoch = first_; is_there(tables_file(folder_, epoch)); ++epoch) {
      const std::vector<Range> ranges = ranges_of(lessee_.epochs(), epoch, tests_);
      const bool all =
          std::all_of(ranges.begin(), ranges.end(), [&](const Range& range) { return done.contains(range.first); });
      if (all && epoch == first_) ++first_;
      const std::optional<Next> next = all ? std::nullopt : next_of(ranges, done);
      if (!next) continue;
      if (const auto test = next->own ? std::nullopt : next_case(false)) return worked(study(*test));
      if (Status known = know(epoch); !known.ok()) return known.error();
      return worked(make(next->range));
    }
    const auto test = next_case(false);
    if (!test) sign_.waits();
    return test ? worked(study(*test)) : Result<bool>(false);
  }
  std::uint64_t made() const { return made_; }
  std::uint64_t studied() const { return studied_; }

 private:
  static Result<bool> worked(const Status& did) { return did.ok() ? Result<bool>(true) : did.error(); }

  // How many other processes are at work on what `is_it` says, or died in it without anybody's notice.
  template <typename Is>
  int others(const Is& is_it) const {
    return static_cast<int>(std::count_if(notes_.begin(), notes_.end(), [&](const Note& note) {
      return note.process != sign_.process() && is_it(note);
    }));
  }

  // The case of the smallest test without answers: of those that are its own, or of all.
  std::optional<std::uint64_t> next_case(bool own) const {
    std::set<std::uint64_t> tests;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(case_folder(folder_), error))
      if (const auto test = numbered(entry.path().filename().string()); test && test->second == ".json")
        if (!own || test->first % count_ == index_) tests.insert(test->first);
    for (const std::uint64_t test : tests)
      if (!is_there(answers_file(folder_, test)) &&
          others([&](const Note& note) { return note.of_case == test; }) < kSideBySide)
        return test;
    return std::nullopt;
  }

  Status study(std::uint64_t test) {
    sign_.studies(test);
    const Result<codec::Json> asked = read_json(case_file(folder_, test));
    // Another process was faster, and the driver has the answers.
    if (!asked.ok()) return is_there(case_file(folder_, test)) ? asked.error() : Status(Done{});
    const Result<std::optional<codec::Json>> studied = lessee_.study(asked.value());
    if (!studied.ok()) return sign_.dies(studied.error());
    if (!studied.value() || !is_there(case_file(folder_, test))) return Done{};
    ++studied_;
    return write_file(answers_file(folder_, test), codec::text(*studied.value()) + "\n");
  }

  // First tests of ranges that have results.
  std::set<std::uint64_t> done_ranges() const {
    std::set<std::uint64_t> done;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(done_folder(folder_), error))
      if (entry.path().extension() == ".json")
        if (const auto first = numbered(entry.path().filename().string())) done.insert(first->first);
    return done;
  }

  struct Next {
    Range range;
    bool own = false;
  };
  // Its own ranges come first, then those of others that have no result.
  std::optional<Next> next_of(const std::vector<Range>& ranges, const std::set<std::uint64_t>& done) const {
    for (const bool own : {true, false})
      for (std::size_t i = 0; i < ranges.size(); ++i) {
        const std::size_t at = (i + index_) % ranges.size();
        const Range& range = ranges[at];
        if ((at % count_ == index_) != own || done.contains(range.first)) continue;
        const auto in_it = [&](const Note& note) {
          return note.test && *note.test >= range.first && *note.test < range.second;
        };
        if (others(in_it) < kSideBySide) return Next{range, own};
      }
    return std::nullopt;
  }

  Status know(std::uint64_t epoch) {
    if (lessee_.knows(epoch)) return Done{};
    Result<codec::Json> tables = read_json(tables_file(folder_, epoch));
    return tables.ok() ? lessee_.know(tables.value()) : tables.error();
  }

  // Without the tests that are skipped.
  Status make(const Range& range) {
    std::string lines;
    for (std::uint64_t test = range.first; test < range.second; ++test) {
      if (is_there(skipped_file(folder_, test))) continue;
      sign_.makes(test);
      const Result<bool> all = make_range(lessee_, {test, test + 1}, stop_, [&](const Tested& tested) -> Status {
        lines += codec::text(to_json(tested)) + "\n";
        return Done{};
      });
      if (!all.ok()) return sign_.dies(all.error());
      if (!all.value()) return Done{};
      ++made_;
    }
    return give_back(folder_, range, index_, lines);
  }

  const std::string folder_;
  const std::uint64_t index_, count_;
  Lessee& lessee_;
  const std::optional<std::uint64_t> tests_;
  const StopCondition& stop_;
  Sign sign_;
  std::vector<Note> notes_;  // of all, as `work` found them
  std::uint64_t first_ = 0;  // all ranges of earlier epochs have results
  std::uint64_t made_ = 0;
  std::uint64_t studied_ = 0;
};

// Waits until a driver has put a campaign there; false if it was stopped before.
Result<bool> wait_for_campaign(const std::string& folder, const std::atomic<bool>& stop,
                               const std::function<void(const std::string&)>& note, double patience) {
  const Stopwatch waited;
  if (!is_there(folder))
    note(fmt::format("waiting for the folder {}, which jitprobe fuzz --on files:{} makes: {:.0f} s at most", folder,
                     folder, patience));
  while (!is_there(folder) && !stop) {
    if (waited.seconds() > patience)
      return Error{fmt::format("there is no folder {}: give the one that fuzz --on files:DIR has", folder)};
    std::this_thread::sleep_for(kBetweenLooks);
  }
  if (!stop && !is_there(terms_file(folder)))
    note(fmt::format("waiting for a campaign in {}: jitprobe fuzz --on files:{} begins one", folder, folder));
  while (!is_there(terms_file(folder)) && !stop) std::this_thread::sleep_for(kBetweenLooks);
  return !stop;
}

}  // namespace

DriverWatch::DriverWatch(const std::string& folder, double silence) : file_(driver_file(folder)), silence_(silence) {}

bool DriverWatch::lives() {
  const Result<std::string> now = report::read_file(file_);
  if (now.ok() && now.value() != said_) {
    said_ = now.value();
    since_ = {};
  }
  return since_.seconds() < silence_;
}

Result<Served> serve(const std::string& folder, std::uint64_t index, std::uint64_t count, const std::atomic<bool>& stop,
                     const std::function<void(const std::string&)>& note, double patience) {
  const StopCondition stop_condition(stop);
  const Result<bool> there = wait_for_campaign(folder, stop, note, patience);
  if (!there.ok()) return there.error();
  if (!there.value()) return Served{.stopped = true};
  const Result<codec::Json> terms = read_json(terms_file(folder));
  if (!terms.ok()) return terms.error();
  Result<Lessee::Started> started = Lessee::start(terms.value(), stop_condition);
  if (stop) return Served{.stopped = true};
  if (!started.ok()) return started.error();
  if (!started.value().lessee) return Served{.refused = started.value().refused};
  const codec::Json& tests = terms.value().at("tests");
  Server server(folder, index, count, *started.value().lessee,
                tests.is_null() ? std::nullopt : std::optional(tests.get<std::uint64_t>()), stop_condition);
  DriverWatch driver(folder);
  while (!stop && !is_there(ended_file(folder))) {
    if (!driver.lives())
      return Error{fmt::format("the driver of {} has said nothing for {:.0f} s: this process ends, after {} tests",
                               folder, kSilence, server.made())};
    const Result<bool> worked = server.work();
    if (!worked.ok()) return worked.error();
    if (!worked.value()) std::this_thread::sleep_for(kBetweenLooks);
  }
  return Served{.tests = server.made(), .cases = server.studied(), .stopped = !is_there(ended_file(folder))};
}

}  // namespace jp::fleet
