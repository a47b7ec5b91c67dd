// The calling convention of a body that a statement range becomes, and the writer of the lines around it: how each name
// of the signature is passed in and comes back.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/choices.h"
#include "mutate/outline/signature.h"
#include "mutate/rewrite/rewrite.h"

namespace jp::mutate {

/// The lines around a statement range that becomes a body.
struct Body {
  Lines before;          // before the definition, in the range's block
  Lines open;            // first lines of the definition, before the body
  int depth = 1;         // indentation of the body within the definition
  Lines close;           // last lines of the definition, after the body
  Lines call;            // replaces the range
  bool outside = false;  // definition and body move to module level, before the module's statement that has the range

  /// All lines before the body where it stays in the range's block.
  Lines opening() const { return before + open; }
};
/// Puts the lines around the range. The only writer of bodies.
void write_body(Rewrite& rewrite, const Parsed& parsed, const BodySignature& signature, const Body& body);

/// How values of names come back from a body.
enum class Channel { kReturn, kNonlocal, kDict, kList, kAttribute };

/// How the names of a signature are passed into its body and come back.
struct Convention {
  Convention() = default;
  /// Everything that must be passed is; names that are only read are captured. `outside`: the body doesn't see the
  /// variables of the range's function.
  Convention(const BodySignature& signature, Channel channel, bool outside);

  Channel channel = Channel::kReturn;
  bool outside = false;
  std::vector<std::string> arguments;  // passed in
  std::vector<std::string> results;    // returned by value
  std::vector<std::string> globals;    // declared in the body
  std::vector<std::string> nonlocals;  // declared in the body
  Lines prelude;
  /// The name of the dict, list or object that carries results: inside the body, and where the results are read.
  std::string inner;
  std::string outer;

  /// The results are the value of the expression that runs the body.
  bool direct() const;
  /// "NAME(a, b)" with the arguments: both the head of a `def` and its call.
  std::string call_of(std::string_view name) const;
  /// Lines at the start of the body.
  Lines declarations() const;
  /// Lines at the end of the body; `leave` is the keyword that hands the results out ("return" or "yield").
  Lines deliver(std::string_view leave = "return") const;
  /// Lines that replace the range; `call` is the expression that runs the body.
  Lines fetch(const std::string& call) const;
  /// A body that ends by handing out the results, under the lines of its definition. The lines that replace the range
  /// are missing.
  Body body(const Lines& definition, int depth = 1) const;
};

/// The channels that every body supports, for a draw: return (twice, so that it is drawn twice as often), dict, list,
/// and `nonlocal` unless `outside`.
std::vector<Channel> usual_channels(bool outside);
/// Draws one of the channels, and which names are passed as arguments although they need not be (all if `outside`).
/// `outer` is set only for dicts and lists.
Convention draw_convention(Rewrite& rewrite, const BodySignature& signature, const std::vector<Channel>& channels,
                           bool outside, Choices& choices);

/// The range may be moved to module level: it uses no variables of the functions around it except those that are passed
/// in, and all its results come back by value.
bool stands_alone(const Parsed& parsed, const BodySignature& signature);
/// The module-level statement that contains the statement.
const Statement& outermost(const Parsed& parsed, const Statement& statement);
/// A name for a parameter: `base` if the range doesn't use it, otherwise a fresh name.
std::string own_name(Rewrite& rewrite, const Parsed& parsed, const BodySignature& signature, std::string_view base);

}  // namespace jp::mutate
