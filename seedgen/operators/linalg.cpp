// Linear algebra of well-conditioned matrices. The text of a call transforms its operand to ensure that: c times the
// identity is added, with c above twice the sum of a row's absolute values, so that rows and columns are dominated by
// the diagonal by a margin of c - n L, where no element of the n x n operand is larger than L. Every eigenvalue then
// lies within n L of c (Gershgorin), and no element of the inverse is above 1 / (c - n L) (Varah, 1975). Positive
// definite ones are A A^H + c, with no eigenvalue below c. Literal chances here were chosen, not measured.
#include <fmt/format.h>

#include <cmath>

#include "seedgen/bases/operator.h"
#include "seedgen/bases/writes.h"

namespace jp::seedgen::linalg_operators {
namespace {

constexpr std::string_view kNames[] = {"det",
                                       "logdet",
                                       "slogdet",
                                       "inv",
                                       "pinv",
                                       "matrix_power_negative",
                                       "qr_product",
                                       "qr_diagonal",
                                       "lu_product",
                                       "cholesky",
                                       "cholesky_inverse",
                                       "eigvalsh",
                                       "matrix_exp",
                                       "svdvals",
                                       "solve",
                                       "solve_triangular",
                                       "cholesky_solve"};
enum Member : std::size_t {
  kDet,
  kLogdet,
  kSlogdet,
  kInv,
  kPinv,
  kPower,
  kQr,
  kQrDiagonal,
  kLu,
  kCholesky,
  kCholeskyInverse,
  kEigvalsh,
  kExp,
  kSvdvals,
  kSolve,
  kTriangular,
  kCholeskySolve
};

constexpr std::string_view kDets[] = {"torch.linalg.det($1)", "torch.det($1)", "($1).det()"};
constexpr std::string_view kLogdets[] = {"torch.logdet($1)", "($1).logdet()"};
constexpr std::string_view kSlogdets[] = {"torch.linalg.slogdet($1)", "torch.slogdet($1)", "($1).slogdet()"};
constexpr std::string_view kInverses[] = {"torch.linalg.inv($1)", "torch.inverse($1)", "($1).inverse()"};
// Singular values below a tolerance count as zeros: none lies near one.
constexpr std::string_view kPinvs[] = {"torch.linalg.pinv($1)",
                                       "torch.pinverse($1)",
                                       "torch.pinverse($1, rcond=1e-05)",
                                       "torch.linalg.pinv($1, rcond=1e-05)",
                                       "torch.linalg.pinv($1, rcond=torch.tensor(1e-05))",
                                       "torch.linalg.pinv($1, atol=1e-05)",
                                       "torch.linalg.pinv($1, atol=1e-05, rtol=1e-05)",
                                       "torch.linalg.pinv($1, atol=torch.tensor(1e-05), rtol=torch.tensor(1e-05))"};
constexpr std::string_view kPowers[] = {"torch.linalg.matrix_power($1, $2)", "torch.matrix_power($1, $2)",
                                        "($1).matrix_power($2)"};
constexpr std::string_view kQrs[] = {"torch.matmul(*torch.linalg.qr($1))", "torch.matmul(*torch.qr($1))"};
constexpr std::string_view kDiagonals[] = {"torch.linalg.qr($1).R.diagonal(dim1=-2, dim2=-1).abs()",
                                           "torch.linalg.qr($1, mode=\"r\")[1].diagonal(dim1=-2, dim2=-1).abs()"};
constexpr std::string_view kLus[] = {"torch.matmul(*torch.linalg.lu($1)[1:])"};
constexpr std::string_view kCholeskys[] = {"torch.linalg.cholesky($1)", "torch.linalg.cholesky($1, upper=True)",
                                           "torch.cholesky($1)", "torch.cholesky($1, upper=True)"};
constexpr std::string_view kCholeskyInverses[] = {
    "torch.cholesky_inverse(torch.linalg.cholesky($1))",
    "torch.cholesky_inverse(torch.linalg.cholesky($1, upper=True), upper=True)"};
constexpr std::string_view kEigenvalues[] = {"torch.linalg.eigvalsh($0 + $0.mH)",
                                             "torch.linalg.eigvalsh($0 + $0.mH, UPLO=\"U\")"};
constexpr std::string_view kExps[] = {"torch.linalg.matrix_exp($1)", "torch.matrix_exp($1)", "($1).matrix_exp()"};
constexpr std::string_view kSingular[] = {"torch.linalg.svdvals($0)"};
constexpr std::string_view kSolves[] = {"torch.linalg.solve($1, $2)"};
constexpr std::string_view kSolvesRight[] = {"torch.linalg.solve($1, $2, left=False)"};
constexpr std::string_view kTriangulars[] = {"torch.linalg.solve_triangular($1, $2, upper=$3)"};
constexpr std::string_view kTriangularsRight[] = {"torch.linalg.solve_triangular($1, $2, upper=$3, left=False)"};
constexpr std::string_view kUnitTriangulars[] = {
    "torch.linalg.solve_triangular(($1) / $4, $2, upper=$3, unitriangular=True)"};
constexpr std::string_view kCholeskySolves[] = {
    "torch.cholesky_solve($2, torch.linalg.cholesky($1))",
    "torch.cholesky_solve($2, torch.linalg.cholesky($1, upper=True), upper=True)"};

constexpr DtypeSet kDtypes = kComplex | DtypeSet{Dtype::kFloat32, Dtype::kFloat64};
// Determinants of five rows stay in range.
constexpr std::int64_t kMostRows = 5;
constexpr Interval kDomain = {-2, 2};

// The operand as it is used, and what is known of it.
struct Matrix {
  Value x;
  std::string text;
  double n = 1;
  double largest = 0;  // absolute value of an element of x
  double added = 0;    // times the identity

