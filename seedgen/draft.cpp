#include "seedgen/draft.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace jp::seedgen {
namespace {

// Gradients in two programs of five, and then for every second float argument.
constexpr std::uint64_t kGradientPrograms = 2;
constexpr std::uint64_t kOfPrograms = 5;

// One argument in so many is complex, where that may be.
constexpr std::uint64_t kComplexDraws = 16;

// In one program of so many, arguments may share memory.
constexpr std::uint64_t kSharingPrograms = 6;

constexpr std::array<Dtype, 28> kDtypes = {
    Dtype::kFloat32,  Dtype::kFloat32, Dtype::kFloat32, Dtype::kFloat32, Dtype::kFloat32,  Dtype::kFloat32,
    Dtype::kFloat32,  Dtype::kFloat32, Dtype::kFloat32, Dtype::kFloat32, Dtype::kFloat64,  Dtype::kFloat64,
    Dtype::kFloat64,  Dtype::kFloat16, Dtype::kFloat16, Dtype::kFloat16, Dtype::kBFloat16, Dtype::kBFloat16,
    Dtype::kBFloat16, Dtype::kInt64,   Dtype::kInt64,   Dtype::kInt64,   Dtype::kInt32,    Dtype::kInt32,
    Dtype::kInt8,     Dtype::kUInt8,   Dtype::kBool,    Dtype::kBool};

constexpr std::array<Interval, 8> kFloatIntervals = {
    {{-1, 1}, {-1, 1}, {0, 1}, {-2, 2}, {-3, 3}, {0.5, 1.5}, {-8, 8}, {1, 2}}};
constexpr std::array<Interval, 6> kIntIntervals = {{{-9, 9}, {0, 9}, {0, 3}, {-3, 3}, {1, 7}, {-100, 100}}};

// The part of `drawn` that is welcome; where there is none or one point only, a part of `within` near it.
Interval welcome(Interval drawn, Interval within) {
  Interval common = clip(drawn, within);
  if (common.low < common.high || within.low == within.high) return common;
  return common.low < within.high ? Interval{common.low, std::min(common.low + 2, within.high)}
                                  : Interval{std::max(common.high - 2, within.low), common.high};
}

// Ends that every float dtype holds exactly (7 bits), so that scaling random numbers never rounds past them.
Interval representable(Interval a, bool whole) {
  if (whole) return {std::ceil(a.low), std::floor(a.high)};
  auto up = [](double x) {
    int exponent = 0;
    double mantissa = std::frexp(x, &exponent);
    return std::ldexp(std::ceil(mantissa * 128), exponent - 7);
  };
  Interval inner = {up(a.low), -up(-a.high)};
  return inner.low <= inner.high ? inner : a;
}

Interval narrowed(Interval a, double towards, bool whole) {
  auto closer = [&](double end) {
    double half = towards + (end - towards) / 2;
    return whole ? towards + std::trunc((end - towards) / 2) : half;
  };
  return {closer(a.low), closer(a.high)};
}

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
    JP_CHECK(wider.has_value(), "operands that do not broadcast");
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

namespace {

// The views of an argument that another argument may be, each with its text.
struct View {
  Value value;
  std::string_view text;
};

std::vector<View> views_of(const Value& base) {
  std::vector<View> views = {{base, ""}, {base, "[...]"}};
  int rank = base.shape.size();
  if (rank == 0) return views;
  views.push_back({view_of(base, {numel(base.shape)}, {1}), ".view(-1)"});
  if (base.shape[0] >= 2) {
    Value tail = base;
    --tail.shape[0];
    views.push_back({tail, "[1:]"});
    Value row = base;
    row.shape.erase(0);
    row.strides.erase(0);
    views.push_back({row, "[0]"});
  }
  if (rank >= 2) {
    Value turned = base;
    std::swap(turned.shape[0], turned.shape[1]);
    std::swap(turned.strides[0], turned.strides[1]);
    views.push_back({turned, ".transpose(0, 1)"});
  }
  return views;
}

}  // namespace

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

// Values that vary rather than constants, results of calls rather than arguments, so that calls hang together; and what
// nobody has read yet a little rather than what somebody has.
Value Draft::input(const Want& want) {
  if (!choices_.chance(reuse_, 1000)) return new_argument(want);
  candidates_.clear();
  for (const Value& value : graph_.values)
    if (fits(value, want)) candidates_.push_back(value.id);
  if (candidates_.empty()) return new_argument(want);
  auto prefer = [&](std::uint64_t numerator, std::uint64_t denominator, auto&& test) {
    auto among = std::count_if(candidates_.begin(), candidates_.end(), test);
    if (among == 0 || among == static_cast<std::ptrdiff_t>(candidates_.size())) return;
    if (choices_.chance(numerator, denominator)) std::erase_if(candidates_, [&](int id) { return !test(id); });
  };
  prefer(31, 32, [&](int id) { return !is_flat(live(id)); });
  prefer(31, 32, [&](int id) { return !live(id).input; });
  prefer(1, 4, [&](int id) { return !read_[static_cast<std::size_t>(id)]; });
  return live(candidates_[choices_.below(candidates_.size())]);
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

Dtype Draft::draw_dtype(const Want& want, const Shape& shape) {
  auto possible = [&](Dtype dtype) {
    if (!want.dtypes.has(dtype)) return false;
    // A narrow domain would leave a single integer: floats are worth more there.
    Interval common = clip(want.within, range_of(dtype));
    bool several = std::floor(common.high) - std::ceil(common.low) >= 1;
    if (!several && is_integral(dtype) && want.dtypes.has(Dtype::kFloat32)) return false;
    return !want.fits || want.fits(fresh_unknown(dtype, shape, {want.neutral, want.neutral}));
  };
  if (want.likely && *want.likely != Dtype::kInt16 && possible(*want.likely) && flip()) return *want.likely;
  std::array<Dtype, kDtypes.size()> dtypes{};
  std::size_t count = 0;
  Dtype last = Dtype::kComplex128;
  bool last_possible = false;
  for (Dtype dtype : kDtypes) {
    if (dtype != last) last_possible = possible(last = dtype);
    if (last_possible) dtypes[count++] = dtype;
  }
  if (want.dtypes.meets(kComplex) && (count == 0 || choices_.chance(1, kComplexDraws))) {
    bool wide = flip();
    for (Dtype complex : {wide ? Dtype::kComplex128 : Dtype::kComplex64, wide ? Dtype::kComplex64 : Dtype::kComplex128})
      if (possible(complex)) return complex;
  }
  // No argument has int16 of its own accord, but a partner of an int16 may need it.
  if (count == 0 && possible(Dtype::kInt16)) return Dtype::kInt16;
  JP_CHECK(count > 0, "no argument of shape ({}) can fit the wish", fmt::join(shape, ", "));
  return dtypes[choices_.below(count)];
}

Interval Draft::draw_interval(const Want& want, const Value& argument) {
  bool whole = is_integral(argument.dtype);
  Interval drawn = whole ? kIntIntervals[choices_.below(kIntIntervals.size())]
                         : kFloatIntervals[choices_.below(kFloatIntervals.size())];
  drawn = clip(drawn, range_of(argument.dtype));
  if (want.away > 0) {
    double least = whole ? std::ceil(want.away) : want.away;
    bool positive =
        want.within.high >= least && (want.within.low > -least || argument.dtype == Dtype::kUInt8 || flip());
    Interval side = positive ? Interval{least, std::max(drawn.high, 2 * least)} : Interval{-2 * least, -least};
    drawn = side;
  }
  drawn = representable(welcome(drawn, clip(want.within, range_of(argument.dtype))), whole);
  if (!want.fits) return drawn;
  Value trial = argument;
  trial.interval = drawn;
  for (int i = 0; i < 16 && !want.fits(trial); ++i)
    trial.interval = i < 15 ? narrowed(trial.interval, want.neutral, whole) : Interval{want.neutral, want.neutral};
  JP_CHECK(want.fits(trial), "an argument of {} can't be made to fit", dtype_name(argument.dtype));
  return trial.interval;
}

// Mostly contiguous; else a layout that the argument's shape allows.
Layout Draft::draw_layout(const Want& want, const Value& argument) {
  int rank = argument.shape.size();
  if (rank == 0 || choices_.chance(3, 4)) return Layout::kContiguous;
  switch (choices_.below(4)) {
    case 0:
      return rank >= 2 ? Layout::kTransposed : Layout::kContiguous;
    case 1:
      return rank == 4 ? Layout::kChannelsLast : Layout::kContiguous;
    case 2:
      return Layout::kStepped;
    default:
      return argument.shape[0] > 1 && !want.written && !argument.requires_grad ? Layout::kExpanded
                                                                               : Layout::kContiguous;
  }
}

// A view of an earlier argument that fits, or nothing. Only contiguous ones without gradients are looked at.
std::optional<Value> Draft::shared_argument(const Want& want) {
  std::vector<View> fitting;
  std::vector<int> bases;
  for (const Input& input : graph_.inputs) {
    if (input.base >= 0 || input.requires_grad || input.layout != Layout::kContiguous) continue;
    for (View& view : views_of(live(input.value))) {
      if (!fits(view.value, want)) continue;
      fitting.push_back(std::move(view));
      bases.push_back(input.value);
    }
  }
  if (fitting.empty()) return std::nullopt;
  std::size_t drawn = choices_.below(fitting.size());
  Value argument = fitting[drawn].value;
  argument.id = static_cast<int>(graph_.values.size());
  ++storage(argument).values;
  graph_.inputs.push_back({.value = argument.id, .base = bases[drawn], .view = fitting[drawn].text});
  graph_.values.push_back(argument);
  read_.push_back(false);
  return argument;
}

Value Draft::new_argument(const Want& want) {
  if (shares_ && flip())
    if (std::optional<Value> shared = shared_argument(want)) return *shared;
  Value argument;
  argument.shape = want.shape.draw(choices_, bounds_);
  argument.dtype = draw_dtype(want, argument.shape);
  argument.input = true;
  Input input;
  input.interval = draw_interval(want, argument);
  argument.interval = input.interval;
  argument.requires_grad = gradients_ && has_gradients(argument.dtype) && !want.written && !want.plain && flip();
  input.requires_grad = argument.requires_grad;
  input.layout = draw_layout(want, argument);
  argument.overlaps_itself = input.layout == Layout::kExpanded;
  argument.strides_known = input.layout == Layout::kContiguous;
  if (argument.strides_known) argument.strides = contiguous_strides(argument.shape);
  argument.storage = new_storage({.argument = true, .leaf = argument.requires_grad, .values = 1});
  argument.id = input.value = static_cast<int>(graph_.values.size());
  graph_.inputs.push_back(input);
  graph_.values.push_back(argument);
  read_.push_back(false);
  return argument;
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

void Draft::mark_read(const std::vector<int>& ids) {
  for (int id : ids) read_[static_cast<std::size_t>(id)] = true;
}

void Draft::save(const std::vector<int>& ids) {
  for (int id : ids) storage(live(id)).saved = true;
}

void Draft::record(Call call, std::vector<Value> results, Traits traits) {
  std::vector<int> read = operands(call);
  mark_read(read);
  bool gradients = false;
  bool exact = true;
  for (int id : read) {
    gradients = gradients || live(id).requires_grad;
    exact = exact && live(id).exact;
  }
  bool derived = false;
  for (Value& result : results) {
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
  }
  if (derived && traits.saves == Saves::kAll) {
    save(read);
    save(call.outputs);
  }
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
    value.interval = same ? result : hull(value.interval, elsewhere);
    value.exact = same ? exact : value.exact && exact;
    value.requires_grad = value.requires_grad || (gradients && has_gradients(value.dtype));
  }
}

}  // namespace jp::seedgen
