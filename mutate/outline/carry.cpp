#include "mutate/outline/carry.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "mutate/syntax/queries.h"

namespace jp::mutate {
namespace {

// The most statements of a range; fewer if it has branches, since then find_extraction follows all paths.
constexpr int kLongestRun = 6;
constexpr int kLongestBranchedRun = 3;
constexpr int kDraws = 16;  // ranges that are drawn and don't qualify before all are listed (chosen, not measured)

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

std::optional<Extraction> extraction_of(const Parsed& parsed, const Statement& first, const Statement& last,
                                        const Seen& seen) {
  NameSet before;
  NameSet after;
  before.insert(seen.before.begin(), seen.before.end());
  after.insert(seen.after.begin(), seen.after.end());
  return find_extraction(parsed, first, last, before, after);
}

/// Decides how one name is passed in and comes back.
void carry(const BoundName& name, bool alone, Carried& carried) {
  bool by_nonlocal = carried.channel == Channel::kNonlocal || (!name.by_value && !name.stays);
  if (!alone && name.by_nonlocal && by_nonlocal) {
    carried.nonlocals.push_back(name.name);
    if (name.needs_prelude && name.unbound_prelude) carried.prelude.push_back({"if False:"});
    if (name.needs_prelude) carried.prelude.push_back({name.name + " = None", name.unbound_prelude ? 1 : 0});
    return;
  }
  if (name.comes_in) carried.arguments.push_back(name.name);
  if (name.by_value) carried.results.push_back(name.name);
}

bool any_identifier(const Node& inside, const std::function<bool(std::string_view)>& test) {
  for (const Node node : nodes_of(inside))
    if (node.is("identifier") && test(node.text())) return true;
  return false;
}

/// Whether a statement may be part of a range, cached for each statement.
class Whole {
 public:
  Whole(const Parsed& parsed, Fits fits)
      : parsed_(parsed), fits_(std::move(fits)), asked_(parsed.statements().size()) {}
  bool operator()(const Statement& statement) {
    std::optional<bool>& answer = asked_[static_cast<std::size_t>(statement.index)];
    if (!answer) answer = !is_rooted(parsed_, statement) && (!fits_ || fits_(statement));
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
  for (int i = 0; last && i < kLongestRun && whole(*last); ++i, last = next_in_block(parsed, *last)) {
    bool taken = straight.take(*last);
    if (!taken && i >= kLongestBranchedRun) break;
    if (taken || extraction_of(parsed, first, *last, seen_names(parsed, facts, first, *last)))
      found.push_back({first.id, last == &first ? "" : last->id});
  }
  return found;
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

std::vector<Site> ExtractionMutation::sites(const Parsed& parsed, const Facts& facts) const {
  return has_words(parsed) ? extraction_sites(parsed, facts, fits(parsed)) : std::vector<Site>();
}

// Rejection sampling: at most kLongestRun ranges begin at a statement, and a number below that is drawn together with
// the statement, so that every range is equally likely.
std::optional<Site> ExtractionMutation::draw_site(const Parsed& parsed, const Facts& facts, Choices& choices) const {
  if (!has_words(parsed) || uses_introspection(parsed)) return std::nullopt;
  Whole whole(parsed, fits(parsed));
  for (int i = 0; i < kDraws && !parsed.statements().empty(); ++i) {
    const Statement& first = choices.pick(parsed.statements());
    const std::uint64_t number = choices.below(kLongestRun);
    if (auto runs = valid_from(parsed, facts, first, whole); number < runs.size()) return std::move(runs[number]);
  }
  return Mutation::draw_site(parsed, facts, choices);
}

std::optional<Extraction> ExtractionMutation::extraction_at(const Parsed& parsed, const Facts& facts, const Site& site,
                                                            Choices& choices) const {
  auto extraction = draw_extraction(parsed, facts, site, choices, fits(parsed));
  return extraction && has_words(parsed) ? extraction : std::nullopt;
}

std::optional<Extraction> draw_extraction(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                                          const Fits& fits) {
  const Statement& first = *parsed.find(site.statement);
  const Statement* last = site.path.empty() ? &first : parsed.find(site.path);
  if (!last || first.block != last->block || uses_introspection(parsed)) return std::nullopt;
  auto seen = choices.note([&] { return std::optional(seen_names(parsed, facts, first, *last)); });
  auto found = seen ? extraction_of(parsed, first, *last, *seen) : std::nullopt;
  auto fitting = [&](const Statement* statement) { return !fits || fits(*statement); };
  if (found && !std::all_of(found->run.begin(), found->run.end(), fitting)) return std::nullopt;
  return found;
}

Lines Carried::before() const {
  Lines lines = prelude;
  if (channel == Channel::kDict && !results.empty()) lines.push_back({outer + " = {}"});
  if (channel == Channel::kList && !results.empty()) lines.push_back({outer + " = []"});
  return lines;
}

Lines Carried::declarations() const {
  Lines lines;
  if (!globals.empty()) lines.push_back({"global " + joined(globals)});
  if (!nonlocals.empty()) lines.push_back({"nonlocal " + joined(nonlocals)});
  return lines;
}

Lines Carried::deliver(std::string_view leave) const {
  Lines lines;
  if (results.empty()) return lines;
  if (channel == Channel::kReturn || channel == Channel::kNonlocal)
    return {{fmt::format("{} {}", leave, joined(results))}};
  for (const auto& result : results) {
    if (channel == Channel::kDict) lines.push_back({fmt::format("{}[\"{}\"] = {}", inner, result, result)});
    if (channel == Channel::kList) lines.push_back({fmt::format("{}.append({})", inner, result)});
    if (channel == Channel::kAttribute) lines.push_back({fmt::format("{}.{} = {}", inner, result, result)});
  }
  return lines;
}

std::string Carried::assigned(const std::string& call) const {
  bool direct = !results.empty() && (channel == Channel::kReturn || channel == Channel::kNonlocal);
  return direct ? fmt::format("{} = {}", joined(results), call) : call;
}

Lines Carried::fetch(const std::string& call) const {
  Lines lines = {{assigned(call)}};
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (channel == Channel::kDict) lines.push_back({fmt::format("{} = {}[\"{}\"]", results[i], outer, results[i])});
    if (channel == Channel::kList) lines.push_back({fmt::format("{} = {}[{}]", results[i], outer, i)});
    if (channel == Channel::kAttribute) lines.push_back({fmt::format("{0} = {1}.{0}", results[i], outer)});
  }
  return lines;
}

std::vector<Channel> usual_channels(bool alone) {
  std::vector<Channel> channels = {Channel::kReturn, Channel::kReturn, Channel::kDict, Channel::kList};
  if (!alone) channels.push_back(Channel::kNonlocal);
  return channels;
}

Carried draw_carried(Rewrite& rewrite, const Extraction& extraction, const std::vector<Channel>& channels, bool alone,
                     Choices& choices) {
  Carried carried;
  carried.channel = choices.pick(channels);
  carried.globals = extraction.globals;
  for (const BoundName& name : extraction.bound) carry(name, alone, carried);
  for (const std::string& name : extraction.readable)
    if (alone || choices.chance(1, 3)) carried.arguments.push_back(name);
  add(carried.nonlocals, extraction.nonlocals);
  if (carried.channel == Channel::kDict || carried.channel == Channel::kList) {
    carried.inner = carried.outer = rewrite.name("c");
    if (alone && !carried.results.empty()) carried.arguments.push_back(carried.outer);
  }
  return carried;
}

void enclose(Rewrite& rewrite, const Parsed& parsed, const Extraction& extraction, const Frame& frame, bool outside) {
  const Statement& first = *extraction.run.front();
  const Statement& last = *extraction.run.back();
  if (!outside) {
    rewrite.before(first, frame.before);
    rewrite.before(first, frame.open);
    for (int i = 0; i < frame.depth; ++i) rewrite.indent(first, last);
    rewrite.after(last, frame.close);
    rewrite.after(last, frame.call);
    return;
  }
  const Statement& top = outermost(parsed, first);
  std::string unit = indent_unit(parsed, top);
  std::string indent;
  for (int i = 0; i < frame.depth; ++i) indent += unit;
  rewrite.before(top, frame.open);
  rewrite.insert(lines_begin(top), moved_text(parsed, first, last, indent));
  rewrite.before(top, frame.close);
  rewrite.insert(lines_begin(top), "\n\n");
  Lines lines = frame.before;
  add(lines, frame.call);
  rewrite.instead(first, last, lines);
}

bool stands_alone(const Parsed& parsed, const Extraction& extraction) {
  const Statement& first = *extraction.run.front();
  const Statement& last = *extraction.run.back();
  const Statement& top = outermost(parsed, first);
  const Scopes& scopes = parsed.scopes();
  if (!extraction.nonlocals.empty() || !top.own_lines || scopes.scope(0).dynamic) return false;
  auto returns = [](const BoundName& name) { return name.by_value || name.stays; };
  if (!std::all_of(extraction.bound.begin(), extraction.bound.end(), returns)) return false;
  auto among = [](const auto& list, std::string_view name) {
    return std::any_of(list.begin(), list.end(), [&](const auto& one) {
      if constexpr (std::is_same_v<std::decay_t<decltype(one)>, BoundName>)
        return one.name == name;
      else
        return one == name;
    });
  };
  int frame = scopes.scope_of(first);
  auto uses = scopes.uses_in(first.begin, last.end);
  return std::all_of(uses.begin(), uses.end(), [&](const Use& use) {
    if (use.owner <= 0 || scopes.scope(use.owner).node.begin() >= first.begin) return true;
    return use.owner == frame && (among(extraction.bound, use.name) || among(extraction.readable, use.name));
  });
}

const Statement& outermost(const Parsed& parsed, const Statement& statement) {
  const Statement* at = &statement;
  while (at->parent >= 0) at = &parsed.statement(at->parent);
  return *at;
}

std::string own_name(Rewrite& rewrite, const Parsed& parsed, const Extraction& extraction, std::string_view base) {
  auto uses = parsed.scopes().uses_in(extraction.run.front()->begin, extraction.run.back()->end);
  bool used = std::any_of(uses.begin(), uses.end(), [&](const Use& use) { return use.name == base; });
  return used ? rewrite.name(base) : std::string(base);
}

bool has_mangled_name(const Node& node) {
  return any_identifier(node, [](std::string_view name) { return name.starts_with("__") && !name.ends_with("__"); });
}

bool means_builtin(const Parsed& parsed, std::string_view name) {
  const auto& scopes = parsed.scopes().scopes();
  return std::none_of(scopes.begin(), scopes.end(), [&](const Scope& scope) { return scope.bound.contains(name); });
}

bool mentions_any(const Node& node, std::initializer_list<std::string_view> words) {
  return any_identifier(
      node, [&](std::string_view name) { return std::find(words.begin(), words.end(), name) != words.end(); });
}

bool may_stop_iteration(const Parsed& parsed, const Node& node) {
  return parsed.has_word("StopIteration") || mentions_any(node, {"next", "send", "throw", "__next__"});
}

}  // namespace jp::mutate
