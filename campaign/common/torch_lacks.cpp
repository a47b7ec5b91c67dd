#include "campaign/common/torch_lacks.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <sstream>
#include <utility>

#include "campaign/common/kept_answer.h"
#include "seedgen/draw/options.h"
#include "seedgen/sample_calls.h"

namespace jp::campaign {
namespace {

using seedgen::SampleProgram;

// Calls of each operator besides those of each dtype. Chosen, not measured.
constexpr int kMore = 4;
// Not a matter of the user's limits.
constexpr double kSeconds = 120;

// The numbers of the refused samples; nothing if the program didn't end, as when a call kills the process.
std::optional<std::set<std::size_t>> refused_in(pyrunner::Runner& runner, const SampleProgram& samples) {
  const RunRequest eager{.role = "eager"};
  const Outcome outcome = runner.run(samples.program, {eager}, pyrunner::Isolation::kBatch).at(0);
  const auto* finished = std::get_if<Finished>(&outcome.ending);
  if (!finished || finished->observation.calls.size() != 1 || finished->observation.calls[0].exception)
    return std::nullopt;
  std::istringstream numbers(finished->observation.calls[0].output.text);
  std::set<std::size_t> refused;
  for (std::size_t number = 0; numbers >> number;) refused.insert(number);
  return refused;
}

class Question {
 public:
  explicit Question(pyrunner::Runner& runner) : runner_(runner) {}

  void ask(const SampleProgram& samples) {
    const auto refused = refused_in(runner_, samples);
    if (!refused) return ask_each(samples);
    for (std::size_t i = 0; i < samples.samples.size(); ++i)
      (refused->contains(i) ? refused_ : accepted_).push_back(samples.samples[i]);
  }
  std::vector<std::string> answer() const {
    std::vector<std::string> lacks = seedgen::left_out(accepted_, refused_);
    lacks.insert(lacks.end(), deadly_.begin(), deadly_.end());
    std::sort(lacks.begin(), lacks.end());
    lacks.erase(std::unique(lacks.begin(), lacks.end()), lacks.end());
    return lacks;
  }
  bool accepts_some() const { return accepted_.size() > refused_.size(); }

 private:
  // An operator whose own program doesn't end either is left out.
  void ask_each(const SampleProgram& samples) {
    std::set<std::string> ids;
    for (const auto& sample : samples.samples) ids.emplace(sample.op);
    if (ids.size() == 1)
      deadly_.push_back(*ids.begin());
    else
      for (const std::string& id : ids)
        for (const SampleProgram& own : seedgen::sample_calls(kMore, {id})) ask(own);
  }

  pyrunner::Runner& runner_;
  std::vector<SampleProgram::Sample> accepted_;
  std::vector<SampleProgram::Sample> refused_;
  std::vector<std::string> deadly_;
};

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(std::move(word));
  return words;
}

}  // namespace

Result<std::vector<std::string>> torch_lacks(pyrunner::Runner& runner) {
  // Which calls are made depends on the generator's version alone.
  const pyrunner::WorkerInfo& info = runner.info();
  const KeptAnswer kept(runner.options().cache_dir,
                        fmt::format("lacks\n{}\n{}\n{}\n{}\n{}\n{}", seedgen::kGeneratorVersion, kMore, info.torch,
                                    info.python, info.executable, runner.options().device) +
                            stamp_of_torch(info.prefix));
  if (const auto before = kept.get()) return words_of(*before);
  const pyrunner::Limits limits = runner.options().limits;
  pyrunner::Limits patient = limits;
  patient.seconds = std::max(limits.seconds, kSeconds);
  runner.set_limits(patient);
  Question question(runner);
  for (const SampleProgram& samples : seedgen::sample_calls(kMore))
    if (!runner.given_up()) question.ask(samples);
  runner.set_limits(limits);
  if (runner.given_up()) return std::vector<std::string>();
  if (!question.accepts_some())
    return Error{fmt::format("torch {} refuses most of the calls that programs are generated of (see jitprobe doctor)",
                             info.torch)};
  std::vector<std::string> lacks = question.answer();
  kept.keep(fmt::format("{}", fmt::join(lacks, " ")));
  return lacks;
}

}  // namespace jp::campaign
