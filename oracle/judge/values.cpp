// The structure of values.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "oracle/judge/by_design.h"
#include "oracle/judge/free_choice.h"
#include "oracle/judge/text.h"
#include "oracle/judge/walk.h"

namespace jp::oracle {
namespace {

// Zeros of either sign.
bool all_zeros(const Elements& elements) {
  if (!elements.is_inexact()) return elements.bytes().find_first_not_of('\0') == std::string_view::npos;
  for (std::size_t i = 0; i < elements.count() * elements.parts(); ++i)
    if (elements.number(i) != 0) return false;
  return true;
}

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

bool same_form(const Value& one, const Value& other) {
  return one.kind == other.kind && one.type == other.type && one.items.size() == other.items.size() &&
         one.labels == other.labels && (one.kind != Value::Kind::kIterator || one.index == other.index);
}

// Whether items belong together by their places: keys that are numbers are rounded, too. Keys in another order don't.
bool same_places(const Value& one, const Value& other) {
  if (one.labels == other.labels) return true;
  return one.kind == Value::Kind::kMapping && one.labels.size() == other.labels.size() &&
         !std::is_permutation(one.labels.begin(), one.labels.end(), other.labels.begin());
}

bool same_items(const Value& one, const Value& other) {
  return one.kind == other.kind && one.type == other.type && one.items.size() == other.items.size() &&
         same_places(one, other) && (one.kind != Value::Kind::kIterator || one.index == other.index);
}

std::string child_name(const Value& parent, std::size_t i) {
  const bool labelled = i < parent.labels.size();
  if (parent.kind == Value::Kind::kObject && labelled) return "." + parent.labels[i];
  if (labelled) return fmt::format("[{}]", parent.labels[i]);
  return fmt::format("[{}]", i);
}

}  // namespace

std::string place(int call, std::string_view where) {
  return call == 0 ? std::string(where) : fmt::format("call {} {}", call + 1, where);
}

Mismatch Walk::in_region(Mismatch generic) const {
  if (region_ == Region::kGradient && generic <= Mismatch::kStructure) return Mismatch::kGradient;
  if (region_ == Region::kState && (generic == Mismatch::kValue || generic == Mismatch::kStructure))
    return Mismatch::kStateAfter;
  return generic;
}

void Walk::differ(Mismatch mismatch, const std::string& where, const std::string& what, RuleName rule,
                  std::string eager, std::string compiled, bool open, std::map<std::string, double> numbers,
                  const std::string& sentence, bool borderline) {
  Mark mark{.difference = {}, .rule = rule, .sentence = "", .open = open, .borderline = borderline};
  mark.sentence = sentence.empty() ? fmt::format("{}: {} has {}, {} has {}", place(call_, where), controls_.reference,
                                                 eager, controls_.observed, compiled)
                                   : fmt::format("{}: {}", place(call_, where), sentence);
  mark.difference = {in_region(mismatch), call_, where, std::move(eager), std::move(compiled),
                     std::move(numbers),  what};
  result_.add(std::move(mark));
}

void Walk::weak(Mismatch mismatch, const std::string& where, std::string eager, std::string compiled) {
  result_.add_weak({mismatch, call_, where, std::move(eager), std::move(compiled), {}, ""});
}

bool Walk::settle(const Counts& counts, const Evidence& evidence, const std::string& where) {
  if (counts.zero_signs > 0)
    weak(Mismatch::kSignOfZero, where, fmt::format("{} zeros", counts.zero_signs), "of the other sign");
  if (counts.nan_payloads > 0)
    weak(Mismatch::kNanPayload, where, fmt::format("{} NaNs", counts.nan_payloads), "with other bits");
  if (counts.denormals > 0)
    weak(Mismatch::kDenormal, where, fmt::format("{} numbers below the smallest normal one", counts.denormals),
         "with other bits");
  for (const Settled& settled : counts.settled) {
    Decision decision{settled.rule.str(), call_, where, std::string(element_verdict_name(settled.judged)), {}};
    decision.numbers = {{"elements", static_cast<double>(settled.elements)}};
    if (std::isfinite(counts.max_absolute)) decision.numbers["max_abs"] = counts.max_absolute;
    decision.numbers["max_rel"] = counts.max_relative;
    if (evidence.float64) {
      decision.numbers["eager_to_float64"] = counts.eager_to_float64;
      decision.numbers["compiled_to_float64"] = counts.compiled_to_float64;
    }
    if (!evidence.noisy.empty()) {
      decision.numbers["monte_carlo_spread"] = counts.spread;
      decision.numbers["monte_carlo_runs"] = static_cast<double>(evidence.noisy.size());
    }
    result_.decide(std::move(decision));
    if (settled.judged == ElementVerdict::kRounding || settled.judged == ElementVerdict::kAllowed)
      result_.loosen(settled.rule);
    if (settled.judged == ElementVerdict::kUnstable) result_.skip(place(call_, where), settled.rule);
  }
  result_.unlisted = result_.unlisted || counts.unlisted;
  if (const std::size_t elements = counts.count(ElementVerdict::kEagerWrong); elements > 0) {
    result_.loosen("eager_wrong");
    result_.eager_wrong = true;
    result_.add_weak({Mismatch::kValue,
                      call_,
                      where,
                      fmt::format("{} elements off the float64 run", elements),
                      "agrees with the float64 run",
                      {{"elements", static_cast<double>(elements)},
                       {"eager_to_float64", counts.eager_to_float64},
                       {"compiled_to_float64", counts.compiled_to_float64}},
                      "eager_wrong"});
  }
  return counts.wrong() > 0;
}

void Walk::compare(Region region, int call, const std::string& where, const Value& eager, const Value& compiled,
                   const ControlValues& thirds) {
  region_ = region;
  call_ = call;
  values({eager, compiled, thirds, where});
}

// A float64 run with another form is no evidence if there are Monte Carlo runs; if none could be made, the place is
// unknown.
std::optional<Walk::Excuse> Walk::other_form(ControlKind kind) const {
  if (kind == ControlKind::kNoise) return Excuse{"monte_carlo", ElementVerdict::kUnstable};
  if (kind == ControlKind::kChoices) return Excuse{"other_choices", ElementVerdict::kAllowed};
  if (kind == ControlKind::kFloat64 && controls_.noise_failed) return Excuse{"float64", ElementVerdict::kUnstable};
  return std::nullopt;
}

std::optional<Walk::Excuse> Walk::excuse(const ControlValues& thirds, const Same& same) const {
  std::optional<Excuse> found;
  for (std::size_t i = 0; i < thirds.size() && !found; ++i) {
    const ControlKind kind = controls_.runs[i].kind;
    if (thirds[i].presence == Presence::kAbsent) continue;
    if (thirds[i].presence == Presence::kDisagrees) {
      found = other_form(kind);
      continue;
    }
    const bool agrees = same(*thirds[i].value, controls_.runs[i]);
    if (kind == ControlKind::kCasts && agrees) found = Excuse{"emulate_precision_casts", ElementVerdict::kRounding};
    if (agrees) continue;
    if (kind == ControlKind::kNoise) found = Excuse{"monte_carlo", ElementVerdict::kUnstable};
    if (kind == ControlKind::kChoices) found = Excuse{"other_choices", ElementVerdict::kAllowed};
    if (kind == ControlKind::kFloat64) found = Excuse{"float64", ElementVerdict::kUnstable};
    if (kind == ControlKind::kFloat32) found = Excuse{"float32", ElementVerdict::kUnstable};
  }
  return found;
}

void Walk::apply(const Excuse& excuse, const std::string& where) {
  result_.decide({excuse.rule.str(), call_, where, std::string(element_verdict_name(excuse.judged)), {}});
  if (excuse.judged == ElementVerdict::kUnstable)
    result_.skip(place(call_, where), excuse.rule);
  else
    result_.loosen(excuse.rule);
}

void Walk::form(const Pair& pair, const std::string& what, RuleName rule, std::string eager, std::string compiled,
                Mismatch mismatch, const Same& same) {
  if (const auto found = excuse(pair.thirds, same)) return apply(*found, pair.where);
  differ(mismatch, pair.where, what, rule, std::move(eager), std::move(compiled), true);
}

// A gradient of zeros where eager has none is a different bug from a gradient that is lost.
std::string Walk::type_class(const Value& eager, const Value& compiled) const {
  if (eager.kind == Value::Kind::kTensor && compiled.kind == Value::Kind::kNone) return "none for a tensor";
  if (eager.kind != Value::Kind::kNone || compiled.kind != Value::Kind::kTensor) return "type";
  const auto at = static_cast<std::size_t>(compiled.index);
  const std::optional<Elements> elements =
      compiled.index >= 0 && at < compiled_.tensors.size() ? Elements::of(compiled_.tensors[at]) : std::nullopt;
  return elements && all_zeros(*elements) ? "zeros for none" : "a tensor for none";
}

void Walk::values(const Pair& pair) {
  const Value& eager = pair.eager;
  const Value& compiled = pair.compiled;
  if (const auto scalar = as_numpy_scalar(eager, compiled, compiled_)) {
    result_.decide({RuleName("numpy_scalars").str(), call_, pair.where, "allowed", {}});
    return values({eager, *scalar, pair.thirds, pair.where});
  }
  if (iterate_alike(eager, compiled) && eager.type != compiled.type) {
    result_.decide({RuleName("iterator_types").str(), call_, pair.where, "allowed", {}});
  } else if (eager.kind != compiled.kind || eager.type != compiled.type) {
    return form(
        pair, type_class(eager, compiled), "structure", describe(eager), describe(compiled), Mismatch::kStructure,
        [&](const Value& third, const ControlRun&) { return third.kind == eager.kind && third.type == eager.type; });
  }
  switch (eager.kind) {
    case Value::Kind::kNone:
      return;
    case Value::Kind::kFloat:
    case Value::Kind::kComplex:
      return numbers(pair);
    case Value::Kind::kText:
      return texts(pair);
    case Value::Kind::kBool:
    case Value::Kind::kInt:
    case Value::Kind::kBytes:
      return exact(pair);
    case Value::Kind::kOpaque:
      return opaque(pair);
    case Value::Kind::kUnreadable:
      return unreadable(pair.where, eager.type, eager.text);
    case Value::Kind::kReference:
      if (eager.index != compiled.index)
        form(pair, "reference", "structure", describe(eager), describe(compiled), Mismatch::kStructure,
             [&](const Value& third, const ControlRun&) {
               return same_form(eager, third) && third.index == eager.index;
             });
      return;
    case Value::Kind::kTensor:
      return tensors(pair);
    default:
      return children(pair);
  }
}

// A run in another precision has other dtypes by design, and what is opaque may be one.
void Walk::opaque(const Pair& pair) {
  if (pair.eager.text == pair.compiled.text) return;
  form(pair, "description", "exact", describe(pair.eager), describe(pair.compiled), Mismatch::kValue,
       [&](const Value& third, const ControlRun& run) {
         return is_other_precision(run.kind) || (third.kind == pair.eager.kind && third.text == pair.eager.text);
       });
}

// What a program keeps to itself need not be readable; what it returns must be.
void Walk::unreadable(const std::string& where, const std::string& type, const std::string& reason) {
  if (region_ != Region::kOutput || !result_.incomparable.empty()) return;
  result_.incomparable = fmt::format("{} ({}) can't be compared: {}", shorten(place(call_, where), 60), type, reason);
}

void Walk::children(const Pair& pair) {
  const Value& eager = pair.eager;
  const Value& compiled = pair.compiled;
  const auto same = [&](const Value& third, const ControlRun&) { return same_form(eager, third); };
  if (eager.items.size() != compiled.items.size())
    return form(pair, "length", "structure", describe(eager), describe(compiled), Mismatch::kStructure, same);
  if (eager.labels != compiled.labels) {
    form(pair, "keys", "structure", shorten(fmt::format("keys {}", fmt::join(eager.labels, ", "))),
         shorten(fmt::format("keys {}", fmt::join(compiled.labels, ", "))), Mismatch::kStructure, same);
    if (!same_places(eager, compiled)) return;
  }
  if (eager.kind == Value::Kind::kIterator && eager.index != compiled.index)
    form(pair, "exhaustion", "structure", eager.index == 1 ? "an iterator with more items" : "an exhausted iterator",
         compiled.index == 1 ? "an iterator with more items" : "an exhausted iterator", Mismatch::kStructure, same);
  if (eager.kind == Value::Kind::kIterator && eager.text != compiled.text)
    form(pair, "position", "structure", shorten(eager.text, 60), shorten(compiled.text, 60), Mismatch::kStructure,
         [&](const Value& third, const ControlRun&) { return same_form(eager, third) && third.text == eager.text; });
  ControlValues below = pair.thirds;
  for (std::size_t i = 0; i < eager.items.size(); ++i) {
    for (std::size_t j = 0; j < pair.thirds.size(); ++j) {
      const ControlValue& third = pair.thirds[j];
      if (third.presence != Presence::kPresent) continue;
      const bool fits = same_items(eager, *third.value);
      below[j] =
          fits ? ControlValue{Presence::kPresent, &third.value->items[i]} : ControlValue{Presence::kDisagrees, nullptr};
    }
    values({eager.items[i], compiled.items[i], below, pair.where + child_name(eager, i)});
  }
}

// What the runs of this kind hold, as text.
std::vector<std::string> Walk::texts_of(const Pair& pair, ControlKind kind) const {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < pair.thirds.size(); ++i)
    if (controls_.runs[i].kind == kind && pair.thirds[i].presence == Presence::kPresent)
      texts.push_back(pair.thirds[i].value->text);
  return texts;
}

