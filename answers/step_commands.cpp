#include "answers/step_commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <sstream>

#include "answers/sites.h"
#include "campaign/common/tools.h"
#include "campaign/evidence/compile_report.h"
#include "campaign/start_probes.h"
#include "codec/codec.h"
#include "core/files.h"
#include "core/text.h"
#include "report/compile_summary.h"

namespace jp::answers {
namespace {

using Words = std::vector<std::string>;

constexpr std::size_t kMostListed = 40;  // sites without `list all`: a screen or two

Words words_of(const std::string& line) {
  std::istringstream text(line);
  Words words;
  for (std::string word; text >> word;) words.push_back(word);
  return words;
}

std::optional<std::size_t> number_in(const std::string& text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// Names of files that a path may go on with, ascending: those with the ending, and folders. Hidden ones only where the
// path names them so.
Words files_from(const std::string& path, std::string_view ending = "") {
  const std::string folder = path.substr(0, path.rfind('/') + 1);
  const std::string name = path.substr(folder.size());
  Words found;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder.empty() ? "." : folder, error)) {
    const std::string own = entry.path().filename().string();
    if (!own.starts_with(name) || (name.empty() && own.starts_with('.'))) continue;
    if (entry.is_directory(error))
      found.push_back(folder + own + "/");
    else if (own.ends_with(ending))
      found.push_back(folder + own);
  }
  std::sort(found.begin(), found.end());
  return found;
}

Result<std::size_t> step_number(const Words& words) {
  const auto number = words.size() == 1 ? number_in(words[0]) : std::nullopt;
  if (!number) return Error{"give one step's number: steps lists them"};
  return *number;
}

}  // namespace

const std::vector<StepCommands::Command>& StepCommands::commands() {
  static const std::vector<Command> all = {
      {"list", "[all]", "the sites of mutations that the filter lets pass", &StepCommands::list},
      {"filter", "[WORDS | none]", "which sites are listed: section=B, exactness=bitwise, line=7, any other text",
       &StepCommands::filter},
      {"apply", "NUMBER | ID@SITE[=DRAWS]", "makes a step: a listed one, or as it is written", &StepCommands::apply},
      {"undo", "", "takes the last change back", &StepCommands::undo},
      {"redo", "", "makes the change that was undone", &StepCommands::redo},
      {"off", "STEP", "switches a step off", &StepCommands::off},
      {"on", "STEP", "switches a step on again", &StepCommands::on},
      {"steps", "", "the steps with their numbers", &StepCommands::steps},
      {"show", "", "the program as it is now", &StepCommands::show},
      {"diff", "[STEP]", "what all steps changed, or one of them", &StepCommands::diff},
      {"run", "[BACKEND] [explain]", "judges the program: inductor, ladder, FILE.py …; explain: what compiling did",
       &StepCommands::run},
      {"save", "FILE", "writes the program", &StepCommands::save},
      {"lineage", "[FILE]", "the steps as mutate --lineage reads them", &StepCommands::lineage},
      {"help", "", "this list", &StepCommands::help},
      {"quit", "", "ends; so does Ctrl-D. Ctrl-C cancels a run", nullptr},
  };
  return all;
}

Result<bool> StepCommands::make(const std::string& line) {
  Words words = words_of(line);
  if (words.empty() || words[0].starts_with('#')) return true;
  const auto& all = commands();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Command& one) { return one.name == words[0]; });
  if (found == all.end()) return Error{fmt::format("there is no command '{}': help lists them", words[0])};
  if (found->make == nullptr) return false;
  rest_ = line.substr(line.find(words[0]) + words[0].size());
  rest_.erase(0, rest_.find_first_not_of(" \t"));
  rest_.erase(rest_.find_last_not_of(" \t\r") + 1);
  words.erase(words.begin());
  if (found->words.empty() && !words.empty()) return Error{fmt::format("{} takes nothing", found->name)};
  const Status made = (this->*found->make)(words);
  if (shown_.cancelled()) {
    runner_.reset();  // its processes are gone
    return Error{"cancelled"};
  }
  if (!made.ok()) return made.error();
  return true;
}

std::vector<std::string> StepCommands::completions(const std::string& line) {
  const Words words = words_of(line);
  const std::string last = line.ends_with(' ') || words.empty() ? "" : words.back();
  Words found;
  if (words.empty() || (words.size() == 1 && !line.ends_with(' '))) {
    for (const Command& one : commands()) found.emplace_back(one.name);
  } else if (words[0] == "apply") {
    found = listed_.empty() ? sites() : listed_;
  } else if (words[0] == "filter") {
    found = {"section=", "exactness=bitwise", "exactness=rounding", "exactness=variation", "exactness=broken", "line=",
             "none"};
  } else if (words[0] == "run") {
    found = campaign::built_in_backends();
    found.insert(found.end(), {"ladder", "explain"});
    const Words files = files_from(last, ".py");
    found.insert(found.end(), files.begin(), files.end());
  } else if (words[0] == "save" || words[0] == "lineage") {
    found = files_from(last);
  } else if (words[0] == "off" || words[0] == "on" || words[0] == "diff") {
    for (std::size_t i = 0; i < session_.steps().size(); ++i)
      if (words[0] == "diff" || session_.steps()[i].on == (words[0] == "off")) found.push_back(std::to_string(i));
  }
  return found;
}

