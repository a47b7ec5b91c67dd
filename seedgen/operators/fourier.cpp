// Discrete Fourier transforms, with lengths, dimensions and norms. The transform of n numbers of absolute value at most
// m has none above n m, times the norm's factor. Literal chances here were chosen, not measured.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "seedgen/bases/operator.h"
#include "seedgen/bases/over_dims.h"
#include "seedgen/bases/writes.h"

namespace jp::seedgen::fourier_operators {
namespace {

enum class Kind : std::uint8_t { kComplex, kFromReal, kToReal, kHermitian, kInverseHermitian, kShift };

struct Row {
  std::string_view name;
  Kind kind;
  bool inverse;
  /// 1: one dimension `dim`, 2: two dimensions, 0: any number of them.
  int dims;
};

constexpr Row kRows[] = {
    {"fft", Kind::kComplex, false, 1},           {"ifft", Kind::kComplex, true, 1},
    {"fft2", Kind::kComplex, false, 2},          {"ifft2", Kind::kComplex, true, 2},
    {"fftn", Kind::kComplex, false, 0},          {"ifftn", Kind::kComplex, true, 0},
    {"rfft", Kind::kFromReal, false, 1},         {"rfft2", Kind::kFromReal, false, 2},
    {"rfftn", Kind::kFromReal, false, 0},        {"irfft", Kind::kToReal, true, 1},
    {"irfft2", Kind::kToReal, true, 2},          {"hfft", Kind::kHermitian, false, 1},
    {"ihfft", Kind::kInverseHermitian, true, 1}, {"fftshift", Kind::kShift, false, 0},
    {"ifftshift", Kind::kShift, true, 0},
};

constexpr std::string_view kPlain[] = {"torch.fft.#($0)"};
constexpr std::string_view kSome[] = {"torch.fft.#($0, $1)"};
// Half precision is not supported.
constexpr DtypeSet kReal = kIntegers | kBools | DtypeSet{Dtype::kFloat32, Dtype::kFloat64};

bool reads_real(Kind kind) { return kind == Kind::kFromReal || kind == Kind::kInverseHermitian; }
bool gives_real(Kind kind) { return kind == Kind::kToReal || kind == Kind::kHermitian; }

class Fourier final : public Operator {
 public:
  std::string_view name() const override { return "fourier"; }
  std::vector<std::string_view> members() const override { return names_of(kRows); }

  void draw(Draft& draft, std::size_t member) const override {
    const Row& row = kRows[member];
    row.kind == Kind::kShift ? draw_shift(draft, row) : transform(draft, row);
  }

 private:
  static void draw_shift(Draft& draft, const Row& row) {
    Value x = draft.input({.dtypes = kEveryDtype, .shape = ShapeWant::any(1)});
    Call call{.op = row.name, .forms = kPlain, .arguments = {Ref{x.id}}};
    if (draft.choices().chance(3, 4)) {
      call.forms = kSome;
      call.add("dim=" + dims_text(draft.dims(x.shape.size(), 1)));
    }
    draft.record(std::move(call), fresh_unknown(x.dtype, x.shape, x.interval), {});
  }

  static std::vector<Dim> draw_dims(Draft& draft, const Row& row, int rank) {
    if (row.dims == 1) return {draft.dim(rank)};
    std::vector<Dim> dims = draft.dims(rank, row.dims == 2 ? 2 : 1);
    dims.resize(std::min<std::size_t>(dims.size(), row.dims == 2 ? 2 : 3));
    return dims;
  }

  // Sizes: unchanged, or a length to which the input is cut or zero-padded.
  static void transform(Draft& draft, const Row& row) {
    Want want{.dtypes = reads_real(row.kind) ? kReal : kReal | kComplex,
              .shape = ShapeWant::any(std::max(row.dims, 1), kMaxRank, 1).upto(kMaxElements / 16)};
    want.fits = [](const Value& value) {
      Dtype dtype = complex_dtype(value.dtype);
      auto n = static_cast<double>(16 * element_count(value.shape));
      return inside(rounded(disc(bound_of(value.dtype, value.interval).most * n), dtype, n), range_of(dtype));
    };
    Value x = draft.input(want);
    std::vector<Dim> dims = draw_dims(draft, row, x.shape.size());
    Shape shape = x.shape;
    Ints lengths = draw_lengths(draft, row, x.shape, dims);
    double n = 1;
    for (std::size_t i = 0; i < dims.size(); ++i) {
      std::int64_t length = lengths[static_cast<int>(i)];
      n *= static_cast<double>(length);
      shape[dims[i].at] = length;
    }
    int last = dims.back().at;
    if (reads_real(row.kind)) shape[last] = shape[last] / 2 + 1;
    std::uint64_t norm = draft.choices().below(4);
    Dtype dtype = complex_dtype(x.dtype);
    double most = bound_of(x.dtype, x.interval).most * n * factor(norm, row.inverse, n);
    Value result =
        fresh_unknown(gives_real(row.kind) ? real_dtype(dtype) : dtype, shape, rounded(disc(most), dtype, n));
    // Transforms of real elements are filled up by symmetry, which may stay a mark.
    result.lazy = is_complex(result.dtype);
    record_or_out(draft, {.op = row.name, .forms = kSome, .arguments = {Ref{x.id}, text(row, dims, lengths, norm)}},
                  result, {.exactness = Exactness::kLoose});
  }

  // Lengths of the transformed dimensions. A real result has a length of its own, which is always given.
  static Ints draw_lengths(Draft& draft, const Row& row, const Shape& shape, const std::vector<Dim>& dims) {
    Ints lengths;
    for (const Dim& dim : dims) {
      std::int64_t size = shape[dim.at];
      bool last = &dim == &dims.back();
      if (gives_real(row.kind) && last) size = std::max<std::int64_t>(2 * (size - 1), 1);
      lengths.push_back(size);
    }
    if (draft.choices().chance(1, 3))
      for (std::int64_t& length : lengths) length = draft.between(1, std::min<std::int64_t>(length + 2, 2 * length));
    return lengths;
  }

  static double factor(std::uint64_t norm, bool inverse, double n) {
    if (norm == 2) return 1 / std::sqrt(n);
    bool divides = inverse == (norm != 3);
    return divides ? 1 / n : 1;
  }

  static std::string text(const Row& row, const std::vector<Dim>& dims, const Ints& lengths, std::uint64_t norm) {
    std::string written =
        row.dims == 1 ? fmt::format("n={}", lengths[0]) : fmt::format("s=({},)", fmt::join(lengths, ", "));
    std::string over = dims_text(dims);
    if (row.dims != 1 && dims.size() == 1) over = fmt::format("({},)", over);
    written += fmt::format(", dim={}", over);
    constexpr std::string_view kNorms[] = {"", ", norm=\"backward\"", ", norm=\"ortho\"", ", norm=\"forward\""};
    return written + std::string(kNorms[norm]);
  }
};

const Register<Operator, Fourier> registered;

}  // namespace
}  // namespace jp::seedgen::fourier_operators
