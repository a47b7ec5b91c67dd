// A run of statements that becomes a function with arguments and results, which something else calls in its place:
// torch's transforms, its control flow, a checkpoint, a compiler.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/facts.h"
#include "mutate/engine/mutation.h"
#include "mutate/rewrite/rewrite.h"
#include "mutate/syntax/syntax.h"

namespace jp::mutate {

struct Outline {
  const Statement* first = nullptr;
  const Statement* last = nullptr;
  std::vector<std::string> arguments;
  std::vector<std::string> results;  // at least one
};

/// The assignment that a statement is, or no node.
Node assignment_of(const Statement& statement);

/// The run of a site (its path as in runs.h, never "empty") as a function whose results all come back by `return`;
/// nothing when it can't be one or stands where statements can't be put.
std::optional<Outline> find_outline(const Parsed& parsed, const Site& site);

/// The run reads nothing of the file but its arguments and the module's torch.
bool is_closed(const Parsed& parsed, const Outline& outline);

/// Every assignment of the run is `name = expression`, and the expressions are made of names, constants and functions
/// of torch or methods that compute a tensor from tensors: no effects, no chance, no views asked for.
bool is_pure(const Parsed& parsed, const Outline& outline);

/// The run binds the name too: it must be a parameter then.
bool rebound(const Parsed& parsed, const Outline& outline, std::string_view name);

/// A mutation of runs of up to four statements, each an assignment. A site is drawn without asking of all runs whether
/// they will do.
class OutlineMutation : public Mutation {
 public:
  using Mutation::Mutation;
  std::vector<Site> sites(const Parsed& parsed, const Facts& facts) const final;
  std::optional<Site> draw_site(const Parsed& parsed, const Facts& facts, Choices& choices) const final;

 private:
  /// The run may be taken. There are facts, if the mutation needs any.
  virtual bool fits(const Parsed& parsed, const Facts& facts, const Outline& outline) const = 0;
  bool may_take(const Parsed& parsed, const Facts& facts, const Site& site) const;
};

/// The run as the body of `def function(parameters):`, with `return`, and behind it `results = call`. `prelude` comes
/// before the `def`, `more` between the function and the call.
void put_outline(Rewrite& rewrite, const Outline& outline, const std::string& function,
                 const std::vector<std::string>& parameters, const Lines& prelude, const Lines& more,
                 const std::string& call);

}  // namespace jp::mutate
