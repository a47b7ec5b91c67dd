// Matrices from diagonals and back: diag, diag_embed, diagflat. The results are new, with zeros off the diagonal.
#include <algorithm>
#include <cstdlib>

#include "seedgen/bases/operator.h"
#include "seedgen/bases/writes.h"

namespace jp::seedgen::diagonals_operators {
namespace {

constexpr std::string_view kNames[] = {"diag", "diag_embed", "diagflat"};
constexpr std::string_view kDefault[] = {"torch.#($0)", "$0.#()"};
constexpr std::string_view kOffset[] = {"torch.#($0, $1)", "$0.#($1)"};
constexpr std::string_view kPlaced[] = {"torch.#($0, $1, $2, $3)", "$0.#(offset=$1, dim1=$2, dim2=$3)"};

constexpr std::int64_t kMaxDiagonal = 64;

class Diagonals final : public Operator {
 public:
  std::string_view name() const override { return "diagonals"; }
  std::vector<std::string_view> members() const override { return {std::begin(kNames), std::end(kNames)}; }

  void draw(Draft& draft, std::size_t member) const override {
    if (member == 0) return draw_diag(draft);
    if (member == 1) return draw_embed(draft);
    draw_flat(draft);
  }

 private:
  static std::int64_t draw_offset(Draft& draft, Call& call) {
    const std::int64_t offset = draft.flip() ? 0 : draft.between(-3, 3);
    if (offset == 0 && draft.flip()) return 0;
    call.forms = kOffset;
    call.add(offset);
    return offset;
  }

  // A matrix from a vector, a vector from a matrix: an empty one if the diagonal begins outside.
  static void draw_diag(Draft& draft) {
    const bool vector = draft.flip();
    Value x = draft.input(
        {.dtypes = kEveryDtype, .shape = vector ? ShapeWant::pattern({-1}, 0, kMaxDiagonal) : ShapeWant::any(2, 2)});
    Call call{.op = "diag", .forms = kDefault, .arguments = {Ref{x.id}}};
    const std::int64_t offset = draw_offset(draft, call);
    Value result = fresh_unknown(x.dtype, {}, x.interval);
    if (vector) {
      const std::int64_t side = x.shape[0] + std::abs(offset);
      result.shape = {side, side};
      result.interval = hull(x.interval, {0, 0});
    } else {
      const std::int64_t rows = x.shape[0] + std::min<std::int64_t>(offset, 0);
      const std::int64_t columns = x.shape[1] - std::max<std::int64_t>(offset, 0);
      result.shape = {std::max<std::int64_t>(std::min(rows, columns), 0)};
    }
    record_or_out(draft, std::move(call), result, {.saves = Saves::kNothing});
  }

  // The last dimension becomes the diagonal of two, at any positions.
  static void draw_embed(Draft& draft) {
    Value x = draft.input({.dtypes = kEveryDtype, .shape = ShapeWant::any(1, kMaxRank - 1).upto(kMaxDiagonal)});
    Call call{.op = "diag_embed", .forms = kDefault, .arguments = {Ref{x.id}}};
    const std::int64_t length = x.shape.back();
    Shape shape = x.shape;
    shape.erase(shape.size() - 1);
    if (draft.flip()) {
      const std::int64_t offset = draw_offset(draft, call);
      shape.push_back(length + std::abs(offset));
      shape.push_back(length + std::abs(offset));
    } else {
      const std::int64_t offset = draft.between(-3, 3);
      const std::vector<Dim> places = draft.dims(x.shape.size() + 1, 2);
      call.forms = kPlaced;
      call.add(offset);
      call.add(places[0].written);
      call.add(places[1].written);
      const auto [first, second] = std::minmax(places[0].at, places[1].at);
      shape.insert(first, length + std::abs(offset));
      shape.insert(second, length + std::abs(offset));
    }
    draft.record(std::move(call), fresh_unknown(x.dtype, shape, hull(x.interval, {0, 0})), {.saves = Saves::kNothing});
  }

  static void draw_flat(Draft& draft) {
    Value x = draft.input({.dtypes = kEveryDtype, .shape = ShapeWant::any().upto(kMaxDiagonal)});
    Call call{.op = "diagflat", .forms = kDefault, .arguments = {Ref{x.id}}};
    const std::int64_t side = element_count(x.shape) + std::abs(draw_offset(draft, call));
    draft.record(std::move(call), fresh_unknown(x.dtype, {side, side}, hull(x.interval, {0, 0})),
                 {.saves = Saves::kNothing});
  }
};

const Register<Operator, Diagonals> registered;

}  // namespace
}  // namespace jp::seedgen::diagonals_operators
