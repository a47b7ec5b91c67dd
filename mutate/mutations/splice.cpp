// A statement range of another program, the donor (of the program itself if there is none), is inserted before
// a statement and connected by type. A name that it reads is replaced by a live name of the same dtype, shape and
// layout that requires gradients alike; integers must also lie within the range of the replaced ones, since they may be
// indices. Names that it binds get fresh names, one of which is read in place of a name of the same type:
//
//     v3 = v0 + v1                 v3 = v0 + v1
//     return v3                    t7 = torch.flip(v3, [0])        # v2 = torch.flip(v9, [0]) there
//                                  return t7
//
// The range is stored as a recorded fact: live names in the program as $name$, the names that it binds as $0$, $1$, ...
// The program is a variation. Site: the statement before which it is inserted.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "mutate/engine/donor.h"
#include "mutate/engine/mutation.h"
#include "mutate/engine/notes.h"
#include "mutate/infer/inference.h"
#include "mutate/outline/signature.h"
#include "mutate/rewrite/rewrite.h"
#include "mutate/syntax/queries.h"

namespace jp::mutate::splice_mutation {
namespace {

constexpr std::size_t kLongestRun = 5;
constexpr std::size_t kDraws = 12;
constexpr std::int64_t kMostBound = 100;
constexpr char kMark = '$';

/// All elements of the first lie within the range of the second's elements.
bool within(const NameFacts& one, const NameFacts& other) {
  if (one.shape == other.shape && element_count(*one.shape) == 0) return true;
  return one.minimum && one.maximum && other.minimum && other.maximum && *one.minimum >= *other.minimum &&
         *one.maximum <= *other.maximum;
}

/// Whether a live name can replace a name that the range reads.
bool stands_for(const NameFacts& one, const NameFacts& wanted) {
  if (one.kind != wanted.kind) return false;
  if (one.kind == "float") return true;
  // Other integers are replaced only by equal ones, since they may be sizes or indices.
  if (one.kind == "int" || one.kind == "bool") return one.literal && one.literal == wanted.literal;
  if (one.kind != "tensor" || !alike(one, wanted) || one.strides != wanted.strides) return false;
  if (one.overlaps_itself != wanted.overlaps_itself) return false;
  const bool leaf = *one.requires_grad && one.is_leaf.value_or(true);
  if (leaf && !wanted.is_leaf.value_or(false)) return false;
  return !is_integral(*one.dtype) || *one.dtype == Dtype::kBool || within(one, wanted);
}

/// Names that are plain identifiers, are known to facts, and may be read at the statement.
std::vector<std::string> stand_ins(const Parsed& parsed, const Facts& facts, const Statement& statement,
                                   const NameFacts& wanted) {
  std::vector<std::string> found;
  auto point = facts.before.find(statement.id);
  if (point == facts.before.end()) return found;
  for (const auto& [name, known] : point->second)
    if (stands_for(known, wanted) && parsed.scopes().readable(statement, name)) found.push_back(name);
  return found;
}

struct From {
  const Parsed& parsed;
  const Facts& facts;
};

From donor_of(const Parsed& parsed, const Facts& facts) {
  if (const Donor* donor = parsed.donor()) return {donor->parsed, donor->facts};
  return {parsed, facts};
}

/// Statements of the donor at which a range may begin.
std::vector<const Statement*> starts_of(const From& from) {
  std::vector<const Statement*> starts;
  for (const Statement& statement : from.parsed.statements())
    if (from.facts.before.contains(statement.id) && insertion_point(from.parsed, statement))
      starts.push_back(&statement);
  return starts;
}

/// Some function in the range rebinds names of an enclosing scope, which would be other names in the program.
bool declares(const Statement& first, const Statement& last) {
  for (const Node node : nodes_of(first, last))
    if (node.is("nonlocal_statement") || node.is("global_statement")) return true;
  return false;
}

/// The range reads an attribute that the donor sets on some object; the objects that replace it may not have the
/// attribute.
bool reads_given_attribute(const From& from, const Statement& first, const Statement& last) {
  auto names = [](const Subtree& all, bool given) {
    std::set<std::string_view> found;
    for (const Node node : all) {
      const Attribute found_here = attribute(node);
      if (!found_here) continue;
      const bool written = is_target(node);
      if (given ? written : !written && !is_called(node)) found.insert(found_here.name);
    }
    return found;
  };
  const std::set<std::string_view> read = names(nodes_of(first, last), false);
  if (read.empty()) return false;
  const std::set<std::string_view> given = names(nodes_of(from.parsed.tree()), true);
  return std::any_of(read.begin(), read.end(), [&](std::string_view name) { return given.contains(name); });
}

/// A range of the donor that could be made a function, so that it can be moved anywhere.
BodySignature run_from(const From& from, const Statement& first, std::uint64_t more) {
  const Statement* last = &first;
  for (; more > 0; --more)
    if (const Statement* next = next_in_block(from.parsed, *last); next && insertion_point(from.parsed, *next))
      last = next;
  BodySignature run = find_signature(from.parsed, first, *last);
  if (!run) return run;
  if (declares(first, *last)) run.refused = "it declares a name";
  if (reads_given_attribute(from, first, *last)) run.refused = "it reads an attribute that the donor sets";
  // An exception that was raised may have been caught in the donor.
  auto raises = [&](const Statement* statement) {
    return statement->exits.raises || !from.facts.after.contains(statement->id);
  };
  if (std::any_of(run.range.begin(), run.range.end(), raises)) run.refused = "it may raise";
  // A name that an import binds can't be renamed.
  if (from.parsed.source().substr(first.begin, last->end - first.begin).find("import ") != std::string::npos)
    run.refused = "it imports";
  return run;
}

/// Some statement of the donor binds a name, and reads no names of its module except torch.
bool has_run(const From& from) {
  const Scopes& scopes = from.parsed.scopes();
  for (const Statement* start : starts_of(from)) {
    auto run = run_from(from, *start, 0);
    if (!run || run.written.empty()) continue;
    auto uses = scopes.uses_in(start->begin, start->end);
    const std::string torch = torch_name(from.parsed, *start);
    if (std::all_of(uses.begin(), uses.end(), [&](const Use& use) { return use.owner != 0 || use.name == torch; }))
      return true;
  }
  return false;
}

/// Renames the identifiers of a range; gives nothing when some can't be renamed.
class Transplant {
 public:
  Transplant(const From& from, const BodySignature& run, const Parsed& parsed, const Facts& facts,
             const Statement& statement, Choices& choices)
      : from_(from), run_(run), parsed_(parsed), facts_(facts), statement_(statement), choices_(choices) {}

