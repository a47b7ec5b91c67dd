#include "fleet/shared_folder.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <iterator>
#include <sstream>
#include <utility>

#include "campaign/lease.h"
#include "codec/codec.h"
#include "core/files.h"
#include "fleet/patience.h"
#include "fleet/without_times.h"
#include "report/files.h"

namespace jp::fleet {
namespace {

namespace fs = std::filesystem;
using campaign::LeasedCampaign;
using campaign::Tested;

Error used(const std::string& folder) {
  return Error{fmt::format(
      "{} is used by another campaign, or by this one with other --tests or another build: take another folder",
      folder)};
}

Error unusable(const std::string& result, const std::string& why) {
  return Error{fmt::format("{} {}: remove it, and go on with --resume; it is made again", result, why)};
}

// The terms of the campaign that uses the folder.
Result<codec::Json> terms_in(const std::string& folder) {
  Result<codec::Json> there = read_json(terms_file(folder));
  if (there.ok()) return there;
  return Error{fmt::format("{}; whose results the folder has isn't known: take another one", there.error().message)};
}

Status make_parts(const std::string& folder) {
  for (const char* part : {"", "/tables", "/done", "/cases", "/unlike", "/claims", "/begun", "/deaths", "/skipped"})
    if (Status made = make_folder(folder + part); !made.ok()) return made;
  return Done{};
}

Status may_write(const std::string& folder) {
  if (Status made = make_folder(folder); !made.ok()) return made;
  const std::string probe = fmt::format("{}/probe-{}", folder, getpid());
  const Status written = write_file(probe, "\n");
  std::error_code error;
  fs::remove(probe, error);
  return written;
}

// A driver that was killed leaves cases that may have been decided since. Those that are still open are put anew, and
// answers and digests stay for them.
void forget_cases(const std::string& folder) {
  std::vector<fs::path> left;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(case_folder(folder), error)) {
    const auto name = numbered(entry.path().filename().string());
    if (name && name->second == ".json") left.push_back(entry.path());
  }
  for (const fs::path& path : left) fs::remove(path, error);
}

}  // namespace

Status SharedFolder::check(const std::string& folder, const codec::Json& fingerprint, const codec::Json& settings) {
  if (Status can = may_write(folder); !can.ok()) return can;
  if (const auto lock = report::Lock::take(folder, report::Lock::Where::kAnywhere); !lock.ok()) return lock.error();
  if (!is_there(terms_file(folder))) return make_parts(folder);
  const Result<codec::Json> there = terms_in(folder);
  if (!there.ok()) return there.error();
  if (there.value().value("fingerprint", codec::Json()) != fingerprint) return used(folder);
  const codec::Json theirs = there.value().value("settings", codec::Json::object());
  for (const auto& [name, value] : settings.items())
    if (theirs.value(name, codec::Json()) != value) return used(folder);
  return Done{};
}

Result<std::unique_ptr<SharedFolder>> SharedFolder::open(const std::string& folder, const LeasedCampaign& campaign,
                                                         std::chrono::milliseconds between_beats) {
  if (Status made = make_parts(folder); !made.ok()) return made.error();
  Result<std::unique_ptr<report::Lock>> lock = report::Lock::take(folder, report::Lock::Where::kAnywhere);
  if (!lock.ok()) return lock.error();
  codec::Json ours = campaign.terms;
  ours["tests"] = campaign.tests ? codec::Json(*campaign.tests) : codec::Json();
  const std::string text = codec::text(ours) + "\n";
  if (is_there(terms_file(folder))) {
    Result<codec::Json> there = terms_in(folder);
    if (!there.ok()) return there.error();
    if (there.value() != ours) return used(folder);
  } else if (Status put = write_file(terms_file(folder), text); !put.ok()) {
    return put.error();
  }
  std::error_code none_there;
  fs::remove(ended_file(folder), none_there);
  forget_cases(folder);
  std::unique_ptr<SharedFolder> shared(new SharedFolder(folder, campaign, between_beats));
  shared->lock_ = std::move(lock).value();
  shared->terms_ = text;
  for (const auto& entry : fs::directory_iterator(skipped_folder(folder), none_there))
    if (const auto test = numbered(entry.path().filename().string())) shared->skipped_.insert(test->first);
  shared->beat();
  if (Status alive = shared->alive(); !alive.ok()) return alive.error();
  shared->beating_.emplace(between_beats, [self = shared.get()] { self->beat(); });
  return shared;
}

