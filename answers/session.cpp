#include "answers/session.h"

#include <fmt/format.h>

#include <utility>

namespace jp::answers {
namespace {

std::vector<std::string> texts_of(const std::vector<SessionStep>& steps) {
  std::vector<std::string> texts;
  for (const SessionStep& step : steps) texts.push_back(step.on ? step.text : "");
  return texts;
}

}  // namespace

Result<std::string> Session::apply(const std::string& text, const Facts& facts, Choices live) {
  Result<mutate::WrittenStep> written = read_step(text);
  if (!written.ok()) return written.error();
  Result<mutate::Parsed> made = apply_written(now(), facts, text, written.value(), std::move(live));
  if (!made.ok()) return made.error();
  made = renumbered(now(), made.value(), static_cast<int>(steps_.size()));
  if (!made.ok()) return made.error();
  Steps steps = steps_;
  steps.push_back({.text = mutate::print_step(made.value().program().lineage().steps.back())});
  Replayed replayed = replay_written(base_, texts_of(steps));
  if (!replayed.steps.back().error.empty()) return Error{replayed.steps.back().error};
  change(std::move(steps));
  return steps_.back().text;
}

Status Session::switch_step(std::size_t number, bool on) {
  if (number >= steps_.size())
    return Error{steps_.empty() ? "there are no steps yet"
                                : fmt::format("there is no step {}: they go from 0 to {}", number, steps_.size() - 1)};
  if (steps_[number].on == on) return Error{fmt::format("step {} is {} already", number, on ? "on" : "off")};
  Steps steps = steps_;
  steps[number].on = on;
  change(std::move(steps));
  return Done{};
}

bool Session::undo() {
  if (before_.empty()) return false;
  undone_.push_back(steps_);
  go_to(std::exchange(before_.back(), {}));
  before_.pop_back();
  return true;
}

bool Session::redo() {
  if (undone_.empty()) return false;
  before_.push_back(steps_);
  go_to(std::exchange(undone_.back(), {}));
  undone_.pop_back();
  return true;
}

std::string Session::lineage() const {
  std::vector<std::string> texts = texts_of(steps_);
  while (!texts.empty() && texts.back().empty()) texts.pop_back();
  std::string lines;
  for (const std::string& text : texts) lines += text + "\n";
  return lines;
}

void Session::change(Steps steps) {
  before_.push_back(steps_);
  undone_.clear();
  go_to(std::move(steps));
}

void Session::go_to(Steps steps) {
  steps_ = std::move(steps);
  replayed_ = replay_written(base_, texts_of(steps_));
}

}  // namespace jp::answers
