// Sampling at positions of a grid, and grids of affine maps.
//
// The nearest element is discontinuous halfway between two, and gradients by the grid are discontinuous at grid points:
// such grids are only arguments, whose random numbers don't lie there. Literal chances here were chosen, not measured.
#include <algorithm>

#include "seedgen/bases/call_writer.h"
#include "seedgen/bases/operator.h"
#include "seedgen/draw/policy.h"

namespace jp::seedgen::grid_operators {
namespace {

constexpr std::string_view kNames[] = {"grid_sample", "affine_grid"};
constexpr std::string_view kModes[] = {"bilinear", "nearest", "bicubic"};
constexpr std::string_view kPaddings[] = {"zeros", "border", "reflection"};
// Positions in half precision are too coarse.
constexpr DtypeSet kWide = {Dtype::kFloat32, Dtype::kFloat64};
constexpr Interval kPlaces = {-3, 3};
constexpr double kCubic = 2.5;

class Grid final : public Operator {
 public:
  std::string_view name() const override { return "grid"; }
  std::vector<std::string_view> members() const override { return {std::begin(kNames), std::end(kNames)}; }

  void draw(Draft& draft, std::size_t member) const override { member == 0 ? draw_sample(draft) : draw_affine(draft); }

 private:
  static void draw_sample(Draft& draft) {
    Value x = draft.input({.dtypes = kWide,
                           .shape = ShapeWant::any(4, 5, 1).upto(kMaxElements / 32),
                           .fits = [](const Value& v) { return inside(image_of(v, 2), range_of(v.dtype)); }});
    int dims = x.shape.size() - 2;
    std::uint64_t mode = draft.choices().below(dims == 2 ? 3 : 2);
    Shape shape = x.shape;
    Shape places = {x.shape[0]};
    for (int i = 2; i < x.shape.size(); ++i) {
      shape[i] = draft.between(1, dims == 3 ? 3 : 5);
      places.push_back(shape[i]);
    }
    places.push_back(dims);
    Want want{.dtypes = {x.dtype}, .shape = ShapeWant::exactly(places), .within = kPlaces, .exact = mode == 1};
    want.live = [&](const Value& value) { return value.input || (mode != 1 && !value.requires_grad); };
    Value grid = draft.input(want);
    CallWriter writer("grid_sample");
    writer.give("input", x).give("grid", grid);
    writer.give_if(mode != 0 || draft.flip(), "mode", quoted(kModes[mode]));
    std::uint64_t padding = draft.choices().below(3);
    writer.give_if(padding != 0 || draft.flip(), "padding_mode", quoted(kPaddings[padding]));
    writer.give_if(kPolicy.align_corners.drawn(draft.choices()), "align_corners", draft.flip());
    draft.record(writer.finish(), fresh_unknown(x.dtype, shape, image_of(x, mode)),
                 {.exactness = mode == 1 ? Exactness::kSame : Exactness::kLoose});
  }

  static Interval image_of(const Value& x, std::uint64_t mode) {
    double most = kCubic * largest(x.interval);
    Interval zeros = hull(x.interval, {0, 0});
    return mode == 1 ? zeros : rounded(mode == 0 ? zeros : Interval{-most, most}, x.dtype, 32);
  }

  // For each map the positions of a grid from -1 to 1 in each dimension.
  static void draw_affine(Draft& draft) {
    int dims = draft.choices().chance(1, 3) ? 3 : 2;
    Shape pattern = {-1, dims, dims + 1};
    Value maps = draft.input({.dtypes = kWide, .shape = ShapeWant::pattern(pattern, 1, 8), .fits = [&](const Value& v) {
                                return inside(places(v, dims), range_of(v.dtype));
                              }});
    Ints size = {maps.shape[0], draft.between(1, 3)};
    Shape shape = {maps.shape[0]};
    for (int i = 0; i < dims; ++i) {
      size.push_back(draft.between(1, 5));
      shape.push_back(size.back());
    }
    shape.push_back(dims);
    CallWriter writer("affine_grid");
    writer.give("theta", maps)
        .give("size", size)
        .give_if(kPolicy.align_corners.drawn(draft.choices()), "align_corners", draft.flip());
    draft.record(writer.finish(), fresh_unknown(maps.dtype, shape, places(maps, dims)),
                 {.exactness = Exactness::kLoose});
  }

  static Interval places(const Value& maps, int dims) {
    double terms = dims + 1;
    return rounded(sum_of(maps.interval * Interval{-1, 1}, terms), maps.dtype, terms + 4);
  }
};

const Register<Operator, Grid> registered;

}  // namespace
}  // namespace jp::seedgen::grid_operators
