#include "fleet/shared_folder.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <thread>
#include <utility>

#include "campaign/lease.h"
#include "codec/codec.h"
#include "core/files.h"
#include "fleet/without_times.h"
#include "report/files.h"

namespace jp::fleet {
namespace {

namespace fs = std::filesystem;
using campaign::LeasedCampaign;
using campaign::Lessee;
using campaign::StopCondition;
using campaign::Stopwatch;
using campaign::Tested;

// How often a process without work looks for some. Chosen, not measured.
constexpr std::chrono::milliseconds kBetweenLooks{500};

std::string terms_file(const std::string& folder) { return folder + "/campaign.json"; }
std::string driver_file(const std::string& folder) { return folder + "/driver"; }
std::string ended_file(const std::string& folder) { return folder + "/ended"; }
std::string tables_file(const std::string& folder, std::uint64_t epoch) {
  return fmt::format("{}/tables/{}.json", folder, epoch);
}
std::string done_file(const std::string& folder, const Range& range) {
  return fmt::format("{}/done/{}-{}.json", folder, range.first, range.second);
}

std::string unlike_folder(const std::string& folder) { return folder + "/unlike"; }

bool is_there(const std::string& path) {
  std::error_code error;
  return fs::exists(path, error);
}

Result<codec::Json> read_json(const std::string& path) {
  Result<std::string> text = report::read_file(path);
  if (!text.ok()) return text.error();
  Result<codec::Json> json = codec::parse_text(text.value());
  return json.ok() ? json : Error{fmt::format("{} is damaged: {}", path, json.error().message)};
}

}  // namespace

Result<bool> same_results(const std::string& one, const std::string& other) {
  std::istringstream ones(one);
  std::istringstream others(other);
  std::string line;
  for (std::string second; std::getline(ones, line);) {
    if (!std::getline(others, second)) return false;
    const Result<codec::Json> ours = codec::parse_text(line);
    const Result<codec::Json> theirs = codec::parse_text(second);
    if (!ours.ok()) return ours.error();
    if (!theirs.ok()) return theirs.error();
    if (without_times(ours.value()) != without_times(theirs.value())) return false;
  }
  return !std::getline(others, line);
}

Result<std::unique_ptr<SharedFolder>> SharedFolder::open(const std::string& folder, const LeasedCampaign& campaign,
                                                         std::chrono::milliseconds between_beats) {
  for (const char* part : {"", "/tables", "/done", "/unlike"})
    if (Status made = report::make_folder(folder + part); !made.ok()) return made.error();
  codec::Json ours = campaign.terms;
  ours["tests"] = campaign.tests ? codec::Json(*campaign.tests) : codec::Json();
  if (is_there(terms_file(folder))) {
    Result<codec::Json> there = read_json(terms_file(folder));
    if (!there.ok()) return there.error();
    if (there.value() != ours)
      return Error{fmt::format(
          "{} is used by another campaign, or by this one with other --tests or another build: take another folder",
          folder)};
  } else if (Status put = write_file(terms_file(folder), codec::text(ours) + "\n"); !put.ok()) {
    return put.error();
  }
  std::error_code none_there;
  fs::remove(ended_file(folder), none_there);
  std::unique_ptr<SharedFolder> shared(new SharedFolder(folder, campaign));
  shared->beat();
  if (Status alive = shared->alive(); !alive.ok()) return alive.error();
  shared->beating_.emplace(between_beats, [self = shared.get()] { self->beat(); });
  return shared;
}

Status SharedFolder::put_tables(std::uint64_t epoch, const std::function<Result<codec::Json>()>& make) {
  if (!is_there(tables_file(folder_, epoch))) {
    Result<codec::Json> tables = make();
    if (!tables.ok()) return tables.error();
    if (Status put = write_file(tables_file(folder_, epoch), codec::text(tables.value()) + "\n"); !put.ok()) return put;
  }
  open_.push_back(epoch);
  return Done{};
}

// The results of a range's tests that have none yet. A file is there as a whole: one that lacks a test stays so.
Result<std::vector<Tested>> SharedFolder::results_of(const Range& range) const {
  const std::string file = done_file(folder_, range);
  Result<std::string> text = report::read_file(file);
  if (!text.ok()) return text.error();
  std::vector<Tested> results;
  std::set<std::uint64_t> numbers;
  std::istringstream lines(text.value());
  for (std::string line; std::getline(lines, line);) {
    Result<codec::Json> json = codec::parse_text(line);
    Result<Tested> tested = json.ok() ? campaign::read_tested(json.value()) : Result<Tested>(json.error());
    if (!tested.ok()) return Error{fmt::format("{}: {}", file, tested.error().message)};
    numbers.insert(tested.value().number);
    if (!campaign_.ended(tested.value().number)) results.push_back(std::move(tested).value());
  }
  for (std::uint64_t test = range.first; test < range.second; ++test)
    if (!numbers.contains(test) && !campaign_.ended(test)) return Error{fmt::format("{} lacks test {}", file, test)};
  return results;
}

Result<std::vector<Tested>> SharedFolder::take() {
  if (Status can = alive(); !can.ok()) return can.error();
  for (auto epoch = open_.begin(); epoch != open_.end();) {
    bool all = true;
    for (const Range& range : ranges_of(campaign_.epochs, *epoch, campaign_.tests)) {
      std::uint64_t first = range.first;
      while (first < range.second && campaign_.ended(first)) ++first;
      if (first == range.second) continue;
      all = false;
      if (is_there(done_file(folder_, range))) return results_of(range);
    }
    epoch = all ? open_.erase(epoch) : std::next(epoch);
  }
  return std::vector<Tested>();
}

std::vector<std::string> SharedFolder::take_notes() {
  std::vector<std::string> notes;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(unlike_folder(folder_), error)) {
    const std::string name = entry.path().filename().string();
    if (!name.ends_with(".json") || !said_.insert(name).second) continue;
    notes.push_back(said_unlike("tests " + name.substr(0, name.find('.')), "in " + entry.path().string()));
  }
  return notes;
}

