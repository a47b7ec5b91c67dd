// Save and restore: which live tensors may be overwritten for a while, and up to which statement nothing reads them.
//
// A tensor may be overwritten if its elements don't overlap and no tensor of the whole profile run requires grad (a
// write increments the version counter, which backward checks). The gap during which it stays overwritten consists of
// statements that surely don't depend on it or on an alias of it: plain assignments whose right side uses only numbers,
// tensors in other storages, functions of torch and methods of such tensors.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/choices.h"
#include "core/dtype.h"
#include "core/facts.h"
#include "mutate/engine/mutation.h"
#include "mutate/rewrite/rewrite.h"
#include "mutate/syntax/syntax.h"

namespace jp::mutate {

/// A tensor to overwrite, directly before a statement.
struct ClobberedTensor {
  std::string name;
  Dtype dtype = Dtype::kFloat32;
  std::vector<std::int64_t> shape;  // at least one element
  bool contiguous = false;
  /// The id of the gap's last statement; the gap begins with the statement itself. Nothing if the gap is empty.
  std::optional<std::string> last;
  const Statement* gap_end = nullptr;  // that statement

  std::int64_t count() const;
  auto fields() { return std::tie(name, dtype, contiguous, last, shape); }
  bool fits() const;
};

/// No tensor that facts saw at any statement requires grad. A tensor of which that is unknown counts as requiring it.
bool no_gradients(const Facts& facts);
/// The facts of the tensor `name`, if it may be written in place before the statement; otherwise nullptr.
const NameFacts* writable(const Parsed& parsed, const Facts& facts, const Statement& statement,
                          const std::string& name);

/// All statements before which some tensor may be overwritten.
std::vector<Site> save_restore_sites(const Parsed& parsed, const Facts& facts);
/// Draws a tensor to clobber before the statement, or takes the one that `known` gives, and records it. Nothing if
/// there is none, if the name can't be read there, or if the gap no longer exists.
std::optional<ClobberedTensor> draw_victim(const Parsed& parsed, const Facts& facts, const Statement& statement,
                                           Choices& choices);
std::optional<ClobberedTensor> note_clobbered(const Parsed& parsed, const Statement& statement,
                                              const std::function<std::optional<ClobberedTensor>(Choices&)>& known,
                                              Choices& choices);

/// The text of a value of the dtype to write: "1.5", "7", "True".
std::string draw_value(Dtype dtype, Choices& choices);
/// Puts the lines `first` before the statement and `second` after the gap.
void put_halves(Rewrite& rewrite, const Statement& statement, const ClobberedTensor& clobbered, Lines first,
                const Lines& second);

}  // namespace jp::mutate