// Tables that are there already were put by a driver that was killed. Results may have been made with them. They come
// last: who sees them makes results.
Status SharedFolder::put_tables(std::uint64_t epoch, const std::function<Result<codec::Json>()>& make) {
  for (const Range& range : ranges_of(campaign_.epochs, epoch, campaign_.tests)) {
    std::set<std::uint64_t>& ranges = open_[thousand_of(range)];
    if (ranges.empty())
      if (Status made = make_folder(done_folder(folder_, thousand_of(range))); !made.ok()) return made;
    ranges.insert(range.first);
  }
  const Result<codec::Json> tables = make();
  if (!tables.ok()) return tables.error();
  const std::string file = tables_file(folder_, epoch);
  const std::string& text = tables_[epoch] = codec::text(tables.value()) + "\n";
  if (tables_.size() > campaign::Epochs::kOpen) tables_.erase(tables_.begin());  // epochs come in ascending order
  if (!is_there(file)) return write_file(file, text);
  const Result<codec::Json> there = read_json(file);
  if (there.ok() && there.value() == tables.value()) return Done{};
  return Error{fmt::format("{} is unlike the tables of this campaign: take another folder", file)};
}

// Adds the results of a range's tests that have none yet. A file is there as a whole: one that lacks a test stays so.
Status SharedFolder::add_results(const Range& range, std::vector<Tested>& results) const {
  const std::string file = done_file(folder_, range);
  Result<std::string> text = read_file(file);
  if (!text.ok()) return text.error();
  std::set<std::uint64_t> numbers;
  std::istringstream lines(text.value());
  for (std::string line; std::getline(lines, line);) {
    Result<codec::Json> json = codec::parse_text(line);
    Result<Tested> tested = json.ok() ? campaign::read_tested(json.value()) : Result<Tested>(json.error());
    if (!tested.ok()) return unusable(file, "is damaged: " + tested.error().message);
    numbers.insert(tested.value().number);
    if (!campaign_.ended(tested.value().number)) results.push_back(std::move(tested).value());
  }
  for (std::uint64_t test = range.first; test < range.second; ++test)
    if (!numbers.contains(test) && !campaign_.ended(test) && !skipped_.contains(test))
      return unusable(file, fmt::format("lacks test {}", test));
  return Done{};
}

// A file in done/THOUSAND, which may be anything.
Status SharedFolder::look_at(const std::string& name, std::set<std::uint64_t>& open,
                             std::vector<Tested>& results) const {
  const std::optional<Range> range = range_of(name);
  if (!range || !open.contains(range->first)) return Done{};
  std::uint64_t first = range->first;
  while (first < range->second && campaign_.ended(first)) ++first;
  if (first < range->second) return add_results(*range, results);
  open.erase(range->first);
  return Done{};
}

Status SharedFolder::look_into(std::uint64_t thousand, std::set<std::uint64_t>& open,
                               std::vector<Tested>& results) const {
  const std::string folder = done_folder(folder_, thousand);
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (Status looked = look_at(at->path().filename().string(), open, results); !looked.ok()) return looked;
    if (results.size() >= kAtOnce) return Done{};
  }
  return error ? Status(Error{fmt::format("{} can't be read: {}", folder, error.message())}) : Status(Done{});
}

Result<std::vector<Tested>> SharedFolder::take() {
  if (Status can = alive(); !can.ok()) return can.error();
  if (Status counted = count_deaths(); !counted.ok()) return counted.error();
  std::vector<Tested> results;
  for (auto at = open_.begin(); at != open_.end() && results.size() < kAtOnce;) {
    if (Status looked = look_into(at->first, at->second, results); !looked.ok()) return looked.error();
    at = at->second.empty() ? open_.erase(at) : std::next(at);
  }
  if (results.size() < kAtOnce) add_skipped(results);
  return results;
}

// A process that was taken for dead may have given a result after all: that one counts.
void SharedFolder::add_skipped(std::vector<Tested>& results) const {
  std::set<std::uint64_t> there;
  for (const Tested& result : results) there.insert(result.number);
  for (const std::uint64_t test : skipped_)
    if (!campaign_.ended(test) && !there.contains(test))
      results.push_back({.number = test,
                         .broken = fmt::format("skipped, because {} processes ended in it", kMostFailures),
                         .skipped = true});
}