void SharedFolder::beat() {
  const std::lock_guard lock(mutex_);
  beaten_ = write_file(driver_file(folder_), fmt::format("{} {}\n", getpid(), ++beats_));
}

Status SharedFolder::alive() {
  const std::lock_guard lock(mutex_);
  return beaten_;
}

Status SharedFolder::end() { return write_file(ended_file(folder_), "\n"); }

DriverWatch::DriverWatch(const std::string& folder, double silence) : file_(driver_file(folder)), silence_(silence) {}

bool DriverWatch::lives() {
  const Result<std::string> now = report::read_file(file_);
  if (now.ok() && now.value() != said_) {
    said_ = now.value();
    since_ = {};
  }
  return since_.seconds() < silence_;
}

namespace {

// Gives a file its name unless there is one of that name; false if there is. Where a file system has no hard links
// the name may be taken between the look and the renaming.
Result<bool> name_first(const std::string& file, const std::string& name) {
  const auto cannot = [&](int error) { return Error{fmt::format("{} can't be put: {}", name, std::strerror(error))}; };
  if (link(file.c_str(), name.c_str()) == 0) return unlink(file.c_str()) == 0 ? Result<bool>(true) : cannot(errno);
  const bool no_links = errno == EPERM || errno == EOPNOTSUPP || errno == ENOSYS;
  if (errno != EEXIST && !no_links) return cannot(errno);
  if (no_links && !is_there(name)) return rename(file.c_str(), name.c_str()) == 0 ? Result<bool>(true) : cannot(errno);
  unlink(file.c_str());
  return false;
}

// Compares a second result with the first: what is unlike it is kept for the driver to say.
Status compare(const std::string& folder, const Range& range, std::uint64_t index, const std::string& lines) {
  const Result<std::string> first = report::read_file(done_file(folder, range));
  if (!first.ok()) return first.error();
  const Result<bool> same = same_results(first.value(), lines);
  if (!same.ok()) return same.error();
  if (same.value()) return Done{};
  return write_file(fmt::format("{}/{}-{}.{}.json", unlike_folder(folder), range.first, range.second, index), lines);
}

}  // namespace