  std::optional<std::vector<std::string>> lines() {
    const Statement& first = run_.first();
    const std::size_t begin = lines_begin(first);
    const std::size_t end = run_.last().end;
    const std::string_view source = from_.parsed.source();
    if (source.substr(begin, end - begin).find(kMark) != std::string_view::npos) return std::nullopt;
    if (has_long_string(first.begin, end)) return std::nullopt;
    const Scopes& scopes = from_.parsed.scopes();
    const int frame = scopes.scope_of(first);
    EditSet edits;
    Node renamed_last;
    for (const Use& use : scopes.uses_in(first.begin, end)) {
      if (use.owner != frame && !known_outside(use)) return std::nullopt;
      // `x += 1` reads and binds the name at one node.
      if (use.owner != frame || use.node == renamed_last) continue;
      renamed_last = use.node;
      std::optional<std::string> name = renamed(first, std::string(use.name));
      if (!name) return std::nullopt;
      if (!edits.add({use.node.begin(), use.node.end(), *name})) return std::nullopt;
    }
    return cut(edits, source, first, begin, end);
  }

  const std::vector<std::string>& bound() const { return bound_; }

 private:
  /// The name means the same in the program: a builtin, torch under its name there, or a name that the range binds in
  /// scopes of its own.
  bool known_outside(const Use& use) const {
    if (use.owner < 0) return parsed_.scopes().resolve(use.name, parsed_.scopes().scope_of(statement_)) < 0;
    const Statement& first = run_.first();
    if (use.owner > 0) return from_.parsed.scopes().scope(use.owner).node.begin() >= first.begin;
    return use.name == torch_name(parsed_, statement_) && use.name == torch_name(from_.parsed, first);
  }

  bool has_long_string(std::size_t begin, std::size_t end) const {
    const std::string_view source = from_.parsed.source();
    for (std::size_t at = source.find('\n', begin); at < end; at = source.find('\n', at + 1))
      if (in_string(from_.parsed, at)) return true;
    return false;
  }

