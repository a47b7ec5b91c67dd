// Complex numbers made, taken apart and conjugated. `conj` only sets a bit on its result, which shares memory; parts of
// it may have the neg bit: such values are `lazy`. Literal chances here were chosen, not measured.
#include "seedgen/bases/operator.h"
#include "seedgen/bases/writes.h"

namespace jp::seedgen::complex_operators {
namespace {

constexpr std::string_view kNames[] = {"complex",         "polar",   "real",          "imag",           "view_as_real",
                                       "view_as_complex", "conj",    "conj_physical", "conj_physical_", "resolve_conj",
                                       "resolve_neg",     "adjoint", "angle"};
enum Member : std::size_t {
  kMake,
  kPolar,
  kReal,
  kImag,
  kAsReal,
  kAsComplex,
  kConj,
  kPhysical,
  kPhysicalInPlace,
  kResolve,
  kResolveNegative,
  kAdjoint,
  kAngle
};

constexpr std::string_view kPair[] = {"torch.#($0, $1)"};
constexpr std::string_view kForms[] = {"torch.#($0)", "$0.#()"};
constexpr std::string_view kPart[] = {"torch.#($0)", "$0.#"};
constexpr std::string_view kAdjoints[] = {"torch.adjoint($0)", "$0.adjoint()", "$0.mH"};
constexpr std::string_view kFunction[] = {"torch.#($0)"};
constexpr std::string_view kResolved[] = {"torch.view_as_real($0.resolve_conj())"};
constexpr std::string_view kCloned[] = {"torch.view_as_complex($0.clone(memory_format=torch.contiguous_format))"};
constexpr std::string_view kMethod[] = {"$0.#()"};

constexpr DtypeSet kParts = {Dtype::kFloat32, Dtype::kFloat64};
// For numbers whose angle is computed: torch's branch cut is the negative real axis.
constexpr double kLeastPart = 0.0625;

Strides times(Strides strides, std::int64_t factor) {
  for (std::int64_t& stride : strides) stride *= factor;
  return strides;
}

class Complex final : public Operator {
 public:
  std::string_view name() const override { return "complex"; }
  std::vector<std::string_view> members() const override { return {std::begin(kNames), std::end(kNames)}; }

  void draw(Draft& draft, std::size_t member) const override {
    switch (member) {
      case kMake:
      case kPolar:
        return draw_pair(draft, member);
      case kReal:
      case kImag:
        return draw_part(draft, member);
      case kAsReal:
        return draw_as_real(draft);
      case kAsComplex:
        return draw_as_complex(draft);
      case kConj:
      case kAdjoint:
        return draw_conj(draft, member);
      case kAngle:
        return draw_angle(draft);
      case kResolve:
      case kResolveNegative:
        return draw_resolve(draft, member);
      default:
        return draw_physical(draft, member);
    }
  }

 private:
  static void draw_pair(Draft& draft, std::size_t member) {
    Value a = draft.input({.dtypes = kParts});
    Want second{.dtypes = {a.dtype}, .shape = ShapeWant::broadcasting(a.shape)};
    if (member == kPolar) second.within = {-100, 100};
    Value b = draft.input(second);
    Dtype dtype = complex_dtype(a.dtype);
    Interval image = member == kMake ? hull(a.interval, b.interval) : rounded(disc(largest(a.interval)), dtype, 2);
    record_or_out(draft, {.op = kNames[member], .forms = kPair, .arguments = {Ref{a.id}, Ref{b.id}}},
                  elementwise(dtype, image, {&a, &b}),
                  {.exactness = member == kMake ? Exactness::kSame : Exactness::kLoose});
  }

  // The real part of a real tensor is the tensor itself.
  static void draw_part(Draft& draft, std::size_t member) {
    bool any = member == kReal && draft.choices().chance(1, 4);
    Value x = draft.input({.dtypes = any ? kEveryDtype : kComplex});
    Value part = view_of(x, x.shape, is_complex(x.dtype) ? times(x.strides, 2) : x.strides);
    part.dtype = real_dtype(x.dtype);
    draft.record({.op = kNames[member], .forms = kPart, .arguments = {Ref{x.id}}}, part, {.saves = Saves::kNothing});
  }

  // Not of an empty tensor: torch's own backward refuses it.
  static void draw_as_real(Draft& draft) {
    Value x = draft.input({.dtypes = kComplex, .shape = ShapeWant::any(0, kMaxRank - 1, 1).upto(kMaxElements / 2)});
    Shape shape = x.shape;
    shape.push_back(2);
    Strides strides = times(x.strides, 2);
    if (x.strides_known) strides.push_back(1);
    Value parts = view_of(x, shape, strides);
    parts.dtype = real_dtype(x.dtype);
    parts.strides_known = x.strides_known && !x.lazy;
    parts.lazy = false;
    draft.record(
        {.op = "view_as_real", .forms = x.lazy ? Forms(kResolved) : Forms(kFunction), .arguments = {Ref{x.id}}}, parts,
        {.saves = Saves::kNothing});
  }

