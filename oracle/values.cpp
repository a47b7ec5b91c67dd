// The structure of values, and Python's own values.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <sstream>

#include "oracle/text.h"
#include "oracle/walk.h"

namespace jp::oracle {
namespace {

std::string describe(const Value& value) {
  switch (value.kind) {
    case Value::Kind::kNone:
      return "None";
    case Value::Kind::kText:
      return fmt::format("{} \"{}\"", value.type, shorten(value.text, 60));
    case Value::Kind::kTensor:
      return value.type;
    case Value::Kind::kSequence:
    case Value::Kind::kMapping:
    case Value::Kind::kSet:
    case Value::Kind::kIterator:
      return fmt::format("{} of {}", value.type, value.items.size());
    case Value::Kind::kObject:
      return fmt::format("{} object", value.type);
    case Value::Kind::kReference:
      return fmt::format("reference to container {}", value.index);
    default:
      return fmt::format("{} {}", value.type, shorten(value.text, 60));
  }
}

// numpy scalars become tensors or arrays without dimensions when compiled: by design.
bool by_design(const Value& eager, const Value& compiled) {
  if (!eager.type.starts_with("numpy.") || eager.type == "numpy.ndarray") return false;
  return compiled.kind == Value::Kind::kTensor || compiled.type == "numpy.ndarray";
}

bool same_form(const Value& one, const Value& other) {
  return one.kind == other.kind && one.type == other.type && one.items.size() == other.items.size() &&
         one.labels == other.labels && (one.kind != Value::Kind::kIterator || one.index == other.index);
}

std::string child_name(const Value& parent, std::size_t i) {
  const bool labelled = i < parent.labels.size();
  if (parent.kind == Value::Kind::kObject && labelled) return "." + parent.labels[i];
  if (labelled) return fmt::format("[{}]", parent.labels[i]);
  return fmt::format("[{}]", i);
}

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

}  // namespace

std::string place(int call, std::string_view where) {
  return call == 0 ? std::string(where) : fmt::format("call {} {}", call, where);
}

Mismatch Walk::in_region(Mismatch generic) const {
  if (region_ == Region::kGradient && generic <= Mismatch::kStructure) return Mismatch::kGradient;
  if (region_ == Region::kState && (generic == Mismatch::kValue || generic == Mismatch::kStructure))
    return Mismatch::kStateAfter;
  return generic;
}

void Walk::differ(Mismatch mismatch, const std::string& where, const std::string& what, const std::string& rule,
                  std::string eager, std::string compiled, bool precision, std::map<std::string, double> numbers,
                  const std::string& sentence) {
  Mark mark;
  mark.sentence = sentence.empty()
                      ? fmt::format("{}: eager has {}, compiled has {}", place(call_, where), eager, compiled)
                      : fmt::format("{}: {}", place(call_, where), sentence);
  mark.difference = {in_region(mismatch), call_, where, std::move(eager), std::move(compiled),
                     std::move(numbers),  what};
  mark.rule = rule;
  mark.precision = precision && float64_ == nullptr;
  result_.add(std::move(mark));
}

void Walk::weak(Mismatch mismatch, const std::string& where, std::string eager, std::string compiled) {
  result_.add_weak({mismatch, call_, where, std::move(eager), std::move(compiled), {}, ""});
}

bool Walk::settle(const Counts& counts, const std::string& where) {
  if (counts.zero_signs > 0)
    weak(Mismatch::kSignOfZero, where, fmt::format("{} zeros", counts.zero_signs), "of the other sign");
  if (counts.nan_payloads > 0)
    weak(Mismatch::kNanPayload, where, fmt::format("{} NaNs", counts.nan_payloads), "with other bits");
  if (counts.close > 0) result_.loosen(Agreement::kTolerance);
  if (counts.rounding > 0) result_.loosen(Agreement::kFloat64);
  if (counts.eager_wrong > 0) {
    result_.loosen(Agreement::kEagerWrong);
    result_.add_weak({Mismatch::kValue,
                      call_,
                      where,
                      fmt::format("{} elements off the float64 run", counts.eager_wrong),
                      "agrees with the float64 run",
                      {{"elements", static_cast<double>(counts.eager_wrong)},
                       {"eager_to_float64", counts.eager_to_float64},
                       {"compiled_to_float64", counts.compiled_to_float64}},
                      "eager_wrong"});
  }
  if (counts.unstable > 0) result_.skip(place(call_, where));
  return counts.wrong > 0;
}

void Walk::compare(Region region, int call, const std::string& where, const Value& eager, const Value& compiled,
                   Third third) {
  region_ = region;
  call_ = call;
  values({eager, compiled, third, where});
}

void Walk::compare_texts(Region region, int call, const std::string& where, const std::string& eager,
                         const std::string& compiled, Witness witness, const std::string& third) {
  region_ = region;
  call_ = call;
  switch (compare_text(eager, compiled, witness, third)) {
    case TextJudgement::kSame:
      return;
    case TextJudgement::kRounding:
      return result_.loosen(Agreement::kFloat64);
    case TextJudgement::kUnstable:
      return result_.skip(place(call, where));
    case TextJudgement::kWrong:
      return differ(Mismatch::kValue, where, "text", "text", fmt::format("\"{}\"", shorten(eager)),
                    fmt::format("\"{}\"", shorten(compiled)), true);
  }
}

void Walk::values(const Pair& pair) {
  const Value& eager = pair.eager;
  const Value& compiled = pair.compiled;
  const Value* third = pair.third.value;
  if (eager.kind != compiled.kind || eager.type != compiled.type) {
    if (by_design(eager, compiled)) return;
    const bool agrees = third && third->kind == eager.kind && third->type == eager.type;
    return shape_of(pair, "type", agrees, describe(eager), describe(compiled));
  }
  switch (eager.kind) {
    case Value::Kind::kNone:
      return;
    case Value::Kind::kFloat:
    case Value::Kind::kComplex:
      return numbers(pair);
    case Value::Kind::kText: {
      const bool present = third && third->kind == eager.kind;
      const Witness witness = third && !present ? Witness::kDisagrees : pair.third.witness;
      return compare_texts(region_, call_, pair.where, eager.text, compiled.text, witness, present ? third->text : "");
    }
    case Value::Kind::kBool:
    case Value::Kind::kInt:
    case Value::Kind::kBytes:
      return exact(pair);
    case Value::Kind::kOpaque:
      if (eager.text != compiled.text)
        differ(Mismatch::kValue, pair.where, "description", "exact", describe(eager), describe(compiled), false);
      return;
    case Value::Kind::kReference:
      if (eager.index != compiled.index)
        differ(Mismatch::kStructure, pair.where, "reference", "structure", describe(eager), describe(compiled), false);
      return;
    case Value::Kind::kTensor:
      return tensors(pair);
    default:
      return children(pair);
  }
}

// A difference of form: real unless the float64 run shows that eager's own form hangs on the precision.
void Walk::shape_of(const Pair& pair, const std::string& what, bool third_agrees, std::string eager,
                    std::string compiled) {
  const bool unstable =
      pair.third.witness == Witness::kDisagrees || (pair.third.witness == Witness::kPresent && !third_agrees);
  if (unstable) return result_.skip(place(call_, pair.where));
  differ(Mismatch::kStructure, pair.where, what, "structure", std::move(eager), std::move(compiled), true);
}

void Walk::children(const Pair& pair) {
  const Value& eager = pair.eager;
  const Value& compiled = pair.compiled;
  const Value* third = pair.third.value;
  const bool third_fits = third && same_form(eager, *third);
  if (eager.items.size() != compiled.items.size())
    return shape_of(pair, "length", third_fits, describe(eager), describe(compiled));
  if (eager.labels != compiled.labels)
    return shape_of(pair, "keys", third_fits, shorten(fmt::format("keys {}", fmt::join(eager.labels, ", "))),
                    shorten(fmt::format("keys {}", fmt::join(compiled.labels, ", "))));
  if (eager.kind == Value::Kind::kIterator && eager.index != compiled.index)
    shape_of(pair, "exhaustion", third_fits, eager.index == 1 ? "an iterator with more items" : "an exhausted iterator",
             compiled.index == 1 ? "an iterator with more items" : "an exhausted iterator");
  for (std::size_t i = 0; i < eager.items.size(); ++i) {
    Third below{pair.third.witness, nullptr};
    if (third_fits) below.value = &third->items[i];
    if (third && !third_fits) below.witness = Witness::kDisagrees;
    values({eager.items[i], compiled.items[i], below, pair.where + child_name(eager, i)});
  }
}

void Walk::exact(const Pair& pair) {
  if (pair.eager.text == pair.compiled.text) return;
  const Value* third = pair.third.value;
  const bool moves = third && (third->kind != pair.eager.kind || third->text != pair.eager.text);
  if (moves || pair.third.witness == Witness::kDisagrees) return result_.skip(place(call_, pair.where));
  differ(Mismatch::kValue, pair.where, pair.eager.type, "exact", describe(pair.eager), describe(pair.compiled), true);
}

void Walk::numbers(const Pair& pair) {
  if (pair.eager.text == pair.compiled.text) return;
  const std::vector<double> eager = read_numbers(pair.eager.text);
  const std::vector<double> compiled = read_numbers(pair.compiled.text);
  std::vector<double> third;
  Witness witness = pair.third.witness;
  if (pair.third.value) third = read_numbers(pair.third.value->text);
  if (witness == Witness::kPresent && (pair.third.value->kind != pair.eager.kind || third.size() != eager.size()))
    witness = Witness::kDisagrees;
  if (eager.size() != compiled.size() || eager.empty()) return exact(pair);
  for (std::size_t i = 0; i < eager.size(); ++i) {
    const Counts counts = compare_number(eager[i], compiled[i], witness, witness == Witness::kPresent ? third[i] : 0);
    if (!settle(counts, pair.where)) continue;
    std::map<std::string, double> evidence = {{"max_abs", counts.max_absolute}, {"max_rel", counts.max_relative}};
    if (witness == Witness::kPresent) {
      evidence["eager_to_float64"] = counts.eager_to_float64;
      evidence["compiled_to_float64"] = counts.compiled_to_float64;
    }
    return differ(Mismatch::kValue, pair.where, counts.wrong_masks ? "float mask" : "float",
                  counts.wrong_masks             ? "nonfinite"
                  : witness == Witness::kPresent ? "float64"
                                                 : "tolerance",
                  fmt::format("{:.17g}", eager[i]), fmt::format("{:.17g}", compiled[i]), true, evidence);
  }
}

}  // namespace jp::oracle
