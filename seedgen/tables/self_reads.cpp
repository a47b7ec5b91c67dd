// In-place updates of a tensor that reads itself: through a copy, through other elements of it, or through a view that
// was taken before the write. Excluded is what torch refuses or leaves undefined (reading in one call what it writes
// elsewhere): such operands are clones.
#include <fmt/format.h>

#include <array>

#include "seedgen/bases/table.h"

namespace jp::seedgen::self_reads_table {
namespace {

struct Update {
  std::string_view lines;
  int dims;
  /// Autograd supports it.
  bool grad = true;
  bool integers = true;
};

// For x with n rows, and with n columns if it has two dimensions; n is even.
constexpr auto kUpdates = std::to_array<Update>({
    {"x[1:] += x[:-1].clone()\n", 1},
    {"x[:-1] += x[1:].clone()\n", 1},
    {"x[1:] = x[:-1].clone()\n", 1},
    {"x[1:].copy_(x[:-1].clone())\n", 1},
    {"x[::2] = x[1::2]\n", 1},
    {"x[::2] += x[1::2]\n", 1},
    {"x[: n // 2], x[n // 2 :] = x[n // 2 :].clone(), x[: n // 2].clone()\n", 1},
    {"x[: n // 2] = x[n // 2 :]\nx[n // 2 :] = x[: n // 2]\n", 1},
    {"x.copy_(x.flip(0))\n", 1},
    {"x[:] = x.flip(0)\n", 1},
    {"x.copy_(x.roll(1))\n", 1},
    {"x.add_(x.roll(1, 0))\n", 1},
    {"x.add_(x)\n", 1},
    {"x.mul_(x + 1)\n", 1},
    {"x.sub_(x.mean())\n", 1, true, false},
    {"x.div_(x.sum())\n", 1, true, false},
    {"x.sub_(x[0].clone())\n", 1},
    {"x -= x.max()\n", 1, false},
    {"x.copy_(x.cumsum(0))\n", 1},
    {"x[0] = x[1]\nx[1] = x[2]\nx[2] = x[0]\n", 1},
    {"x[0] += x[1]\nx[1] += x[0]\nx[2] = x[0] + x[1]\n", 1},
    {"x[1] = x[0] * 2\nx[0] = x[1] * 2\nx[-1] = x[0]\n", 1},
    {"for i in range(1, n):\n    x[i] += x[i - 1]\n", 1},
    {"for i in range(n - 1):\n    x[i] = x[i + 1] * 2\n", 1},
    {"for i in range(n):\n    x[i] = x[n - 1 - i]\n", 1},
    {"x[torch.arange(n - 1)] = x[torch.arange(1, n)]\n", 1},
    {"x.index_add_(0, torch.arange(n), x.clone())\n", 1},
    {"x.index_copy_(0, torch.arange(n), x.flip(0))\n", 1},
    {"x.scatter_add_(0, torch.zeros_like(x, dtype=torch.int64), x.clone())\n", 1},
    {"x[x > 3] = x[0].clone().flatten()[0]\n", 1},
    {"x.masked_fill_(x > x.max() - 2, 0)\n", 1},
    {"x.clamp_(x.min() + 1, x.max() - 1)\n", 1, false},
    {"v = x[1:]\nv.add_(x[:-1].clone())\n", 1},
    {"v = x[:2]\nx.mul_(2)\nv.add_(1)\n", 1},
    {"v = x[:2]\nv.add_(1)\nx.mul_(v.sum())\n", 1},
    {"v = x[1:]\nw = x[:-1]\nv += w.clone()\nw += v.clone()\n", 1},
    {"v = x.view(-1)\nv[0] = 5\nx[1] = v[0]\nv.add_(x.flatten())\n", 1, false},
    {"v = x.flip(0)\nx.add_(1)\nx.add_(v)\n", 1},
    {"v = x.detach()\nv.add_(1)\nx.add_(v.clone())\n", 1},
    {"y = x.clone()\nx.copy_(y + x)\ny.copy_(x)\nx.add_(y)\n", 1},
    {"y = x\ny += 1\nx = x + y\n", 1},
    {"y = x\nx = x.clone()\nx += y\ny += x\n", 1},
    {"with torch.no_grad():\n    x.copy_(x.flip(0))\n", 1},
    {"x.add_(x.t().clone())\n", 2},
    {"x.copy_(x.t().clone())\n", 2},
    {"x[:, 0] = x[0].clone()\n", 2, false},
    {"x[0] = x[:, 0].clone()\n", 2},
    {"x[0] = x.sum(0)\n", 2},
    {"x[:, 1] += x[:, 0]\nx[:, 0] += x[:, 1]\n", 2},
    {"x[0, 0] = x.sum()\nx[1, 1] = x.sum()\n", 2},
    {"x.diagonal().copy_(x[0].clone())\n", 2},
    {"x.diagonal().add_(x.sum(1))\n", 2},
    {"x += x[0].clone()\n", 2},
    {"x += x[:, :1].clone()\n", 2},
    {"x.mul_(x.sum(1, keepdim=True))\n", 2, false},
    {"x[1:, 1:] += x[:-1, :-1].clone()\n", 2},
    {"x.copy_((x @ x) % 7)\n", 2, false},
    {"x.addmm_(x.clone(), x.clone())\n", 2},
    {"x.triu_()\nx.add_(x.t().clone())\n", 2},
    {"v = x.t()\nv[0] = x[:, 1].clone()\nx[0] = v[:, 1].clone()\n", 2},
    {"for row in x:\n    row += x[0].clone()\n", 2, false},
    {"for row in x.unbind():\n    row.mul_(2)\n", 2, false},
});

struct Base {
  std::string_view parameter;
  std::string_view lines;
  std::string_view dtype;
  bool grad = false;
};

constexpr auto kBases = std::to_array<Base>({
    {"x", "", "float32"},
    {"x", "", "int64"},
    {"a", "x = a.clone()\n", "float32"},
    {"a", "x = a.t()\n", "float32"},
    {"a", "x = a * 2\n", "float32", true},
});

// Less than a vector register, a whole number of them, and some with a remainder.
constexpr auto kSizes = std::to_array<int>({4, 16, 18});

constexpr auto kReturns = std::to_array<std::string_view>({"x", "x.clone()", "x * 2, x.sum()"});

class SelfReads : public Grid {
 public:
  std::string_view name() const override { return "self_reads"; }
  std::string_view varies() const override {
    return "update in place that reads what it writes, where the tensor comes from, its size, what is returned";
  }

