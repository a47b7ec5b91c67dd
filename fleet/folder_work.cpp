#include "fleet/folder_work.h"

#include <algorithm>
#include <filesystem>

#include "campaign/common/internal_errors.h"
#include "core/files.h"
#include "fleet/folder_files.h"
#include "fleet/patience.h"

namespace jp::fleet {
namespace {

namespace fs = std::filesystem;

// Seconds between two looks for work by a process that has none: the first, or, where many processes look, the second
// for each of them, so that a thousand look two hundred times a second at a file system that all of them share. Chosen,
// not measured.
constexpr double kBetweenLooks = 0.5;
constexpr double kForEachProcess = 0.005;

}  // namespace

FolderWork::FolderWork(std::string folder, Own own, const campaign::Epochs& epochs, std::optional<std::uint64_t> tests,
                       Sign& sign, Does does, Clock clock)
    : folder_(std::move(folder)),
      own_(own),
      epochs_(epochs),
      tests_(tests),
      sign_(sign),
      does_(std::move(does)),
      clock_(std::move(clock)),
      between_looks_(std::max(kBetweenLooks, kForEachProcess * static_cast<double>(own.count))) {}

Result<bool> FolderWork::next() {
  const std::set<std::uint64_t> cases = open_cases();
  for (const bool own : {true, false})
    if (Result<bool> studied = study_next(cases, own, kFirst); !studied.ok() || studied.value()) return studied;
  const std::vector<std::uint64_t> epochs = epochs_in(folder_, first_);
  for (const std::uint64_t epoch : epochs) {
    const std::vector<Range> ranges = ranges_of(epochs_, epoch, tests_);
    if (Result<bool> own = make_own(epoch, ranges); !own.ok() || own.value()) return own;
    if (!may_look(epoch)) continue;
    look_for_results(ranges);
    if (all_done(ranges) && std::max(first_, epochs.front()) == epoch) first_ = epoch + 1;
    if (Result<bool> others = make_others(epoch, ranges, claims(), kFirst); !others.ok() || others.value())
      return others;
  }
  Result<bool> slow = copy_slow(cases, epochs);
  if (slow.ok() && !slow.value()) sign_.waits();
  return slow;
}

void FolderWork::forget() {
  looked_.clear();
  done_.clear();
  seen_.clear();
  first_ = 0;
}

Result<bool> FolderWork::copy_slow(const std::set<std::uint64_t>& cases, const std::vector<std::uint64_t>& epochs) {
  const std::set<std::string> claimed = claims();
  for (const std::uint64_t epoch : epochs)
    if (Result<bool> slow = make_others(epoch, ranges_of(epochs_, epoch, tests_), claimed, kSecond);
        !slow.ok() || slow.value())
      return slow;
  return study_next(cases, false, kSecond);
}

// To list the results of an epoch takes the longer the more processes there are, and all of them do it.
bool FolderWork::may_look(std::uint64_t epoch) {
  const double now = clock_();
  const auto [looked, first] = looked_.try_emplace(epoch, now);
  if (!first && now - looked->second < between_looks_) return false;
  looked->second = now;
  return true;
}

// Whether the process that has the first slot takes long for it: as long as this one has seen it there. Who has it is
// read when it is seen first, and again when it has taken long.
bool FolderWork::is_slow(const std::string& name, double least, const Durations& own) {
  const auto now_there = [&]() -> std::optional<Seen> {
    const Result<std::string> owner = read_file(claim_file(folder_, claim_of(name, kFirst)));
    return owner.ok() ? std::optional(Seen{owner.value(), clock_()}) : std::nullopt;
  };
  const auto seen = seen_.find(name);
  if (seen == seen_.end()) {
    if (const std::optional<Seen> first = now_there()) seen_.emplace(name, *first);
    return false;
  }
  if (!is_long({.least_long = least}, clock_() - seen->second.since, own.seconds, own.count)) return false;
  const std::optional<Seen> now = now_there();
  if (now && now->owner == seen->second.owner) return true;
  seen_.erase(seen);
  if (now) seen_.emplace(name, *now);
  return false;
}

// NAME.SLOT of all. One folder is listed, which is less than a look for each range.
std::set<std::string> FolderWork::claims() const {
  std::set<std::string> names;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(claim_folder(folder_), error))
    names.insert(entry.path().filename().string());
  return names;
}