  std::optional<std::string> renamed(const Statement& first, const std::string& name) {
    if (auto known = names_.find(name); known != names_.end()) return known->second;
    const auto& all = run_.written;
    auto binds = std::find_if(all.begin(), all.end(), [&](const WrittenName& one) { return one.name == name; });
    if (binds != all.end() && !binds->comes_in) {
      // The range reads the name before binding it, so it has a value from a place that isn't known.
      if (flow_of(from_.parsed, first, run_.last(), {}).early_reads.contains(name)) return std::nullopt;
      bound_.push_back(name);
      return names_[name] = fmt::format("{0}{1}{0}", kMark, bound_.size() - 1);
    }
    const NameFacts* wanted = from_.facts.find_before(first.id, name);
    if (!wanted) return std::nullopt;
    auto fitting = stand_ins(parsed_, facts_, statement_, *wanted);
    // A name that the range also binds must be a variable of the program's function.
    const int scope = parsed_.scopes().scope_of(statement_);
    if (binds != all.end())
      std::erase_if(fitting, [&](const std::string& one) { return parsed_.scopes().resolve(one, scope) != scope; });
    if (!fitting.empty()) return names_[name] = fmt::format("{0}{1}{0}", kMark, choices_.pick(fitting));
    if (wanted->literal && binds == all.end()) return names_[name] = *wanted->literal;
    return std::nullopt;
  }

  /// The lines of the range after the edits, without their common indentation.
  static std::optional<std::vector<std::string>> cut(const EditSet& edits, std::string_view source,
                                                     const Statement& first, std::size_t begin, std::size_t end) {
    std::string made = edits.apply(source);
    const auto from = edits.map(begin);
    if (!from) return std::nullopt;
    std::string_view text = std::string_view(made).substr(*from, made.size() - *from - (source.size() - end));
    std::vector<std::string> lines;
    for (std::string_view line : split(text, '\n')) {
      if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
      if (!line.starts_with(first.indent)) return std::nullopt;
      lines.emplace_back(line.substr(first.indent.size()));
    }
    return lines;
  }

  From from_;
  const BodySignature& run_;
  const Parsed& parsed_;
  const Facts& facts_;
  const Statement& statement_;
  Choices& choices_;
  std::map<std::string, std::string> names_;
  std::vector<std::string> bound_;
};

/// The first read of a name in the statement's own code that is a plain identifier.
std::optional<Node> read_of(const Parsed& parsed, const Statement& statement, std::string_view name) {
  const int scope = parsed.scopes().scope_of(statement);
  for (const Use& use : parsed.scopes().uses_in(statement.begin, statement.end)) {
    const bool augmented = is_target(use.node) && assignment(use.node.parent()).augmented();
    if (use.name == name && use.kind == Use::Kind::kRead && use.scope == scope && !augmented) return use.node;
  }
  return std::nullopt;
}

/// The name whose first read in the statement is replaced by the name that the range binds under that number.
struct Connection {
  std::string name;
  std::size_t number = 0;

  auto fields() { return std::tie(name, number); }
};

/// Nothing when no types match.
std::optional<Connection> connection(const From& from, const Facts& facts, const Parsed& parsed,
                                     const Statement& statement, const Statement& last,
                                     const std::vector<std::string>& bound, Choices& choices) {
  std::vector<Connection> found;
  auto point = facts.before.find(statement.id);
  if (point == facts.before.end()) return std::nullopt;
  for (std::size_t i = 0; i < bound.size(); ++i) {
    const NameFacts* made = from.facts.find_after(last.id, bound[i]);
    if (!made) continue;
    for (const auto& [name, known] : point->second)
      if (made->kind == "tensor" && stands_for(*made, known) && read_of(parsed, statement, name))
        found.push_back({name, i});
  }
  return found.empty() ? std::nullopt : std::optional(choices.pick(found));
}

/// The lines of a range and its connection.
struct SplicedRange {
  std::optional<Connection> to;
  std::vector<std::string> lines;