  double spare() const { return added - n * largest; }
  double most() const { return added + n * largest; }
};

Matrix draw_matrix(Draft& draft, std::size_t member) {
  std::int64_t n = draft.between(1, kMostRows);
  Shape pattern = {n, n};
  for (std::uint64_t i = draft.choices().below(6) / 3; i > 0; --i) pattern.insert(0, -1);
  if (member == kSvdvals) pattern[0] = -1;
  Want want{.dtypes = kDtypes, .shape = ShapeWant::pattern(pattern, 1, 64), .within = kDomain};
  want.plain = member == kEigvalsh || member == kSvdvals;
  Matrix matrix{.x = draft.input(want), .n = static_cast<double>(n)};
  matrix.largest = bound_of(matrix.x.dtype, matrix.x.interval).most;
  double c = std::ceil(2 * matrix.n * matrix.largest) + 1;
  if (member == kCholesky || member == kCholeskyInverse || member == kCholeskySolve) {
    c = std::ceil(matrix.n * matrix.largest * matrix.largest) + 1;
    matrix.text = "$0 @ $0.mH";
  } else {
    matrix.text = "$0";
  }
  matrix.added = c;
  matrix.text += fmt::format(" + {} * torch.eye({}, dtype=torch.{})", c, n, dtype_name(matrix.x.dtype));
  if (member == kExp) matrix.text = fmt::format("$0 * {}", 1 / std::exp2(std::ceil(std::log2(c))));
  return matrix;
}

class Linalg final : public Operator {
 public:
  std::string_view name() const override { return "linalg"; }
  std::vector<std::string_view> members() const override { return {std::begin(kNames), std::end(kNames)}; }

  void draw(Draft& draft, std::size_t member) const override {
    Matrix matrix = draw_matrix(draft, member);
    Call call{.op = kNames[member], .arguments = {Ref{matrix.x.id}, matrix.text}};
    if (member <= kSlogdet) return draw_determinant(draft, std::move(call), matrix, member);
    if (member >= kSolve) return draw_solution(draft, std::move(call), matrix, member);
    draw_function(draft, std::move(call), matrix, member);
  }

 private:
  static void record(Draft& draft, Call call, std::vector<Value> results) {
    const Traits traits = {.exactness = Exactness::kLoose};
    if (results.size() == 1) return record_or_out(draft, std::move(call), results[0], traits);
    record_or_outs(draft, std::move(call), std::move(results), traits);
  }

  static Value result(const Matrix& matrix, Dtype dtype, const Shape& shape, Interval image) {
    return fresh_unknown(dtype, shape, rounded(image, dtype, 16 * matrix.n * matrix.n));
  }

  // Products of eigenvalues; those of real matrices are real or come in conjugate pairs.
  static void draw_determinant(Draft& draft, Call call, const Matrix& matrix, std::size_t member) {
    Shape shape = matrix.x.shape;
    shape.erase(shape.size() - 1);
    shape.erase(shape.size() - 1);
    Dtype dtype = matrix.x.dtype;
    Interval product = {std::pow(matrix.spare(), matrix.n), std::pow(matrix.most(), matrix.n)};
    if (is_complex(dtype)) product = disc(product.high);
    Interval logarithm = {matrix.n * std::log(matrix.spare()), matrix.n * std::log(matrix.most())};
    logarithm = hull(logarithm, {0, 0});
    // A complex determinant's logarithm has an angle beside it.
    const bool angled = is_complex(dtype);
    if (angled && member == kLogdet) logarithm = hull(logarithm, {-3.2, 3.2});
    call.forms = member == kDet ? Forms(kDets) : member == kLogdet ? Forms(kLogdets) : Forms(kSlogdets);
    const Dtype logarithms = member == kSlogdet ? real_dtype(dtype) : dtype;
    std::vector<Value> results = {result(matrix, logarithms, shape, member == kDet ? product : logarithm)};
    if (member == kSlogdet)
      results.insert(results.begin(), result(matrix, dtype, shape, angled ? disc(1) : Interval{1, 1}));
    record(draft, std::move(call), std::move(results));
  }