std::vector<std::string> StepCommands::sites() {
  const Result<const Facts*> known = facts();
  if (shown_.cancelled()) {
    runner_.reset();
    profiled_.reset();  // what a cancelled run tells means nothing
    return {};
  }
  Words found;
  if (!known.ok()) return found;
  for (const codec::Json& row : sites_json(session_.now(), *known.value()))
    found.push_back(row["apply"].get<std::string>());
  return found;
}

Result<pyrunner::Runner*> StepCommands::runner() {
  if (runner_) return runner_.get();
  Result<pyrunner::RunnerOptions> options = campaign::runner_options({"plain"});
  if (!options.ok()) return options.error();
  options.value().given_up = shown_.cancelled;
  Result<std::unique_ptr<pyrunner::Runner>> started = pyrunner::Runner::start(std::move(options).value());
  if (!started.ok()) return started.error();
  runner_ = std::move(started).value();
  return runner_.get();
}

Result<const Facts*> StepCommands::facts() {
  if (profiled_ && profiled_->parsed.program().lineage() == session_.now().program().lineage())
    return &profiled_->facts;
  Result<pyrunner::Runner*> worker = runner();
  if (!worker.ok()) return worker.error();
  Result<campaign::Profiled> shown = campaign::profile(*worker.value(), session_.now());
  if (!shown.ok()) return shown.error();
  profiled_ = std::move(shown).value();
  return &profiled_->facts;
}

Result<const Facts*> StepCommands::facts_for(const mutate::WrittenStep& written) {
  static const Facts kNone;
  if (written.has_draws) return &kNone;
  Result<const Facts*> known = facts();
  if (!known.ok() || !needs_moved(written) || !profiled_->facts.moved.empty()) return known;
  Result<pyrunner::Runner*> worker = runner();
  if (!worker.ok()) return worker.error();
  profiled_->facts.moved = campaign::moved_facts(*worker.value(), profiled_->parsed);
  return &profiled_->facts;
}

Status StepCommands::list(const Words& words) {
  const bool all = words == Words{"all"};
  if (!all && !words.empty()) return Error{"list takes 'all' or nothing: filter says which sites are listed"};
  Result<const Facts*> known = facts();
  if (!known.ok()) return known.error();
  listed_.clear();
  for (const codec::Json& row : sites_json(session_.now(), *known.value())) {
    if (!filter_.fits(row)) continue;
    listed_.push_back(row["apply"].get<std::string>());
    if (all || listed_.size() <= kMostListed)
      say("{:>5}  line {:>3}  {:<40}  {:<9}  {}\n", listed_.size() - 1, row["line"].get<int>(), listed_.back(),
          row["exactness"].get<std::string>(), row["example"].get<std::string>());
  }
  const std::string filtered = filter_.written().empty() ? "" : fmt::format(" with {}", filter_.written());
  say("{}{}{}\n", plural(listed_.size(), "site"), filtered,
      !all && listed_.size() > kMostListed ? fmt::format(", of which the first {} are shown: list all", kMostListed)
                                           : "");
  return Done{};
}

Status StepCommands::filter(const Words& words) {
  if (words == Words{"none"}) filter_ = {};
  if (!words.empty() && words != Words{"none"}) {
    Result<SiteFilter> read = read_filter(words);
    if (!read.ok()) return read.error();
    filter_ = std::move(read).value();
  }
  say("filter: {}\n", filter_.written().empty() ? "none" : filter_.written());
  return Done{};
}

Status StepCommands::apply(const Words& words) {
  if (words.empty()) return Error{"give a number of the list, or a step: ID@SITE or ID@SITE=DRAWS"};
  std::string text = rest_;  // texts among the draws may have spaces
  if (const auto number = number_in(text)) {
    if (*number >= listed_.size()) return Error{fmt::format("the last list has no number {}", *number)};
    text = listed_[*number];
  }
  Result<mutate::WrittenStep> written = read_step(text);
  if (!written.ok()) return written.error();
  Result<const Facts*> known = facts_for(written.value());
  if (!known.ok()) return known.error();
  const std::string before = session_.now().source();
  Result<std::string> made = session_.apply(text, *known.value(), choices_.fork("apply", drawn_++));
  if (!made.ok()) return made.error();
  listed_.clear();  // its sites were those of the program before
  say("step {}: {}\n", session_.steps().size() - 1, made.value());
  shown_.diff(before, session_.now().source());
  return Done{};
}

