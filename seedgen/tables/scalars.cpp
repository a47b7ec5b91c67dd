// Python operations on a number that changes from call to call: arithmetic, comparison, rounding, text. A compiler
// makes such a number a symbol from the second value on; operations on the symbol must behave as Python's.
#include <fmt/format.h>

#include <array>

#include "seedgen/bases/snippets.h"

namespace jp::seedgen::scalars_table {
namespace {

struct Use {
  std::string_view text;
  /// Defined for whole numbers only.
  bool integers = false;
  /// It is undefined at zero.
  bool no_zero = false;
  /// Refuses a bool.
  bool no_truth = false;
};

constexpr auto kUses = std::to_array<Use>({
    {"k + 3"},
    {"3 - k"},
    {"k * 2.5"},
    {"-k"},
    {"+k"},
    {"abs(k)"},
    {"7 / k", false, true},
    {"k / 4"},
    {"7 // k", false, true},
    {"-7 // k", false, true},
    {"k // 2"},
    {"-k // 2"},
    {"k // -3"},
    {"k // 0.5"},
    {"7 % k", false, true},
    {"-7 % k", false, true},
    {"k % 3"},
    {"-k % 3"},
    {"k % -3"},
    {"k % 1.5"},
    {"divmod(k, 3)"},
    {"divmod(-k, 3)"},
    {"divmod(7, k)", false, true},
    {"k ** 2"},
    {"k ** 0"},
    {"k ** -1", false, true},
    {"2 ** k"},
    {"(-2) ** k", true},
    {"abs(k) ** 0.5"},
    {"pow(k, 3)"},
    {"pow(k, 2, 5)", true},
    {"round(k / 3, 2)"},
    {"round(k * 0.5)"},
    {"round(k + 0.5)"},
    {"round(-k - 0.5)"},
    {"round(k, -1)"},
    {"round(k)"},
    {"int(k / 2)"},
    {"int(-k / 2)"},
    {"float(k)"},
    {"bool(k)"},
    {"complex(k, 1)"},
    {"str(k)"},
    {"repr(k)"},
    {"f\"{k}\""},
    {"f\"{k:5}|\""},
    {"f\"{k:<5}|\""},
    {"f\"{k:+}\""},
    {"f\"{k:05}\""},
    {"f\"{k:.2f}\""},
    {"f\"{k:e}\""},
    {"f\"{k:%}\""},
    {"f\"{k:x}\"", true},
    {"f\"{k:b}\"", true},
    {"f\"{k:,}\""},
    {"f\"{k!r:>4}\""},
    {"f\"{k=}\""},
    {"\"%d|%5.1f|%s\" % (k, k, k)"},
    {"\"{0:>4} {0}\".format(k)"},
    {"\"{k}\".format_map({\"k\": k})"},
    {"format(k, \"08.3f\")"},
    {"str(k).zfill(4)"},
    {"\",\".join(str(i) for i in (k, 1))"},
    {"int(str(k))", true, false, true},
    {"int(\"1\" + str(abs(k)))", true},
    {"float(str(k))", false, false, true},
    {"hex(k)", true},
    {"bin(k)", true},
    {"oct(k)", true},
    {"chr(65 + k)", true},
    {"\"abcdef\"[k]", true},
    {"\"ab\" * k", true},
    {"(1, 2) * k", true},
    {"list(range(k))", true},
    {"k & 6", true},
    {"k | 9", true},
    {"k ^ 5", true},
    {"~k", true},
    {"k << 3", true},
    {"k >> 1", true},
    {"-k >> 1", true},
    {"k.bit_length()", true},
    {"k.bit_count()", true},
    {"k.to_bytes(2, \"big\", signed=True)", true},
    {"k.__index__()", true},
    {"k.real, k.imag"},
    {"k.conjugate()"},
    {"k.numerator, k.denominator", true},
    {"float(k).is_integer()"},
    {"float(k).hex()"},
    {"float(k).as_integer_ratio()"},
    {"k == 3"},
    {"k != 3.0"},
    {"1 < k < 4"},
    {"k > 2 > 1"},
    {"k >= 3 or k < 0"},
    {"k and 5"},
    {"k or 5"},
    {"not k"},
    {"k is None"},
    {"5 if k else 6"},
    {"k in (1, 2, 3)"},
    {"k not in [2, 5]"},
    {"k in {3: 1}"},
    {"k in range(3)"},
    {"max(k, 2)"},
    {"min(k, 2.5)"},
    {"max([k, 2, 1], key=lambda n: -n)"},
    {"sum([k, 1, 2])"},
    {"sum((k, 1), 0.5)"},
    {"sorted([2, k, 1])"},
    {"sorted([2, k, 1], reverse=True)"},
    {"[k, 2] < [2, 3]"},
    {"(k, \"a\") > (2, \"b\")"},
    {"isinstance(k, int)"},
    {"isinstance(k, float)"},
    {"isinstance(k, (bool, str))"},
    {"type(k).__name__"},
    {"type(k + 0.0).__name__"},
    {"type(k * True).__name__"},
    {"hash(k) == hash(float(k))"},
    {"k == torch.tensor(3)"},
    {"{k: 1, 3: 2}[k]"},
    {"[5, 6, 7, 8][k]", true},
    {"range(10)[k]", true},
    {"(lambda n=k: n + 1)()"},
    {"(n := k) + n"},
    {"[i * k for i in range(2)]"},
    {"math.floor(k / 2)"},
    {"math.ceil(k / 2)"},
    {"math.trunc(-k / 2)"},
    {"math.sqrt(abs(k))"},
    {"math.gcd(k, 6)", true},
    {"math.isclose(k, 3)"},
    {"math.copysign(2, k)"},
    {"math.fmod(-7, k)", false, true},
    {"math.hypot(k, 4)"},
    {"math.isfinite(k)"},
    {"math.comb(5, abs(k))", true},
    {"math.factorial(abs(k))", true},
    {"math.prod([k, 2, 3])"},
    {"math.log2(abs(k))", false, true},
    {"math.modf(k / 4)"},
    {"math.frexp(k)"},
    {"math.atan2(k, 2)"},
    {"operator.index(k)", true},
    {"operator.mod(k, 3)"},
    {"operator.truediv(k, 4)"},
    {"x.shape[0] * k"},
    {"x.numel() // k", false, true},
    {"x.size(-1) % k", false, true},
    {"torch.full((2,), k)"},
    {"torch.tensor([k, 1])"},
    {"torch.tensor(k).item()"},
    {"x.new_ones(2) * k"},
    {"torch.arange(k)", true},
    {"torch.arange(0, 5, k)", false, true},
    {"torch.ones(k, 2).shape", true, false, true},
    {"x.expand(k, 2, 3).shape", true, false, true},
});

struct Values {
  std::string_view first;
  std::string_view second;
  std::string_view third;
  bool integers;
  bool zero;
  bool truth = false;
};

constexpr auto kValues = std::to_array<Values>({
    {"2", "3", "1", true, false},
    {"3", "0", "2", true, true},
    {"2.5", "3.0", "0.5", false, false},
    {"True", "False", "True", true, true, true},
});

class Scalars : public Grid {
 public:
  std::string_view name() const override { return "scalars"; }
  std::string_view varies() const override {
    return "what Python does with a number, its type and values, where it comes from";
  }

 protected:
  At lengths() const override { return {kUses.size(), kValues.size(), SnippetTable::kWays}; }

  bool defined(const At& at) const override {
    const Use& use = kUses[at[0]];
    const Values& values = kValues[at[1]];
    if (use.integers && !values.integers) return false;
    if (use.no_truth && values.truth) return false;
    return !use.no_zero || !values.zero;
  }

  std::string text_at(const At& at) const override {
    const Use& use = kUses[at[0]];
    const Values& values = kValues[at[1]];
    const std::string body = fmt::format("y = {}\nreturn x * 2, y\n", use.text);
    const std::string_view head = use.text.starts_with("math.")       ? "import math\n"
                                  : use.text.starts_with("operator.") ? "import operator\n"
                                                                      : "";
    return SnippetTable::text_of({body, head, values.first, values.second, values.third}, at[2]);
  }
};

const Register<Table, Scalars> registered;

}  // namespace
}  // namespace jp::seedgen::scalars_table