  static void draw_function(Draft& draft, Call call, const Matrix& matrix, std::size_t member) {
    Shape shape = matrix.x.shape;
    Dtype dtype = matrix.x.dtype;
    Interval image;
    switch (member) {
      case kInv:
      case kPinv:
        call.forms = member == kInv ? Forms(kInverses) : Forms(kPinvs);
        image = disc(1 / matrix.spare());
        break;
      case kPower: {
        std::int64_t power = draft.between(-3, -1);
        call.forms = kPowers;
        call.add(power);
        image = disc(std::pow(1 / matrix.spare(), static_cast<double>(-power)));
        break;
      }
      case kQr:
      case kLu:
        call.forms = member == kQr ? Forms(kQrs) : Forms(kLus);
        image = disc(matrix.most());
        break;
      case kCholesky:
        call.forms = kCholeskys;
        image = disc(std::sqrt(matrix.n * matrix.largest * matrix.largest + matrix.added));
        break;
      case kCholeskyInverse:
        call.forms = kCholeskyInverses;
        image = disc(1 / matrix.added);
        break;
      case kExp:
        call.forms = kExps;
        image = disc(2.75);
        break;
      default:
        shape.erase(shape.size() - 1);
        dtype = real_dtype(dtype);
        image = spectrum(call, matrix, member, shape);
    }
    record(draft, std::move(call), {result(matrix, dtype, shape, image)});
  }

  // Operators that return a vector for each matrix.
  static Interval spectrum(Call& call, const Matrix& matrix, std::size_t member, Shape& shape) {
    if (member == kQrDiagonal) {
      // Without Q there is no derivative.
      call.forms = Forms(kDiagonals).first(matrix.x.requires_grad ? 1 : 2);
      return {0, matrix.n * matrix.most()};
    }
    if (member == kEigvalsh) {
      call.forms = kEigenvalues;
      return disc(2 * matrix.n * matrix.largest);
    }
    call.forms = kSingular;
    int last = matrix.x.shape.size() - 1;
    shape[last - 1] = std::min(matrix.x.shape[last], matrix.x.shape[last - 1]);
    auto elements = static_cast<double>(matrix.x.shape[last] * matrix.x.shape[last - 1]);
    return {0, std::sqrt(elements) * matrix.largest};
  }

  // One or more right-hand sides; a vector only for a single matrix.
  static void draw_solution(Draft& draft, Call call, const Matrix& matrix, std::size_t member) {
    bool takes_right = member == kSolve || member == kTriangular;
    bool right = takes_right && draft.choices().chance(1, 4);
    Shape pattern = matrix.x.shape;
    int last = pattern.size() - 1;
    pattern[right ? last - 1 : last] = -1;
    if (member == kSolve && !right && last == 1 && draft.flip()) pattern.erase(1);
    Value b =
        draft.input({.dtypes = {matrix.x.dtype}, .shape = ShapeWant::pattern(pattern, 1, 8), .within = {-100, 100}});
    call.add(Ref{b.id});
    if (member == kSolve) call.forms = right ? Forms(kSolvesRight) : Forms(kSolves);
    if (member == kTriangular) {
      call.forms = right ? Forms(kTriangularsRight) : Forms(kTriangulars);
      call.add(draft.flip());
    }
    double length = bound_of(b.dtype, b.interval).most;
    // The diagonal counts as 1, beside elements that sum to less than a half of it in each row.
    if (member == kTriangular && !right && draft.choices().chance(1, 4)) {
      call.forms = kUnitTriangulars;
      call.add(matrix.added);
      return record(draft, std::move(call), {result(matrix, b.dtype, b.shape, disc(2 * length))});
    }
    if (member == kCholeskySolve) call.forms = kCholeskySolves;
    double most = member == kCholeskySolve ? std::sqrt(matrix.n) * length / matrix.added : length / matrix.spare();
    Value solution = result(matrix, b.dtype, b.shape, disc(most));
    solution.lazy = member == kSolve && right && is_complex(b.dtype);
    // It would make an `out=` lazy, too.
    if (solution.lazy) return draft.record(std::move(call), solution, {.exactness = Exactness::kLoose});
    record(draft, std::move(call), {solution});
  }
};

const Register<Operator, Linalg> registered;

}  // namespace
}  // namespace jp::seedgen::linalg_operators
