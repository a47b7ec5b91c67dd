#include "fleet/folder_server.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <thread>
#include <utility>

#include "campaign/common/ticker.h"
#include "campaign/lease.h"
#include "codec/codec.h"
#include "core/files.h"
#include "fleet/folder_files.h"
#include "fleet/folder_work.h"
#include "fleet/patience.h"
#include "fleet/shared_folder.h"
#include "fleet/sign.h"

namespace jp::fleet {
namespace {

using campaign::Lessee;
using campaign::StopCondition;
using campaign::Stopwatch;
using campaign::Tested;

// Seconds between two looks for the campaign's end in the middle of something: the first, or, where many processes
// look, the second for each of them. Chosen, not measured.
constexpr double kBetweenEnds = 2;
constexpr double kEndForEachProcess = 0.01;

// Seconds between two looks for a folder or a campaign in it. Chosen, not measured.
constexpr double kBetweenLooks = 0.5;

/// Makes ranges and studies cases, and puts what comes of them in the folder.
class Server {
 public:
  // `ends`: whether nothing more is to be done.
  Server(std::string folder, Lessee& lessee, const StopCondition& stop, std::function<bool()> ends, Sign& sign)
      : folder_(std::move(folder)), lessee_(lessee), stop_(stop), ends_(std::move(ends)), sign_(sign) {}

  // Without the tests that are skipped.
  Status make(std::uint64_t epoch, const Range& range) {
    if (Status known = know(epoch); !known.ok()) return known;
    std::string lines;
    for (std::uint64_t test = range.first; test < range.second; ++test) {
      if (is_there(skipped_file(folder_, test))) continue;
      sign_.makes(test);
      const Result<bool> all = make_range(lessee_, {test, test + 1}, stop_, [&](const Tested& tested) -> Status {
        lines += codec::text(to_json(tested)) + "\n";
        return Done{};
      });
      if (ends_()) return Done{};  // what was told to end may have lost its worker before
      if (!all.ok()) return sign_.dies(all.error());
      ++made_;
    }
    return give_back(folder_, range, sign_.process(), lines);
  }

  Status study(std::uint64_t test) {
    sign_.studies(test);
    const std::string file = case_file(folder_, test);
    const Result<codec::Json> asked = read_json(file);
    if (!asked.ok()) {
      // If it isn't there another process was faster, and the driver has the answers.
      if (!is_there(file)) return Done{};
      return sign_.dies(asked.error());
    }
    const Result<std::optional<codec::Json>> studied = lessee_.study(asked.value());
    if (ends_()) return Done{};
    if (!studied.ok()) return sign_.dies(studied.error());
    if (!studied.value()) return Done{};
    ++studied_;
    return answer(folder_, test, sign_.process(), asked.value(), *studied.value());
  }

  std::uint64_t made() const { return made_; }
  std::uint64_t studied() const { return studied_; }

 private:
  Status know(std::uint64_t epoch) {
    if (lessee_.knows(epoch)) return Done{};
    const std::string file = tables_file(folder_, epoch);
    const Result<codec::Json> tables = read_json(file);
    if (!tables.ok()) return tables.error();
    const Status known = lessee_.know(tables.value());
    return known.ok() ? known : Error{fmt::format("{}: {}", file, known.error().message)};
  }

  const std::string folder_;
  Lessee& lessee_;
  const StopCondition& stop_;
  const std::function<bool()> ends_;
  Sign& sign_;
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
  const Result<std::string> now = read_file(file_);
  if (now.ok() && now.value() != said_) {
    const auto driver = [](const std::string& said) { return said.substr(0, said.find(' ')); };
    if (!said_.empty() && driver(said_) != driver(now.value())) another_ = true;
    said_ = now.value();
    since_ = {};
  }
  return since_.seconds() < silence_;
}

bool DriverWatch::is_another() { return std::exchange(another_, false); }

Result<Served> serve(const std::string& folder, std::uint64_t index, std::uint64_t count, const std::atomic<bool>& stop,
                     const std::function<void(const std::string&)>& note, double patience) {
  const Result<bool> there = wait_for_campaign(folder, stop, note, patience);
  if (!there.ok()) return there.error();
  if (!there.value()) return Served{.stopped = true};
  const std::string ended = ended_file(folder);
  if (is_there(ended)) {
    note(fmt::format("the campaign in {} has ended: start fuzz --resume --on files:{} first", folder, folder));
    return Served{};
  }
  const Result<codec::Json> terms = read_json(terms_file(folder));
  if (!terms.ok()) return terms.error();
  const codec::Json tests = terms.value().value("tests", codec::Json(""));
  if (!(tests.is_null() || tests.is_number_unsigned()) || terms.value().value("settings", codec::Json()).empty())
    return Error{
        fmt::format("{} is damaged: the driver writes it again, start this process once more", terms_file(folder))};
  std::atomic<bool> over = false;
  const StopCondition stop_condition(over);
  const std::function<bool()> ends = [&] { return stop || over; };
  const double between_ends = std::max(kBetweenEnds, kEndForEachProcess * static_cast<double>(count));
  const campaign::Ticker looks_for_the_end(StopCondition::kPolled, [&, looked = Stopwatch()]() mutable {
    if (stop) over = true;
    if (over || looked.seconds() < between_ends) return;
    looked = {};
    if (is_there(ended)) over = true;
  });
  std::optional<Sign> sign;
  Result<Lessee::Started> started = Lessee::start(terms.value(), stop_condition, [&] {
    if (sign) sign->alive();
  });
  if (ends()) return Served{.stopped = stop};
  if (!started.ok()) return started.error();
  if (!started.value().lessee) return Served{.refused = started.value().refused};
  sign.emplace(
      folder, deadline_of(terms.value()), [&](const std::string& why) { end_at_once(why, note); }, kBetweenBeats);
  Server server(folder, *started.value().lessee, stop_condition, ends, *sign);
  FolderWork work(folder, {index, count}, started.value().lessee->epochs(),
                  tests.is_null() ? std::nullopt : std::optional(tests.get<std::uint64_t>()), *sign,
                  {.make = [&](std::uint64_t epoch, const Range& range) { return server.make(epoch, range); },
                   .study = [&](std::uint64_t test) { return server.study(test); }});
  DriverWatch driver(folder);
  while (!ends() && !is_there(ended)) {
    if (!driver.lives())
      return Error{fmt::format("the driver of {} has said nothing for {:.0f} s: this process ends, after {} tests",
                               folder, kSilence, server.made())};
    if (driver.is_another()) work.forget();
    const Result<bool> worked = work.next();
    if (!worked.ok()) return worked.error();
    if (!worked.value()) pause(work.between_looks(), over);
  }
  return Served{.tests = server.made(), .cases = server.studied(), .stopped = stop && !is_there(ended)};
}

}  // namespace jp::fleet
