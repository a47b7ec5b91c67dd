// Tensors: form (exact), elements, and the flags that are only recorded.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "oracle/judge/elements.h"
#include "oracle/judge/limits.h"
#include "oracle/judge/walk.h"

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

// Whether any float that is shown lies beyond the range of this integer type, or is NaN or infinite.
bool floats_beyond(const Observation& observation, Dtype dtype) {
  const int bits = 8 * dtype_size(dtype) - (dtype == Dtype::kUInt8 ? 0 : 1);
  const double limit = std::ldexp(1.0, bits);
  for (const TensorRecord& record : observation.tensors) {
    const std::optional<Elements> elements = Elements::of(record);
    if (!elements || !elements->is_inexact()) continue;
    for (std::size_t i = 0; i < elements->count() * elements->parts(); ++i)
      if (!(std::abs(elements->number(i)) < limit)) return true;
  }
  return false;
}

// The index of the largest part; the first of equals. NaN is never the largest.
std::size_t place_of_largest(const Elements& elements) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < elements.count() * elements.parts(); ++i)
    if (elements.number(i) > elements.number(best) || std::isnan(elements.number(best))) best = i;
  return best;
}

// The type in which the elements were computed: narrower than the one that they have if the program casts up. Then
// higher precision changes them, although it casts nothing that has the wider type throughout.
Dtype narrowest(const Observation& run, const Elements& elements, const Evidence& evidence) {
  const Dtype own = *elements.dtype();
  const auto changed = [&](const std::optional<Elements>& higher) {
    return higher && higher->dtype() == own && higher->bytes() != elements.bytes();
  };
  if (changed(evidence.float32)) {
    const bool short_one = std::any_of(run.tensors.begin(), run.tensors.end(),
                                       [](const TensorRecord& record) { return record.dtype == "bfloat16"; });
    return short_one ? Dtype::kBFloat16 : Dtype::kFloat16;
  }
  if (!changed(evidence.float64)) return own;
  return is_complex(own) ? Dtype::kComplex64 : Dtype::kFloat32;
}

std::string flag(bool set) { return set ? "True" : "False"; }

}  // namespace

void Walk::tensors(const Pair& pair) {
  const TensorRecord* eager = record_of(eager_, pair.eager);
  const TensorRecord* compiled = record_of(compiled_, pair.compiled);
  if (!eager || !compiled)
    return differ(Mismatch::kStructure, pair.where, "missing tensor", "structure", eager ? "a tensor" : "no tensor",
                  compiled ? "a tensor" : "no tensor", false);
  tensor_flags(pair, *eager, *compiled);
  if (tensor_form(pair, *eager, *compiled)) tensor_elements(pair, *eager, *compiled);
}

// Returns false if the elements can't be compared.
bool Walk::tensor_form(const Pair& pair, const TensorRecord& eager, const TensorRecord& compiled) {
  if (eager.dtype != compiled.dtype) {
    // Runs in another precision have other dtypes by design.
    form(pair, fmt::format("{} {}", eager.dtype, compiled.dtype), "dtype", form_text(eager), form_text(compiled),
         Mismatch::kDtype, [&](const Value& third, const ControlRun& run) {
           if (is_other_precision(run.kind)) return true;
           const TensorRecord* record =
               third.kind == Value::Kind::kTensor ? record_of(*run.observation, third) : nullptr;
           return record && record->dtype == eager.dtype;
         });
    return false;
  }
  // Another device is what device_vs_device asks for.
  if (eager.layout != compiled.layout || (eager.device != compiled.device && !controls_.any_device)) {
    differ(Mismatch::kStructure, pair.where, "layout", "structure", fmt::format("{} on {}", eager.layout, eager.device),
           fmt::format("{} on {}", compiled.layout, compiled.device), false);
    return false;
  }
  if (eager.shape == compiled.shape) return true;
  // A shape that depends on the data (nonzero, masks) may depend on its rounding.
  form(pair, eager.shape.size() == compiled.shape.size() ? "sizes" : "rank", "shape", form_text(eager),
       form_text(compiled), Mismatch::kShape, [&](const Value& third, const ControlRun& run) {
         const TensorRecord* record = third.kind == Value::Kind::kTensor ? record_of(*run.observation, third) : nullptr;
         return record && record->shape == eager.shape;
       });
  return false;
}

