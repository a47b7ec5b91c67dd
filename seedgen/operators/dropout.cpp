// Dropout that drops nothing, outside of training or with probability 0: eager returns its input.
// Literal chances here were chosen, not measured.
#include "seedgen/bases/call_writer.h"
#include "seedgen/bases/operator.h"

namespace jp::seedgen::dropout_operators {
namespace {

struct Row {
  std::string_view name;
  int min_rank;
  int max_rank;
  DtypeSet dtypes;
};

constexpr Row kRows[] = {
    {"dropout", 0, kMaxRank, kAnyDtype}, {"alpha_dropout", 0, kMaxRank, kAnyDtype},
    {"dropout1d", 2, 3, kAnyDtype},      {"dropout2d", 3, 4, kAnyDtype},
    {"dropout3d", 4, 5, kAnyDtype},
};

class Dropout final : public Operator {
 public:
  std::string_view name() const override { return "dropout"; }
  std::vector<std::string_view> members() const override { return names_of(kRows); }

  void draw(Draft& draft, std::size_t member) const override {
    const Row& row = kRows[member];
    const bool writes = draft.choices().chance(1, 4);
    Want want{.dtypes = row.dtypes, .shape = ShapeWant::any(row.min_rank, row.max_rank), .written = writes};
    // dropout1d and its like may put a dimension in front in place, which gives a tensor with the conj or neg bit other
    // strides.
    if (writes) want.live = [](const Value& value) { return !value.lazy; };
    Value x = draft.input(want);
    // alpha_dropout is mostly used outside of training.
    bool usually_trains = row.name != "alpha_dropout";
    bool trains = draft.flip();
    CallWriter writer(row.name);
    writer.give("input", x);
    writer.give_if(trains || writes || draft.flip(), "p", trains ? 0.0 : 0.25);
    writer.give_if(trains != usually_trains || writes || draft.flip(), "training", trains);
    if (writes) {
      writer.keyword("inplace", true);
      return draft.record_write(writer.finish(), x, x.interval, {.saves = Saves::kNothing});
    }
    Value result = view_of(x, x.shape, x.strides);
    draft.record(writer.finish(), result, {.saves = Saves::kNothing});
  }
};

const Register<Operator, Dropout> registered;

}  // namespace
}  // namespace jp::seedgen::dropout_operators
