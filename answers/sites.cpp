#include "answers/sites.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "codec/codec.h"
#include "core/choices.h"
#include "mutate/engine/engine.h"
#include "report/short_form.h"

namespace jp::answers {
namespace {

std::map<std::string, int> lines_of(const mutate::Parsed& parsed) {
  std::map<std::string, int> lines;
  for (const StatementPlace& place : mutate::statement_places(parsed)) lines[place.id] = place.line;
  return lines;
}

/// The first line that one draw of the step adds, as an example of what would happen.
std::string example_of(const mutate::Parsed& parsed, const Facts& facts, const mutate::Candidate& candidate) {
  Choices choices(0);
  const auto made = mutate::apply(parsed, facts, *candidate.mutation, candidate.site, choices);
  if (!made) return "";
  const std::string& before = parsed.source();
  const std::string& after = made->source();
  const auto differs = std::mismatch(after.begin(), after.end(), before.begin(), before.end()).first;
  const std::size_t at = static_cast<std::size_t>(differs - after.begin());
  std::size_t begin = at == 0 ? std::string::npos : after.rfind('\n', at - 1);
  begin = begin == std::string::npos ? 0 : begin + 1;
  begin = std::min(after.find_first_not_of(" \t\n", begin), after.size());
  return report::one_line(after.substr(begin, after.find('\n', begin) - begin), 100);
}

}  // namespace

codec::Json sites_json(const mutate::Parsed& parsed, const Facts& facts) {
  codec::Json rows = codec::Json::array();
  const std::map<std::string, int> lines = lines_of(parsed);
  // Examples of one mutation at one statement are alike, and a model has thousands of them.
  std::map<std::pair<std::string_view, std::string>, std::string> examples;
  for (const mutate::Candidate& candidate : mutate::candidates(parsed, facts)) {
    const Step step{.mutation = std::string(candidate.mutation->name()), .site = candidate.site};
    const auto place = std::pair(candidate.mutation->name(), candidate.site.statement);
    auto known = examples.find(place);
    if (known == examples.end()) known = examples.emplace(place, example_of(parsed, facts, candidate)).first;
    rows.push_back({{"apply", mutate::print_step(step)},
                    {"mutation", step.mutation},
                    {"statement", step.site.statement},
                    {"path", step.site.path},
                    {"line", lines.at(candidate.site.statement)},
                    {"exactness", mutate::exactness_name(candidate.mutation->exactness())},
                    {"example", known->second}});
  }
  return rows;
}

}  // namespace jp::answers
