// Tensors: form (exact), elements, and the flags that are only recorded.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "oracle/elements.h"
#include "oracle/walk.h"

namespace jp::oracle {
namespace {

const TensorRecord* record_of(const Observation& observation, const Value& value) {
  const bool there = value.index >= 0 && static_cast<std::size_t>(value.index) < observation.tensors.size();
  return there ? &observation.tensors[static_cast<std::size_t>(value.index)] : nullptr;
}

std::string shape_text(const TensorRecord& record) { return fmt::format("[{}]", fmt::join(record.shape, ", ")); }

std::string form_text(const TensorRecord& record) { return record.dtype + shape_text(record); }

// Strides that matter: those of dimensions with more than one index, in a tensor with elements.
std::vector<std::int64_t> real_strides(const TensorRecord& record) {
  std::vector<std::int64_t> strides;
  for (std::size_t i = 0; i < record.shape.size() && i < record.strides.size(); ++i) {
    if (record.shape[i] == 0) return {};
    if (record.shape[i] > 1) strides.push_back(record.strides[i]);
  }
  return strides;
}

bool is_empty(const TensorRecord& record) {
  return std::find(record.shape.begin(), record.shape.end(), 0) != record.shape.end();
}

std::string class_name(const Elements& elements) {
  if (!elements.dtype()) return "other";
  if (is_complex(*elements.dtype())) return "complex";
  if (is_floating(*elements.dtype())) return "float";
  return elements.dtype() == Dtype::kBool ? "bool" : "integer";
}

std::string flag(bool set) { return set ? "True" : "False"; }

}  // namespace

void Walk::tensors(const Pair& pair) {
  const TensorRecord* eager = record_of(eager_, pair.eager);
  const TensorRecord* compiled = record_of(compiled_, pair.compiled);
  if (!eager || !compiled) {
    differ(Mismatch::kStructure, pair.where, "missing tensor", "structure", eager ? "a tensor" : "no tensor",
           compiled ? "a tensor" : "no tensor", false);
    return;
  }
  const TensorRecord* third = pair.third.value && pair.third.value->kind == Value::Kind::kTensor && float64_
                                  ? record_of(*float64_, *pair.third.value)
                                  : nullptr;
  tensor_flags(pair.where, *eager, *compiled);
  if (tensor_form(pair, *eager, *compiled, third)) tensor_elements(pair, *eager, *compiled, third);
}

// False: the elements can't be compared.
bool Walk::tensor_form(const Pair& pair, const TensorRecord& eager, const TensorRecord& compiled,
                       const TensorRecord* third) {
  if (eager.dtype != compiled.dtype) {
    differ(Mismatch::kDtype, pair.where, fmt::format("{} {}", eager.dtype, compiled.dtype), "dtype", form_text(eager),
           form_text(compiled), false);
    return false;
  }
  if (eager.layout != compiled.layout || eager.device != compiled.device) {
    differ(Mismatch::kStructure, pair.where, "layout", "structure", fmt::format("{} on {}", eager.layout, eager.device),
           fmt::format("{} on {}", compiled.layout, compiled.device), false);
    return false;
  }
  if (eager.shape != compiled.shape) {
    // A shape that hangs on the data (nonzero, masks) may hang on the precision.
    const bool moves = third && third->shape != eager.shape;
    if (moves || pair.third.witness == Witness::kDisagrees)
      result_.skip(place(call_, pair.where));
    else
      differ(Mismatch::kShape, pair.where, eager.shape.size() == compiled.shape.size() ? "sizes" : "rank", "shape",
             form_text(eager), form_text(compiled), true);
    return false;
  }
  return true;
}

void Walk::tensor_flags(const std::string& where, const TensorRecord& eager, const TensorRecord& compiled) {
  if (eager.requires_grad != compiled.requires_grad)
    differ(Mismatch::kRequiresGrad, where, compiled.requires_grad ? "gained" : "lost", "requires_grad",
           "requires_grad=" + flag(eager.requires_grad), "requires_grad=" + flag(compiled.requires_grad), false);
  if (!links_.identities.agrees(eager.identity, compiled.identity))
    weak(Mismatch::kIdentity, where, "the same objects", "other objects");
  if (!is_empty(eager) && !is_empty(compiled) && !links_.storages.agrees(eager.storage, compiled.storage))
    weak(Mismatch::kAliasing, where, "shares memory with", "other tensors");
  if (eager.shape == compiled.shape && real_strides(eager) != real_strides(compiled))
    weak(Mismatch::kStrides, where, fmt::format("strides [{}]", fmt::join(eager.strides, ", ")),
         fmt::format("strides [{}]", fmt::join(compiled.strides, ", ")));
  if (eager.conj != compiled.conj || eager.neg != compiled.neg)
    weak(Mismatch::kStrides, where, fmt::format("conj={} neg={}", flag(eager.conj), flag(eager.neg)),
         fmt::format("conj={} neg={}", flag(compiled.conj), flag(compiled.neg)));
  if (eager.is_leaf != compiled.is_leaf || eager.has_grad_fn != compiled.has_grad_fn)
    weak(Mismatch::kLeaf, where, fmt::format("is_leaf={} grad_fn={}", flag(eager.is_leaf), flag(eager.has_grad_fn)),
         fmt::format("is_leaf={} grad_fn={}", flag(compiled.is_leaf), flag(compiled.has_grad_fn)));
  if (eager.offset != compiled.offset && !is_empty(eager))
    weak(Mismatch::kOffset, where, fmt::format("offset {}", eager.offset), fmt::format("offset {}", compiled.offset));
  if (eager.version != compiled.version)
    weak(Mismatch::kVersion, where, fmt::format("version {}", eager.version),
         fmt::format("version {}", compiled.version));
}

void Walk::tensor_elements(const Pair& pair, const TensorRecord& eager, const TensorRecord& compiled,
                           const TensorRecord* third) {
  const std::optional<Elements> one = Elements::of(eager);
  const std::optional<Elements> other = Elements::of(compiled);
  if (!one) return;  // nothing to hold the compiled run to
  if (!other) {
    const std::string reason = compiled.unreadable.empty() ? "its record is malformed" : compiled.unreadable;
    return differ(Mismatch::kStructure, pair.where, "unreadable", "structure", "a tensor that can be read",
                  "one that can't: " + reason, false);
  }
  std::optional<Elements> reference;
  if (third && third->shape == eager.shape) reference = Elements::of(*third);
  const Witness witness = pair.third.witness;
  const bool inexact = one->is_inexact();
  const Counts counts =
      inexact ? compare_inexact(*one, *other, witness, reference) : compare_exact(*one, *other, witness, reference);
  if (!settle(counts, pair.where)) return;

  const std::size_t element = counts.worst / one->parts();
  std::map<std::string, double> evidence = {{"differing", static_cast<double>(counts.differing)},
                                            {"elements", static_cast<double>(counts.wrong)}};
  std::string sentence =
      fmt::format("{} of {} elements of {} differ", counts.wrong, one->count() * one->parts(), form_text(eager));
  if (inexact) {
    evidence["max_abs"] = counts.max_absolute;
    evidence["max_rel"] = counts.max_relative;
    sentence += counts.wrong_masks
                    ? fmt::format(", {} of them by NaN or Inf", counts.wrong_masks)
                    : fmt::format(" by up to {:.3g} (relative {:.3g})", counts.max_absolute, counts.max_relative);
    if (witness == Witness::kPresent) {
      evidence["eager_to_float64"] = counts.eager_to_float64;
      evidence["compiled_to_float64"] = counts.compiled_to_float64;
      sentence += fmt::format("; from the float64 run eager is {:.3g} away, compiled {:.3g}", counts.eager_to_float64,
                              counts.compiled_to_float64);
    } else {
      sentence += "; there is no float64 run to judge by";
    }
  }
  const std::string rule = !inexact                       ? "exact"
                           : counts.wrong_masks           ? "nonfinite"
                           : witness == Witness::kPresent ? "float64"
                                                          : "tolerance";
  const auto show = [&](const Elements& elements) {
    return fmt::format("{} element {}= {}", form_text(eager), eager.shape.empty() ? "" : position(eager, element) + " ",
                       elements.show(element));
  };
  differ(Mismatch::kValue, pair.where, class_name(*one) + (counts.wrong_masks ? " mask" : ""), rule, show(*one),
         show(*other), true, evidence, sentence);
}

}  // namespace jp::oracle
