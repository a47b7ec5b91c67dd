// What mutations share that put a run of statements into the body of something: the run's names as a note, how each
// name goes in and comes back, and the lines around the run.
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

/// Whether a statement may be part of a run.
using Fits = std::function<bool(const Statement&)>;
/// Every run of up to six statements (three with branches or loops among them) that find_extraction takes and all of
/// which `fits`. The path is the id of the run's last statement, "" for the first one alone. None in a program that
/// watches itself.
std::vector<Site> extraction_sites(const Parsed& parsed, const Facts& facts, const Fits& fits = {});
/// The extraction at such a site; what facts know of its names is noted.
std::optional<Extraction> draw_extraction(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                                          const Fits& fits = {});

/// A mutation of such runs. A site is drawn without asking of all runs whether they will do.
class ExtractionMutation : public Mutation {
 public:
  using Mutation::Mutation;
  std::vector<Site> sites(const Parsed& parsed, const Facts& facts) const final;
  std::optional<Site> draw_site(const Parsed& parsed, const Facts& facts, Choices& choices) const final;

 protected:
  /// The run of a site, if it still will do.
  std::optional<Extraction> extraction_at(const Parsed& parsed, const Facts& facts, const Site& site,
                                          Choices& choices) const;

 private:
  /// The words that it writes mean in this program what they should.
  virtual bool has_words(const Parsed& /*parsed*/) const { return true; }
  /// What may be part of a run, beside what find_extraction asks.
  virtual Fits fits(const Parsed& /*parsed*/) const { return {}; }
};

/// How names come back from a body.
enum class ReturnChannel { kReturn, kNonlocal, kDict, kList, kAttribute };

/// How the names of a run go into its body and come back.
struct Carried {
  ReturnChannel way = ReturnChannel::kReturn;
  std::vector<std::string> arguments;  // handed over
  std::vector<std::string> results;    // come back by value
  std::vector<std::string> globals;    // declared in the body
  std::vector<std::string> nonlocals;  // declared in the body
  Lines prelude;
  /// The dict, list or object that carries results: its name in the body, and where the results are taken.
  std::string inner;
  std::string outer;

  /// Before the definition.
  Lines before() const;
  /// At the body's begin.
  Lines declarations() const;
  /// At the body's end; `leave` is the word that gives results away ("return", "yield").
  Lines deliver(std::string_view leave = "return") const;
  /// In the run's place, with the expression that runs the body.
  Lines fetch(const std::string& call) const;
  /// The same with `RESULTS = ` or nothing left of the call.
  std::string assigned(const std::string& call) const;
};

/// Draws one of the ways, and which names are handed over that need not be. `alone`: the body sees none of the run's
/// function, so all is handed over. `outer` is set for dicts and lists only.
Carried draw_carried(Rewrite& rewrite, const Extraction& extraction, const std::vector<ReturnChannel>& ways, bool alone,
                     Choices& choices);

/// The lines around a run that becomes a body.
struct Frame {
  Lines before;   // beside the run, before the definition
  Lines open;     // of the definition, before the body
  int depth = 1;  // the body's, in the definition
  Lines close;    // of the definition, behind the body
  Lines call;     // in the run's place
};
/// Puts them there: around the run, or with definition and body moved out before the statement of the module in which
/// the run stands.
void enclose(Rewrite& rewrite, const Parsed& parsed, const Extraction& extraction, const Frame& frame, bool outside);

/// The run may stand at the module's level: it uses nothing of the functions around it but what it is handed, and gives
/// all back by value.
bool stands_alone(const Parsed& parsed, const Extraction& extraction);
/// The statement of the module in which the run stands.
const Statement& outermost(const Parsed& parsed, const Statement& statement);
/// A parameter's name: `base` where the run does not use it, else a fresh one.
std::string own_name(Rewrite& rewrite, const Parsed& parsed, const Extraction& extraction, std::string_view base);
/// Some name in the node would be mangled by a class around it.
bool has_mangled_name(const Parsed& parsed, const Node& node);

/// The name is nobody's in the file, so it means Python's own thing everywhere.
bool means_builtin(const Parsed& parsed, std::string_view name);
/// The node, or a handler somewhere, may have to do with StopIteration, which ends a loop or becomes another exception
/// when it leaves a generator.
bool may_stop_iteration(const Parsed& parsed, const Node& node);
/// An identifier with one of those texts stands in the node, be it a name, an attribute or a keyword.
bool mentions_any(const Parsed& parsed, const Node& node, std::initializer_list<std::string_view> words);

/// Appends.
void add(Lines& to, const Lines& lines);

}  // namespace jp::mutate