// Who says nothing any more has died in what it was doing. A test is skipped once so many died in it, be it one that
// has ended before the campaign came to this folder.
Status SharedFolder::count_deaths() {
  const double beat = std::chrono::duration<double>(between_beats_).count();
  if (looked_.seconds() < beat) return Done{};
  looked_ = {};
  std::map<std::string, Watched> watched;
  for (const Note& note : notes_in(folder_)) {
    const auto before = watched_.find(note.process);
    if (before == watched_.end() || before->second.note != note) {
      watched.emplace(note.process, Watched{note, {}});
    } else if (before->second.since.seconds() <= kSilentBeats * beat) {
      watched.insert(*before);
    } else {
      note_death(folder_, note);
      notes_.push_back(fmt::format("a process has died: {}", note.process));
    }
  }
  absent_ = watched.empty() ? absent_ + 1 : 0;
  if (absent_ == kSilentBeats + 1)
    notes_.push_back(fmt::format(
        "nobody makes tests: start processes with jitprobe lease --of {} (if they end, they say why)", folder_));
  if (Status mended = mend(); !mended.ok()) return mended;
  watched_ = std::move(watched);
  deaths_ = deaths_in(folder_);
  for (const auto& [test, deaths] : deaths_.in_test) {
    if (deaths < kMostFailures || !skipped_.insert(test).second) continue;
    if (Status put = write_file(skipped_file(folder_, test), "\n"); !put.ok()) return put;
  }
  return Done{};
}

// A process that can't read the terms or tables ends, and so would the next one.
Status SharedFolder::mend() {
  const auto put_again = [this](const std::string& file, const std::string& text) -> Status {
    const Result<std::string> there = read_file(file);
    if (there.ok() && there.value() == text) return Done{};
    notes_.push_back(fmt::format("{} was unlike what it was written with, and has been written again", file));
    return write_file(file, text);
  };
  Status mended = put_again(terms_file(folder_), terms_);
  for (auto at = tables_.begin(); mended.ok() && at != tables_.end(); ++at)
    mended = put_again(tables_file(folder_, at->first), at->second);
  return mended;
}

Status SharedFolder::put_case(std::uint64_t test, const std::string& asked) {
  cases_.insert(test);
  return write_file(case_file(folder_, test), asked + "\n");
}

std::vector<campaign::LeasePool::StudiedCase> SharedFolder::take_cases() {
  std::vector<StudiedCase> studied;
  // Nobody may be left who could study them: an array of processes has a limit of its own.
  const bool nobody = absent_ > kSilentBeats;
  for (auto test = cases_.begin(); test != cases_.end();) {
    const std::string answers = answers_file(folder_, *test);
    const bool answered = is_there(answers);
    const auto deaths = deaths_.in_case.find(*test);
    const bool given_up = !answered && deaths != deaths_.in_case.end() && deaths->second >= kMostFailures;
    if (!answered && !given_up && !nobody) {
      ++test;
      continue;
    }
    Result<codec::Json> json = answered ? read_json(answers) : Result<codec::Json>(Error{"none"});
    studied.push_back({*test, json.ok() ? std::optional(std::move(json).value()) : std::nullopt});
    if (given_up)
      notes_.push_back(fmt::format("what test {} showed is studied by the driver, because {} processes ended in it",
                                   *test, kMostFailures));
    else if (!answered)
      notes_.push_back(
          fmt::format("what test {} showed is studied by the driver, because no other process is there", *test));
    // What can't be removed is looked at in vain.
    std::error_code error;
    fs::remove(case_file(folder_, *test), error);
    fs::remove(answers, error);
    test = cases_.erase(test);
  }
  return studied;
}

std::vector<std::string> SharedFolder::take_notes() {
  std::vector<std::string> notes = std::exchange(notes_, {});
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(unlike_folder(folder_), error)) {
    const std::string name = entry.path().filename().string();
    if (!name.ends_with(".json") || !said_.insert(name).second) continue;
    const std::string what = name.substr(0, name.find('.'));
    notes.push_back(said_unlike((what.starts_with("case-") ? "" : "tests ") + what, "in " + entry.path().string()));
  }
  return notes;
}

void SharedFolder::beat() {
  const std::lock_guard lock(mutex_);
  beaten_ = write_file(driver_file(folder_), fmt::format("{} {}\n", name_, ++beats_));
}

Status SharedFolder::alive() {
  const std::lock_guard lock(mutex_);
  return beaten_;
}

Status SharedFolder::end() { return write_file(ended_file(folder_), "\n"); }

}  // namespace jp::fleet
