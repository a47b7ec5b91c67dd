// Views with the dimensions in another order.
#include <utility>

#include "seedgen/operator.h"

namespace jp::seedgen {
namespace {

constexpr std::string_view kNames[] = {"transpose", "permute",  "t",        "mT",
                                       "movedim",   "moveaxis", "swapaxes", "swapdims"};
constexpr std::string_view kForms[] = {"torch.#($0, $1, $2)", "$0.#($1, $2)"};
constexpr std::string_view kPermute[] = {"torch.permute($0, $1)", "$0.permute($*1)", "$0.permute($1)"};
constexpr std::string_view kT[] = {"torch.t($0)", "$0.t()", "$0.T"};
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
    bool plane = op == "t";
    Value x = draft.input(
        {.dtypes = kEveryDtype, .shape = plane ? ShapeWant::any(2, 2) : ShapeWant::any(op == "permute" ? 1 : 2)});
    int rank = x.shape.size();
    Ints order = in_order(rank);
    Call call{.op = op, .forms = kForms, .arguments = {Ref{x.id}}};
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
      std::swap(order[rank - 1], order[rank - 2]);
      call.forms = plane ? Forms(kT) : Forms(kMatrix);
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
  // Several dimensions to places of their own; the others fill the rest in their order.
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
}  // namespace jp::seedgen
