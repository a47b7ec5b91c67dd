// Python's own numbers and texts.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <set>
#include <sstream>

#include "oracle/judge/limits.h"
#include "oracle/judge/numpy_text.h"
#include "oracle/judge/text.h"
#include "oracle/judge/walk.h"

namespace jp::oracle {
namespace {

// Both parts of a Python number as recorded: float.hex() (which strtod reads), "nan", "inf"; a complex number is two of
// them with white space, a comma or brackets between.
std::vector<double> read_numbers(const std::string& text) {
  std::string clean = text;
  for (char& c : clean)
    if (c == ',' || c == '(' || c == ')' || c == 'j') c = ' ';
  std::vector<double> numbers;
  std::istringstream stream(clean);
  for (std::string word; stream >> word;) numbers.push_back(std::strtod(word.c_str(), nullptr));
  return numbers;
}

// A Python float or complex number as a tensor of its parts, so that the rules for elements apply to it too.
TensorRecord as_record(const std::vector<double>& numbers) {
  TensorRecord record;
  record.dtype = "float64";
  record.layout = "strided";
  record.shape = {static_cast<std::int64_t>(numbers.size())};
  record.bytes.resize(numbers.size() * sizeof(double));
  std::memcpy(record.bytes.data(), numbers.data(), record.bytes.size());
  return record;
}

bool ends_with(std::string_view word, std::string_view end) { return word.size() > end.size() && word.ends_with(end); }

// Whether a word names a class of exceptions, by the naming convention.
bool names_exception(std::string_view word) {
  return ends_with(word, "Error") || ends_with(word, "Exception") || word == "StopIteration" ||
         word == "KeyboardInterrupt" || word == "SystemExit" || word == "GeneratorExit";
}

std::set<std::string_view> exceptions_in(std::string_view text) {
  std::set<std::string_view> names;
  for (std::string_view word : split_text(text))
    if (names_exception(word)) names.insert(word);
  return names;
}

std::string common_text(std::string_view text, bool arrays) {
  const std::string named = with_common_names(text);
  return arrays ? with_scalars_as_arrays(named) : named;
}

}  // namespace

void Walk::numbers(const Pair& pair) {
  if (pair.eager.text == pair.compiled.text) return;
  std::deque<TensorRecord> records;  // storage that Elements refer to
  const auto elements = [&](const Value& value) {
    const std::vector<double> parts = read_numbers(value.text);
    return value.kind == pair.eager.kind && !parts.empty() ? Elements::of(records.emplace_back(as_record(parts)))
                                                           : std::nullopt;
  };
  const std::optional<Elements> eager = elements(pair.eager);
  const std::optional<Elements> compiled = elements(pair.compiled);
  if (!eager || !compiled || eager->count() != compiled->count()) return exact(pair);
  Evidence evidence = no_evidence_yet();
  evidence.is_python_number = true;
  std::optional<Elements> other_eager;
  for (std::size_t i = 0; i < pair.thirds.size(); ++i) {
    if (pair.thirds[i].presence == Presence::kAbsent) continue;
    std::optional<Elements> third;
    if (pair.thirds[i].value) third = elements(*pair.thirds[i].value);
    if (third && third->count() != eager->count()) third.reset();
    compare_with_controls(evidence, controls_.runs[i], third, other_eager);
  }
  // The type of the numbers behind a Python float is not recorded: it is float64 if the float64 run gives the same
  // value.
  const bool narrow = evidence.float64 && evidence.float64->bytes() != eager->bytes() &&
                      !(std::isnan(eager->number(0)) && std::isnan(evidence.float64->number(0)));
  const Dtype dtype = narrow ? Dtype::kFloat32 : Dtype::kFloat64;
  const Counts counts = compare_inexact(*eager, *compiled, evidence, dtype);
  if (!settle(counts, evidence, pair.where)) return;
  std::map<std::string, double> numbers = {{"max_abs", counts.max_absolute}, {"max_rel", counts.max_relative}};
  if (evidence.float64) {
    numbers["eager_to_float64"] = counts.eager_to_float64;
    numbers["compiled_to_float64"] = counts.compiled_to_float64;
  }
  const std::string one = fmt::format("{:.17g}", eager->number(counts.worst));
  const std::string other = fmt::format("{:.17g}", compiled->number(counts.worst));
  differ(Mismatch::kValue, pair.where, counts.wrong_masks ? "float mask" : "float", counts.wrong_rule(), one, other,
         true, numbers,
         fmt::format("{} has {}, {} has {}{}", controls_.reference, one, controls_.observed, other,
                     measured(counts, evidence)),
         counts.tolerances < kLimits.borderline.of(dtype));
}

// Of the runs with other choices, those whose text isn't eager's.
std::vector<std::string> Walk::texts_with_other_choices(const Pair& pair, bool arrays) const {
  const std::string eager = common_text(pair.eager.text, arrays);
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < pair.thirds.size(); ++i) {
    const ControlValue& third = pair.thirds[i];
    if (controls_.runs[i].kind != ControlKind::kChoices || third.presence == Presence::kAbsent) continue;
    if (third.presence == Presence::kDisagrees || third.value->kind != Value::Kind::kText) continue;
    std::string text = common_text(third.value->text, arrays);
    if (text != eager) texts.push_back(std::move(text));
  }
  return texts;
}