Status StepCommands::undo(const Words& /*words*/) {
  if (!session_.undo()) return Error{"there is nothing to undo"};
  return steps({});
}

Status StepCommands::redo(const Words& /*words*/) {
  if (!session_.redo()) return Error{"there is nothing to redo"};
  return steps({});
}

Status StepCommands::switch_step(const Words& words, bool on) {
  Result<std::size_t> number = step_number(words);
  if (!number.ok()) return number.error();
  if (Status done = session_.switch_step(number.value(), on); !done.ok()) return done;
  return steps({});
}

Status StepCommands::steps(const Words& /*words*/) {
  for (std::size_t i = 0; i < session_.steps().size(); ++i) {
    const ReplayedStep& row = session_.replayed()[i];
    const std::string state = !session_.steps()[i].on ? "off" : row.error.empty() ? row.exactness : "passed over";
    say("{:>5}  {:<11}  {}{}\n", i, state, session_.steps()[i].text, row.error.empty() ? "" : ": " + row.error);
  }
  if (session_.steps().empty()) say("no steps\n");
  return Done{};
}

Status StepCommands::show(const Words& /*words*/) {
  say("{}", session_.now().source());
  return Done{};
}

Status StepCommands::diff(const Words& words) {
  std::string before = session_.base().source();
  std::string after = session_.now().source();
  if (!words.empty()) {
    Result<std::size_t> number = step_number(words);
    if (!number.ok()) return number.error();
    if (number.value() >= session_.replayed().size()) return Error{fmt::format("there is no step {}", number.value())};
    if (number.value() > 0) before = session_.replayed()[number.value() - 1].source;
    after = session_.replayed()[number.value()].source;
  }
  if (before == after) say("no difference\n");
  shown_.diff(before, after);
  return Done{};
}

Status StepCommands::run(const Words& words) {
  Words asked = words;
  const bool explain = std::erase(asked, "explain") > 0;
  Words backends;
  for (const std::string& text : asked.empty() ? Words{"inductor"} : asked) {
    if (text == "ladder") {
      backends.insert(backends.end(), campaign::ladder().begin(), campaign::ladder().end());
      continue;
    }
    Result<std::string> backend = campaign::resolve_backend(text);
    if (!backend.ok()) return backend.error();
    backends.push_back(backend.value());
  }
  Result<pyrunner::Runner*> worker = runner();
  if (!worker.ok()) return worker.error();
  if (Status probed = campaign::probe_once(*worker.value()); !probed.ok()) return probed;
  for (const std::string& backend : backends)
    if (Status judged = judge_with(backend, explain); !judged.ok() || shown_.cancelled()) return judged;
  return Done{};
}

Status StepCommands::judge_with(const std::string& backend, bool explain) {
  oracle::PlanOptions plan;
  plan.backend = backend;
  plan.full = true;  // one program: all cheap control runs are made from the start
  const campaign::JudgedProgram judged = campaign::judge(*runner_, campaign::need_oracle("eager_vs_compiled"),
                                                         session_.now().program(), plan, pyrunner::Isolation::kFresh);
  if (shown_.cancelled()) return Done{};  // outcomes of a cancelled run mean nothing
  shown_.verdict(backend, judged);
  if (!explain) return Done{};
  Result<codec::Json> report = campaign::compile_report(*runner_, session_.now().program(), backend);
  if (!report.ok()) return report.error();
  say("{}", report::compile_summary(backend, report.value()));
  return Done{};
}

Status StepCommands::write(const std::string& path, const std::string& text) {
  std::error_code error;
  if (std::filesystem::exists(path, error) && !saved_.contains(path))
    return Error{fmt::format("{} exists: give another name, or remove it first", path)};
  if (Status written = write_file(path, text); !written.ok()) return written;
  saved_.insert(path);
  say("written to {}\n", path);
  return Done{};
}

Status StepCommands::save(const Words& words) {
  if (words.empty()) return Error{"give the file's name"};
  return write(rest_, session_.now().source());
}

Status StepCommands::lineage(const Words& words) {
  if (!words.empty()) return write(rest_, session_.lineage());
  say("{}", session_.lineage());
  return Done{};
}

Status StepCommands::help(const Words& /*words*/) {
  for (const Command& one : commands())
    say("  {:<32}  {}\n", one.words.empty() ? std::string(one.name) : fmt::format("{} {}", one.name, one.words),
        one.says);
  return Done{};
}

}  // namespace jp::answers
