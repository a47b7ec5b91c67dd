// Reductions that an operator or a module does inside: the sum of softmax's exponentials, the mean over several axes,
// the greatest element of a window of max_pool2d, the sum of squares of nn.LayerNorm. They are opened up, so that the
// reduction is one over an axis of a tensor of its own.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/facts.h"
#include "mutate/engine/notes.h"
#include "mutate/material/norm_calls.h"
#include "mutate/rewrite/rewrite.h"

namespace jp::mutate {

/// What begins the path of a site at such a call of an operator; the call's own path follows. Those of modules are as
/// in module_calls.h.
inline constexpr std::string_view kInsidePath = "inside";

/// Such a call.
struct InnerCall {
  OperatorCall call;
  Node input;
  std::string module;  // "self.norm" of a module, otherwise ""
};

/// Those of a statement whose form is understood, before which it calls nothing. `path` of each call is the site's.
std::vector<InnerCall> inner_calls(const Parsed& parsed, const Statement& statement);

/// The type of the input; nothing if the call can't be opened up there: the input is no row-major tensor of float32 or
/// float64, the reduced axis has less than two elements or more than are written out, or what rounds differently would
/// show.
std::optional<KnownTensorType> inner_input(const Parsed& parsed, const Facts& facts, const InnerCall& inner);

/// The reduction: `base` is reduced over an axis by "sum" or "amax", and `value`, in which {} stands for what that
/// gives, is the call's.
struct Opened {
  std::string_view fold;
  std::string base;
  int axis = 0;
  std::int64_t length = 0;
  std::string value;
};
/// Appends the lines that make `base`. Nothing if the type is not one that inner_input() gives, as in a replay.
std::optional<Opened> open_up(const InnerCall& inner, const KnownTensorType& input, Rewrite& rewrite, Lines& lines);

}  // namespace jp::mutate
