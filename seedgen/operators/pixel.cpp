// Elements moved between channels and space, and among channels.
#include <algorithm>

#include "seedgen/bases/operator.h"

namespace jp::seedgen::pixel_operators {
namespace {

constexpr std::string_view kNames[] = {"pixel_shuffle", "pixel_unshuffle", "channel_shuffle"};
constexpr std::string_view kForms[] = {"torch.nn.functional.#($0, $1)", "torch.#($0, $1)"};

class Pixel final : public Operator {
 public:
  std::string_view name() const override { return "pixel"; }
  std::vector<std::string_view> members() const override { return {std::begin(kNames), std::end(kNames)}; }

  void draw(Draft& draft, std::size_t member) const override {
    if (member == 2) return draw_channels(draft);
    bool unshuffles = member == 1;
    // A value that happens to be divisible, or sizes made for a factor.
    std::int64_t factor = draft.flip() ? 0 : draft.between(2, 3);
    Shape sizes = Ints::filled(static_cast<int>(draft.between(3, kMaxRank)), -1);
    if (factor > 0) sizes = sizes_for(draft, factor, unshuffles);
    // Backward refuses a gradient that looks like channels-last volumes.
    const bool plain = sizes.size() == kMaxRank;
    Want divisible{.dtypes = kEveryDtype, .shape = ShapeWant::any(3, kMaxRank - 1, 1)};
    divisible.live = [&](const Value& value) { return factor == 0 || divides(factor, value.shape, unshuffles); };
    // If that rank was drawn it is kept, otherwise it could never follow a smaller value.
    const bool any = !plain && draft.has_live(divisible);
    Want made{.dtypes = kEveryDtype, .shape = ShapeWant::pattern(sizes, 1), .plain = plain};
    // Such a volume is refused forward, too.
    if (plain) made.live = [](const Value& value) { return is_contiguous(value); };
    Value x = draft.input(any ? divisible : made);
    int channels = x.shape.size() - 3;
    std::int64_t& c = x.shape[channels];
    std::int64_t& h = x.shape[channels + 1];
    std::int64_t& w = x.shape[channels + 2];
    if (factor == 0 || !divides(factor, x.shape, unshuffles)) {
      std::vector<std::int64_t> possible;
      for (std::int64_t i = 1; i <= 4; ++i)
        if (divides(i, x.shape, unshuffles)) possible.push_back(i);
      factor = draft.choices().pick(possible);
    }
    c = unshuffles ? c * factor * factor : c / (factor * factor);
    h = unshuffles ? h / factor : h * factor;
    w = unshuffles ? w / factor : w * factor;
    draft.record({.op = kNames[member], .forms = kForms, .arguments = {Ref{x.id}, factor}},
                 fresh_unknown(x.dtype, x.shape, x.interval), {.saves = Saves::kNothing});
  }

 private:
  // Whether channels, or the last two dimensions, can be split like this.
  static bool divides(std::int64_t factor, const Shape& shape, bool unshuffles) {
    const int channels = shape.size() - 3;
    if (!unshuffles) return shape[channels] % (factor * factor) == 0;
    return shape[channels + 1] % factor == 0 && shape[channels + 2] % factor == 0;
  }

  static Shape sizes_for(Draft& draft, std::int64_t factor, bool unshuffles) {
    Shape sizes = Ints::filled(static_cast<int>(draft.between(0, kMaxRank - 3)), -1);
    std::int64_t parts = draft.between(1, 2);
    sizes.push_back(unshuffles ? -1 : parts * factor * factor);
    sizes.push_back(unshuffles ? factor * draft.between(1, 3) : -1);
    sizes.push_back(unshuffles ? factor * parts : -1);
    return sizes;
  }

  // At least two groups: for one, eager may return the input itself.
  static void draw_channels(Draft& draft) {
    std::int64_t groups = draft.between(2, 4);
    Shape sizes = {-1, groups * draft.between(1, 3)};
    for (std::int64_t i = draft.between(1, kMaxRank - 2); i > 0; --i) sizes.push_back(-1);
    Value x = draft.input({.dtypes = kEveryDtype, .shape = ShapeWant::pattern(sizes, 1)});
    draft.record({.op = kNames[2], .forms = kForms, .arguments = {Ref{x.id}, groups}},
                 fresh_unknown(x.dtype, x.shape, x.interval), {.saves = Saves::kNothing});
  }
};

const Register<Operator, Pixel> registered;

}  // namespace
}  // namespace jp::seedgen::pixel_operators
