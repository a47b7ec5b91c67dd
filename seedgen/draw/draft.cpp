#include "seedgen/draw/draft.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "seedgen/draw/policy.h"

namespace jp::seedgen {

Value fresh_unknown(Dtype dtype, const Shape& shape, Interval interval) {
  Value value;
  value.dtype = dtype;
  value.shape = shape;
  value.interval = interval;
  return value;
}

Value fresh(Dtype dtype, const Shape& shape, Interval interval) {
  Value value = fresh_unknown(dtype, shape, interval);
  value.strides = contiguous_strides(shape);
  value.strides_known = true;
  return value;
}

Value elementwise(Dtype dtype, Interval interval, std::initializer_list<const Value*> operands) {
  Shape shape;
  for (const Value* operand : operands) {
    auto wider = broadcast(shape, operand->shape);
    JP_CHECK(wider.has_value(), "operands that do not broadcast: {} and {}", fmt::join(shape, "x"),
             fmt::join(operand->shape, "x"));
    shape = *wider;
  }
  // Unless all operands have the usual strides torch sorts dimensions by the strides that there are, and those of size
  // 1 count, too.
  const bool contiguous = std::all_of(operands.begin(), operands.end(), [](const Value* operand) {
    return is_contiguous(*operand) &&
           (element_count(operand->shape) == 0 || operand->strides == contiguous_strides(operand->shape));
  });
  return contiguous ? fresh(dtype, shape, interval) : fresh_unknown(dtype, shape, interval);
}

Value view_of(const Value& base, const Shape& shape) {
  Value view = base;
  view.shape = shape;
  view.strides_known = false;
  return view;
}

Value view_of(const Value& base, const Shape& shape, const Strides& strides) {
  Value view = view_of(base, shape);
  view.strides = strides;
  view.strides_known = base.strides_known;
  return view;
}

Draft::Draft(Choices& choices, std::uint64_t reuse, const Bounds& bounds)
    : choices_(choices),
      reuse_(reuse),
      bounds_(bounds),
      gradients_(kPolicy.gradients.drawn(choices)),
      shares_(kPolicy.sharing.drawn(choices)) {
  graph_.values.reserve(64);
}

int Draft::new_storage(Storage storage) {
  storages_.push_back(storage);
  return static_cast<int>(storages_.size()) - 1;
}

bool Draft::writable(const Value& value) const {
  const Storage& memory = storage(value);
  return !value.overlaps_itself && !memory.leaf && !memory.saved && !memory.several_views;
}

bool Draft::shape_fits(const Shape& shape, const Want& want) const {
  return want.shape.fits(shape) && (!bounds_.narrow() || bounds_.hold(shape));
}

// Conditions that calls can change, and the operator's own requirements.
bool Draft::state_fits(const Value& value, const Want& want) const {
  if (!inside(value.interval, want.within)) return false;
  if (want.exact && !value.exact && !(want.clear && want.clear(value))) return false;
  if (want.away > 0 && value.interval.low < want.away && value.interval.high > -want.away) return false;
  if (want.written && !writable(value)) return false;
  if (want.plain && value.requires_grad) return false;
  return (!want.fits || want.fits(value)) && (!want.live || want.live(value));
}

bool Draft::fits(const Value& value, const Want& want) const {
  return want.dtypes.has(value.dtype) && shape_fits(value.shape, want) && state_fits(value, want);
}

void Draft::find_fitting(const Want& want, ValueSet& found) {
  known_.find(want.dtypes, found);
  known_.keep_shapes(found, [&](const Shape& shape) { return shape_fits(shape, want); });
  found.keep([&](int id) { return state_fits(live(id), want); });
}

namespace {

// Practically a constant.
bool is_flat(const Value& value) { return value.interval.high - value.interval.low < kPolicy.flat; }

}  // namespace

// Narrows the candidates to those that are also in the second set, with this probability; not if none is.
void Draft::prefer(std::uint64_t numerator, std::uint64_t denominator, const ValueSet& among) {
  if (!candidates_.meets(among) || candidates_.within(among)) return;
  if (choices_.chance(numerator, denominator)) candidates_ &= among;
}

// Prefers values that vary over constants, results of calls over arguments, so that calls are connected; and slightly
// prefers unread values. An unread constant is welcome as the partner of an operand that varies, or before one: then it
// does not become an output. A value combined with itself mostly gives a constant (x - x).
Value Draft::input(const Want& want) {
  const Value taken = take_input(want);
  if (observer_ != nullptr) observer_->took(want, taken);
  // A discontinuous operator depends on its input only if the operand spans several of its steps.
  if (want.exact || want.discontinuous) {
    const bool preferred = want.preferred && want.preferred(taken);
    discontinuous_ = discontinuous_ || !preferred;
    preferred_ = preferred_ || preferred;
  }
  drawn_.push_back(taken.id);
  return taken;
}

Value Draft::take_input(const Want& want) {
  if (!choices_.chance(reuse_, 1000)) return new_argument(want);
  const auto narrow = [&](Chance chance, const ValueSet& among) { prefer(chance.times, chance.of, among); };
  find_fitting(want, candidates_);
  const bool decided = want.clear && keep_decided();
  among_ = candidates_;
  if (!drawn_.empty())
    among_.keep([&](int id) {
      return std::none_of(drawn_.begin(), drawn_.end(),
                          [&](int other) { return live(other).storage == live(id).storage; });
    });
  const bool beside_itself = among_.empty();
  if (candidates_.empty() || (beside_itself && kPolicy.new_beside_itself.drawn(choices_))) return new_argument(want);
  narrow(kPolicy.apart, among_);
  if (want.preferred && !decided) {
    among_ = candidates_;
    among_.keep([&](int id) { return want.preferred(live(id)); });
    // A new argument can be made to fit.
    if (among_.empty() && kPolicy.new_preferred.drawn(choices_)) return new_argument(want);
    narrow(kPolicy.preferred, among_);
  }
  const bool varies = varies_beside();
  // If the operands so far don't depend on inputs, prefer one that does.
  const bool constant_beside = !varies && !drawn_.empty() && partner_ != kNobody && !want.metadata_only;
  if (constant_beside && !candidates_.meets(known_.dependent()) && kPolicy.new_dependent.drawn(choices_))
    return new_argument(want);
  prefer_unread(want, varies);
  among_ = candidates_;
  among_ -= known_.constant();
  among_.keep([&](int id) { return !is_flat(live(id)); });
  narrow(kPolicy.varying, among_);
  narrow(kPolicy.dependent, known_.dependent());
  narrow(kPolicy.results, known_.results());
  narrow(kPolicy.unread, known_.unread());
  return live(candidates_.at(choices_.below(candidates_.count())));
}

// Narrows the candidates to the inexact ones, whose range decides the result, or to the exact ones; true for the
// former.
bool Draft::keep_decided() {
  among_ = candidates_;
  among_.keep([&](int id) { return !live(id).exact; });
  if (among_.empty()) return false;
  const bool decided = kPolicy.decided.drawn(choices_);
  decided ? candidates_ &= among_ : candidates_ -= among_;
  return decided;
}

// Unread constants are welcome if another operand is combined with them, and if the call ignores the elements; while
// some are unread, first operands are chosen so that they can be combined with them.
void Draft::prefer_unread(const Want& want, bool varies) {
  const auto narrow = [&](Chance chance, const ValueSet& among) { prefer(chance.times, chance.of, among); };
  among_ = known_.unread();
  among_ -= known_.dependent();
  if (want.settles) among_ -= known_.constant();
  if (varies) narrow(kPolicy.unread_constant_partner, among_);
  among_ &= known_.results();
  if (want.metadata_only) return narrow(kPolicy.unread_constant_metadata, among_);
  if (!drawn_.empty() || known_.unread_constants().empty()) return;
  if (want.paired) {
    among_.keep([&](int id) { return has_gradients(live(id).dtype); });
  } else {
    among_ = candidates_;
    among_ &= known_.dependent();
    known_.keep_mates(among_);
  }
  narrow(kPolicy.mate_of_unread_constant, among_);
}

// Whether the next operand is combined with one that depends on inputs.
bool Draft::varies_beside() const {
  if (partner_ >= 0) return depends_on_inputs(partner_);
  return partner_ == kEverybody &&
         std::any_of(drawn_.begin(), drawn_.end(), [&](int id) { return depends_on_inputs(id); });
}

// Views made before their base came to require gradients are treated as leaves by autograd: therefore a value takes in
// gradients only if it has some already, or if nothing else shares its memory. Results of unknown strides may be views
// of an operator's internal tensor.
void Draft::beside(Want& want, const Value& target) const {
  const Storage& memory = storage(target);
  bool takes = has_gradients(target.dtype) && !memory.argument &&
               (target.requires_grad || (memory.values == 1 && target.strides_known));
  want.plain = want.plain || !takes;
  want.live = [number = target.storage](const Value& value) { return value.storage != number; };
}

Dim Draft::dim(int rank) {
  auto at = static_cast<int>(choices_.below(static_cast<std::uint64_t>(rank)));
  Dim drawn{at, flip() ? at : at - rank};
  if (observer_ != nullptr) drawn.written = observer_->written(rank, drawn, nullptr);
  return drawn;
}

std::vector<Dim> Draft::dims(int rank, int least) {
  std::vector<Dim> left;
  for (int i = 0; i < rank; ++i) left.push_back({i, flip() ? i : i - rank});
  for (int i = rank - 1; i > 0; --i)
    std::swap(left[static_cast<std::size_t>(i)], left[choices_.below(static_cast<std::uint64_t>(i) + 1)]);
  left.resize(static_cast<std::size_t>(between(least, rank)));
  if (observer_ == nullptr) return left;
  std::vector<Dim> told = left;
  for (std::size_t i = 0; i < left.size(); ++i)
    told[i].written = observer_->written(rank, left[i], i > 0 ? &left[i - 1] : nullptr);
  return told;
}

void Draft::mark_read(const Call& call) {
  for_each_operand(call, [&](int id) { known_.mark_read(id); });
}

void Draft::save(const Call& call) {
  for_each_operand(call, [&](int id) { storage(live(id)).saved = true; });
  for (int id : call.outputs) storage(live(id)).saved = true;
}

InputSensitivity Draft::sensitivity_of(const Call& call, const Traits& traits, std::size_t result,
                                       std::size_t results) const {
  InputSensitivity sensitivity = InputSensitivity::kConstant;
  auto take = [&](Ref ref) { sensitivity = std::max(sensitivity, known_.sensitivity(ref.value)); };
  // What is passed as `out=` is only written.
  const std::size_t last = call.arguments.size() - (call.out ? 1 : 0);
  for (const Argument& argument : std::span(call.arguments).first(last)) {
    if (const auto* one = std::get_if<Ref>(&argument)) take(*one);
    const auto* several = std::get_if<std::vector<Ref>>(&argument);
    if (several == nullptr) continue;
    if (traits.itemwise && several->size() == results)
      take((*several)[result]);
    else
      std::for_each(several->begin(), several->end(), take);
  }
  return discontinuous_ ? std::min(sensitivity, InputSensitivity::kStepwise) : sensitivity;
}

void Draft::add_known(const Value& value, InputSensitivity sensitivity) {
  known_.add(value, is_flat(value) ? InputSensitivity::kConstant : sensitivity);
}

Draft::Read Draft::read_by(const Call& call) const {
  Read read;
  for_each_operand(call, [&](int id) {
    const Value& operand = graph_.values[static_cast<std::size_t>(id)];
    read.gradients = read.gradients || operand.requires_grad;
    read.floats = read.floats || has_gradients(operand.dtype);
    read.exact = read.exact && operand.exact;
    read.whole = read.whole && !has_fractions(operand);
    read.truths = read.truths && operand.dtype == Dtype::kBool;
  });
  return read;
}

namespace {

// Booleans made from other types, and integers from floats, change in steps. Those of operands as the operator prefers
// them (`varies`) nevertheless differ between arguments: it compares what overlaps.
bool comes_in_jumps(Dtype result, const Traits& traits, bool truths, bool floats, bool varies) {
  if (result == Dtype::kBool) return !truths && !varies;
  return traits.truths ? !truths : floats && is_integral(result);
}

}  // namespace

void Draft::record(Call call, std::vector<Value> results, Traits traits) {
  mark_read(call);
  const Read read = read_by(call);
  bool derived = false;
  for (Value& result : results) {
    InputSensitivity sensitivity = sensitivity_of(call, traits, call.outputs.size(), results.size());
    if (comes_in_jumps(result.dtype, traits, read.truths, read.floats, preferred_))
      sensitivity = std::min(sensitivity, InputSensitivity::kStepwise);
    if (traits.decided) sensitivity = InputSensitivity::kConstant;
    const bool moved = traits.exactness == Exactness::kSame && read.whole;
    result.whole = result.whole || moved || traits.whole || traits.truths;
    JP_CHECK(extent(result.shape) <= kMaxElements && result.shape.size() <= kMaxRank, "{} grew too large: {}", call.op,
             fmt::join(result.shape, ", "));
    JP_CHECK(stays_inside(result.interval, result.dtype), "{} left the range of {}: {} to {}", call.op,
             dtype_name(result.dtype), result.interval.low, result.interval.high);
    bool rounds = is_floating(result.dtype) && dtype_size(result.dtype) < 4;
    result.id = static_cast<int>(graph_.values.size());
    result.input = false;
    result.exact =
        traits.decided || (read.exact && (is_integral(result.dtype) || traits.exactness == Exactness::kSame ||
                                          (traits.exactness == Exactness::kRounded && !rounds)));
    result.requires_grad = read.gradients && traits.differentiable && has_gradients(result.dtype);
    derived = derived || result.requires_grad;
    if (result.storage < 0) result.storage = new_storage({});
    ++storage(result).values;
    if (traits.several_views) storage(result).several_views = true;
    call.outputs.push_back(result.id);
    graph_.values.push_back(result);
    add_known(result, sensitivity);
  }
  if (derived && traits.saves == Saves::kAll) save(call);
  drawn_.clear();
  partner_ = kEverybody;
  discontinuous_ = false;
  preferred_ = false;
  graph_.calls.push_back(std::move(call));
}

void Draft::record_write(Call call, const Value& target, Interval result, Traits traits) {
  call.written = target.id;
  Value written = live(target.id);
  written.interval = result;
  written.whole = false;
  record(std::move(call), written, traits);
  const Value& after = graph_.values.back();
  bool exact = after.exact;
  bool gradients = after.requires_grad;
  const InputSensitivity sensitivity = known_.sensitivity(after.id);
  // The conjugate of a value contains the negative of its imaginary part.
  bool negated = std::any_of(graph_.values.begin(), graph_.values.end(),
                             [&](const Value& value) { return value.storage == target.storage && value.lazy; });
  Interval elsewhere = negated ? hull(result, -result) : result;
  for (Value& value : graph_.values) {
    if (value.storage != target.storage) continue;
    bool same = value.id == target.id || value.id == after.id;
    known_.set_sensitivity(value.id, same ? sensitivity : std::max(known_.sensitivity(value.id), sensitivity));
    value.interval = same ? result : hull(value.interval, elsewhere);
    value.exact = same ? exact : value.exact && exact;
    value.requires_grad = value.requires_grad || (gradients && has_gradients(value.dtype));
  }
}

}  // namespace jp::seedgen
