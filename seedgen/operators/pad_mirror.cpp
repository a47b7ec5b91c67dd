// Padding from the input itself: mirrored, replicated at the edge, or circular. Over one to three last dimensions, with
// one or two in front.
#include <algorithm>

#include "seedgen/bases/operator.h"

namespace jp::seedgen::pad_mirror_operators {
namespace {

struct Row {
  std::string_view name;
  Forms forms;
  DtypeSet dtypes;
};

constexpr std::string_view kReflect[] = {"torch.nn.functional.pad($0, $1, mode=\"reflect\")",
                                         "torch.nn.functional.pad($0, $1, \"reflect\")"};
constexpr std::string_view kReplicate[] = {"torch.nn.functional.pad($0, $1, mode=\"replicate\")",
                                           "torch.nn.functional.pad($0, $1, \"replicate\")"};
constexpr std::string_view kCircular[] = {"torch.nn.functional.pad($0, $1, mode=\"circular\")",
                                          "torch.nn.functional.pad($0, $1, \"circular\")"};

constexpr Row kRows[] = {{"pad_reflect", kReflect, kNumbers},
                         {"pad_replicate", kReplicate, kNumbers},
                         {"pad_circular", kCircular, kAnyDtype}};

// Three dimensions of size 1 become 7 each.
constexpr std::int64_t kMaxSource = kMaxElements / 343;

class PadMirror final : public Operator {
 public:
  std::string_view name() const override { return "pad_mirror"; }
  std::vector<std::string_view> members() const override { return names_of(kRows); }

  void draw(Draft& draft, std::size_t member) const override {
    const Row& row = kRows[member];
    int dims = static_cast<int>(draft.between(1, 3));
    std::int64_t most = dims == 3 ? kMaxSource : dims == 2 ? kMaxElements / 49 : kMaxElements / 7;
    Value x = draft.input({.dtypes = row.dtypes, .shape = ShapeWant::any(dims + 1, dims + 2, 1).upto(most)});
    int rank = x.shape.size();
    Shape shape = x.shape;
    Ints widths;
    for (int i = 0; i < dims; ++i) {
      std::int64_t& size = shape[rank - 1 - i];
      // A mirror repeats the input once and without its edge, circular padding once.
      std::int64_t widest = std::min<std::int64_t>(3, member == 0 ? size - 1 : member == 1 ? 3 : size);
      std::int64_t before = draft.between(0, widest);
      std::int64_t after = draft.between(0, widest);
      widths.push_back(before);
      widths.push_back(after);
      size += before + after;
    }
    draft.record({.op = row.name, .forms = row.forms, .arguments = {Ref{x.id}, widths}},
                 fresh_unknown(x.dtype, shape, x.interval), {});
  }
};

const Register<Operator, PadMirror> registered;

}  // namespace
}  // namespace jp::seedgen::pad_mirror_operators