// Tests whose cases are to be studied.
std::set<std::uint64_t> FolderWork::open_cases() const {
  std::set<std::uint64_t> tests;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(case_folder(folder_), error))
    if (const auto test = numbered(entry.path().filename().string()); test && test->second == ".json")
      tests.insert(test->first);
  return tests;
}

// The case of the smallest test without answers: of those that are its own, or of all.
Result<bool> FolderWork::study_next(const std::set<std::uint64_t>& cases, bool own, Slot slot) {
  for (const std::uint64_t test : cases) {
    const std::string answers = answers_file(folder_, test);
    if ((own && test % own_.count != own_.index) || is_there(answers)) continue;
    if (slot == kSecond && !is_slow(claim_name(test), kLeastLongStudy, studies_)) continue;
    Result<bool> studied = claim_and_do(claim_name(test), slot, answers, studies_, [&] { return does_.study(test); });
    if (!studied.ok() || studied.value()) return studied;
  }
  return false;
}

Result<bool> FolderWork::make_own(std::uint64_t epoch, const std::vector<Range>& ranges) {
  for (std::size_t i = own_.index; i < ranges.size(); i += own_.count) {
    const Range& range = ranges[i];
    if (done_.contains(range.first)) continue;
    const std::string results = done_file(folder_, range);
    if (is_there(results)) {
      done_.insert(range.first);
      continue;
    }
    Result<bool> made =
        claim_and_do(claim_name(range), kFirst, results, ranges_, [&] { return does_.make(epoch, range); });
    if (!made.ok() || made.value()) return made;
  }
  return false;
}

Result<bool> FolderWork::make_others(std::uint64_t epoch, const std::vector<Range>& ranges,
                                     const std::set<std::string>& claims, Slot slot) {
  // Not all of them begin with the same.
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const Range& range = ranges[(i + own_.index) % ranges.size()];
    const std::string name = claim_name(range);
    if (done_.contains(range.first)) continue;
    const bool first = claims.contains(claim_of(name, kFirst));
    if (slot == kFirst ? first : !first || !is_slow(name, Patience{}.least_long, ranges_)) continue;
    Result<bool> made =
        claim_and_do(name, slot, done_file(folder_, range), ranges_, [&] { return does_.make(epoch, range); });
    if (!made.ok() || made.value()) return made;
  }
  return false;
}

// False if others are at work on it, or if its result has come meanwhile.
Result<bool> FolderWork::claim_and_do(const std::string& name, Slot slot, const std::string& result,
                                      Durations& durations, const std::function<Status()>& work) {
  const Result<bool> claimed = sign_.claim(name, slot);
  if (!claimed.ok() || !claimed.value()) return claimed;
  if (is_there(result)) {
    sign_.give_up();
    return false;
  }
  const double begun = clock_();
  const Status done = finish(work);
  durations.seconds += clock_() - begun;
  ++durations.count;
  return done.ok() ? Result<bool>(true) : done.error();
}

// Whatever is thrown in it would be thrown in the next process, too.
Status FolderWork::finish(const std::function<Status()>& work) {
  Status done = Done{};
  if (const std::optional<Error> thrown = campaign::error_in([&] { done = work(); })) done = sign_.dies(*thrown);
  sign_.give_up();
  return done;
}

bool FolderWork::all_done(const std::vector<Range>& ranges) const {
  return std::all_of(ranges.begin(), ranges.end(), [&](const Range& range) { return done_.contains(range.first); });
}

// Lists the folders in which results of these ranges may have come.
void FolderWork::look_for_results(const std::vector<Range>& ranges) {
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

}  // namespace jp::fleet
