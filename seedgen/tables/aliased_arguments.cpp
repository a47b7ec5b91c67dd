// Two arguments that share memory in some way, a write to one of them or both, and what is returned; once, and in two
// calls only one of which has the aliases.
#include <fmt/format.h>

#include <array>

#include "seedgen/bases/table.h"

namespace jp::seedgen::aliased_arguments_table {
namespace {

struct Pattern {
  std::string_view a;
  std::string_view b;
  int a_dims;
  int b_dims;
  /// `b` may be written to, and gradients may flow through it.
  bool written = true;
  bool grad = true;
};

// For t, a contiguous float tensor of 4 rows and 4 columns.
constexpr auto kPatterns = std::to_array<Pattern>({
    {"t", "t", 2, 2},
    {"t", "t.view_as(t)", 2, 2},
    {"t", "t.detach()", 2, 2},
    {"t", "t[0]", 2, 1},
    {"t[0]", "t", 1, 2},
    {"t[1, 2]", "t", 0, 2},
    {"t", "t.t()", 2, 2},
    {"t.t()", "t", 2, 2},
    {"t", "t.view(-1)", 2, 1},
    {"t.view(2, 8)", "t.view(8, 2)", 2, 2},
    {"t", "t.diagonal()", 2, 1},
    {"t[:2]", "t[1:]", 2, 2},
    {"t[:3]", "t[1:]", 2, 2},
    {"t[:, :3]", "t[:, 1:]", 2, 2},
    {"t[:2]", "t[2:]", 2, 2},
    {"t[:, 0]", "t[:, 1]", 1, 1},
    {"t[::2]", "t[1::2]", 2, 2},
    {"t.view(-1)[::2]", "t.view(-1)[::3]", 1, 1},
    {"t", "t[:1].expand(4, 4)", 2, 2, false},
    {"t[0]", "t[0].expand(3, 4)", 1, 2, false},
    {"t", "t.view(-1).unfold(0, 4, 2)", 2, 2, false},
    {"t", "t.view(torch.int32)", 2, 2, true, false},
    {"t.unsqueeze(0)", "t.unsqueeze(-1)", 3, 3},
});

struct Write {
  std::string_view lines;
  int least_a = 0;
  int least_b = 0;
  int most_a = 3;
  bool to_b = false;
  bool grad = true;
};

constexpr auto kWrites = std::to_array<Write>({
    {""},
    {"a.add_(1)\n"},
    {"a += 1\n"},
    {"a.mul_(2)\n"},
    {"a.zero_()\n"},
    {"a[0] = 7\n", 1},
    {"a[...] = a.flip(0)\n", 1},
    {"a.copy_(b.sum())\n"},
    {"a.t_()\n", 0, 0, 2},
    {"a.unsqueeze_(0)\n"},
    {"b.add_(1)\n", 0, 0, 3, true},
    {"b.mul_(2)\n", 0, 0, 3, true},
    {"b[0] = 7\n", 0, 1, 3, true},
    {"b.unsqueeze_(-1)\n", 0, 0, 3, true},
    {"a.add_(1)\nb.mul_(2)\n", 0, 0, 3, true},
    {"b.add_(1)\na.mul_(2)\n", 0, 0, 3, true},
    {"a.add_(1)\nb.unsqueeze_(-1)\n", 0, 0, 3, true},
    {"with torch.no_grad():\n    a.add_(1)\n"},
});

constexpr auto kReturns = std::to_array<std::string_view>({
    "None",
    "a",
    "b",
    "a, b",
    "a.view_as(a)",
    "b.view_as(b), b.clone()",
    "b.clone()",
    "a.unsqueeze(0), b * 1",
    "a.sum() + b.sum()",
});

struct Calls {
  bool first;
  bool second;
  bool two;
};

// Whether the first and the second call have the aliases.
constexpr auto kCalls = std::to_array<Calls>({
    {true, false, false},
    {true, false, true},
    {false, true, true},
});

std::string call(const Pattern& pattern, bool aliased) {
  if (aliased) return fmt::format("({}, {})", pattern.a, pattern.b);
  return fmt::format("({}.clone(), {}.clone())", pattern.a, pattern.b);
}

class AliasedArguments : public Grid {
 public:
  std::string_view name() const override { return "aliased_arguments"; }
  std::string_view varies() const override {
    return "how two arguments share memory, what is written, what is returned, gradients, which call has the aliases";
  }

 protected:
  At lengths() const override { return {2, kCalls.size(), kPatterns.size(), kWrites.size(), kReturns.size()}; }

  bool defined(const At& at) const override {
    const Pattern& pattern = kPatterns[at[2]];
    const Write& write = kWrites[at[3]];
    if (pattern.a_dims < write.least_a || pattern.a_dims > write.most_a || pattern.b_dims < write.least_b) return false;
    if (write.to_b && !pattern.written) return false;
    return at[0] == 0 || pattern.grad;
  }

  std::string text_at(const At& at) const override {
    const Pattern& pattern = kPatterns[at[2]];
    const Calls& calls = kCalls[at[1]];
    Sheet sheet;
    sheet.head = fmt::format("def tensor():\n    return torch.arange(16.0).reshape(4, 4){}\n",
                             at[0] == 1 ? ".requires_grad_() * 1" : "");
    sheet.inputs = "t = tensor()\n";
    if (calls.two)
      sheet.inputs += fmt::format("first = {}\nt = tensor()\nreturn [first, {}]\n", call(pattern, calls.first),
                                  call(pattern, calls.second));
    else
      sheet.inputs += fmt::format("return {}\n", call(pattern, true));
    sheet.parameters = "a, b";
    sheet.body = fmt::format("{}return {}\n", kWrites[at[3]].lines, kReturns[at[4]]);
    return print(sheet);
  }
};

const Register<Table, AliasedArguments> registered;

}  // namespace
}  // namespace jp::seedgen::aliased_arguments_table