Status give_back(const std::string& folder, const Range& range, std::uint64_t index, const std::string& lines) {
  const std::string beside = fmt::format("{}.{}-{}", done_file(folder, range), index, getpid());
  if (Status written = write_file(beside, lines); !written.ok()) return written;
  const Result<bool> first = name_first(beside, done_file(folder, range));
  if (!first.ok()) return first.error();
  return first.value() ? Status(Done{}) : compare(folder, range, index, lines);
}

namespace {

/// A process that makes ranges.
class Server {
 public:
  Server(std::string folder, std::uint64_t index, std::uint64_t count, Lessee& lessee,
         std::optional<std::uint64_t> tests, const StopCondition& stop)
      : folder_(std::move(folder)), index_(index), count_(count), lessee_(lessee), tests_(tests), stop_(stop) {}

  // Makes the next range; false if there is none at the moment.
  Result<bool> work() {
    for (std::uint64_t epoch = first_; is_there(tables_file(folder_, epoch)); ++epoch) {
      const std::optional<Range> range = next_of(epoch);
      if (!range && epoch == first_) ++first_;
      if (!range) continue;
      if (Status known = know(epoch); !known.ok()) return known.error();
      Status made = make(*range);
      return made.ok() ? Result<bool>(true) : made.error();
    }
    return false;
  }
  std::uint64_t made() const { return made_; }

 private:
  // Its own ranges come first, then those of others that have no result.
  std::optional<Range> next_of(std::uint64_t epoch) const {
    const std::vector<Range> ranges = ranges_of(lessee_.epochs(), epoch, tests_);
    std::optional<Range> other;
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      const std::size_t at = (i + index_) % ranges.size();
      if (is_there(done_file(folder_, ranges[at]))) continue;
      if (at % count_ == index_) return ranges[at];
      if (!other) other = ranges[at];
    }
    return other;
  }

  Status know(std::uint64_t epoch) {
    if (lessee_.knows(epoch)) return Done{};
    Result<codec::Json> tables = read_json(tables_file(folder_, epoch));
    return tables.ok() ? lessee_.know(tables.value()) : tables.error();
  }

  Status make(const Range& range) {
    std::string lines;
    const Result<bool> all = make_range(lessee_, range, stop_, [&](const Tested& tested) -> Status {
      lines += codec::text(to_json(tested)) + "\n";
      return Done{};
    });
    if (!all.ok()) return all.error();
    if (!all.value()) return Done{};
    made_ += range.second - range.first;
    return give_back(folder_, range, index_, lines);
  }

  const std::string folder_;
  const std::uint64_t index_, count_;
  Lessee& lessee_;
  const std::optional<std::uint64_t> tests_;
  const StopCondition& stop_;
  std::uint64_t first_ = 0;  // all ranges of earlier epochs have results
  std::uint64_t made_ = 0;
};

}  // namespace

Result<Served> serve(const std::string& folder, std::uint64_t index, std::uint64_t count, const std::atomic<bool>& stop,
                     const std::function<void(const std::string&)>& note) {
  const StopCondition stop_condition(stop);
  if (!is_there(terms_file(folder))) note(fmt::format("waiting for a campaign in {}", folder));
  while (!is_there(terms_file(folder)) && !stop) std::this_thread::sleep_for(kBetweenLooks);
  if (stop) return Served{};
  const Result<codec::Json> terms = read_json(terms_file(folder));
  if (!terms.ok()) return terms.error();
  Result<Lessee::Started> started = Lessee::start(terms.value(), stop_condition);
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
  return Served{.tests = server.made()};
}

}  // namespace jp::fleet
