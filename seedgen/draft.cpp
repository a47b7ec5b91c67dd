#include "seedgen/draft.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <span>

namespace jp::seedgen {
namespace {

// Gradients in two programs of five, and then for every second float argument.
constexpr std::uint64_t kGradientPrograms = 2;
constexpr std::uint64_t kOfPrograms = 5;

// In one program of so many, arguments may share memory.
constexpr std::uint64_t kSharingPrograms = 6;

}  // namespace

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
  bool contiguous = true;
  for (const Value* operand : operands) {
    auto wider = broadcast(shape, operand->shape);
    JP_CHECK(wider.has_value(), "operands that do not broadcast: {} and {}", fmt::join(shape, "x"),
             fmt::join(operand->shape, "x"));
    shape = *wider;
    contiguous = contiguous && is_contiguous(*operand);
  }
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
      gradients_(choices.chance(kGradientPrograms, kOfPrograms)),
      shares_(choices.chance(1, kSharingPrograms)) {
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

bool Draft::fits(const Value& value, const Want& want) const {
  if (!want.dtypes.has(value.dtype) || !want.shape.fits(value.shape)) return false;
  if (bounds_.narrow() && !bounds_.hold(value.shape)) return false;
  if (!inside(value.interval, want.within) || (want.exact && !value.exact)) return false;
  if (want.away > 0 && value.interval.low < want.away && value.interval.high > -want.away) return false;
  if (want.written && !writable(value)) return false;
  if (want.plain && value.requires_grad) return false;
  return (!want.fits || want.fits(value)) && (!want.live || want.live(value));
}

namespace {

// As good as a constant.
bool is_flat(const Value& value) { return value.interval.high - value.interval.low < 0.01; }

}  // namespace

// Narrows the candidates to those that pass, in so many draws; not where none does.
template <typename Test>
void Draft::prefer(std::uint64_t numerator, std::uint64_t denominator, Test&& test) {
  passing_.clear();
  std::copy_if(candidates_.begin(), candidates_.end(), std::back_inserter(passing_), test);
  if (passing_.empty() || passing_.size() == candidates_.size()) return;
  if (choices_.chance(numerator, denominator)) candidates_.swap(passing_);
}

// Values that vary rather than constants, results of calls rather than arguments, so that calls hang together; and what
// nobody has read yet a little rather than what somebody has. A constant that nobody has read is welcome beside an
// operand that varies, or before one: then it is no output. A value beside itself mostly makes a constant (x - x).
Value Draft::input(const Want& want) {
  const Value taken = take_input(want);
  // A jump moves with what spans several steps.
  jumps_ = jumps_ || (want.exact && !(want.rather && want.rather(taken)));
  drawn_.push_back(taken.id);
  return taken;
}

Value Draft::take_input(const Want& want) {
  if (!choices_.chance(reuse_, 1000)) return new_argument(want);
  candidates_.clear();
  for (const Value& value : graph_.values)
    if (fits(value, want)) candidates_.push_back(value.id);
  auto fresh_here = [&](int id) {
    return std::none_of(drawn_.begin(), drawn_.end(),
                        [&](int other) { return live(other).storage == live(id).storage; });
  };
  const bool beside_itself = std::none_of(candidates_.begin(), candidates_.end(), fresh_here);
  if (candidates_.empty() || (beside_itself && choices_.chance(15, 16))) return new_argument(want);
  prefer(15, 16, fresh_here);
  if (want.rather) {
    auto pleases = [&](int id) { return want.rather(live(id)); };
    // An argument can be made to please.
    if (std::none_of(candidates_.begin(), candidates_.end(), pleases) && choices_.chance(3, 4))
      return new_argument(want);
    prefer(15, 16, pleases);
  }
  const bool varies = varies_beside();
  // Beside what doesn't move something that does.
  const bool still_beside = !varies && !drawn_.empty() && partner_ != kNobody && !want.unseen;
  if (still_beside && std::none_of(candidates_.begin(), candidates_.end(), [&](int id) { return moves(id); }) &&
      choices_.chance(15, 16))
    return new_argument(want);
  auto unread = [&](int id) { return !read_[static_cast<std::size_t>(id)]; };
  // So it is where nobody looks at it.
  auto is_waste = [&](int id) { return !moves(id) && unread(id) && !live(id).input; };
  if (varies) prefer(15, 16, [&](int id) { return !moves(id) && unread(id); });
  if (want.unseen)
    prefer(7, 8, is_waste);
  else if (drawn_.empty() && !waste_.empty() && want.paired)
    prefer(15, 16, [&](int id) { return is_waste(id) && has_gradients(live(id).dtype); });
  else if (drawn_.empty() && !waste_.empty())
    prefer(15, 16, [&](int id) { return moves(id) && has_mate(live(id)); });
  prefer(31, 32, [&](int id) { return !is_still(id) && !is_flat(live(id)); });
  prefer(7, 8, [&](int id) { return moves(id); });
  prefer(31, 32, [&](int id) { return !live(id).input; });
  prefer(3, 8, unread);
  return live(candidates_[choices_.below(candidates_.size())]);
}

// Whether the next operand meets one that moves.
bool Draft::varies_beside() const {
  if (partner_ >= 0) return moves(partner_);
  return partner_ == kEverybody && std::any_of(drawn_.begin(), drawn_.end(), [&](int id) { return moves(id); });
}

// Whether some waste could be read beside it, so that it is no output.
bool Draft::has_mate(const Value& value) const {
  return std::any_of(waste_.begin(), waste_.end(), [&](int id) {
    const Value& waste = graph_.values[static_cast<std::size_t>(id)];
    return has_gradients(waste.dtype) == has_gradients(value.dtype) && expands_to(waste.shape, value.shape);
  });
}

// Views made before their base came to require gradients are taken for leaves by autograd: so a value takes gradients
// in only where it has some already, or where nothing else shares its memory. Results of unknown strides may be views
// of what an operator keeps to itself.
void Draft::beside(Want& want, const Value& target) const {
  const Storage& memory = storage(target);
  bool takes = has_gradients(target.dtype) && !memory.argument &&
               (target.requires_grad || (memory.values == 1 && target.strides_known));
  want.plain = want.plain || !takes;
  want.live = [number = target.storage](const Value& value) { return value.storage != number; };
}

Dim Draft::dim(int rank) {
  auto at = static_cast<int>(choices_.below(static_cast<std::uint64_t>(rank)));
  return {at, flip() ? at : at - rank};
}

std::vector<Dim> Draft::dims(int rank, int least) {
  std::vector<Dim> left;
  for (int i = 0; i < rank; ++i) left.push_back({i, flip() ? i : i - rank});
  for (int i = rank - 1; i > 0; --i)
    std::swap(left[static_cast<std::size_t>(i)], left[choices_.below(static_cast<std::uint64_t>(i) + 1)]);
  left.resize(static_cast<std::size_t>(between(least, rank)));
  return left;
}

void Draft::mark_read(const Call& call) {
  for_each_operand(call, [&](int id) {
    read_[static_cast<std::size_t>(id)] = true;
    std::erase(waste_, id);
  });
}

void Draft::save(const Call& call) {
  for_each_operand(call, [&](int id) { storage(live(id)).saved = true; });
  for (int id : call.outputs) storage(live(id)).saved = true;
}

Motion Draft::motion_of(const Call& call, const Traits& traits, std::size_t result, std::size_t results) const {
  Motion motion = Motion::kStill;
  auto take = [&](Ref ref) { motion = std::max(motion, motion_[static_cast<std::size_t>(ref.value)]); };
  // What stands behind `out=` is written only.
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
  return jumps_ ? std::min(motion, Motion::kCoarse) : motion;
}

void Draft::add_motion(const Value& value, Motion motion) {
  if (is_flat(value)) motion = Motion::kStill;
  motion_.push_back(motion);
  if (motion != Motion::kMoves && !value.input) waste_.push_back(value.id);
}

void Draft::record(Call call, std::vector<Value> results, Traits traits) {
  mark_read(call);
  bool gradients = false;
  bool exact = true;
  for_each_operand(call, [&](int id) {
    gradients = gradients || live(id).requires_grad;
    exact = exact && live(id).exact;
  });
  bool derived = false;
  for (Value& result : results) {
    const Motion motion = motion_of(call, traits, call.outputs.size(), results.size());
    JP_CHECK(extent(result.shape) <= kMaxElements && result.shape.size() <= kMaxRank, "{} grew too large: {}", call.op,
             fmt::join(result.shape, ", "));
    JP_CHECK(inside(result.interval, range_of(result.dtype)), "{} left the range of {}: {} to {}", call.op,
             dtype_name(result.dtype), result.interval.low, result.interval.high);
    bool rounds = is_floating(result.dtype) && dtype_size(result.dtype) < 4;
    result.id = static_cast<int>(graph_.values.size());
    result.input = false;
    result.exact = exact && (is_integral(result.dtype) || traits.exactness == Exactness::kSame ||
                             (traits.exactness == Exactness::kRounded && !rounds));
    result.requires_grad = gradients && traits.differentiable && has_gradients(result.dtype);
    derived = derived || result.requires_grad;
    if (result.storage < 0) result.storage = new_storage({});
    ++storage(result).values;
    if (traits.several_views) storage(result).several_views = true;
    call.outputs.push_back(result.id);
    graph_.values.push_back(result);
    read_.push_back(false);
    add_motion(result, motion);
  }
  if (derived && traits.saves == Saves::kAll) save(call);
  drawn_.clear();
  partner_ = kEverybody;
  jumps_ = false;
  graph_.calls.push_back(std::move(call));
}

void Draft::record_write(Call call, const Value& target, Interval result, Traits traits) {
  call.written = target.id;
  Value written = live(target.id);
  written.interval = result;
  record(std::move(call), written, traits);
  const Value& after = graph_.values.back();
  bool exact = after.exact;
  bool gradients = after.requires_grad;
  // A conjugate of a value holds the negative of its imaginary part.
  bool negated = std::any_of(graph_.values.begin(), graph_.values.end(),
                             [&](const Value& value) { return value.storage == target.storage && value.lazy; });
  Interval elsewhere = negated ? hull(result, -result) : result;
  for (Value& value : graph_.values) {
    if (value.storage != target.storage) continue;
    bool same = value.id == target.id || value.id == after.id;
    Motion& motion = motion_[static_cast<std::size_t>(value.id)];
    motion = same ? motion_.back() : std::max(motion, motion_.back());
    value.interval = same ? result : hull(value.interval, elsewhere);
    value.exact = same ? exact : value.exact && exact;
    value.requires_grad = value.requires_grad || (gradients && has_gradients(value.dtype));
  }
}

}  // namespace jp::seedgen
