#include "fleet/folder_server.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <thread>
#include <utility>

#include "campaign/common/internal_errors.h"
#include "campaign/lease.h"
#include "codec/codec.h"
#include "fleet/folder_files.h"
#include "fleet/patience.h"
#include "fleet/shared_folder.h"
#include "fleet/sign.h"
#include "report/files.h"

namespace jp::fleet {
namespace {

namespace fs = std::filesystem;
using campaign::Lessee;
using campaign::StopCondition;
using campaign::Stopwatch;
using campaign::Tested;

// Seconds between two looks for work by a process that has none: the first, or, where many processes look, the second
// for each of them, so that a thousand look two hundred times a second at a file system that all of them share. Chosen,
// not measured.
constexpr double kBetweenLooks = 0.5;
constexpr double kForEachProcess = 0.005;

/// Makes ranges and studies cases.
class Server {
 public:
  Server(std::string folder, std::uint64_t index, std::uint64_t count, Lessee& lessee,
         std::optional<std::uint64_t> tests, const StopCondition& stop, Sign& sign)
      : folder_(std::move(folder)),
        index_(index),
        count_(count),
        lessee_(lessee),
        tests_(tests),
        stop_(stop),
        sign_(sign),
        between_looks_(std::max(kBetweenLooks, kForEachProcess * static_cast<double>(count))) {}

  // Studies the next case or makes the next range; false if there is none at the moment. What others are at work on
  // comes last.
  Result<bool> work() {
    const std::set<std::uint64_t> cases = open_cases();
    if (Result<bool> own = study_next(cases, true, kFirst); !own.ok() || own.value()) return own;
    const std::vector<std::uint64_t> epochs = epochs_in(folder_, first_);
    for (const std::uint64_t epoch : epochs) {
      const std::vector<Range> ranges = ranges_of(lessee_.epochs(), epoch, tests_);
      if (Result<bool> own = make_own(epoch, ranges); !own.ok() || own.value()) return own;
      if (!may_look(epoch)) continue;
      look_for_results(ranges);
      if (epoch == epochs.front() && all_done(ranges)) first_ = epoch + 1;
      if (Result<bool> others = study_next(cases, false, kFirst); !others.ok() || others.value()) return others;
      if (Result<bool> others = make_others(epoch, ranges, kFirst); !others.ok() || others.value()) return others;
    }
    if (Result<bool> others = study_next(cases, false, kFirst); !others.ok() || others.value()) return others;
    for (const std::uint64_t epoch : epochs) {
      const std::vector<Range> ranges = ranges_of(lessee_.epochs(), epoch, tests_);
      if (Result<bool> slow = make_others(epoch, ranges, kSecond); !slow.ok() || slow.value()) return slow;
    }
    Result<bool> slow = study_next(cases, false, kSecond);
    if (slow.ok() && !slow.value()) sign_.waits();
    return slow;
  }
  double between_looks() const { return between_looks_; }
  std::uint64_t made() const { return made_; }
  std::uint64_t studied() const { return studied_; }

 private:
  // Slots of a claim. The second one is for what takes others long.
  enum Slot { kFirst = 0, kSecond = 1 };

  // To list the results of an epoch takes the longer the more processes there are, and all of them do it.
  bool may_look(std::uint64_t epoch) {
    const auto [looked, first] = looked_.try_emplace(epoch);
    if (!first && looked->second.seconds() < between_looks_) return false;
    looked->second = {};
    return true;
  }

  struct Durations {
    double seconds = 0;
    std::uint64_t made = 0;
    void add(const Stopwatch& watch) {
      seconds += watch.seconds();
      ++made;
    }
  };
  // Whether the process that has the first slot takes long for it: as long as this one has seen it there.
  bool is_slow(const std::string& claim, double least, const Durations& own) {
    const Result<std::string> owner = report::read_file(claim_file(folder_, claim + ".0"));
    if (!owner.ok()) return false;
    auto& [who, since] = seen_[claim];
    if (who != owner.value()) {
      who = owner.value();
      since = {};
    }
    return is_long({.least_long = least}, since.seconds(), own.seconds, own.made);
  }