  auto fields() { return std::tie(to, lines); }
};

/// Draws ranges, and tries every statement alone when none of them fits.
std::optional<SplicedRange> draw_spliced(const Parsed& parsed, const Facts& facts, const Statement& statement,
                                         Choices& choices) {
  const From from = donor_of(parsed, facts);
  const std::vector<const Statement*> starts = starts_of(from);
  if (starts.empty()) return std::nullopt;
  const std::size_t turn = choices.below(starts.size());
  std::optional<SplicedRange> unconnected;
  for (std::size_t i = 0; i < kDraws + (unconnected ? 0 : starts.size()); ++i) {
    const bool drawn = i < kDraws;
    const Statement& first = drawn ? *choices.pick(starts) : *starts[(turn + i) % starts.size()];
    auto run = run_from(from, first, drawn ? choices.below(kLongestRun) : 0);
    if (!run) continue;
    Transplant transplant(from, run, parsed, facts, statement, choices);
    auto lines = transplant.lines();
    if (!lines || transplant.bound().empty()) continue;
    auto to = connection(from, facts, parsed, statement, run.last(), transplant.bound(), choices);
    if (to) return SplicedRange{to, *lines};
    unconnected = SplicedRange{std::nullopt, *lines};
  }
  return unconnected;
}

/// Whether any single statement of the donor can be inserted before the statement.
bool fits_somewhere(const From& from, const std::vector<const Statement*>& starts, const Parsed& parsed,
                    const Facts& facts, const Statement& statement) {
  return std::any_of(starts.begin(), starts.end(), [&](const Statement* start) {
    auto run = run_from(from, *start, 0);
    if (!run) return false;
    Choices ignored(0);
    Transplant transplant(from, run, parsed, facts, statement, ignored);
    return transplant.lines() && !transplant.bound().empty();
  });
}

class Splice final : public Mutation {
 public:
  Splice()
      : Mutation({"splice", "E", Exactness::kVariation, true, "AFL (splicing), fuzzilli",
                  "code of one program that is compiled in the state that another program has built up"}) {}

  std::vector<Site> sites(const Parsed& parsed, const Facts& facts) const override {
    const From from = donor_of(parsed, facts);
    if (uses_introspection(parsed) || !has_run(from)) return {};
    const auto starts = starts_of(from);
    return statement_sites(parsed, [&](const Statement& statement) {
      return facts.before.contains(statement.id) && insertion_point(parsed, statement) &&
             fits_somewhere(from, starts, parsed, facts, statement);
    });
  }

  EditSet rewrite(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                  int step_number) const override {
    const Statement& statement = *parsed.find(site.statement);
    if (uses_introspection(parsed) || !insertion_point(parsed, statement)) return {};
    auto spliced = choices.note_drawn([&](Choices& inner) { return draw_spliced(parsed, facts, statement, inner); });
    if (!spliced) return {};
    Rewrite rewrite(parsed, step_number);
    std::vector<std::string> fresh;
    auto lines = lines_of(spliced->lines, parsed, statement, rewrite, fresh);
    if (!lines) return {};
    rewrite.before(statement, *lines);
    if (spliced->to && spliced->to->number < fresh.size())
      if (auto read = read_of(parsed, statement, spliced->to->name)) rewrite.replace(*read, fresh[spliced->to->number]);
    return rewrite.edits();
  }

 private:
  /// The recorded lines with the names filled in; nothing when one of the names can't be read here.
  static std::optional<Lines> lines_of(const std::vector<std::string>& texts, const Parsed& parsed,
                                       const Statement& statement, Rewrite& rewrite, std::vector<std::string>& fresh) {
    Lines lines;
    for (const std::string& text : texts) {
      std::string line;
      bool name = true;
      for (std::string_view part : split(text, kMark)) {
        name = !name;
        if (!name) {
          line += part;
          continue;
        }
        const auto number = read_number(part);
        if (!number && !parsed.scopes().readable(statement, part)) return std::nullopt;
        if (number && (*number < 0 || *number >= kMostBound)) return std::nullopt;
        while (number && std::ssize(fresh) <= *number) fresh.push_back(rewrite.name("t"));
        line += number ? fresh[static_cast<std::size_t>(*number)] : part;
      }
      lines.push_back({line});
    }
    if (lines.empty()) return std::nullopt;
    return lines;
  }
};

const Register<Mutation, Splice> registered;

}  // namespace
}  // namespace jp::mutate::splice_mutation
