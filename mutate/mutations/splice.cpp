// A run of statements of another program (Parsed::donor(), else of the program itself) is put before a statement and
// connected by type: what it reads becomes live names of the same dtype, shape and layout that want gradients alike;
// integers only such as lie within the range of those that were there, since they may be indices; what it binds gets
// fresh names, one of which is read in the place of a name of its type:
//
//     v3 = v0 + v1                 v3 = v0 + v1
//     return v3                    t7 = torch.flip(v3, [0])        # v2 = torch.flip(v9, [0]) there
//                                  return t7
//
// The run comes along as a note: its names that were live there as $name$, those that it binds as $0$, $1$, ... Site:
// the statement behind it.
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
#include "mutate/outline/extract.h"
#include "mutate/rewrite/rewrite.h"

namespace jp::mutate {
namespace {

constexpr std::size_t kLongestRun = 5;
constexpr std::size_t kDraws = 12;
constexpr char kMark = '$';

/// Every element of one lies between the other's.
bool within(const NameFacts& one, const NameFacts& other) {
  if (one.shape == other.shape && element_count(*one.shape) == 0) return true;
  return one.minimum && one.maximum && other.minimum && other.maximum && *one.minimum >= *other.minimum &&
         *one.maximum <= *other.maximum;
}

/// Whether a live name can stand for another that a run read.
bool stands_for(const NameFacts& one, const NameFacts& wanted) {
  if (one.kind != wanted.kind) return false;
  if (one.kind == "float") return true;
  // Other numbers may be sizes or places.
  if (one.kind == "int" || one.kind == "bool") return one.literal && one.literal == wanted.literal;
  if (one.kind != "tensor" || !alike(one, wanted) || one.strides != wanted.strides) return false;
  if (one.overlaps_itself != wanted.overlaps_itself) return false;
  const bool leaf = *one.requires_grad && one.is_leaf.value_or(true);
  if (leaf && !wanted.is_leaf.value_or(false)) return false;
  return !is_integral(*one.dtype) || *one.dtype == Dtype::kBool || within(one, wanted);
}

/// Names that are plain words, known, and may be read at the statement.
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

/// Statements of the donor at which a run may begin.
std::vector<const Statement*> starts_of(const From& from) {
  std::vector<const Statement*> starts;
  for (const Statement& statement : from.parsed.statements())
    if (from.facts.before.contains(statement.id) && insertion_point(from.parsed, statement))
      starts.push_back(&statement);
  return starts;
}

/// Some function in the run binds names around it, which would get others there.
bool declares(const From& from, const Statement& first, const Statement& last) {
  for (int i = first.node.index(); i < last.node.past(); ++i) {
    const Node node = from.parsed.tree().node(i);
    if (node.is("nonlocal_statement") || node.is("global_statement")) return true;
  }
  return false;
}

/// The run reads an attribute that the donor gives to some object: those that stand in for it elsewhere may have none.
bool reads_given_attribute(const From& from, const Statement& first, const Statement& last) {
  const Tree& tree = from.parsed.tree();
  auto names = [&](int begin, int end, bool given) {
    std::set<std::string_view> found;
    for (int i = begin; i < end; ++i) {
      const Node node = tree.node(i);
      if (!node.is("attribute")) continue;
      const bool called = node.parent().is("call") && node.field_name() == "function";
      const bool written = node.field_name() == "left";
      if (given ? written : !written && !called) found.insert(node.field("attribute").text());
    }
    return found;
  };
  const std::set<std::string_view> read = names(first.node.index(), last.node.past(), false);
  if (read.empty()) return false;
  const std::set<std::string_view> given = names(0, tree.size(), true);
  return std::any_of(read.begin(), read.end(), [&](std::string_view name) { return given.contains(name); });
}

/// A run of the donor that could be a function there, so that it can stand anywhere.
std::optional<Extraction> run_from(const From& from, const Statement& first, std::uint64_t more) {
  const Statement* last = &first;
  for (; more > 0; --more)
    if (const Statement* next = next_in_block(from.parsed, *last); next && insertion_point(from.parsed, *next))
      last = next;
  auto run = find_extraction(from.parsed, first, *last, {}, {});
  if (!run || declares(from, first, *last) || reads_given_attribute(from, first, *last)) return std::nullopt;
  // What was raised may have been caught there.
  auto raises = [&](const Statement* statement) {
    return statement->exits.raises || !from.facts.after.contains(statement->id);
  };
  if (std::any_of(run->run.begin(), run->run.end(), raises)) return std::nullopt;
  // An imported name can't get another one.
  const bool imports =
      from.parsed.source().substr(first.begin, last->end - first.begin).find("import ") != std::string::npos;
  return imports ? std::nullopt : run;
}

/// Some statement of the donor binds a name and reads none of its module but torch.
bool has_run(const From& from) {
  const Scopes& scopes = from.parsed.scopes();
  for (const Statement* start : starts_of(from)) {
    auto run = run_from(from, *start, 0);
    if (!run || run->bound.empty()) continue;
    auto uses = scopes.uses_in(start->begin, start->end);
    const std::string torch = torch_name(from.parsed, *start);
    if (std::all_of(uses.begin(), uses.end(), [&](const Use& use) { return use.owner != 0 || use.name == torch; }))
      return true;
  }
  return false;
}

/// Renames the identifiers of a run; nothing when some can't be.
class Transplant {
 public:
  Transplant(const From& from, const Extraction& run, const Parsed& parsed, const Facts& facts,
             const Statement& statement, Choices& choices)
      : from_(from), run_(run), parsed_(parsed), facts_(facts), statement_(statement), choices_(choices) {}

