// Overwriting a live tensor for a while: which tensors may be, and until which statement nobody looks.
//
// A tensor may be overwritten when its own elements don't overlap and no tensor of the whole run requires grad (a write
// would bump a version that backward checks). The gap in which it stays overwritten is made of statements that
// surely don't depend on it or on any alias: plain assignments whose right side only has names of numbers and of
// tensors in other storages, the functions of torch, and methods of such tensors.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/choices.h"
#include "core/dtype.h"
#include "core/facts.h"
#include "mutate/engine/mutation.h"
#include "mutate/rewrite/rewrite.h"
#include "mutate/syntax/syntax.h"

namespace jp::mutate {

/// A tensor to overwrite, right before a statement.
struct ClobberedTensor {
  std::string name;
  Dtype dtype = Dtype::kFloat32;
  std::vector<std::int64_t> shape;  // at least one element
  bool contiguous = false;
  /// The last statement of the gap, which begins with the statement itself; nullptr when the gap is empty.
  const Statement* gap_end = nullptr;

  std::int64_t count() const;
};

/// No tensor that any statement of the run saw requires grad, as far as known; an unknown one counts as if it did.
bool no_gradients(const Facts& facts);
/// What facts say of a tensor that is safe to overwrite before the statement (or to write in another way), or nullptr.
const NameFacts* writable(const Parsed& parsed, const Facts& facts, const Statement& statement,
                          const std::string& name);

/// Every place where something may be overwritten.
std::vector<Site> save_restore_sites(const Parsed& parsed, const Facts& facts);
/// A victim before the statement, drawn, as a note: "" when there is none.
std::string note_clobbered(const Parsed& parsed, const Facts& facts, const Statement& statement, Choices& choices);
/// The note read back; nothing when the name can't be read there or the gap is gone.
std::optional<ClobberedTensor> read_clobbered(const Parsed& parsed, const Statement& statement, std::string_view note);

/// A value to write: "3.5", "7", "True".
std::string draw_value(Dtype dtype, Choices& choices);
/// Puts one half before the statement and the other behind the gap.
void put_halves(Rewrite& rewrite, const Statement& statement, const ClobberedTensor& clobbered, Lines first,
                const Lines& second);

}  // namespace jp::mutate
