// Window functions of signal processing, by length.
#include <algorithm>
#include <cmath>

#include "seedgen/bases/call_writer.h"
#include "seedgen/bases/operator.h"
#include "seedgen/draw/live.h"

namespace jp::seedgen::windows_operators {
namespace {

struct Row {
  std::string_view name;
  /// The interval of the elements, before rounding.
  Interval image;
};
constexpr Row kRows[] = {{"hann_window", {0, 1}},
                         {"hamming_window", {0, 1}},
                         {"blackman_window", {0, 1}},
                         {"bartlett_window", {0, 1}},
                         {"kaiser_window", {0, 1}}};

constexpr std::array<Dtype, 5> kDtypes = {Dtype::kFloat32, Dtype::kFloat32, Dtype::kFloat64, Dtype::kFloat16,
                                          Dtype::kBFloat16};
// Sums of a few rounded cosines: blackman's ends lie below 0 by that.
constexpr double kTerms = 16;

class Windows final : public Operator {
 public:
  std::string_view name() const override { return "windows"; }
  std::vector<std::string_view> members() const override { return names_of(kRows); }
  bool constant(std::size_t) const override { return true; }

  void draw(Draft& draft, std::size_t member) const override {
    const Row& row = kRows[member];
    const Model model(draft);
    const std::int64_t length = model.length(0, 17);
    const Dtype any = kDtypes[draft.choices().below(kDtypes.size())];
    const Dtype dtype = model.dtype(kFloats).value_or(any);
    Interval image = row.image;
    CallWriter writer(row.name, "torch.#");
    writer.give("window_length", length);
    if (row.name == "hamming_window") {
      writer.give("periodic", draft.flip());
      if (draft.flip()) {
        const double alpha = 0.25 * static_cast<double>(draft.between(1, 4));
        const double beta = 0.25 * static_cast<double>(draft.between(0, 4));
        writer.give("alpha", alpha).give("beta", beta);
        // A window of one element is 1.
        image = hull({alpha - beta, alpha + beta}, {1, 1});
      }
    } else {
      if (row.name == "kaiser_window" || draft.flip()) writer.give("periodic", draft.flip());
      if (row.name == "kaiser_window" && draft.flip())
        writer.give("beta", 0.5 * static_cast<double>(draft.between(1, 28)));
    }
    writer.keyword("dtype", dtype);
    const double slack = kTerms * epsilon(dtype);
    image = rounded(image + Interval{-slack, slack}, dtype, kTerms);
    draft.record(writer.finish(), fresh(dtype, {length}, image), {.exactness = Exactness::kLoose});
  }
};

const Register<Operator, Windows> registered;

}  // namespace
}  // namespace jp::seedgen::windows_operators
