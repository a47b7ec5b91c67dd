// Views with the dimensions in another order.
#include <utility>

#include "seedgen/bases/operator.h"

namespace jp::seedgen::permute_operators {
namespace {

constexpr std::string_view kNames[] = {"transpose", "permute",  "t",        "mT",
                                       "movedim",   "moveaxis", "swapaxes", "swapdims"};
constexpr std::string_view kForms[] = {"torch.#($0, $1, $2)", "$0.#($1, $2)"};
constexpr std::string_view kPermute[] = {"torch.permute($0, $1)", "$0.permute($*1)", "$0.permute($1)"};
constexpr std::string_view kPermuteScalar[] = {"torch.permute($0, $1)", "$0.permute($1)"};
constexpr std::string_view kT[] = {"torch.t($0)", "$0.t()", "$0.T"};
// `.T` warns unless there are two dimensions.
constexpr std::string_view kSmallT[] = {"torch.t($0)", "$0.t()"};
constexpr std::string_view kMatrix[] = {"$0.mT"};

// Dimension i of the view is dimension order[i] of the base.
Value permuted(const Value& x, const Ints& order) {
  Shape shape;
  Strides strides;
  for (std::int64_t from : order) {
    shape.push_back(x.shape[static_cast<int>(from)]);
    if (x.strides_known) strides.push_back(x.strides[static_cast<int>(from)]);
  }
  return view_of(x, shape, strides);
}

Ints in_order(int rank) {
  Ints order;
  for (int i = 0; i < rank; ++i) order.push_back(i);
  return order;
}

class Permute final : public Operator {
 public:
  std::string_view name() const override { return "permute"; }
  std::vector<std::string_view> members() const override { return {std::begin(kNames), std::end(kNames)}; }

  void draw(Draft& draft, std::size_t member) const override {
    std::string_view op = kNames[member];
    Value x = draft.input({.dtypes = kEveryDtype, .shape = shapes_of(op)});
    int rank = x.shape.size();
    Ints order = in_order(rank);
    Call call{.op = op, .forms = kForms, .arguments = {Ref{x.id}}};
    if (rank == 0) return draw_scalar(draft, std::move(call), x);
    if (op == "permute") {
      Ints written;
      std::vector<Dim> dims = draft.dims(rank, rank);
      for (int i = 0; i < rank; ++i) {
        order[i] = dims[static_cast<std::size_t>(i)].at;
        written.push_back(dims[static_cast<std::size_t>(i)].written);
      }
      call.forms = kPermute;
      call.add(written);
    } else if (op == "t" || op == "mT") {
      if (rank >= 2) std::swap(order[rank - 1], order[rank - 2]);
      call.forms = op == "mT" ? Forms(kMatrix) : rank == 2 ? Forms(kT) : Forms(kSmallT);
    } else {
      Dim first = draft.dim(rank);
      Dim second = draft.dim(rank);
      if (op == "movedim" || op == "moveaxis") {
        if (draft.flip()) return draw_moves(draft, std::move(call), x);
        order.erase(first.at);
        order.insert(second.at, first.at);
      } else {
        std::swap(order[first.at], order[second.at]);
      }
      call.add(first.written);
      call.add(second.written);
    }
    draft.record(std::move(call), permuted(x, order), {.saves = Saves::kNothing});
  }

 private:
  static ShapeWant shapes_of(std::string_view op) {
    if (op == "t") return ShapeWant::any(0, 2);
    return ShapeWant::any(op == "mT" ? 2 : 0);
  }

  // A 0-d tensor has a dimension to name, but none to move.
  static void draw_scalar(Draft& draft, Call call, const Value& x) {
    if (call.op == "t") {
      call.forms = kSmallT;
    } else if (call.op == "permute") {
      call.forms = kPermuteScalar;
      call.add(Ints{});
    } else {
      call.add(draft.between(-1, 0));
      call.add(draft.between(-1, 0));
    }
    draft.record(std::move(call), x, {.saves = Saves::kNothing});
  }

  // Several dimensions move to given positions; the others fill the rest in their order.
  static void draw_moves(Draft& draft, Call call, const Value& x) {
    int rank = x.shape.size();
    std::vector<Dim> from = draft.dims(rank, 1);
    std::vector<Dim> to = draft.dims(rank, rank);
    Ints order = Ints::filled(rank, -1);
    Ints rest = in_order(rank);
    Ints written_from;
    Ints written_to;
    for (std::size_t i = 0; i < from.size(); ++i) {
      order[to[i].at] = from[i].at;
      written_from.push_back(from[i].written);
      written_to.push_back(to[i].written);
      rest[from[i].at] = -1;
    }
    int next = 0;
    for (std::int64_t& place : order) {
      if (place >= 0) continue;
      while (rest[next] < 0) ++next;
      place = rest[next++];
    }
    call.add(written_from);
    call.add(written_to);
    draft.record(std::move(call), permuted(x, order), {.saves = Saves::kNothing});
  }
};

const Register<Operator, Permute> registered;

}  // namespace
}  // namespace jp::seedgen::permute_operators