void Walk::tensor_flags(const Pair& pair, const TensorRecord& eager, const TensorRecord& compiled) {
  const std::string& where = pair.where;
  if (eager.requires_grad != compiled.requires_grad)
    form(pair, compiled.requires_grad ? "gained" : "lost", "requires_grad",
         "requires_grad=" + flag(eager.requires_grad), "requires_grad=" + flag(compiled.requires_grad),
         Mismatch::kRequiresGrad, [&](const Value& third, const ControlRun& run) {
           if (is_other_precision(run.kind)) return true;
           const TensorRecord* record =
               third.kind == Value::Kind::kTensor ? record_of(*run.observation, third) : nullptr;
           return record && record->requires_grad == eager.requires_grad;
         });
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

void Walk::compare_with_controls(Evidence& evidence, const ControlRun& run, const std::optional<Elements>& elements,
                                 std::optional<Elements>& other_eager) {
  switch (run.kind) {
    case ControlKind::kFloat32:
      evidence.float32 = elements;
      return;
    case ControlKind::kFloat64:
      evidence.float64 = elements;
      evidence.another_form = !elements;
      return;
    case ControlKind::kCasts:
      evidence.casts = elements;
      return;
    case ControlKind::kChoices:
      if (elements) evidence.chosen.push_back(*elements);
      return;
    case ControlKind::kEquals:
      if (elements) evidence.equals.push_back(*elements);
      return;
    case ControlKind::kNoise:
      if (elements)
        evidence.noisy.push_back(*elements);
      else
        evidence.form_moves = true;
      return;
    case ControlKind::kOtherEager:
      other_eager = elements;
      return;
    case ControlKind::kOtherFloat64:  // follows its eager run
      if (elements && other_eager) evidence.others.push_back({*other_eager, *elements});
      other_eager.reset();
      return;
  }
}

double Walk::largest_shown() const {
  if (!controls_.small_numbers) return 0;
  if (largest_shown_) return *largest_shown_;
  double largest = 0;
  for (const TensorRecord& record : eager_.tensors) {
    const std::optional<Elements> elements = Elements::of(record);
    if (!elements || !elements->is_inexact()) continue;
    for (std::size_t i = 0; i < elements->count() * elements->parts(); ++i)
      if (const double size = std::abs(elements->number(i)); std::isfinite(size)) largest = std::max(largest, size);
  }
  largest_shown_ = largest;
  return largest;
}

Evidence Walk::no_evidence_yet() const {
  Evidence evidence;
  evidence.noise_failed = controls_.noise_failed;
  evidence.small_numbers = controls_.small_numbers;
  evidence.float64_tried = controls_.float64_tried;
  evidence.largest_shown = largest_shown();
  return evidence;
}

Evidence Walk::evidence(const Pair& pair, const TensorRecord& eager, const Elements& elements) const {
  Evidence evidence = no_evidence_yet();
  const bool inexact = elements.is_inexact();
  std::optional<Elements> other_eager;
  for (std::size_t i = 0; i < pair.thirds.size(); ++i) {
    if (pair.thirds[i].presence == Presence::kAbsent) continue;
    const ControlRun& run = controls_.runs[i];
    const Value* value = pair.thirds[i].value;
    const TensorRecord* record =
        value && value->kind == Value::Kind::kTensor ? record_of(*run.observation, *value) : nullptr;
    std::optional<Elements> third;
    if (record && record->shape == eager.shape) third = Elements::of(*record);
    const bool fits = third && third->count() == elements.count() && third->parts() == elements.parts() &&
                      (inexact ? third->is_inexact() : record->dtype == eager.dtype);
    if (!fits) third.reset();
    compare_with_controls(evidence, run, third, other_eager);
  }
  const bool is_integer = elements.dtype() && !inexact && elements.dtype() != Dtype::kBool;
  evidence.may_be_undefined = is_integer && controls_.choices_failed && floats_beyond(eager_, *elements.dtype());
  return evidence;
}

void Walk::tensor_elements(const Pair& pair, const TensorRecord& eager, const TensorRecord& compiled) {
  const std::optional<Elements> one = Elements::of(eager);
  const std::optional<Elements> other = Elements::of(compiled);
  if (!one) {  // nothing to compare the compiled run with
    if (eager.device != "meta") unreadable(pair.where, form_text(eager), eager.unreadable);
    return;
  }
  if (!other) {
    const std::string reason = compiled.unreadable.empty() ? "its record is malformed" : compiled.unreadable;
    return differ(Mismatch::kStructure, pair.where, "unreadable", "structure", "a tensor that can be read",
                  "one that can't: " + reason, false);
  }
  if (one->bytes() == other->bytes()) return;
  const Evidence compared = evidence(pair, eager, *one);
  const bool inexact = one->is_inexact();
  const Dtype arithmetic = inexact ? narrowest(eager_, *one, compared) : Dtype::kInt64;
  const Counts counts =
      inexact ? compare_inexact(*one, *other, compared, arithmetic) : compare_exact(*one, *other, compared);
  if (!settle(counts, compared, pair.where)) return;

  const std::size_t element = counts.worst / one->parts();
  std::map<std::string, double> numbers = {{"differing", static_cast<double>(counts.differing)},
                                           {"elements", static_cast<double>(counts.wrong())},
                                           {"count", static_cast<double>(one->count() * one->parts())}};
  std::string sentence =
      fmt::format("{} of {} elements of {} differ", counts.wrong(), one->count() * one->parts(), form_text(eager));
  if (inexact) {
    numbers["max_abs"] = counts.max_absolute;
    numbers["max_rel"] = counts.max_relative;
    numbers["argmax_flips"] = place_of_largest(*one) == place_of_largest(*other) ? 0 : 1;
    if (compared.float64) {
      numbers["eager_to_float64"] = counts.eager_to_float64;
      numbers["compiled_to_float64"] = counts.compiled_to_float64;
    }
    if (!compared.noisy.empty()) numbers["monte_carlo_spread"] = counts.spread;
    sentence += counts.wrong_masks
                    ? fmt::format(", {} of them by NaN or Inf", counts.wrong_masks)
                    : fmt::format(" by up to {:.3g} (relative {:.3g})", counts.max_absolute, counts.max_relative);
    sentence += controls_.plain_reference ? measured(counts, compared)
                                          : fmt::format(" between {} and {}", controls_.reference, controls_.observed);
  }
  const auto show = [&](const Elements& elements) {
    return fmt::format("{} element {}= {}", form_text(eager), eager.shape.empty() ? "" : position(eager, element) + " ",
                       elements.show(element));
  };
  const bool small = inexact && counts.tolerances < kLimits.borderline.of(arithmetic);
  differ(Mismatch::kValue, pair.where, class_name(*one) + (counts.wrong_masks ? " mask" : ""), counts.wrong_rule(),
         show(*one), show(*other), true, numbers, sentence, small);
}

}  // namespace jp::oracle
