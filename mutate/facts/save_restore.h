// Save and restore: which live tensors may be overwritten for a while, and up to which statement nothing reads them.
//
// A tensor may be overwritten if its elements don't overlap and no tensor of the whole profile run requires grad: a
// write increments the version counter, which backward checks. In other programs it is written through `.data`,
// through `.detach()` or under no_grad, if autograd surely has not saved it. In eager `.data` has a version counter of
// its own, so that what is saved could be written and restored too; but AOTAutograd writes to an input of a graph by
// copy_(), and raises in backward if a graph before it has saved that tensor.
//
// The gap during which a tensor stays overwritten consists of statements that surely don't depend on it or on an alias
// of it: plain assignments whose right side uses only numbers, tensors in other storages, functions of torch, methods
// of such tensors, and modules of torch (module_calls.h) with parameters in other storages.
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
#include "mutate/facts/halves.h"
#include "mutate/rewrite/rewrite.h"
#include "mutate/syntax/syntax.h"

namespace jp::mutate {

/// How a tensor is written, as site paths say it: "" as it is, where nothing requires grad; "data" through `.data`;
/// "no_grad" under no_grad, or through `.detach()`.
enum class Writes { kPlain, kData, kNoGrad };
std::optional<Writes> read_writes(std::string_view path);

/// A tensor to overwrite, directly before a statement.
struct ClobberedTensor {
  std::string name;
  Dtype dtype = Dtype::kFloat32;
  /// At least one element. Where the shape differs between visits, the smallest size of each axis.
  std::vector<std::int64_t> shape;
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
/// Nothing in the file looks at tensors or graphs while the program runs: no backward, transform, checkpoint or hook.
bool autograd_is_plain(const Parsed& parsed);
/// The value of an assignment is the result of an operator or a module that gives new memory which its own backward
/// doesn't need. Directly behind the assignment it may be written under no_grad.
bool forgets_result(const Parsed& parsed, const Statement& statement, const Node& value);
/// The facts of the tensor `name`, if it may be written in place before the statement; otherwise nullptr.
const NameFacts* writable(const Parsed& parsed, const Facts& facts, const Statement& statement,
                          const std::string& name);

/// All statements before which some tensor may be overwritten, with each path that says how.
std::vector<Site> save_restore_sites(const Parsed& parsed, const Facts& facts);
/// Draws a tensor to clobber before the statement, or takes the one that `known` gives, and records it. Nothing if
/// there is none, if the name can't be read there, or if the gap no longer exists.
std::optional<ClobberedTensor> draw_victim(const Parsed& parsed, const Facts& facts, const Statement& statement,
                                           Writes writes, Choices& choices);
std::optional<ClobberedTensor> note_clobbered(const Parsed& parsed, const Statement& statement,
                                              const std::function<std::optional<ClobberedTensor>(Choices&)>& known,
                                              Choices& choices);

/// The text of a value of the dtype to write: "1.5", "7", "True".
std::string draw_value(Dtype dtype, Choices& choices);
/// The text by which the tensor is written, and whether its lines stand under no_grad.
struct WrittenAs {
  std::string text;
  bool no_grad = false;
};
WrittenAs draw_written_as(const ClobberedTensor& clobbered, Writes writes, const std::string& torch, Choices& choices);

/// Puts the lines `first` before the statement and `second` after the gap.
void put_lines(Rewrite& rewrite, const Statement& statement, const ClobberedTensor& clobbered, Lines first,
               const Lines& second);
/// Puts the first half before the statement and the second after the gap, each at a place of its own (halves.h).
void put_halves(Rewrite& rewrite, const Statement& statement, const ClobberedTensor& clobbered, const Half& first,
                const Half& second, Choices& choices);
/// The lines, under `with torch.no_grad():` if the tensor is written so.
Lines written_lines(const WrittenAs& as, const std::string& torch, Lines lines);

}  // namespace jp::mutate
