#include "explore/runners.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace jp::explore {
namespace {

constexpr auto kPoll = std::chrono::milliseconds(50);

}  // namespace

Runners::Runners(pyrunner::RunnerOptions options, int most) : options_(std::move(options)) {
  for (int i = 0; i < most; ++i) seats_.push_back(std::make_unique<Seat>());
  warming_ = std::thread([this] { keep_one_warm(); });
}

Runners::~Runners() {
  stop();
  warming_.join();
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] {
    for (const auto& seat : seats_)
      if (seat->taken) return false;
    return true;
  });
}

bool Runners::lacks_warm_one() const {
  bool has_place = false;
  for (const auto& seat : seats_) {
    if (seat->warm || seat->starting) return false;
    has_place = has_place || !seat->taken;
  }
  return has_place;
}

// Gives up where no worker can be started: whoever asks for one is told why.
void Runners::keep_one_warm() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return stopped_.asked() || !can_start_ || lacks_warm_one(); });
    if (stopped_.asked() || !can_start_) return;
    Seat* seat = free_seat();
    if (!seat) continue;
    seat->taken = seat->starting = true;
    lock.unlock();
    (void)filled(*seat, {}, options_.limits, [](const std::string&) {});
    lock.lock();
  }
}

void Runners::stop() {
  const std::lock_guard lock(mutex_);
  stopped_.set();
  changed_.notify_all();
}

std::optional<pyrunner::WorkerInfo> Runners::info() const {
  const std::lock_guard lock(mutex_);
  return info_;
}

// A warm one if there is one. While one worker starts, another would only make both slower.
Runners::Seat* Runners::free_seat() {
  Seat* cold = nullptr;
  for (const auto& seat : seats_) {
    if (seat->taken) continue;
    if (seat->warm) return seat.get();
    if (!cold) cold = seat.get();
  }
  return is_starting() ? nullptr : cold;
}

bool Runners::is_starting() const {
  return std::any_of(seats_.begin(), seats_.end(), [](const auto& seat) { return seat->starting; });
}

Result<Runners::Lease> Runners::take(const Cancel& cancel, const pyrunner::Limits& limits, const Say& say) {
  std::unique_lock lock(mutex_);
  Seat* seat = nullptr;
  for (bool said = false; !(seat = free_seat()); said = true) {
    if (cancel.asked() || stopped_.asked()) return Error{"cancelled"};
    if (!said) say(is_starting() ? "a worker starts" : "waits until another run has ended");
    changed_.wait_for(lock, kPoll);
  }
  seat->taken = true;
  seat->starting = !seat->warm;
  lock.unlock();
  return filled(*seat, cancel, limits, say);
}

Result<Runners::Lease> Runners::filled(Seat& seat, const Cancel& cancel, const pyrunner::Limits& limits,
                                       const Say& say) {
  Lease lease(*this, seat);
  seat.cancel = std::make_shared<Cancel>(cancel);
  if (!seat.runner) {
    say("starts a worker");
    if (Status started = start(seat); !started.ok()) return started.error();
  }
  seat.runner->set_limits(limits);
  return lease;
}

Status Runners::start(Seat& seat) {
  pyrunner::RunnerOptions options = options_;
  options.given_up = [this, &seat] { return stopped_.asked() || (seat.cancel && seat.cancel->asked()); };
  auto runner = first_ ? first_->another(options.given_up) : pyrunner::Runner::start(options);
  if (!first_ && runner.ok())
    if (auto first = runner.value()->another([this] { return stopped_.asked(); }); first.ok())
      first_ = std::move(first).value();
  const std::lock_guard lock(mutex_);
  seat.starting = false;
  // A start that was cancelled says nothing of the next one.
  can_start_ = runner.ok() || options.given_up();
  changed_.notify_all();
  if (!runner.ok()) return runner.error();
  seat.runner = std::move(runner).value();
  seat.warm = true;
  info_ = seat.runner->info();
  return Done{};
}

void Runners::give_back(Seat& seat) {
  const bool over = stopped_.asked() || (seat.cancel && seat.cancel->asked());
  if (over || (seat.runner && seat.runner->failure())) seat.runner.reset();
  seat.cancel.reset();
  const std::lock_guard lock(mutex_);
  seat.taken = false;
  seat.starting = false;
  seat.warm = seat.runner != nullptr;
  changed_.notify_all();
}

Runners::Lease::Lease(Lease&& other) noexcept : pool_(std::exchange(other.pool_, nullptr)), seat_(other.seat_) {}

Runners::Lease::~Lease() {
  if (pool_) pool_->give_back(*seat_);
}

pyrunner::Runner& Runners::Lease::runner() const { return *seat_->runner; }

}  // namespace jp::explore
