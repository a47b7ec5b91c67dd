// Operators that may return their input itself, or a view of all of it.
#include <algorithm>

#include "seedgen/bases/operator.h"

namespace jp::seedgen::alias_operators {
namespace {

struct Row {
  std::string_view name;
  bool contiguous;
  Forms forms;
  bool differentiable = true;
};

constexpr std::string_view kPositive[] = {"torch.positive($0)", "+$0", "$0.positive()"};
constexpr std::string_view kContiguous[] = {"$0.contiguous()", "$0.contiguous(memory_format=torch.contiguous_format)"};
constexpr std::string_view kViewAs[] = {"$0.view_as($0)"};
constexpr std::string_view kWhole[] = {"$0[...]", "$0[()]"};

constexpr std::string_view kDetach[] = {"$0.detach()", "torch.detach($0)"};

constexpr Row kRows[] = {{"contiguous", true, kContiguous},
                         {"view_as", false, kViewAs},
                         {"whole", false, kWhole},
                         {"detach", false, kDetach, false}};

class Alias final : public Operator {
 public:
  std::string_view name() const override { return "alias"; }
  std::vector<std::string_view> members() const override {
    std::vector<std::string_view> names = names_of(kRows);
    names.push_back("positive");
    return names;
  }

  void draw(Draft& draft, std::size_t member) const override {
    constexpr std::size_t kRowCount = std::size(kRows);
    bool positive = member == kRowCount;
    Value x = draft.input({.dtypes = positive ? kNumbers | kComplex : kEveryDtype});
    Row row = positive ? Row{"positive", false, kPositive} : kRows[member];
    Value result = view_of(x, x.shape, x.strides);
    if (row.contiguous) {
      result = view_of(x, x.shape, contiguous_strides(x.shape));
      // It may be the input itself, whose strides along sizes of 0 and 1 are its own.
      result.strides_known = std::all_of(x.shape.begin(), x.shape.end(), [](std::int64_t size) { return size > 1; });
    }
    draft.record({.op = row.name, .forms = row.forms, .arguments = {Ref{x.id}}}, result,
                 {.saves = Saves::kNothing, .differentiable = row.differentiable});
  }
};

const Register<Operator, Alias> registered;

}  // namespace
}  // namespace jp::seedgen::alias_operators
