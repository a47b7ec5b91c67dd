#include "campaign/common/job_clocks.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "codec/codec.h"
#include "core/files.h"

namespace jp::campaign {
namespace {

// Chosen, not measured: a page looks every few seconds.
constexpr double kBetweenKeeping = 5;

// Throws what a wrong value throws.
JobTime time_of(const codec::Json& json) {
  JobTime time{json.at("job_seconds").get<double>(), {}};
  for (const codec::Json& row : json.at("phases")) {
    // A phase of another version is time all the same.
    const Phase phase = phase_named(row.at("phase").get<std::string>()).value_or(Phase::kOther);
    time.phases[{phase, row.value("backend", "")}] += row.at("seconds").get<double>();
  }
  return time;
}

}  // namespace

codec::Json to_json(const JobTime& time) {
  codec::Json rows = codec::Json::array();
  for (const auto& [line, seconds] : time.phases) {
    rows.push_back({{"phase", phase_name(line.phase)}, {"seconds", seconds}});
    if (!line.backend.empty()) rows.back()["backend"] = line.backend;
  }
  return {{"job_seconds", time.job_seconds}, {"phases", std::move(rows)}};
}

std::string job_time_file(const std::string& folder) { return folder + "/phases.json"; }

Result<JobTime> load_job_time(const std::string& folder) {
  const std::string path = job_time_file(folder);
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return JobTime{};
  Result<std::string> text = read_file(path);
  if (!text.ok()) return text.error();
  try {
    return time_of(codec::Json::parse(text.value()));
  } catch (const codec::Json::exception& broken) {
    return Error{fmt::format("{} is damaged: {}", path, broken.what())};
  }
}

Result<std::unique_ptr<JobClocks>> JobClocks::start(const std::string& folder, std::size_t jobs) {
  Result<JobTime> earlier = load_job_time(folder);
  if (!earlier.ok()) return earlier.error();
  std::unique_ptr<JobClocks> clocks(new JobClocks(folder, std::move(earlier).value()));
  for (std::size_t job = 0; job < jobs; ++job) clocks->clocks_.push_back(std::make_unique<PhaseClock>());
  return clocks;
}

void JobClocks::enter_all(Phase phase) {
  for (const auto& clock : clocks_) clock->enter(phase);
}

JobTime JobClocks::time() const {
  JobTime time{static_cast<double>(clocks_.size()) * started_.seconds(), {}};
  for (const auto& clock : clocks_) add(time.phases, clock->table());
  return time;
}

Status JobClocks::keep() {
  std::lock_guard lock(mutex_);
  JobTime all = time();
  all.job_seconds += earlier_.job_seconds;
  add(all.phases, earlier_.phases);
  kept_ = {};
  return write_file(job_time_file(folder_), codec::text(to_json(all)) + "\n");
}

Status JobClocks::keep_if_due() {
  {
    std::lock_guard lock(mutex_);
    if (kept_.seconds() < kBetweenKeeping) return Done{};
  }
  return keep();
}

}  // namespace jp::campaign
