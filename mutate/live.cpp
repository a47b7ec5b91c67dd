#include "mutate/live.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "mutate/notes.h"
#include "mutate/scopes.h"

namespace jp::mutate {

namespace {

std::vector<LiveTensor> live_in(const Parsed& parsed, const std::map<std::string, Names>& points,
                                const Statement& statement) {
  std::vector<LiveTensor> found;
  auto names = points.find(statement.id);
  if (names == points.end()) return found;
  for (const auto& [name, known] : names->second)
    if (knows_extent(&known) && name.find('[') == std::string::npos && parsed.scopes().readable(statement, name))
      found.push_back({name, &known});
  return found;
}

}  // namespace

std::vector<LiveTensor> live_tensors(const Parsed& parsed, const Facts& facts, const Statement& statement) {
  return live_in(parsed, facts.before, statement);
}

std::vector<LiveTensor> live_after(const Parsed& parsed, const Facts& facts, const Statement& statement) {
  return live_in(parsed, facts.after, statement);
}

std::optional<KnownElement> draw_element(const LiveTensor& tensor, Choices& choices) {
  const auto& elements = tensor.facts->elements;
  if (elements.empty()) return std::nullopt;
  auto at = elements.begin();
  std::advance(at, static_cast<std::ptrdiff_t>(choices.below(elements.size())));
  const auto& shape = *tensor.facts->shape;
  if (shape.empty()) return KnownElement{tensor.name, at->second};
  std::vector<std::int64_t> index(shape.size());
  std::int64_t position = at->first;
  for (std::size_t i = shape.size(); i-- > 0; position /= shape[i]) index[i] = position % shape[i];
  return KnownElement{fmt::format("{}[{}]", tensor.name, fmt::join(index, ", ")), at->second};
}

bool binds_itself(const Parsed& parsed, const Statement& statement, const std::string& name) {
  const Scope& scope = parsed.scopes().scope(parsed.scopes().scope_of(statement));
  return scope.bound.contains(name) && !scope.globals.contains(name) && !scope.nonlocals.contains(name);
}

bool bounded(const NameFacts& facts, double most) {
  return facts.minimum && facts.maximum && std::isfinite(*facts.minimum) && std::isfinite(*facts.maximum) &&
         magnitude(facts) <= most;
}

double magnitude(const NameFacts& facts) { return std::max(std::abs(*facts.minimum), std::abs(*facts.maximum)); }

}  // namespace jp::mutate