std::optional<Walk::Excuse> Walk::excused(TextJudgement judgement, RuleName rule) {
  if (judgement == TextJudgement::kRounding) return Excuse{rule, ElementVerdict::kRounding};
  if (judgement == TextJudgement::kUnstable) return Excuse{rule, ElementVerdict::kUnstable};
  return std::nullopt;
}

void Walk::texts(const Pair& pair) {
  if (pair.eager.text == pair.compiled.text) return;
  const bool arrays = has_arrays_for_scalars(pair.eager.text, pair.compiled.text);
  const std::string eager = common_text(pair.eager.text, arrays);
  std::string compiled = common_text(pair.compiled.text, arrays);
  if (eager == compiled)
    return apply({arrays ? RuleName("numpy_scalars") : RuleName("node_names"), ElementVerdict::kAllowed}, pair.where);
  if (const std::vector<std::string> chosen = texts_with_other_choices(pair, arrays); !chosen.empty()) {
    const std::optional<std::string> bound = without_free_words(eager, compiled, chosen);
    if (!bound || *bound == eager) return apply({"other_choices", ElementVerdict::kAllowed}, pair.where);
    compiled = *bound;
  }
  const bool halves = shows_halves(eager_);
  std::vector<std::string> noisy;
  for (std::size_t i = 0; i < pair.thirds.size(); ++i) {
    const ControlValue& third = pair.thirds[i];
    const ControlKind kind = controls_.runs[i].kind;
    if (third.presence == Presence::kAbsent) continue;
    if (third.presence == Presence::kDisagrees || third.value->kind != Value::Kind::kText) {
      if (const auto found = other_form(kind)) return apply(*found, pair.where);
      continue;
    }
    std::string other = common_text(third.value->text, arrays);
    if (kind == ControlKind::kCasts && other == eager)
      return apply({"emulate_precision_casts", ElementVerdict::kRounding}, pair.where);
    if (kind == ControlKind::kNoise) noisy.push_back(std::move(other));
    if (!is_other_precision(kind)) continue;
    const RuleName rule = kind == ControlKind::kFloat32 ? RuleName("float32") : RuleName("float64");
    if (const auto found = excused(compare_text(eager, compiled, {std::move(other)}, true, halves), rule))
      return apply(*found, pair.where);
  }
  if (const auto found = excused(compare_text(eager, compiled, noisy, false, halves), "monte_carlo"))
    return apply(*found, pair.where);
  const auto caught = exceptions_in(eager);
  const auto caught_there = exceptions_in(compiled);
  const std::string one = fmt::format("\"{}\"", shorten(eager));
  const std::string other = fmt::format("\"{}\"", shorten(compiled));
  if (caught != caught_there && !(caught.empty() && caught_there.empty()))
    return differ(Mismatch::kHandler, pair.where,
                  fmt::format("{} | {}", fmt::join(caught, " "), fmt::join(caught_there, " ")), "handler", one, other,
                  true);
  differ(Mismatch::kValue, pair.where, "text", "text", one, other, true);
}

}  // namespace jp::oracle
