#include "mutate/outline/outline_mutation.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "mutate/rewrite/statement_ranges.h"
#include "mutate/syntax/queries.h"

namespace jp::mutate {
namespace {

// The most statements of a range that has branches, since then find_signature follows all paths.
constexpr int kLongestBranchedRun = 3;
constexpr int kLongestFunction = 4;
// Ranges that are drawn and don't qualify before all are listed (chosen, not measured).
constexpr int kDraws = 16;
constexpr int kFunctionDraws = 8;

/// The names that a range binds, of which facts saw a value before it and after it.
struct Seen {
  std::vector<std::string> before;
  std::vector<std::string> after;

  auto fields() { return std::tie(before, after); }
};

Seen seen_names(const Parsed& parsed, const Facts& facts, const Statement& first, const Statement& last) {
  const NameSet names = parsed.scopes().bound_in(first.begin, last.end, parsed.scopes().scope_of(first));
  auto list = [&](const std::map<std::string, Names>& points, const std::string& id) {
    std::vector<std::string> seen;
    if (auto point = points.find(id); point != points.end())
      for (const auto& name : names)
        if (auto known = point->second.find(name); known != point->second.end() && !known->second.kind.empty())
          seen.push_back(name);
    return seen;
  };
  return {list(facts.before, first.id), list(facts.after, last.id)};
}

/// Whether a statement may be part of a range, cached for each statement.
class Whole {
 public:
  Whole(const Parsed& parsed, Fits fits)
      : parsed_(parsed), fits_(std::move(fits)), asked_(parsed.statements().size()) {}
  bool operator()(const Statement& statement) {
    std::optional<bool>& answer = asked_[static_cast<std::size_t>(statement.index)];
    if (!answer) answer = rooted_by(parsed_, statement).empty() && (!fits_ || fits_(statement));
    return *answer;
  }