  // Tests whose cases are to be studied.
  std::set<std::uint64_t> open_cases() const {
    std::set<std::uint64_t> tests;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(case_folder(folder_), error))
      if (const auto test = numbered(entry.path().filename().string()); test && test->second == ".json")
        tests.insert(test->first);
    return tests;
  }

  // The case of the smallest test without answers: of those that are its own, or of all.
  Result<bool> study_next(const std::set<std::uint64_t>& cases, bool own, Slot slot) {
    for (const std::uint64_t test : cases) {
      if ((own && test % count_ != index_) || is_there(answers_file(folder_, test))) continue;
      if (slot == kSecond && !is_slow(claim_name(test), kLeastLongStudy, studies_)) continue;
      const Result<bool> claimed = sign_.claim(claim_name(test), slot);
      if (!claimed.ok()) return claimed;
      if (!claimed.value()) continue;
      const Stopwatch began;
      const Result<bool> worked = did([&] { return study(test); });
      studies_.add(began);
      return worked;
    }
    return false;
  }

  // Does what is claimed. Whatever is thrown in it would be thrown in the next process, too.
  Result<bool> did(const std::function<Status()>& work) {
    Status done = Done{};
    if (const std::optional<Error> thrown = campaign::error_in([&] { done = work(); })) done = sign_.dies(*thrown);
    sign_.give_up();
    return done.ok() ? Result<bool>(true) : done.error();
  }

  Status study(std::uint64_t test) {
    if (is_there(answers_file(folder_, test))) return Done{};  // they have come meanwhile
    sign_.studies(test);
    const Result<codec::Json> asked = read_json(case_file(folder_, test));
    // Another process was faster, and the driver has the answers.
    if (!asked.ok()) return is_there(case_file(folder_, test)) ? asked.error() : Status(Done{});
    const Result<std::optional<codec::Json>> studied = lessee_.study(asked.value());
    if (!studied.ok()) return sign_.dies(studied.error());
    if (!studied.value()) return Done{};
    ++studied_;
    return answer(folder_, test, sign_.process(), asked.value(), *studied.value());
  }

  // Its own ranges come first, then those of others that have no result.
  Result<bool> make_own(std::uint64_t epoch, const std::vector<Range>& ranges) {
    for (std::size_t i = index_; i < ranges.size(); i += count_)
      if (!is_there(done_file(folder_, ranges[i])))
        if (Result<bool> made = make_claimed(epoch, ranges[i], kFirst); !made.ok() || made.value()) return made;
    return false;
  }

  Result<bool> make_others(std::uint64_t epoch, const std::vector<Range>& ranges, Slot slot) {
    // Not all of them begin with the same.
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      const Range& range = ranges[(i + index_) % ranges.size()];
      if (done_.contains(range.first) ||
          (slot == kSecond && !is_slow(claim_name(range), Patience{}.least_long, ranges_)))
        continue;
      if (Result<bool> made = make_claimed(epoch, range, slot); !made.ok() || made.value()) return made;
    }
    return false;
  }

  bool all_done(const std::vector<Range>& ranges) const {
    return std::all_of(ranges.begin(), ranges.end(), [&](const Range& range) { return done_.contains(range.first); });
  }

  // Lists the folders in which results of these ranges may have come.
  void look_for_results(const std::vector<Range>& ranges) {
    std::set<std::uint64_t> thousands;
    for (const Range& range : ranges)
      if (!done_.contains(range.first)) thousands.insert(thousand_of(range));
    std::error_code error;
    for (const std::uint64_t thousand : thousands)
      for (const auto& entry : fs::directory_iterator(done_folder(folder_, thousand), error))
        if (const auto range = range_of(entry.path().filename().string())) {
          done_.insert(range->first);
          seen_.erase(claim_name(*range));
        }
  }

  // False if others are at work on it, or have made it meanwhile.
  Result<bool> make_claimed(std::uint64_t epoch, const Range& range, Slot slot) {
    const Result<bool> claimed = sign_.claim(claim_name(range), slot);
    if (!claimed.ok() || !claimed.value()) return claimed;
    if (is_there(done_file(folder_, range))) {
      sign_.give_up();
      return false;
    }
    const Stopwatch began;
    const Result<bool> worked = did([&] {
      const Status known = know(epoch);
      return known.ok() ? make(range) : known;
    });
    ranges_.add(began);
    return worked;
  }

