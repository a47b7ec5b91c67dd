// Tensors that are live before a statement, as facts saw them and as the program's text can name them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/choices.h"
#include "core/facts.h"
#include "mutate/syntax/syntax.h"

namespace jp::mutate {

struct LiveTensor {
  std::string name;
  const NameFacts* facts = nullptr;
};

/// Plain tensors whose dtype, layout and requires_grad are known, by name.
std::vector<LiveTensor> live_tensors(const Parsed& parsed, const Facts& facts, const Statement& statement);
/// The same behind the statement, of names that could be read before it.
std::vector<LiveTensor> live_after(const Parsed& parsed, const Facts& facts, const Statement& statement);

/// What facts say behind an assignment (plain or augmented) of the one name that it binds in its own function: a tensor
/// that is neither complex, nor overlaps itself, nor collects gradients.
std::optional<LiveTensor> bound_tensor(const Parsed& parsed, const Facts& facts, const Statement& statement);
/// The statement assigns to the name what may be a tensor that others hold, whom facts don't show because no name here
/// is theirs: what the name held before (`x = x.to(d)`, `x = self.drop(x)`, `x += 1`: callers and containers may hold
/// it), an attribute's value or a view of it (`x = self.w`, `x = self.w.t()`), what was taken out of a container
/// (`x = rows.popleft()`).
bool may_hold_anothers(const Parsed& parsed, const Statement& statement, std::string_view name);
/// Behind that assignment nobody else holds the tensor's storage, and torch keeps its layout when it computes
/// elementwise: the name may be bound to a copy.
bool may_rebind(const Parsed& parsed, const Facts& facts, const Statement& statement, const LiveTensor& target);
/// Tensors may be written to: no version is checked, by backward or by the program.
bool may_write(const Parsed& parsed, const Facts& facts);

/// The statement's own function binds the name: it may be bound once more there.
bool binds_itself(const Parsed& parsed, const Statement& statement, const std::string& name);

/// An element that facts know, drawn: its text ("v0[1, 2]", "v0" for a scalar) and its value; nothing without elements.
struct KnownElement {
  std::string text;
  double value = 0;
};
std::optional<KnownElement> draw_element(const LiveTensor& tensor, Choices& choices);

/// Elements are known to be finite and no larger than `most`. False for complex and empty tensors.
bool bounded(const NameFacts& facts, double most);
/// The largest magnitude among the elements, of a tensor that is `bounded`.
double magnitude(const NameFacts& facts);

}  // namespace jp::mutate
