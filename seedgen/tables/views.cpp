// A view of a tensor, an in-place operator on the view, and what is read afterwards.
#include <fmt/format.h>

#include <array>

#include "seedgen/bases/table.h"

namespace jp::seedgen::views_table {
namespace {

struct Base {
  std::string_view parameter;
  std::string_view lines;
  bool grad;
};

constexpr auto kBases = std::to_array<Base>({
    {"x", "", false},
    {"a", "x = a.clone()\n", false},
    {"a", "x = a * 2\n", true},
});

struct View {
  std::string_view text;
  int dims;
  /// One of several views that one call returns: autograd refuses to write to it.
  bool of_many = false;
  /// x itself: what changes the shape of v changes that of x.
  bool itself = false;
};

// For x, a contiguous float tensor of 3 rows and 4 columns.
constexpr auto kViews = std::to_array<View>({
    {"x[:]", 2},
    {"x[...]", 2},
    {"x[1:]", 2},
    {"x[::2]", 2},
    {"x[:, 1:3]", 2},
    {"x[:, ::2]", 2},
    {"x[0]", 1},
    {"x[-1]", 1},
    {"x[:, 1]", 1},
    {"x[1, 2]", 0},
    {"x[None]", 3},
    {"x[..., None]", 3},
    {"x[1:, 1:]", 2},
    {"x[2:]", 2},
    {"x.t()", 2},
    {"x.T", 2},
    {"x.mT", 2},
    {"x.transpose(0, 1)", 2},
    {"x.permute(1, 0)", 2},
    {"x.movedim(0, 1)", 2},
    {"x.view(-1)", 1},
    {"x.view(2, 6)", 2},
    {"x.view(3, 2, 2)", 3},
    {"x.view_as(x)", 2},
    {"x.reshape(4, 3)", 2},
    {"x.flatten()", 1},
    {"x.ravel()", 1},
    {"x.unflatten(1, (2, 2))", 3},
    {"x.unsqueeze(0)", 3},
    {"x.unsqueeze(-1)", 3},
    {"x.squeeze()", 2},
    {"x.narrow(0, 1, 2)", 2},
    {"x.select(1, 0)", 1},
    {"x.diagonal()", 1},
    {"x.diagonal(1)", 1},
    {"x.unfold(1, 2, 2)", 3},
    {"x.as_strided((2, 2), (4, 1), 1)", 2},
    {"x.as_strided((3,), (5,))", 1},
    {"x.expand(3, 4)", 2},
    {"x.expand(1, 3, 4)", 3},
    {"x.contiguous()", 2, false, true},
    {"x.to(torch.float32)", 2, false, true},
    {"x.real", 2, false, true},
    {"x.chunk(2, 1)[1]", 2, true},
    {"x.split(2)[0]", 2, true},
    {"x.split([1, 3], 1)[1]", 2, true},
    {"x.unbind()[1]", 1, true},
    {"x.tensor_split(2)[0]", 2, true},
    {"x.hsplit(2)[1]", 2, true},
    {"x[1:].t()", 2},
    {"x.t()[1:]", 2},
    {"x.view(-1)[2:8].view(2, 3)", 2},
    {"x.diagonal()[1:]", 1},
    {"x[:, ::2][1]", 1},
    {"x.transpose(0, 1).transpose(0, 1)", 2},
    {"x.unsqueeze(0).squeeze(0)", 2},
    {"x[1:][1:]", 2},
});

struct Write {
  std::string_view text;
  int least_dims = 0;
  int most_dims = 3;
  /// Autograd supports it, and it changes a gradient.
  bool grad = true;
  /// Its backward needs what it wrote, so nothing may be written there afterwards.
  bool saved = false;
  bool transposes = false;
};

constexpr auto kWrites = std::to_array<Write>({
    {"v.add_(1)"},
    {"v += 1"},
    {"v.sub_(v)"},
    {"v.mul_(2)"},
    {"v *= 2"},
    {"v.mul_(v)", 0, 3, false},
    {"v.div_(4)"},
    {"v.zero_()"},
    {"v.fill_(7)"},
    {"v[...] = 7"},
    {"v[0] = 7", 1},
    {"v[..., -1] = 7", 1},
    {"v[v > 3] = 0", 1},
    {"v.copy_(v + 1)"},
    {"v.copy_(torch.ones(()))"},
    {"v.neg_()"},
    {"v.relu_()", 0, 3, true, true},
    {"v.sigmoid_()", 0, 3, true, true},
    {"v.clamp_(1, 5)"},
    {"v.pow_(2)"},
    {"v.lerp_(torch.ones(()), 0.5)"},
    {"v.addcmul_(torch.ones(()), torch.ones(()), value=2)"},
    {"v.cumsum_(-1)"},
    {"v.tril_()", 2},
    {"v.masked_fill_(v > 3, 0)"},
    {"v.index_fill_(0, torch.tensor([0]), 7)", 1},
    {"v.floor_()"},
    {"v.eq_(3)"},
    {"v.t_()", 0, 2, true, false, true},
    {"v.transpose_(0, -1)", 0, 3, true, false, true},
    {"v.unsqueeze_(0)"},
    {"v.squeeze_()"},
    {"v.swapdims_(0, -1)", 0, 3, true, false, true},
    {"torch.add(v, 1, out=v)", 0, 3, false},
    {"torch._foreach_add_([v], 1)"},
    {"torch.nn.functional.relu(v, inplace=True)", 0, 3, true, true},
    {"v.detach().add_(1)"},
});

struct Read {
  /// Comes before the write.
  std::string_view before;
  std::string_view after;
  std::string_view returned;
  /// `after` writes.
  bool writes = false;
  /// `after` views x as one row of numbers.
  bool flat = false;
};

constexpr auto kReads = std::to_array<Read>({
    {"", "", "x"},
    {"", "", "v"},
    {"", "", "x, v"},
    {"", "", "x.sum() + 0 * v.sum()"},
    {"w = x.view(-1)\n", "", "w"},
    {"w = x[:, 1:]\n", "", "w * 2"},
    {"w = x.t()\n", "", "x, w"},
    {"w = v.unsqueeze(0)\n", "", "w"},
    {"w = x + 1\n", "", "w, x"},
    {"", "w = x.view(-1)\n", "w", false, true},
    {"", "w = v + x.sum()\n", "w"},
    {"", "x.add_(1)\n", "v", true},
    {"", "", "x, v.shape, v.stride(), v.storage_offset(), v.is_contiguous()"},
});

class Views : public Grid {
 public:
  std::string_view name() const override { return "views"; }
  std::string_view varies() const override {
    return "view of a tensor, in-place operator on it, what is read afterwards, where the tensor comes from";
  }

 protected:
  At lengths() const override { return {kBases.size(), kViews.size(), kWrites.size(), kReads.size()}; }

  bool defined(const At& at) const override {
    const Base& base = kBases[at[0]];
    const View& view = kViews[at[1]];
    const Write& write = kWrites[at[2]];
    if (view.dims < write.least_dims || view.dims > write.most_dims) return false;
    const Read& read = kReads[at[3]];
    if (view.itself && write.transposes && read.flat) return false;
    if (!base.grad) return true;
    return write.grad && !view.of_many && !(write.saved && read.writes);
  }

  std::string text_at(const At& at) const override {
    const Base& base = kBases[at[0]];
    const Read& read = kReads[at[3]];
    Sheet sheet;
    sheet.inputs = fmt::format("return (torch.arange(12.0).reshape(3, 4){},)\n", base.grad ? ".requires_grad_()" : "");
    sheet.parameters = base.parameter;
    sheet.body = fmt::format("{}v = {}\n{}{}\n{}return {}\n", base.lines, kViews[at[1]].text, read.before,
                             kWrites[at[2]].text, read.after, read.returned);
    return print(sheet);
  }
};

const Register<Table, Views> registered;

}  // namespace
}  // namespace jp::seedgen::views_table
