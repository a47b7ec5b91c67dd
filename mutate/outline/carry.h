// Shared by mutations that move a statement range into a body (of a function, class, generator …): how each name is
// passed into the body and comes back, and the lines around it.
#pragma once

#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/choices.h"
#include "core/facts.h"
#include "core/lineage.h"
#include "mutate/engine/mutation.h"
#include "mutate/outline/extract.h"
#include "mutate/rewrite/rewrite.h"

namespace jp::mutate {

/// Whether a statement may be part of a statement range.
using Fits = std::function<bool(const Statement&)>;
/// Sites at all statement ranges of up to six statements (three if branches or loops are among them; both chosen, not
/// measured) that find_extraction accepts and all of whose statements pass `fits`. The path is the id of the last
/// statement, or "" if the range is one statement. None in a program that uses introspection.
std::vector<Site> extraction_sites(const Parsed& parsed, const Facts& facts, const Fits& fits = {});
/// The extraction at such a site. The names that facts saw bound are recorded.
std::optional<Extraction> draw_extraction(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                                          const Fits& fits = {});

/// A mutation of such statement ranges. draw_site() doesn't test all ranges, which would be slow.
class ExtractionMutation : public Mutation {
 public:
  using Mutation::Mutation;
  std::vector<Site> sites(const Parsed& parsed, const Facts& facts) const final;
  std::optional<Site> draw_site(const Parsed& parsed, const Facts& facts, Choices& choices) const final;

 protected:
  /// The extraction at a site; nothing if the range no longer qualifies.
  std::optional<Extraction> extraction_at(const Parsed& parsed, const Facts& facts, const Site& site,
                                          Choices& choices) const;

 private:
  /// The builtin names in the text that the mutation writes have their usual meaning in this program.
  virtual bool has_words(const Parsed& /*parsed*/) const { return true; }
  /// A further condition on the range's statements, beside those of find_extraction; an empty function for none.
  virtual Fits fits(const Parsed& /*parsed*/) const { return {}; }
};

/// How values of names come back from a body.
enum class Channel { kReturn, kNonlocal, kDict, kList, kAttribute };

/// How the names of a statement range are passed into its body and come back.
struct Carried {
  Channel channel = Channel::kReturn;
  std::vector<std::string> arguments;  // passed in
  std::vector<std::string> results;    // returned by value
  std::vector<std::string> globals;    // declared in the body
  std::vector<std::string> nonlocals;  // declared in the body
  Lines prelude;
  /// The name of the dict, list or object that carries results: inside the body, and where the results are read.
  std::string inner;
  std::string outer;

  /// Lines before the definition.
  Lines before() const;
  /// Lines at the start of the body.
  Lines declarations() const;
  /// Lines at the end of the body; `leave` is the keyword that hands the results out ("return" or "yield").
  Lines deliver(std::string_view leave = "return") const;
  /// Lines that replace the range; `call` is the expression that runs the body.
  Lines fetch(const std::string& call) const;
  /// `RESULTS = call`, or only `call` if no results are returned by value.
  std::string assigned(const std::string& call) const;
};

/// The channels that every body supports, for a draw: return (twice, so that it is drawn twice as often), dict, list,
/// and `nonlocal` unless `alone`.
std::vector<Channel> usual_channels(bool alone);
/// Draws one of the channels, and which names are passed as arguments although they need not be. `alone`: the body
/// doesn't see the variables of the range's function, so all names are passed. `outer` is set only for dicts and lists.
Carried draw_carried(Rewrite& rewrite, const Extraction& extraction, const std::vector<Channel>& channels, bool alone,
                     Choices& choices);

/// The lines around a statement range that becomes a body.
struct Frame {
  Lines before;   // before the definition, in the range's block
  Lines open;     // first lines of the definition, before the body
  int depth = 1;  // indentation of the body within the definition
  Lines close;    // last lines of the definition, after the body
  Lines call;     // replaces the range
};
/// Puts these lines around the range. `outside`: definition and body move to module level, before the module's
/// statement that contains the range.
void enclose(Rewrite& rewrite, const Parsed& parsed, const Extraction& extraction, const Frame& frame, bool outside);

/// The range may be moved to module level: it uses no variables of the functions around it except those that are passed
/// in, and all its results come back by value.
bool stands_alone(const Parsed& parsed, const Extraction& extraction);
/// The module-level statement that contains the statement.
const Statement& outermost(const Parsed& parsed, const Statement& statement);
/// A name for a parameter: `base` if the range doesn't use it, otherwise a fresh name.
std::string own_name(Rewrite& rewrite, const Parsed& parsed, const Extraction& extraction, std::string_view base);
/// The node has a name that Python would mangle inside a class (`__name`).
bool has_mangled_name(const Node& node);

/// No scope of the file binds the name, so it is the builtin everywhere.
bool means_builtin(const Parsed& parsed, std::string_view name);
/// StopIteration may be raised in the node or caught somewhere in the file. That exception ends a loop, or turns into
/// RuntimeError, when it leaves a generator.
bool may_stop_iteration(const Parsed& parsed, const Node& node);
/// The node contains an identifier with one of these texts, as a name, an attribute or a keyword.
bool mentions_any(const Node& node, std::initializer_list<std::string_view> words);

}  // namespace jp::mutate
