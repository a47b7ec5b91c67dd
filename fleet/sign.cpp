#include "fleet/sign.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <utility>

#include "codec/codec.h"
#include "core/files.h"
#include "report/files.h"

namespace jp::fleet {
namespace {

namespace fs = std::filesystem;

}  // namespace

std::string name_of_process() {
  return fmt::format("{}-{}-{}", report::host_name(), getpid(),
                     std::chrono::system_clock::now().time_since_epoch().count());
}

Clock steady_clock() {
  return [watch = campaign::Stopwatch()] { return watch.seconds(); };
}

Sign::Sign(std::string folder, double patience, std::function<void(const std::string&)> overdue,
           std::chrono::milliseconds between_beats, Clock clock)
    : folder_(std::move(folder)), patience_(patience), overdue_(std::move(overdue)), clock_(std::move(clock)) {
  note_.process = name_of_process();
  beating_.emplace(between_beats, [this] { beat(); });
}

Sign::~Sign() {
  beating_.reset();
  if (dead_) return;
  give_up();
  std::error_code none_there;
  fs::remove(begun_file(folder_, note_.process), none_there);
}

// The note comes first, so that a claim of a process that dies is found.
Result<bool> Sign::claim(const std::string& name, int slot) {
  const std::string claim = claim_of(name, slot);
  if (is_there(claim_file(folder_, claim))) return false;
  const std::lock_guard lock(mutex_);
  note_.claim = claim;
  write();
  return take_claim(folder_, claim, note_.process);
}

void Sign::give_up() {
  const std::lock_guard lock(mutex_);
  if (!note_.claim.empty()) free_claim(folder_, note_.claim, note_.process);
  note_.claim.clear();
}

void Sign::waits() {
  if (note_.test || note_.of_case) does(std::nullopt, std::nullopt);
}

void Sign::alive() {
  const std::lock_guard lock(mutex_);
  if (note_.of_case) since_ = clock_();
}

Error Sign::dies(const Error& why) {
  beating_.reset();
  const std::lock_guard lock(mutex_);
  dead_ = true;
  note_death(folder_, note_);
  return why;
}

void Sign::does(std::optional<std::uint64_t> test, std::optional<std::uint64_t> of_case) {
  const std::lock_guard lock(mutex_);
  note_.test = test;
  note_.of_case = of_case;
  since_ = clock_();
  write();
}

// What can't be written is noticed where results are.
void Sign::write() {
  if (dead_) return;
  ++note_.beat;
  (void)write_file(begun_file(folder_, note_.process), codec::text(to_json(note_)) + "\n");
}

void Sign::beat() {
  std::string late;
  {
    const std::lock_guard lock(mutex_);
    write();
    if (dead_ || !(note_.test || note_.of_case) || clock_() - since_ < patience_) return;
    dead_ = true;
    note_death(folder_, note_);
    late = note_.test ? fmt::format("test {} has taken {:.0f} s", *note_.test, patience_)
                      : fmt::format("the study of what test {} showed has run no program for {:.0f} s", *note_.of_case,
                                    patience_);
  }
  overdue_(late + ": this process ends, and another one tries");
}

}  // namespace jp::fleet
