// Python's brackets: `v0[1:, None]`, `v0[[2, 0], :, v3]`, `v0[mask]`, and the same with something written to them.
// Literal chances here were chosen, not measured.
#include "seedgen/bases/subscript.h"

#include "seedgen/bases/operator.h"
#include "seedgen/bases/writes.h"

namespace jp::seedgen::subscript_operators {
namespace {

constexpr std::string_view kNames[] = {"getitem",        "getitem_tensor", "getitem_mask", "setitem",
                                       "setitem_tensor", "setitem_mask",   "setitem_add"};
constexpr std::string_view kGet[] = {"$0[$1]"};
constexpr std::string_view kSet[] = {"!$0[$2] = $1"};
constexpr std::string_view kAdd[] = {"!$0[$2] += $1"};
constexpr std::string_view kSubtract[] = {"!$0[$2] -= $1"};
constexpr std::string_view kMultiply[] = {"!$0[$2] *= $1"};
constexpr Forms kUpdates[] = {kAdd, kSubtract, kMultiply};

constexpr Items kItems[] = {Items::kBasic, Items::kTensors, Items::kMask};

// What autograd saves of an index: live tensors, which must not be written afterwards.
Saves saves_of(const Subscript& subscript) { return subscript.tensors.empty() ? Saves::kNothing : Saves::kAll; }

void add_tensors(Call& call, const Subscript& subscript) {
  for (Ref tensor : subscript.tensors) call.add(tensor);
}

Interval updated(std::size_t kind, Interval x, Interval source) {
  return kind == 0 ? x + source : kind == 1 ? x - source : x * source;
}

class SubscriptFamily final : public Operator {
 public:
  std::string_view name() const override { return "subscript"; }
  std::vector<std::string_view> members() const override { return {std::begin(kNames), std::end(kNames)}; }

  void draw(Draft& draft, std::size_t member) const override {
    if (member < 3) return draw_get(draft, member);
    if (member == 6) return draw_update(draft);
    if (member == 5 && draft.flip()) return draw_set_by_live_mask(draft);
    draw_set(draft, member);
  }

 private:
  static void draw_get(Draft& draft, std::size_t member) {
    Items items = kItems[member];
    Value x = draft.input({.dtypes = kEveryDtype, .shape = subscript_shape(items)});
    Subscript subscript = draw_subscript(draft, x, items, 2, false);
    Call call{.op = kNames[member], .forms = kGet, .arguments = {Ref{x.id}, subscript.text}};
    add_tensors(call, subscript);
    Value result = items == Items::kBasic ? view_of(x, subscript.shape, subscript.strides)
                                          : fresh_unknown(x.dtype, subscript.shape, x.interval);
    draft.record(std::move(call), result, {.saves = saves_of(subscript)});
  }

  // If an element may be addressed twice, only a single number is written.
  static SourceWant source_want(Draft& draft, const Subscript& subscript, bool casts) {
    SourceWant want{.shape = ShapeWant::into(subscript.shape), .casts = casts};
    if (!subscript.distinct) want.shape = ShapeWant::exactly(draft.flip() ? Shape{} : Shape{1});
    if (subscript.distinct && subscript.shape.size() < kMaxRank && draft.choices().chance(1, 12)) {
      Shape longer = subscript.shape;
      longer.insert(0, 1);
      want.shape = ShapeWant::exactly(longer);
    }
    return want;
  }

  static void draw_set(Draft& draft, std::size_t member) {
    Items items = kItems[member - 3];
    Value x = draft.input({.shape = subscript_shape(items), .written = true});
    Subscript subscript = draw_subscript(draft, x, items, 3, true);
    Source source = draw_source(draft, x, true, source_want(draft, subscript, items == Items::kBasic));
    write(draft, kNames[member], kSet, x, subscript, source, hull(x.interval, source.interval));
  }

  static void write(Draft& draft, std::string_view op, Forms forms, const Value& x, const Subscript& subscript,
                    const Source& source, Interval image, Exactness exactness = Exactness::kSame) {
    Call call{.op = op, .forms = forms, .arguments = {Ref{x.id}, source.argument, subscript.text}};
    add_tensors(call, subscript);
    draft.record_write(std::move(call), x, image,
                       {.exactness = std::max(exactness, source.exactness), .saves = saves_of(subscript)});
  }

  // A mask of the leading dimensions with an unknown number of True.
  static void draw_set_by_live_mask(Draft& draft) {
    Value x = draft.input({.written = true});
    Shape leading = x.shape;
    for (std::int64_t left = draft.between(std::min(1, x.shape.size()), x.shape.size()); left < leading.size();)
      leading.erase(leading.size() - 1);
    Want want{.dtypes = kBools, .shape = ShapeWant::exactly(leading)};
    draft.beside(want, x);
    Subscript subscript{.text = "$3", .tensors = {{draft.input(want).id}}, .distinct = false};
    Source source = draw_source(draft, x, true, source_want(draft, subscript, false));
    write(draft, "setitem_mask", kSet, x, subscript, source, hull(x.interval, source.interval));
  }

  // An element that is addressed twice would get one of its two new values: therefore none is.
  static void draw_update(Draft& draft) {
    std::uint64_t kind = draft.choices().below(3);
    Items items = draft.choices().chance(2, 3) ? Items::kBasic : Items::kMask;
    Value x = draft.input({.dtypes = kNumbers, .shape = subscript_shape(items), .written = true});
    Subscript subscript = draw_subscript(draft, x, items, 3, true);
    auto image = [&](Interval source) { return rounded(updated(kind, x.interval, source), x.dtype, 2); };
    double neutral = kind == 2 ? 1 : 0;
    Want want{.dtypes = {x.dtype}, .shape = ShapeWant::into(subscript.shape), .neutral = neutral};
    if (!subscript.distinct) want.shape = ShapeWant::exactly({});
    want.fits = [&](const Value& value) {
      return value.interval == Interval{neutral, neutral} || inside(image(value.interval), range_of(x.dtype));
    };
    draft.beside(want, x);
    Value value = draft.input(want);
    bool changes = value.interval != Interval{neutral, neutral};
    Call call{.op = "setitem_add", .forms = kUpdates[kind], .arguments = {Ref{x.id}, Ref{value.id}, subscript.text}};
    add_tensors(call, subscript);
    draft.record_write(std::move(call), x, changes ? hull(x.interval, image(value.interval)) : x.interval,
                       {.exactness = Exactness::kRounded, .saves = kind == 2 ? Saves::kAll : saves_of(subscript)});
  }
};

const Register<Operator, SubscriptFamily> registered;

}  // namespace
}  // namespace jp::seedgen::subscript_operators