  // A whole storage starts at a pair boundary; for other tensors that is not known, and they are copied first.
  static void draw_as_complex(Draft& draft) {
    Shape pattern = {2};
    for (std::int64_t i = draft.between(0, 3); i > 0; --i) pattern.insert(0, -1);
    Value x = draft.input({.dtypes = kParts, .shape = ShapeWant::pattern(pattern)});
    bool whole = is_contiguous(x) && element_count(x.shape) > 0 && !x.lazy;
    for (const Value& value : draft.graph().values) whole = whole && (value.storage != x.storage || value.id >= x.id);
    Shape shape = x.shape;
    shape.erase(shape.size() - 1);
    Dtype dtype = complex_dtype(x.dtype);
    Value pairs = whole ? view_of(x, shape, contiguous_strides(shape)) : fresh(dtype, shape, x.interval);
    pairs.dtype = dtype;
    draft.record(
        {.op = "view_as_complex", .forms = whole ? Forms(kFunction) : Forms(kCloned), .arguments = {Ref{x.id}}}, pairs,
        {.saves = Saves::kNothing});
  }

  // Real tensors are unchanged, except that adjoint transposes them.
  static void draw_conj(Draft& draft, std::size_t member) {
    bool turns = member == kAdjoint;
    Want want{.dtypes = draft.choices().chance(1, 4) ? kEveryDtype : kComplex};
    if (turns) want.shape = ShapeWant::any(2);
    Value x = draft.input(want);
    Value view = view_of(x, x.shape, x.strides);
    if (turns) {
      int last = x.shape.size() - 1;
      std::swap(view.shape[last], view.shape[last - 1]);
      std::swap(view.strides[last], view.strides[last - 1]);
    }
    if (is_complex(x.dtype)) {
      view.lazy = true;
      view.interval = hull(x.interval, -x.interval);
    }
    draft.record({.op = kNames[member], .forms = turns ? Forms(kAdjoints) : Forms(kForms), .arguments = {Ref{x.id}}},
                 view, {.saves = Saves::kNothing});
  }

  static void draw_physical(Draft& draft, std::size_t member) {
    bool in_place = member == kPhysicalInPlace;
    const bool any = draft.choices().chance(1, 4);
    Value x = draft.input({.dtypes = any ? kEveryDtype : kComplex, .written = in_place});
    // Real tensors are unchanged, and are the result.
    Interval image = is_complex(x.dtype) ? hull(x.interval, -x.interval) : x.interval;
    Traits traits = {.saves = Saves::kNothing};
    Call call{.op = kNames[member], .forms = in_place ? Forms(kMethod) : Forms(kForms), .arguments = {Ref{x.id}}};
    if (in_place) return draft.record_write(std::move(call), x, image, traits);
    if (!is_complex(x.dtype)) return draft.record(std::move(call), view_of(x, x.shape, x.strides), traits);
    record_or_out(draft, std::move(call), elementwise(x.dtype, image, {&x}), traits);
  }

  static void draw_resolve(Draft& draft, std::size_t member) {
    const bool any = draft.choices().chance(1, 4);
    Value x = draft.input({.dtypes = any ? kEveryDtype : member == kResolve ? kComplex : kFloats | kComplex});
    Value same = view_of(x, x.shape, x.strides);
    same.strides_known = x.strides_known && !x.lazy;
    draft.record({.op = kNames[member], .forms = kForms, .arguments = {Ref{x.id}}}, same, {.saves = Saves::kNothing});
  }

  static void draw_angle(Draft& draft) {
    bool real = draft.flip();
    Want want{.dtypes = real ? kAnyDtype : kComplex, .exact = real};
    if (!real) want.within = {kLeastPart, 1e9};
    if (real) want.preferred = both_signs;
    Value x = draft.input(want);
    Dtype dtype = to_floating(real_dtype(x.dtype));
    Interval image = rounded({0, real ? 3.15 : 1.58}, dtype, 2);
    record_or_out(draft, {.op = "angle", .forms = kForms, .arguments = {Ref{x.id}}}, elementwise(dtype, image, {&x}),
                  {.exactness = real ? Exactness::kRounded : Exactness::kLoose});
  }
};

const Register<Operator, Complex> registered;

}  // namespace
}  // namespace jp::seedgen::complex_operators