 protected:
  At lengths() const override { return {kBases.size(), kUpdates.size(), kSizes.size(), kReturns.size()}; }

  bool defined(const At& at) const override {
    const Base& base = kBases[at[0]];
    const Update& update = kUpdates[at[1]];
    if (base.grad && !update.grad) return false;
    // For one dimension transposing has no effect.
    if (base.lines == "x = a.t()\n" && (update.dims < 2 || update.lines.find(".view(") != std::string_view::npos))
      return false;
    return base.dtype != "int64" || update.integers;
  }

  std::string text_at(const At& at) const override {
    const Base& base = kBases[at[0]];
    const Update& update = kUpdates[at[1]];
    const int n = kSizes[at[2]];
    const bool square = update.dims == 2;
    Sheet sheet;
    sheet.inputs =
        fmt::format("return ((torch.arange({}) % 7).to(torch.{}){}{},)\n", square ? n * n : n, base.dtype,
                    square ? fmt::format(".reshape({0}, {0})", n) : "", base.grad ? ".requires_grad_()" : "");
    sheet.parameters = base.parameter;
    const bool counts =
        update.lines.find("n ") != std::string_view::npos || update.lines.find("n)") != std::string_view::npos;
    sheet.body =
        fmt::format("{}{}{}return {}\n", base.lines, counts ? "n = x.shape[0]\n" : "", update.lines, kReturns[at[3]]);
    return print(sheet);
  }
};

const Register<Table, SelfReads> registered;

}  // namespace
}  // namespace jp::seedgen::self_reads_table
