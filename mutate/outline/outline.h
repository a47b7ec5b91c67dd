// A statement range that becomes a function with arguments and results, which is then called by something else: a
// transform of torch, its control flow operators, a checkpoint, a compiler.
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

/// The statement range of a site (with a path as in rewrite/statement_ranges.h, but never "empty") as a function that
/// returns all its results. Nothing if it can't become one, or if statements can't be inserted there.
std::optional<Outline> find_outline(const Parsed& parsed, const Site& site);

/// The range reads no names of the file except its arguments and the module's torch.
bool is_closed(const Parsed& parsed, const Outline& outline);

/// Every statement of the range is `name = expression`, and the expressions consist of names, constants and pure
/// functions of torch or methods of tensors: no side effects and no randomness.
bool is_pure(const Parsed& parsed, const Outline& outline);

/// The range binds the name, which must then be a parameter of the function.
bool rebound(const Parsed& parsed, const Outline& outline, std::string_view name);

/// A mutation of ranges of up to four statements (chosen, not measured), each an assignment. draw_site() doesn't test
/// all ranges, which would be slow.
class OutlineMutation : public Mutation {
 public:
  using Mutation::Mutation;
  std::vector<Site> sites(const Parsed& parsed, const Facts& facts) const final;
  std::optional<Site> draw_site(const Parsed& parsed, const Facts& facts, Choices& choices) const final;

 private:
  /// The mutation applies to the range. Facts are not empty if the mutation needs them.
  virtual bool fits(const Parsed& parsed, const Facts& facts, const Outline& outline) const = 0;
  bool may_take(const Parsed& parsed, const Facts& facts, const Site& site) const;
};

/// Makes the range the body of `def function(parameters):`, with a `return` at its end, followed by `results = call`.
/// `prelude` comes before the `def`, `more` between the function and the call.
void put_outline(Rewrite& rewrite, const Outline& outline, const std::string& function,
                 const std::vector<std::string>& parameters, const Lines& prelude, const Lines& more,
                 const std::string& call);

}  // namespace jp::mutate
