// Clones in the graph: where a statement reads a tensor for its value, a clone that was made just before it may be read
// instead, and overwritten and restored first.
//
// Gradients pass through the clone. A tensor's gradients are summed in the order in which autograd's nodes run, which
// is the reverse of the order in which they were made; the clone is made just before the statement, so that its node
// keeps the place of the statement's if the statement reads the tensor only once, under this name and no other.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/choices.h"
#include "core/facts.h"
#include "mutate/engine/mutation.h"
#include "mutate/facts/save_restore.h"

namespace jp::mutate {

/// What begins the path of a site at such a read; the read's number among plain_reads() follows.
inline constexpr std::string_view kClonePath = "clone";

/// A read, and the tensor that is read there.
struct ClonedRead {
  Node node;
  ClobberedTensor tensor;  // without a gap
};

/// The reads of tensors at which a clone may stand, in programs in which something requires gradients: elsewhere the
/// tensors themselves are overwritten (save_restore.h).
std::vector<Site> clone_sites(const Parsed& parsed, const Facts& facts);
/// The read at such a site, recorded. Nothing if it is none any more.
std::optional<ClonedRead> draw_clone(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices);

/// Puts the lines of both halves before the statement, behind `clone = NAME.clone()`, and the clone in the place of the
/// read.
void put_clone(Rewrite& rewrite, const Statement& statement, const ClonedRead& read, const std::string& clone,
               const Half& first, const Half& second, Choices& choices);

}  // namespace jp::mutate