  std::optional<std::string> text() {
    const Statement& first = *run_.run.front();
    const std::size_t begin = lines_begin(first);
    const std::size_t end = run_.run.back()->end;
    const std::string_view source = from_.parsed.source();
    if (source.substr(begin, end - begin).find(kMark) != std::string_view::npos) return std::nullopt;
    if (has_long_string(first.begin, end)) return std::nullopt;
    const Scopes& scopes = from_.parsed.scopes();
    const int frame = scopes.scope_of(first);
    EditSet edits;
    for (const Use& use : scopes.uses_in(first.begin, end)) {
      if (use.owner != frame && !known_outside(use)) return std::nullopt;
      if (use.owner != frame) continue;
      std::optional<std::string> name = renamed(first, std::string(use.name));
      if (!name) return std::nullopt;
      if (!edits.add({use.node.begin(), use.node.end(), *name})) return std::nullopt;
    }
    return cut(edits, source, first, begin, end);
  }

  const std::vector<std::string>& bound() const { return bound_; }

 private:
  /// Builtins, torch under the name that it has here too, and what the run binds in scopes of its own.
  bool known_outside(const Use& use) const {
    if (use.owner < 0) return parsed_.scopes().resolve(use.name, parsed_.scopes().scope_of(statement_)) < 0;
    const Statement& first = *run_.run.front();
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
    const auto& all = run_.bound;
    auto binds = std::find_if(all.begin(), all.end(), [&](const BoundName& one) { return one.name == name; });
    if (binds != all.end() && !binds->comes_in) {
      // It is read before: the run has it from somewhere that it doesn't tell.
      if (flow_of(from_.parsed, first, *run_.run.back(), {}).early_reads.contains(name)) return std::nullopt;
      bound_.push_back(name);
      return names_[name] = fmt::format("{0}{1}{0}", kMark, bound_.size() - 1);
    }
    const NameFacts* wanted = from_.facts.find_before(first.id, name);
    if (!wanted) return std::nullopt;
    auto fitting = stand_ins(parsed_, facts_, statement_, *wanted);
    // A name that the run binds as well must be the function's own there.
    const int scope = parsed_.scopes().scope_of(statement_);
    if (binds != all.end())
      std::erase_if(fitting, [&](const std::string& one) { return parsed_.scopes().resolve(one, scope) != scope; });
    if (!fitting.empty()) return names_[name] = fmt::format("{0}{1}{0}", kMark, choices_.pick(fitting));
    if (wanted->literal && binds == all.end()) return names_[name] = *wanted->literal;
    return std::nullopt;
  }

  /// The run's lines with the edits made, from its own indentation on.
  static std::optional<std::string> cut(const EditSet& edits, std::string_view source, const Statement& first,
                                        std::size_t begin, std::size_t end) {
    std::string made = edits.apply(source);
    const auto from = edits.map(begin);
    if (!from) return std::nullopt;
    std::string_view text = std::string_view(made).substr(*from, made.size() - *from - (source.size() - end));
    std::string lines;
    while (!text.empty()) {
      std::size_t stop = std::min(text.find('\n'), text.size());
      std::string_view line = text.substr(0, stop);
      text.remove_prefix(std::min(stop + 1, text.size()));
      if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
      if (!line.starts_with(first.indent)) return std::nullopt;
      lines += fmt::format("{}\n", line.substr(first.indent.size()));
    }
    return lines;
  }

