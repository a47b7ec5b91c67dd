// The part of a Runner that has a zygote and children: where each run is made, and who clears up behind it.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "codec/codec.h"
#include "pyrunner/left_files.h"
#include "pyrunner/replies.h"
#include "pyrunner/runner.h"

namespace jp::pyrunner {
namespace {

namespace fs = std::filesystem;

constexpr int kAttempts = 3;
constexpr double kEndSeconds = 2;

}  // namespace

Result<std::unique_ptr<Runner>> Runner::start(RunnerOptions options) {
  auto shared = std::make_shared<SharedZygote>(options);
  std::unique_ptr<Runner> runner(new Runner(std::move(options), std::move(shared)));
  if (Status started = runner->take_zygote(); !started.ok()) return started.error();
  return runner;
}

Result<std::unique_ptr<Runner>> Runner::another(std::function<bool()> given_up) const {
  RunnerOptions options = options_;
  options.given_up = std::move(given_up);
  return another(std::move(options));
}

Result<std::unique_ptr<Runner>> Runner::another(RunnerOptions options) const {
  std::unique_ptr<Runner> runner(new Runner(std::move(options), shared_));
  runner->needed_ = std::max(runner->needed_, needed_);
  if (Status started = runner->take_zygote(); !started.ok()) return started.error();
  return runner;
}

Runner::~Runner() { leave_zygote(); }

// The guard of a zygote that others go on using removes nothing.
void Runner::leave_zygote() {
  if (batch_) retire(std::move(batch_));
  const auto leaving = std::exchange(leaving_, {});
  if (!zygote_) return;
  for (const auto& [child, folder] : leaving) zygote_->exit_status(child, kEndSeconds);
  remove_left(folder_);
  zygote_.reset();
}

Status Runner::take_zygote() {
  leave_zygote();
  Result<std::shared_ptr<Zygote>> zygote = shared_->get(needed_, options_.given_up);
  if (!zygote.ok()) return zygote.error();
  if (Status warm = zygote.value()->warm_up(needed_, options_.given_up); !warm.ok()) {
    if (!given_up() || !zygote.value()->usable()) shared_->retire(zygote.value());
    return warm;
  }
  zygote_ = std::move(zygote).value();
  folder_ = zygote_->new_path("runner");
  std::error_code error;
  fs::create_directories(folder_ + "/programs", error);
  if (error) return Error{fmt::format("the folder {} can't be made: {}", folder_, error.message())};
  info_ = zygote_->info();
  ++zygotes_;
  return Done{};
}

void Runner::retire_zygote() {
  shared_->retire(zygote_);
  leave_zygote();
}

void Runner::note_failure(const Status& done) {
  if (!done.ok() && !given_up()) failure_ = done.error();
}

void Runner::warm_up_for(const std::string& backend) {
  needed_ = std::max(needed_, warmth_for(backend));
  if (!zygote_) return;
  if (batch_ && batch_warmth_ < needed_) retire(std::move(batch_));
  if (zygote_->warmth() >= needed_) return;
  const Status warm = zygote_->warm_up(needed_, options_.given_up);
  info_.missing = zygote_->info().missing;
  note_failure(warm);
  // Who gave up while another runner had the zygote at work leaves it to the others.
  if (!warm.ok() && !(given_up() && zygote_->usable())) retire_zygote();
}

std::unique_ptr<Child> Runner::new_child(const Folders& reads, bool fresh_interpreter, bool fixed_addresses) {
  if (given_up()) return nullptr;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    if (zygote_) {
      Birth birth{.folder = fmt::format("{}/child-{}", folder_, children_++),
                  .fresh_interpreter = fresh_interpreter,
                  .fixed_addresses = fixed_addresses,
                  .plain_compiler = plain_compiler_};
      if (options_.sandbox) birth.sandbox = child_sandbox(options_, folder_, birth.folder, reads);
      Result<std::unique_ptr<Child>> child = Child::make(zygote_, birth, options_.given_up);
      if (child.ok()) {
        failure_.reset();
        return std::move(child.value());
      }
      if (given_up()) return nullptr;
      failure_ = child.error();
      retire_zygote();
    }
    note_failure(take_zygote());
  }
  return nullptr;
}

std::unique_ptr<Child> Runner::take_child(Isolation isolation, const Folders& reads) {
  if (isolation != Isolation::kBatch) return new_child(reads, isolation == Isolation::kExec);
  const bool may =
      !options_.sandbox || std::includes(batch_reads_.begin(), batch_reads_.end(), reads.begin(), reads.end());
  if (batch_ && may) return std::move(batch_);
  if (batch_) retire(std::move(batch_));
  batch_reads_ = reads;
  batch_warmth_ = needed_;
  return new_child(reads, false);
}

void Runner::put_back(std::unique_ptr<Child> child, Isolation isolation, const Reply& reply) {
  if (!child) return;
  if (lacked_compiler(reply)) needed_ = std::max(needed_, Warmth::kCompiler);
  bool keep = isolation == Isolation::kBatch && !wants_retirement(reply) &&
              child->wear() < Child::kWearOfRecording * options_.limits.tests_per_child;
  if (keep) {
    batch_ = std::move(child);
  } else {
    retire(std::move(child));
  }
}

void Runner::retire(std::unique_ptr<Child> child) {
  leaving_.emplace_back(child->pid(), child->folder());
  child.reset();
  sweep();
}

void Runner::use_plain_compiler(bool plain) {
  if (plain != plain_compiler_ && batch_) retire(std::move(batch_));
  plain_compiler_ = plain;
}

void Runner::sweep() {
  if (!zygote_) return;
  std::erase_if(leaving_, [&](const auto& child) {
    if (!zygote_->take_exit(child.first)) return false;
    remove_left(child.second);
    return true;
  });
}

}  // namespace jp::pyrunner
