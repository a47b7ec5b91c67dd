// Scaled dot product attention, with masks, causal, with a scale of its own, and with fewer heads of keys and values
// than of queries. A boolean mask always admits the first key: the average over no keys is undefined.
// Literal chances here were chosen, not measured.
#include <algorithm>
#include <cmath>

#include "seedgen/bases/call_writer.h"
#include "seedgen/bases/operator.h"

namespace jp::seedgen::attention_operators {
namespace {

// Larger scores would turn rounding in half precision into different weights.
constexpr double kMaxScore = 32;
constexpr Interval kDomain = {-16, 16};

class Attention final : public Operator {
 public:
  std::string_view name() const override { return "attention"; }
  std::vector<std::string_view> members() const override { return {"scaled_dot_product_attention"}; }

  // Queries (..., L, E), keys (..., S, E), values (..., S, V), all of the same batch dimensions.
  void draw(Draft& draft, std::size_t) const override {
    Value query =
        draft.input({.dtypes = kFloats, .shape = ShapeWant::any(2, kMaxRank, 1).upto(512), .within = kDomain});
    int rank = query.shape.size();
    std::int64_t width = query.shape.back();
    bool shares = rank >= 3 && draft.choices().chance(1, 3);
    Shape pattern = query.shape;
    if (shares) pattern[rank - 3] = draw_divisor(draft, query.shape[rank - 3]);
    bool scales = draft.choices().chance(1, 3);
    double scale = scales ? (draft.flip() ? 0.125 : 0.5) : 1 / std::sqrt(static_cast<double>(width));

    pattern[rank - 2] = -1;
    Want want{.dtypes = {query.dtype}, .shape = ShapeWant::pattern(pattern, 1, 8), .within = kDomain};
    want.fits = [&](const Value& key) {
      return static_cast<double>(width) * largest(query.interval * key.interval) * scale <= kMaxScore;
    };
    Value key = draft.input(want);
    pattern = key.shape;
    pattern[rank - 1] = -1;
    std::int64_t rows = element_count(query.shape) / width;
    want = {.dtypes = {query.dtype}, .shape = ShapeWant::pattern(pattern, 1, std::min<std::int64_t>(8, 4096 / rows))};
    want.fits = [](const Value& v) { return inside(rounded(v.interval, v.dtype, 64), range_of(v.dtype)); };
    Value value = draft.input(want);

    CallWriter writer("scaled_dot_product_attention");
    writer.give("query", query).give("key", key).give("value", value);
    write_mask(draft, writer, query, key.shape[rank - 2]);
    if (scales) writer.keyword("scale", scale);
    if (shares) writer.keyword("enable_gqa", true);
    Shape shape = query.shape;
    shape[rank - 1] = value.shape[rank - 1];
    draft.record(writer.finish(), fresh_unknown(query.dtype, shape, rounded(value.interval, query.dtype, 64)),
                 {.exactness = Exactness::kLoose});
  }

 private:
  static std::int64_t draw_divisor(Draft& draft, std::int64_t heads) {
    std::vector<std::int64_t> divisors;
    for (std::int64_t i = 1; i <= heads; ++i)
      if (heads % i == 0) divisors.push_back(i);
    return draft.choices().pick(divisors);
  }

  // None, causal, additive weights, or a boolean mask; broadcast to (..., L, S), with at least two dimensions, as some
  // of eager's kernels require.
  static void write_mask(Draft& draft, CallWriter& writer, const Value& query, std::int64_t keys) {
    std::uint64_t kind = draft.choices().below(5);
    bool adds = kind == 1;
    if (kind == 1 || kind == 2) {
      Shape shape = query.shape;
      shape[shape.size() - 1] = keys;
      if (draft.flip()) shape = {shape[shape.size() - 2], keys};
      for (std::int64_t& size : shape)
        if (draft.choices().chance(1, 6)) size = 1;
      Want want{.shape = ShapeWant::exactly(shape)};
      want.dtypes = adds ? DtypeSet{query.dtype} : kBools;
      want.within = adds ? kDomain : Interval{0, 1};
      Value mask = draft.input(want);
      std::string first = " | (torch.arange(" + std::to_string(keys) + ") == 0)";
      writer.give_after("attn_mask", mask, adds ? "" : first);
    } else {
      writer.give_if(draft.choices().chance(1, 4), "attn_mask", std::string("None"));
    }
    writer.give_if(draft.choices().chance(1, 4), "dropout_p", 0.0);
    writer.give_if(kind == 0, "is_causal", true);
  }
};

const Register<Operator, Attention> registered;

}  // namespace
}  // namespace jp::seedgen::attention_operators