  Status know(std::uint64_t epoch) {
    if (lessee_.knows(epoch)) return Done{};
    const std::string file = tables_file(folder_, epoch);
    const Result<codec::Json> tables = read_json(file);
    if (!tables.ok()) return tables.error();
    const Status known = lessee_.know(tables.value());
    return known.ok() ? known : Error{fmt::format("{}: {}", file, known.error().message)};
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
    return give_back(folder_, range, sign_.process(), lines);
  }

  const std::string folder_;
  const std::uint64_t index_, count_;
  Lessee& lessee_;
  const std::optional<std::uint64_t> tests_;
  const StopCondition& stop_;
  Sign& sign_;
  const double between_looks_;                 // seconds
  std::map<std::uint64_t, Stopwatch> looked_;  // when the results of an epoch were listed
  std::set<std::uint64_t> done_;               // first tests of ranges that have results, as far as it has looked
  std::map<std::string, std::pair<std::string, Stopwatch>> seen_;  // who has a claim, and since when it has seen that
  Durations ranges_;                                               // of its own
  Durations studies_;                                              // of its own
  std::uint64_t first_ = 0;                                        // all ranges of earlier epochs have results
  std::uint64_t made_ = 0;
  std::uint64_t studied_ = 0;
};

void pause(double seconds, const std::atomic<bool>& stop) {
  const Stopwatch waited;
  while (!stop && waited.seconds() < seconds) std::this_thread::sleep_for(StopCondition::kPolled);
}

// Waits until a driver has put a campaign there; false if it was stopped before.
Result<bool> wait_for_campaign(const std::string& folder, const std::atomic<bool>& stop,
                               const std::function<void(const std::string&)>& note, double patience) {
  const Stopwatch waited;
  const auto wait_for = [&](const std::string& file, const std::string& what) -> Result<bool> {
    if (is_there(file)) return true;
    note(fmt::format("waiting for {}, which jitprobe fuzz --on files:{} makes: {:.0f} s at most", what, folder,
                     patience));
    while (!is_there(file) && !stop) {
      if (waited.seconds() > patience)
        return Error{
            fmt::format("there is no {} after {:.0f} s: give the folder that fuzz --on files:DIR has, or wait "
                        "longer with --wait SECONDS",
                        what, patience)};
      pause(kBetweenLooks, stop);
    }
    return !stop;
  };
  const Result<bool> there = wait_for(folder, "folder " + folder);
  return there.ok() && there.value() ? wait_for(terms_file(folder), "campaign in " + folder) : there;
}

// Ends the process where it stands: what it does may never end.
void end_at_once(const std::string& why, const std::function<void(const std::string&)>& note) {
  constexpr int kCannot = 2;
  note(why);
  std::_Exit(kCannot);
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
  if (is_there(ended_file(folder))) {
    note(fmt::format("the campaign in {} has ended: start fuzz --resume --on files:{} first", folder, folder));
    return Served{};
  }
  const Result<codec::Json> terms = read_json(terms_file(folder));
  if (!terms.ok()) return terms.error();
  std::optional<Sign> sign;
  Result<Lessee::Started> started = Lessee::start(terms.value(), stop_condition, [&] {
    if (sign) sign->alive();
  });
  if (stop) return Served{.stopped = true};
  if (!started.ok()) return started.error();
  if (!started.value().lessee) return Served{.refused = started.value().refused};
  const codec::Json& tests = terms.value().at("tests");
  sign.emplace(
      folder, deadline_of(terms.value()), [&](const std::string& why) { end_at_once(why, note); }, kBetweenBeats);
  Server server(folder, index, count, *started.value().lessee,
                tests.is_null() ? std::nullopt : std::optional(tests.get<std::uint64_t>()), stop_condition, *sign);
  DriverWatch driver(folder);
  while (!stop && !is_there(ended_file(folder))) {
    if (!driver.lives())
      return Error{fmt::format("the driver of {} has said nothing for {:.0f} s: this process ends, after {} tests",
                               folder, kSilence, server.made())};
    const Result<bool> worked = server.work();
    if (!worked.ok()) return worked.error();
    if (!worked.value()) pause(server.between_looks(), stop);
  }
  return Served{.tests = server.made(), .cases = server.studied(), .stopped = !is_there(ended_file(folder))};
}

}  // namespace jp::fleet