// What is said of elements (free_choice.h), for an integer or bool of Python.
ControlValues Walk::without_excluded_choice(const Pair& pair) {
  ControlValues thirds = pair.thirds;
  const Freedom freedom =
      freedom_of(pair.eager.text, texts_of(pair, ControlKind::kChoices), texts_of(pair, ControlKind::kEquals),
                 std::equal_to<std::string>(), [&](const std::string& text) { return text == pair.compiled.text; });
  if (freedom == Freedom::kUnlisted) result_.unlisted = true;
  for (std::size_t i = 0; i < thirds.size() && freedom == Freedom::kExcluded; ++i)
    if (controls_.runs[i].kind == ControlKind::kChoices && thirds[i].presence == Presence::kPresent) thirds[i] = {};
  return thirds;
}

void Walk::exact(const Pair& given) {
  if (given.eager.text == given.compiled.text) return;
  const ControlValues thirds = without_excluded_choice(given);
  const Pair pair{given.eager, given.compiled, thirds, given.where};
  form(pair, pair.eager.type, "exact", describe(pair.eager), describe(pair.compiled), Mismatch::kValue,
       [&](const Value& third, const ControlRun&) {
         return third.kind == pair.eager.kind && third.text == pair.eager.text;
       });
}

std::string Walk::measured(const Counts& counts, const Evidence& evidence) const {
  std::string text;
  if (evidence.float64)
    text += fmt::format("; from the float64 run {} is {:.3g} away, {} {:.3g}", controls_.reference,
                        counts.eager_to_float64, controls_.observed, counts.compiled_to_float64);
  else
    text += "; there is no float64 run to judge by";
  if (!evidence.noisy.empty())
    text += fmt::format("; {} runs with moved roundings move it by {:.3g}", evidence.noisy.size(), counts.spread);
  return text;
}

}  // namespace jp::oracle
