// Tensors that facts saw before or after a statement and that the program's text can name there.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/choices.h"
#include "core/facts.h"
#include "mutate/syntax/syntax.h"

namespace jp::mutate {

/// A tensor by name; its facts live as long as the Facts that it was taken from.
struct LiveTensor {
  std::string name;
  const NameFacts* facts = nullptr;
};

/// Plain tensors before the statement whose dtype, shape, strides and requires_grad are known, sorted by name.
std::vector<LiveTensor> live_tensors(const Parsed& parsed, const Facts& facts, const Statement& statement);
/// The same after the statement, for names that can be read before it.
std::vector<LiveTensor> live_after(const Parsed& parsed, const Facts& facts, const Statement& statement);

/// The tensor that an assignment (plain or augmented) to one local name has bound, by the facts after it. Nothing if it
/// is complex, overlaps itself, or is a leaf that requires grad.
std::optional<LiveTensor> bound_tensor(const Parsed& parsed, const Facts& facts, const Statement& statement);
/// The statement assigns what an operator or a module gives in new memory, which nothing else holds.
bool assigns_new_memory(const Parsed& parsed, const Facts& facts, const Statement& statement);
/// The value that the statement assigns to the name may alias storage that is reachable only outside this frame, which
/// facts don't show: the name's earlier value (`x = x.to(d)`, `x = self.drop(x)`, `x += 1`), which callers and
/// containers may hold; an attribute's value or a view of it (`x = self.w`, `x = self.w.t()`); a value taken out of a
/// container or by name (`x = rows.popleft()`, `x = getattr(self, "w")`); the memory of an array
/// (`x = torch.from_numpy(n)`); or what code of the file gives that keeps values (own_code.h).
bool may_hold_anothers(const Parsed& parsed, const Facts& facts, const Statement& statement, std::string_view name);
/// The name may be bound to a copy after that assignment: no other reference to the tensor's storage is known, and
/// elementwise operators of torch preserve its layout.
bool may_rebind(const Parsed& parsed, const Facts& facts, const Statement& statement, const LiveTensor& target);
/// By the facts of a name, it may hold tensors that they don't show: they stop at 64 items.
bool may_hold_unseen(const NameFacts& known);
/// Tensors may be written in place: neither backward nor the program checks version counters.
bool may_write(const Parsed& parsed, const Facts& facts);

/// The name is local to the statement's own function, so it may be bound again there.
bool binds_itself(const Parsed& parsed, const Statement& statement, const std::string& name);

/// An element whose value the facts know: its text ("v0[1, 2]", or "v0" for a 0-d tensor) and its value.
struct KnownElement {
  std::string text;
  double value = 0;
};
std::optional<KnownElement> draw_element(const LiveTensor& tensor, Choices& choices);

/// The least and the greatest element over all visits. Only for a tensor that is bounded().
double lowest(const NameFacts& facts);
double highest(const NameFacts& facts);
/// All elements are known to be finite and at most `most` in magnitude at every visit. False for complex and empty
/// tensors.
bool bounded(const NameFacts& facts, double most);
/// The largest magnitude among the elements. Only for a tensor that is bounded().
double magnitude(const NameFacts& facts);

}  // namespace jp::mutate