  From from_;
  const Extraction& run_;
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
    const bool augmented = use.node.parent().is("augmented_assignment") && use.node.field_name() == "left";
    if (use.name == name && use.kind == Use::Kind::kRead && use.scope == scope && !augmented) return use.node;
  }
  return std::nullopt;
}

/// "READ NUMBER": the name whose first read in the statement gives way to what the run binds as that number; "" when
/// no type fits.
std::string connection(const From& from, const Facts& facts, const Parsed& parsed, const Statement& statement,
                       const Statement& last, const std::vector<std::string>& bound, Choices& choices) {
  std::vector<std::string> found;
  auto point = facts.before.find(statement.id);
  if (point == facts.before.end()) return "";
  for (std::size_t i = 0; i < bound.size(); ++i) {
    const NameFacts* made = from.facts.find_after(last.id, bound[i]);
    if (!made) continue;
    for (const auto& [name, known] : point->second)
      if (made->kind == "tensor" && stands_for(*made, known) && read_of(parsed, statement, name))
        found.push_back(fmt::format("{} {}", name, i));
  }
  return found.empty() ? "" : choices.pick(found);
}

/// A connection in the first line, then the run's lines. Runs are drawn, and when none of them fits every statement is
/// tried alone.
std::string note_splice(const Parsed& parsed, const Facts& facts, const Statement& statement, Choices& choices) {
  const From from = donor_of(parsed, facts);
  const std::vector<const Statement*> starts = starts_of(from);
  if (starts.empty()) return "";
  const std::size_t turn = choices.below(starts.size());
  std::string unconnected;
  for (std::size_t i = 0; i < kDraws + (unconnected.empty() ? starts.size() : 0); ++i) {
    const bool drawn = i < kDraws;
    const Statement& first = drawn ? *choices.pick(starts) : *starts[(turn + i) % starts.size()];
    auto run = run_from(from, first, drawn ? choices.below(kLongestRun) : 0);
    if (!run) continue;
    Transplant transplant(from, *run, parsed, facts, statement, choices);
    auto text = transplant.text();
    if (!text || transplant.bound().empty()) continue;
    std::string to = connection(from, facts, parsed, statement, *run->run.back(), transplant.bound(), choices);
    if (!to.empty()) return fmt::format("{}\n{}", to, *text);
    unconnected = fmt::format("\n{}", *text);
  }
  return unconnected;
}

/// Whether one of the donor's statements alone can stand before the statement.
bool fits_somewhere(const From& from, const std::vector<const Statement*>& starts, const Parsed& parsed,
                    const Facts& facts, const Statement& statement) {
  return std::any_of(starts.begin(), starts.end(), [&](const Statement* start) {
    auto run = run_from(from, *start, 0);
    if (!run) return false;
    Choices ignored(0);
    Transplant transplant(from, *run, parsed, facts, statement, ignored);
    return transplant.text() && !transplant.bound().empty();
  });
}

class Splice final : public Mutation {
 public:
  Splice()
      : Mutation({"splice", "E", Exactness::kVariation, true, "AFL (splicing), fuzzilli",
                  "what one program brought the compiler to, in the state that another one has made"}) {}

  std::vector<Site> sites(const Parsed& parsed, const Facts& facts) const override {
    std::vector<Site> found;
    const From from = donor_of(parsed, facts);
    if (uses_introspection(parsed) || !has_run(from)) return found;
    const auto starts = starts_of(from);
    for (const Statement& statement : parsed.statements())
      if (facts.before.contains(statement.id) && insertion_point(parsed, statement) &&
          fits_somewhere(from, starts, parsed, facts, statement))
        found.push_back({statement.id, ""});
    return found;
  }

  EditSet rewrite(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                  int step_number) const override {
    const Statement& statement = *parsed.find(site.statement);
    if (uses_introspection(parsed) || !insertion_point(parsed, statement)) return {};
    std::uint64_t seed = choices.below(std::uint64_t{1} << 62);
    std::string note = choices.note([&] {
      Choices inner(seed);
      return note_splice(parsed, facts, statement, inner);
    });
    std::size_t head = note.find('\n');
    if (head == std::string::npos) return {};
    Rewrite rewrite(parsed, step_number);
    std::vector<std::string> fresh;
    auto lines = lines_of(note.substr(head + 1), parsed, statement, rewrite, fresh);
    if (!lines) return {};
    rewrite.before(statement, *lines);
    std::size_t space = note.find(' ');
    if (space < head) {
      const std::size_t number = static_cast<std::size_t>(std::atoi(note.c_str() + space + 1));
      if (auto read = read_of(parsed, statement, note.substr(0, space)); read && number < fresh.size())
        rewrite.replace(*read, fresh[number]);
    }
    return rewrite.edits();
  }

 private:
  /// The note's lines with names put in; nothing when one of them can't be read here.
  static std::optional<Lines> lines_of(std::string_view text, const Parsed& parsed, const Statement& statement,
                                       Rewrite& rewrite, std::vector<std::string>& fresh) {
    Lines lines;
    while (!text.empty()) {
      std::size_t stop = std::min(text.find('\n'), text.size());
      std::string_view rest = text.substr(0, stop);
      text.remove_prefix(std::min(stop + 1, text.size()));
      std::string line;
      for (bool name = false; !rest.empty(); name = !name) {
        std::size_t mark = std::min(rest.find(kMark), rest.size());
        std::string_view part = rest.substr(0, mark);
        rest.remove_prefix(std::min(mark + 1, rest.size()));
        if (!name) {
          line += part;
        } else if (!part.empty() && part[0] >= '0' && part[0] <= '9') {
          const auto number = static_cast<std::size_t>(std::atoi(std::string(part).c_str()));
          while (fresh.size() <= number && number < 100) fresh.push_back(rewrite.name("t"));
          if (number >= fresh.size()) return std::nullopt;
          line += fresh[number];
        } else {
          if (!parsed.scopes().readable(statement, part)) return std::nullopt;
          line += part;
        }
      }
      lines.push_back({line});
    }
    if (lines.empty()) return std::nullopt;
    return lines;
  }
};

const Register<Mutation, Splice> registered;

}  // namespace
}  // namespace jp::mutate
