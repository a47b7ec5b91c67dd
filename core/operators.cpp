#include "core/operators.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <unordered_map>
#include <utility>

#include "core/check.h"

namespace jp {
namespace {

using Words = std::vector<std::string_view>;

Words split(std::string_view text, char separator) {
  Words parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(separator, at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

bool among(std::string_view word, const Words& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// The cells of one line by the columns' names; "-" is an empty cell.
class Row {
 public:
  Row(const Words& header, std::string_view line) : header_(header), cells_(split(line, '\t')) {
    JP_CHECK(cells_.size() == header_.size(), "operators.tsv: {} cells in '{}', not {}", cells_.size(), line,
             header_.size());
  }

  std::string_view text(std::string_view column) const {
    const auto at = std::find(header_.begin(), header_.end(), column);
    JP_CHECK(at != header_.end(), "operators.tsv has no column {}", column);
    const std::string_view cell = cells_[static_cast<std::size_t>(at - header_.begin())];
    return cell == "-" ? "" : cell;
  }
  Words words(std::string_view column) const {
    const std::string_view cell = text(column);
    return cell.empty() ? Words() : split(cell, ' ');
  }
  bool has(std::string_view column, char letter) const { return text(column).find(letter) != std::string_view::npos; }

 private:
  const Words& header_;
  Words cells_;
};

/// The place of a cell's word among the names of an enumeration's values; an empty cell is the first.
template <typename Value, std::size_t kSize>
Value value_of(std::string_view word, const std::array<std::string_view, kSize>& names) {
  const auto at = std::find(names.begin(), names.end(), word);
  JP_CHECK(at != names.end(), "operators.tsv: nothing is called {}", word);
  return static_cast<Value>(at - names.begin());
}

constexpr std::array<std::string_view, 4> kResults = {"", "new", "view", "either"};
constexpr std::array<std::string_view, 4> kNumerics = {"", "exact", "rounded", "loose"};
constexpr std::array<std::string_view, 3> kPieces = {"", "integers", "all"};
constexpr std::array<std::string_view, 11> kTypeRules = {"",      "promoted", "float", "alike",  "bool", "truth",
                                                         "int64", "widened",  "where", "masked", "given"};
constexpr std::array<std::string_view, 35> kShapeRules = {
    "",           "broadcast",   "reduced",    "reduced_filled", "reduced_pair", "along",    "along_pair",
    "product",    "linear",      "rearranged", "same_axes",      "same_1d",      "same_2d",  "same_rank",
    "transposed", "adjoined",    "swapped",    "permuted",       "flattened",    "reshaped", "expanded",
    "repeated",   "squeezed",    "unsqueezed", "selected",       "narrowed",     "cat",      "stack",
    "parts",      "convolution", "pooling",    "adaptive",       "layer_norm",   "loss",     "other"};

constexpr std::string_view kCastsTo = "to_";

/// "bool int half float complex", and names of single types.
DtypeFlags dtypes_of(const Words& words) {
  DtypeFlags flags;
  for (std::string_view word : words) {
    if (word == "chalf") continue;
    bool known = false;
    for (Dtype dtype : all_dtypes()) {
      const bool half = is_floating(dtype) && dtype_size(dtype) == 2;
      const bool of_kind = (word == "bool" && dtype == Dtype::kBool) ||
                           (word == "int" && is_integral(dtype) && dtype != Dtype::kBool) || (word == "half" && half) ||
                           (word == "float" && is_floating(dtype) && !half) || (word == "complex" && is_complex(dtype));
      if (!of_kind && word != dtype_name(dtype)) continue;
      known = true;
      flags.insert(dtype);
    }
    JP_CHECK(known, "operators.tsv: no dtype is called {}", word);
  }
  return flags;
}

void read_parameters(const Row& row, OperatorFacts& made) {
  bool by_keyword = false;
  for (std::string_view word : row.words("parameters")) {
    if (word == "*") {
      by_keyword = true;
      continue;
    }
    const bool optional = word.ends_with('=');
    if (optional) word.remove_suffix(1);
    made.parameters.push_back(word);
    if (by_keyword) continue;
    ++made.places;
    if (!optional) ++made.required;
  }
}

// The number that a cell begins with; 0 where none does.
int number_of(std::string_view cell) {
  int number = 0;
  std::from_chars(cell.data(), cell.data() + cell.size(), number);
  return number;
}

/// "running_mean" or "running_mean:training:5".
std::vector<WrittenParameter> read_writes(const Row& row) {
  std::vector<WrittenParameter> writes;
  for (const std::string_view word : row.words("writes")) {
    const Words parts = split(word, ':');
    JP_CHECK(parts.size() == 1 || parts.size() == 3, "operators.tsv: a written parameter is {}", word);
    WrittenParameter written{parts[0], "", 0};
    if (parts.size() == 3) written = {parts[0], parts[1], static_cast<std::size_t>(number_of(parts[2]))};
    writes.push_back(written);
  }
  return writes;
}

std::vector<OperatorFamily> read_families(const Row& row) {
  std::vector<OperatorFamily> families;
  for (std::string_view word : row.words("families")) {
    OperatorFamily family;
    const std::size_t slash = word.find('/');
    if (slash != std::string_view::npos) {
      family.module = word.substr(0, slash);
      word.remove_prefix(slash + 1);
    }
    const std::size_t colon = word.find(':');
    JP_CHECK(colon != std::string_view::npos, "operators.tsv: no number of operands in family {}", word);
    family.name = word.substr(0, colon);
    family.operands = static_cast<std::size_t>(number_of(word.substr(colon + 1)));
    families.push_back(family);
  }
  return families;
}

void read_spellings(const Row& row, OperatorFacts& made) {
  made.function = row.has("spellings", 't');
  made.method = row.has("spellings", 'm');
  made.functional = row.has("spellings", 'f');
  made.special = row.has("spellings", 's');
  made.linalg = row.has("spellings", 'l');
  made.fft = row.has("spellings", 'x');
  // In quotes, for an empty cell is a minus sign.
  if (const std::string_view symbol = row.text("symbol"); !symbol.empty())
    made.symbol = symbol.substr(1, symbol.size() - 2);
  made.module = row.text("module");
  made.in_place = row.has("in_place", 'm');
  made.in_place_function = row.has("in_place", 't');
  made.in_place_functional = row.has("in_place", 'f');
  made.out = row.has("out", 't');
  made.foreach = row.has("foreach", 'f');
  made.overloads = row.words("aten");
}

/// Our own column, or else what torch's reference implementation promotes to.
OperatorFacts::TypeRule type_rule(const Row& row) {
  const std::string_view own = row.text("type");
  if (own.starts_with(kCastsTo)) return OperatorFacts::TypeRule::kUnknown;
  if (!own.empty()) return value_of<OperatorFacts::TypeRule>(own, kTypeRules);
  const std::string_view promotion = row.text("promotion");
  if (promotion == "int_to_float") return OperatorFacts::TypeRule::kFloat;
  if (promotion == "always_bool") return OperatorFacts::TypeRule::kBool;
  return promotion == "default" ? OperatorFacts::TypeRule::kPromoted : OperatorFacts::TypeRule::kUnknown;
}

OperatorFacts read_row(const Row& row) {
  OperatorFacts made;
  made.name = row.text("name");
  read_parameters(row, made);
  read_spellings(row, made);
  made.one_result = row.text("returns") == "one";
  made.result = value_of<OperatorFacts::Result>(row.text("result"), kResults);
  made.writes = read_writes(row);
  made.dtypes = dtypes_of(row.words("dtypes"));
  made.backward = dtypes_of(row.words("backward"));
  const Words tags = row.words("tags");
  made.pointwise = among("pointwise", tags);
  made.reduction = among("reduction", tags);
  made.random = among("nondeterministic_seeded", tags);
  made.view_in_place = among("inplace_view", tags);

  made.operands = row.text("operands") == "list" ? -1 : number_of(row.text("operands"));
  made.takes = row.text("takes").empty() ? made.dtypes : dtypes_of(row.words("takes"));
  made.type = type_rule(row);
  if (const std::string_view own = row.text("type"); own.starts_with(kCastsTo))
    made.casts_to = parse_dtype(own.substr(kCastsTo.size()));
  made.shape = value_of<OperatorFacts::ShapeRule>(row.text("shape"), kShapeRules);
  made.numerics = value_of<OperatorFacts::Numerics>(row.text("numerics"), kNumerics);
  made.pieces = value_of<OperatorFacts::Pieces>(row.text("pieces"), kPieces);
  made.families = read_families(row);
  const Words traits = row.words("traits");
  made.discontinuous = among("discontinuous", traits);
  // Each element of a new tensor depends on the operands' elements at its place alone.
  const bool plain = made.pointwise && made.is_new() && made.one_result && !made.random;
  made.pure = (plain && !made.backward.empty()) || among("pure", traits);
  made.steady = plain || among("steady", traits);
  made.indexes = among("index", traits);
  made.casts = among("cast", traits);
  made.shows_signs = among("signs", traits);
  made.rejects_gradients = among("rejects_gradients", traits);
  made.rejects_gradients_behind = among("rejects_gradients_behind", traits);
  made.rejects_gradients_in_place = among("rejects_gradients_in_place", traits);
  made.unsaved = among("unsaved", traits);
  return made;
}

struct Operators {
  std::vector<OperatorFacts> rows;
  std::unordered_map<std::string_view, const OperatorFacts*> by_name;  // looked up, never walked
  std::vector<const OperatorFacts*> with_symbol;
  std::map<std::pair<std::string_view, std::string_view>, std::vector<const OperatorFacts*>>
      families;  // by module, name

  Operators() {
    Words header;
    for (std::string_view line : detail::operator_lines()) {
      if (line.starts_with('#')) continue;
      if (header.empty())
        header = split(line, '\t');
      else
        rows.push_back(read_row(Row(header, line)));
    }
    for (const OperatorFacts& row : rows) {
      by_name.emplace(row.name, &row);
      if (!row.symbol.empty()) with_symbol.push_back(&row);
      for (const OperatorFamily& family : row.families) families[{family.module, family.name}].push_back(&row);
    }
  }
};

const Operators& operators() {
  static const Operators all;
  return all;
}

}  // namespace

bool OperatorFacts::has_overload(std::string_view overload) const { return among(overload, overloads); }

const OperatorFamily* OperatorFacts::family_in(std::string_view where) const {
  const auto at =
      std::find_if(families.begin(), families.end(), [&](const OperatorFamily& one) { return one.module == where; });
  return at == families.end() ? nullptr : &*at;
}

std::span<const OperatorFacts> all_operators() { return operators().rows; }

const OperatorFacts* find_operator(std::string_view name) {
  const auto& names = operators().by_name;
  const auto found = names.find(name);
  return found == names.end() ? nullptr : found->second;
}

const OperatorFacts* find_symbol(std::string_view symbol, bool unary) {
  for (const OperatorFacts* op : operators().with_symbol)
    if (op->symbol == symbol && (op->required == 1) == unary) return op;
  return nullptr;
}

const OperatorFacts* find_cast(Dtype to) {
  for (const OperatorFacts& op : all_operators())
    if (op.casts_to == to) return &op;
  return nullptr;
}

std::string_view base_name(std::string_view name) {
  const bool in_place = name.size() > 1 && name.ends_with('_') && !name.ends_with("__");
  return in_place ? name.substr(0, name.size() - 1) : name;
}

const std::vector<const OperatorFacts*>& family_members(const OperatorFamily& family) {
  const auto found = operators().families.find({family.module, family.name});
  JP_CHECK(found != operators().families.end(), "no family {}/{} of operators", family.module, family.name);
  return found->second;
}

}  // namespace jp
