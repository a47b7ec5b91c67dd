// The commands of `mutate --interactive`: a program is mutated step by step, and each step seen and run. What they
// answer is text; where it is shown is the caller's.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "answers/session.h"
#include "answers/site_filter.h"
#include "campaign/common/judging.h"
#include "campaign/making/step.h"
#include "core/choices.h"
#include "core/result.h"
#include "pyrunner/runner.h"

namespace jp::answers {

/// Where answers go, all of them set.
struct Shown {
  std::function<void(const std::string& text)> text;
  std::function<void(const std::string& before, const std::string& after)> diff;
  std::function<void(const std::string& backend, const campaign::JudgedProgram& judged)> verdict;
  /// Whether the command is to end, polled at 10 Hz while a program runs; true until the command has ended.
  std::function<bool()> cancelled;
};

class StepCommands {
 public:
  /// `seed`: of the draws of steps that are given without draws.
  StepCommands(mutate::Parsed base, std::uint64_t seed, Shown shown)
      : session_(std::move(base)), choices_(seed), shown_(std::move(shown)) {}

  /// Makes the command in a line; false for `quit`. Empty lines and those that begin with "#" do nothing. An Error says
  /// in a sentence what could not be done, or that it was cancelled: then its processes are gone.
  Result<bool> make(const std::string& line);
  /// The words that may stand where the line's last word begins; folders end with "/", beginnings of words with "=".
  /// For `apply` without a list the program runs in eager if its sites aren't known yet: seconds.
  std::vector<std::string> completions(const std::string& line);

 private:
  using Words = std::vector<std::string>;
  struct Command {
    std::string_view name;
    std::string_view words;
    std::string_view says;
    Status (StepCommands::*make)(const Words&);
  };
  static const std::vector<Command>& commands();

  Status list(const Words& words);
  Status filter(const Words& words);
  Status apply(const Words& words);
  Status undo(const Words& words);
  Status redo(const Words& words);
  Status off(const Words& words) { return switch_step(words, false); }
  Status on(const Words& words) { return switch_step(words, true); }
  Status steps(const Words& words);
  Status show(const Words& words);
  Status diff(const Words& words);
  Status run(const Words& words);
  Status save(const Words& words);
  Status lineage(const Words& words);
  Status help(const Words& words);

  Status switch_step(const Words& words, bool on);
  Status judge_with(const std::string& backend, bool explain);
  /// Starts a worker if there is none, or the last one was cancelled.
  Result<pyrunner::Runner*> runner();
  /// All sites of the program as it is now, as `apply` takes them; none if they can't be known.
  Words sites();
  /// Facts of the program as it is now.
  Result<const Facts*> facts();
  /// The same for a step; none if it records its draws.
  Result<const Facts*> facts_for(const mutate::WrittenStep& written);
  /// Overwrites only what this object has written.
  Status write(const std::string& path, const std::string& text);

  template <typename... Arguments>
  void say(fmt::format_string<Arguments...> format, Arguments&&... arguments) const {
    shown_.text(fmt::format(format, std::forward<Arguments>(arguments)...));
  }

  Session session_;
  Choices choices_;
  Shown shown_;
  std::uint64_t drawn_ = 0;  // steps drawn so far: each has a stream of its own
  SiteFilter filter_;
  std::string rest_;  // of the line, behind the command's name
  Words listed_;      // what `apply NUMBER` names
  std::unique_ptr<pyrunner::Runner> runner_;
  std::optional<campaign::Profiled> profiled_;
  std::set<std::string> saved_;
};

}  // namespace jp::answers
