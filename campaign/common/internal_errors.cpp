#include "campaign/common/internal_errors.h"

#include <fmt/format.h>

#include <cstdlib>
#include <new>
#include <system_error>

#include "core/check.h"
#include "core/internal_error.h"
#include "core/text.h"

namespace jp::campaign {

std::optional<std::string> broken_in(const std::function<void()>& work) {
  try {
    work();
    return std::nullopt;
  } catch (const InternalError& error) {
    return error.what();
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::system_error&) {
    throw;
  } catch (const std::exception& error) {
    // std::out_of_range and the like: a precondition that nobody checked.
    return fmt::format("internal error: {}", error.what());
  }
}

std::optional<Error> error_in(const std::function<void()>& work) {
  try {
    if (const std::optional<std::string> what = broken_in(work)) return Error{*what};
    return std::nullopt;
  } catch (const std::bad_alloc&) {
    return Error{"this machine's memory is used up: continue with --resume and fewer --jobs"};
  } catch (const std::system_error& error) {
    return Error{error.what()};
  }
}

void InternalErrors::add(InternalErrorOf one) {
  std::lock_guard lock(mutex_);
  all_.push_back(std::move(one));
  ++in_a_row_;
}

void InternalErrors::note(InternalErrorOf one) {
  std::lock_guard lock(mutex_);
  all_.push_back(std::move(one));
}

void InternalErrors::skip(InternalErrorOf one) {
  std::lock_guard lock(mutex_);
  all_.push_back(std::move(one));
  ++skipped_in_a_row_;
}

void InternalErrors::passed() {
  std::lock_guard lock(mutex_);
  if (skipped_in_a_row_ < kMostSkippedInARow) skipped_in_a_row_ = 0;
  if (in_a_row_ < kMostInARow) in_a_row_ = 0;
}

bool InternalErrors::too_many() const {
  std::lock_guard lock(mutex_);
  return in_a_row_ >= kMostInARow;
}

bool InternalErrors::too_many_skipped() const {
  std::lock_guard lock(mutex_);
  return skipped_in_a_row_ >= kMostSkippedInARow;
}

std::vector<InternalErrorOf> InternalErrors::all() const {
  std::lock_guard lock(mutex_);
  return all_;
}

std::string replay_line(const std::string& folder, std::uint64_t test) {
  return fmt::format("jitprobe fuzz --campaign {} --replay {}", shell_word(folder), test);
}

void break_if_asked(std::string_view stage, std::uint64_t test) {
  static const char* const asked = std::getenv("JITPROBE_BREAK");
  if (!asked) return;
  const std::string all = fmt::format(",{},", asked);
  JP_CHECK(all.find(fmt::format(",{}:{},", stage, test)) == std::string::npos, "asked to break in {}", stage);
}

}  // namespace jp::campaign