 private:
  const Parsed& parsed_;
  Fits fits_;
  std::vector<std::optional<bool>> asked_;
};

/// The sites of the ranges that begin with a statement, shortest first.
std::vector<Site> valid_from(const Parsed& parsed, const Facts& facts, const Statement& first, Whole& whole) {
  std::vector<Site> found;
  const Statement* last = &first;
  StraightRun straight(parsed, first);
  for (int i = 0; last && i < kLongestRange && whole(*last); ++i, last = next_in_block(parsed, *last)) {
    bool taken = straight.take(*last);
    if (!taken && i >= kLongestBranchedRun) break;
    bool fits = taken;
    if (!fits) {
      const Seen seen = seen_names(parsed, facts, first, *last);
      fits = static_cast<bool>(find_signature(parsed, first, *last, seen.before, seen.after));
    }
    if (fits) found.push_back({first.id, last == &first ? "" : last->id});
  }
  return found;
}

/// The signature of a range that returns all its results, at least one; otherwise refused.
BodySignature function_signature(const Parsed& parsed, const StatementRange& range) {
  BodySignature found = find_signature(parsed, *range.first, *range.last);
  if (!found) return found;
  if (!found.globals.empty() || !found.nonlocals.empty()) found.refused = "a name belongs to another scope";
  if (!found.returns_all()) found.refused = "a result can't be returned";
  if (found.outputs().empty()) found.refused = "nothing to return";
  return found;
}

bool is_assigned(const Statement& statement) {
  const Node does = sole_expression(statement);
  return does && does.is("assignment");
}

std::vector<Site> function_ranges(const Parsed& parsed) {
  std::vector<Site> ranges = run_sites(parsed, false, is_assigned);
  std::erase_if(ranges, [&](const Site& site) {
    return !site.path.empty() && parsed.find(site.path)->place - parsed.find(site.statement)->place >= kLongestFunction;
  });
  return ranges;
}

}  // namespace

std::vector<Site> extraction_sites(const Parsed& parsed, const Facts& facts, const Fits& fits) {
  std::vector<Site> found;
  if (uses_introspection(parsed)) return found;
  Whole whole(parsed, fits);
  for (const Statement& first : parsed.statements()) {
    std::vector<Site> more = valid_from(parsed, facts, first, whole);
    found.insert(found.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  }
  return found;
}

BodySignature draw_signature(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                             const Fits& fits) {
  BodySignature refused;
  refused.refused = "no range, or one that doesn't fit";
  const Statement& first = *parsed.find(site.statement);
  const Statement* last = site.path.empty() ? &first : parsed.find(site.path);
  if (!last || first.block != last->block || uses_introspection(parsed)) return refused;
  const auto seen = choices.note([&] { return std::optional(seen_names(parsed, facts, first, *last)); });
  if (!seen) return refused;
  auto fitting = [&](const Statement* statement) { return !fits || fits(*statement); };
  BodySignature found = find_signature(parsed, first, *last, seen->before, seen->after);
  return std::all_of(found.range.begin(), found.range.end(), fitting) ? found : refused;
}

EditSet OutlineMutation::rewrite(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                                 int step_number) const {
  const BodySignature signature = signature_at(parsed, facts, site, choices);
  if (!signature) return {};
  Rewrite rewrite(parsed, step_number);
  Packing packing{parsed, facts, signature, rewrite, choices};
  const std::optional<Body> body = pack(packing);
  if (!body) return {};
  write_body(rewrite, parsed, signature, *body);
  return rewrite.edits();
}

std::vector<Site> ExtractionMutation::sites(const Parsed& parsed, const Facts& facts) const {
  return has_words(parsed) ? extraction_sites(parsed, facts, fits(parsed)) : std::vector<Site>();
}

// Rejection sampling: at most kLongestRange ranges begin at a statement, and a number below that is drawn together with
// the statement, so that every range is equally likely.
std::optional<Site> ExtractionMutation::draw_site(const Parsed& parsed, const Facts& facts, Choices& choices) const {
  if (!has_words(parsed) || uses_introspection(parsed)) return std::nullopt;
  Whole whole(parsed, fits(parsed));
  for (int i = 0; i < kDraws && !parsed.statements().empty(); ++i) {
    const Statement& first = choices.pick(parsed.statements());
    const std::uint64_t number = choices.below(kLongestRange);
    if (auto runs = valid_from(parsed, facts, first, whole); number < runs.size()) return std::move(runs[number]);
  }
  return Mutation::draw_site(parsed, facts, choices);
}

BodySignature ExtractionMutation::signature_at(const Parsed& parsed, const Facts& facts, const Site& site,
                                               Choices& choices) const {
  BodySignature found = draw_signature(parsed, facts, site, choices, fits(parsed));
  if (!has_words(parsed)) found.refused = "the program binds a builtin that the text would use";
  return found;
}

bool FunctionMutation::may_take(const Parsed& parsed, const Facts& facts, const Site& site) const {
  const Statement* first = parsed.find(site.statement);
  const BodySignature found = function_signature(parsed, {first, site.path.empty() ? first : parsed.find(site.path)});
  return found && fits(parsed, facts, found);
}

std::vector<Site> FunctionMutation::sites(const Parsed& parsed, const Facts& facts) const {
  if (needs_facts() && facts.before.empty()) return {};
  std::vector<Site> found = function_ranges(parsed);
  std::erase_if(found, [&](const Site& site) { return !may_take(parsed, facts, site); });
  return found;
}

std::optional<Site> FunctionMutation::draw_site(const Parsed& parsed, const Facts& facts, Choices& choices) const {
  if (needs_facts() && facts.before.empty()) return std::nullopt;
  const std::vector<Site> ranges = function_ranges(parsed);
  for (int i = 0; i < kFunctionDraws && !ranges.empty(); ++i)
    if (const Site& drawn = choices.pick(ranges); may_take(parsed, facts, drawn)) return drawn;
  return Mutation::draw_site(parsed, facts, choices);
}

BodySignature FunctionMutation::signature_at(const Parsed& parsed, const Facts&, const Site& site, Choices&) const {
  const StatementRange range = find_run(parsed, site, is_assigned);
  if (range.first && !range.empty()) return function_signature(parsed, range);
  BodySignature refused;
  refused.refused = "no range of assignments";
  return refused;
}

Body FunctionMutation::function_body(const BodySignature& signature, const std::string& function,
                                     const std::vector<std::string>& parameters, const Lines& prelude,
                                     const Lines& more, const std::string& call) {
  Convention way;
  way.arguments = parameters;
  way.results = signature.outputs();
  Body body = way.body(prelude + Lines{{fmt::format("def {}:", way.call_of(function))}});
  add(body.close, more);
  body.call = way.fetch(call);
  return body;
}

}  // namespace jp::mutate
