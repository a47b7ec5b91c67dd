#include "answers/steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace jp::answers {
namespace {

// Makes the step, or says why not.
std::string replay_one(mutate::Parsed& now, ReplayedStep& row, int number) {
  Result<mutate::WrittenStep> written = read_step(row.text);
  if (!written.ok()) return written.error().message;
  Step& step = written.value().step;
  row.exactness = mutate::exactness_name(mutate::Mutations::instance().find(step.mutation)->exactness());
  if (!now.find(step.site.statement)) return fmt::format("the program has no statement {}", step.site.statement);
  step.number = number;
  mutate::Parsed next = mutate::replay(now, {step});
  if (next.program().lineage().steps.size() == now.program().lineage().steps.size())
    return fmt::format("'{}' does not apply there", row.text);
  now = std::move(next);
  return "";
}

/// The parts between line breaks and semicolons. Draws stand in single quotes; a backslash in them escapes what
/// follows, and a line break ends them, so that one bad line spoils no other.
std::vector<std::string> split_outside_quotes(const std::string& text) {
  std::vector<std::string> parts = {""};
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n' || (!quoted && c == ';')) {
      parts.emplace_back();
      quoted = false;
      continue;
    }
    if (c == '\'') quoted = !quoted;
    parts.back() += c;
    if (quoted && c == '\\' && i + 1 < text.size() && text[i + 1] != '\n') parts.back() += text[++i];
  }
  return parts;
}

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin);
}

}  // namespace

Result<mutate::Weights> weights(const DrawnMutations& drawn) {
  mutate::Weights weights;
  for (const auto* names : {&drawn.only, &drawn.without})
    for (const std::string& name : *names)
      if (!mutate::Mutations::instance().find(name))
        return Error{fmt::format("there is no mutation '{}': see jitprobe list mutations", name)};
  auto has = [](const std::vector<std::string>& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  for (const mutate::Mutation* mutation : mutate::Mutations::instance().all()) {
    bool on = (drawn.only.empty() || has(drawn.only, mutation->name())) && !has(drawn.without, mutation->name());
    if (!on) weights[std::string(mutation->name())] = 0;
  }
  return weights;
}

Result<mutate::Weights> weights(const DrawnMutations& drawn, const std::string& exactness) {
  Result<mutate::Weights> found = weights(drawn);
  if (!found.ok()) return found;
  for (const mutate::Mutation* mutation : mutate::Mutations::instance().all()) {
    const bool exact = mutation->exactness() == mutate::Exactness::kBitwise;
    const bool varies = mutation->exactness() == mutate::Exactness::kVariation;
    const bool asked = exactness == "variation" || exact || (exactness == "rounding" && !varies);
    found.value().emplace(mutation->name(), asked ? mutate::unnamed_weight(*mutation) : 0);
  }
  return found;
}

Result<mutate::WrittenStep> read_step(const std::string& text) {
  Result<mutate::WrittenStep> written = mutate::parse_step(text);
  if (!written.ok()) return written;
  const std::string& name = written.value().step.mutation;
  if (!mutate::Mutations::instance().find(name))
    return Error{fmt::format("there is no mutation '{}': see jitprobe list mutations", name)};
  return written;
}

Result<std::vector<std::string>> read_lineage(const std::string& text) {
  std::vector<std::string> steps = split_outside_quotes(text);
  for (std::string& step : steps) {
    step = trimmed(step);
    if (step == "-") step.clear();
    if (step.empty()) continue;
    if (Result<mutate::WrittenStep> read = read_step(step); !read.ok()) return read.error();
  }
  while (!steps.empty() && steps.back().empty()) steps.pop_back();
  return steps;
}

bool needs_moved(const mutate::WrittenStep& written) {
  return !written.has_draws && mutate::Mutations::instance().find(written.step.mutation)->needs_moved();
}

Result<mutate::Parsed> apply_written(const mutate::Parsed& parsed, const Facts& facts, const std::string& text,
                                     const mutate::WrittenStep& written, Choices live) {
  const Step& step = written.step;
  const mutate::Mutation* mutation = mutate::Mutations::instance().find(step.mutation);
  if (!parsed.find(step.site.statement))
    return Error{fmt::format("the program has no statement {}: see jitprobe mutate FILE --list", step.site.statement)};
  Choices choices = written.has_draws ? Choices::replay(step.draws) : std::move(live);
  std::optional<mutate::Parsed> made = mutate::apply(parsed, facts, *mutation, step.site, choices);
  if (!made) return Error{fmt::format("'{}' does not apply there: see jitprobe mutate FILE --list", text)};
  return std::move(*made);
}

mutate::Exactness promised(const mutate::Parsed& made) {
  mutate::Exactness weakest = mutate::Exactness::kBitwise;
  for (const Step& step : made.program().lineage().steps)
    weakest = std::max(weakest, mutate::Mutations::instance().find(step.mutation)->exactness());
  return weakest;
}

Replayed replay_written(const mutate::Parsed& base, const std::vector<std::string>& steps) {
  Replayed replayed{base, {}};
  for (std::size_t i = 0; i < steps.size(); ++i) {
    ReplayedStep row{.text = steps[i]};
    if (!row.text.empty()) row.error = replay_one(replayed.made, row, static_cast<int>(i));
    row.source = replayed.made.source();
    replayed.steps.push_back(std::move(row));
  }
  return replayed;
}

std::vector<std::string> placed(const std::vector<Step>& steps) {
  std::vector<std::string> texts;
  for (const Step& step : steps) {
    const auto place = static_cast<std::size_t>(std::max(step.number, 0));
    if (texts.size() <= place) texts.resize(place + 1);
    texts[place] = mutate::print_step(step);
  }
  return texts;
}

Result<mutate::Parsed> renumbered(const mutate::Parsed& before, const mutate::Parsed& made, int number) {
  Step step = made.program().lineage().steps.back();
  if (step.number == number) return made;
  step.number = number;
  mutate::Parsed again = mutate::replay(before, {step});
  if (again.program().lineage().steps.size() == before.program().lineage().steps.size())
    return Error{fmt::format("'{}' does not apply as step {}", mutate::print_step(step), number)};
  return again;
}

}  // namespace jp::answers
