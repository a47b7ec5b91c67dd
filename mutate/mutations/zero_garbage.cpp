// A live result gets garbage added that a zero takes away again, right behind the statement that binds it:
//
//     v3 = torch.relu(v2)          v3 = torch.relu(v2)
//                                  v3 = v3 + (v0 * v2) * torch.relu(-(v0[1, 2] - v3) ** 2)
//
// The zero is universal (relu of a negated square, of other forms that are never positive, `x - x`) or true on this
// input (a value minus its profiled constant, a size minus itself); or `where` picks the garbage under a test that is
// false on this input. Garbage comes from conv, linear, add, sub and mul of live tensors. Only finite, bounded elements
// take part. Site path: "" binds the name anew, "in_place" writes.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "mutate/layout.h"
#include "mutate/live.h"
#include "mutate/mutation.h"
#include "mutate/notes.h"
#include "mutate/recover.h"
#include "mutate/zeros.h"

namespace jp::mutate {
namespace {

constexpr std::int64_t kMostElements = 1 << 16;

/// Finite products must stay below this.
double largest(Dtype dtype) {
  if (dtype == Dtype::kFloat16) return 3e4;
  return is_integral(dtype) ? 1e300 : 1e30;
}

bool programs_see_signs(const Parsed& parsed) {
  for (std::string_view word : {"signbit", "copysign", "atan2", "arctan2", "angle", "polar", "nextafter"})
    if (parsed.has_word(word)) return true;
  return false;
}

/// The statement's target, where garbage may go.
std::optional<LiveTensor> find_target(const Parsed& parsed, const Facts& facts, const Statement& statement) {
  auto target = bound_tensor(parsed, facts, statement);
  if (!target || *target->facts->dtype == Dtype::kBool || !bounded(*target->facts, largest(*target->facts->dtype)) ||
      element_count(*target->facts->shape) > kMostElements)
    return std::nullopt;
  return target;
}

/// Garbage of the target's type that broadcasts to its shape.
std::optional<Made> draw_garbage(const Point& point, const LiveTensor& target, Choices& choices) {
  Dtype dtype = *target.facts->dtype;
  const auto& shape = *target.facts->shape;
  std::vector<Made> parts;
  for (const LiveTensor& one : point.live) {
    if (one.facts->dtype != dtype || !bounded(*one.facts, largest(dtype))) continue;
    if (one.facts->shape == target.facts->shape && one.facts->strides == target.facts->strides)
      parts.push_back({quiet(one), {one.name}, magnitude(*one.facts)});
    if (auto element = draw_element({quiet(one), one.facts}, choices))
      parts.push_back({element->text, {one.name}, std::abs(element->value)});
  }
  if (parts.empty()) return std::nullopt;
  Made one = choices.pick(parts);
  Made other = choices.pick(parts);
  Made made{"", one.names, 0};
  bool full = dtype == Dtype::kFloat32 || dtype == Dtype::kFloat64;
  bool dense = is_dense({shape, *target.facts->strides, dtype});
  std::uint64_t form = choices.below(full && dense && !shape.empty() ? 7 : 4);
  std::string type = fmt::format("dtype={}.{}", point.torch, dtype_name(dtype));
  std::string self = quiet(target);
  double most = magnitude(*target.facts);
  if (form < 3) {
    made.names.insert(other.names.begin(), other.names.end());
    made.text = fmt::format("({} {} {})", one.text, "+-*"[form], other.text);
    made.most = form == 2 ? one.most * other.most : one.most + other.most;
  } else if (form == 3) {
    made.text = fmt::format("({} * 100)", one.text);
    made.most = one.most * 100;
  } else if (form < 6 && shape.back() <= 64) {
    made.names = {target.name};
    std::string weight = fmt::format("{}.full(({}, {}), 0.5, {})", point.torch, shape.back(), shape.back(), type);
    made.text = form == 4 ? fmt::format("{}.nn.functional.linear({}, {})", point.torch, self, weight)
                          : fmt::format("{}.matmul({}, {})", point.torch, self, weight);
    made.most = most * static_cast<double>(shape.back());
  } else {
    made.names = {target.name};
    bool planes = shape.size() == 4;
    std::string weight = planes ? fmt::format("{}.ones({}, 1, 3, 3, {})", point.torch, shape[1], type)
                                : fmt::format("{}.ones(1, 1, 3, {})", point.torch, type);
    made.text = planes ? fmt::format("{}.nn.functional.conv2d({}, {}, padding=1, groups={})", point.torch, self, weight,
                                     shape[1])
                       : fmt::format("{}.nn.functional.conv1d({}.reshape(1, 1, -1), {}, padding=1).reshape({})",
                                     point.torch, self, weight, tuple_text(shape));
    made.most = most * 9;
  }
  return made.most <= largest(dtype) ? std::optional(made) : std::nullopt;
}

/// A tensor that is false on this input, with a margin.
std::optional<Made> draw_false(const Point& point, const LiveTensor& target, Choices& choices) {
  std::vector<LiveTensor> found;
  for (const LiveTensor& one : point.live) {
    Dtype dtype = *one.facts->dtype;
    bool fits = is_floating(dtype) || dtype == Dtype::kInt32 || dtype == Dtype::kInt64;
    if (fits && bounded(*one.facts, 1e4)) found.push_back(one);
  }
  if (found.empty()) return std::nullopt;
  const LiveTensor& one = choices.pick(found);
  double away = std::ceil(1 + 0.25 * magnitude(*one.facts));
  bool above = choices.chance(1, 2);
  auto text = [&](const std::string& left, double low, double high) {
    return above ? fmt::format("{} > {}", left, static_cast<std::int64_t>(std::ceil(high + away)))
                 : fmt::format("{} < {}", left, static_cast<std::int64_t>(std::floor(low - away)));
  };
  if (one.facts->shape == target.facts->shape && choices.chance(1, 2))
    return Made{text(one.name, *one.facts->minimum, *one.facts->maximum), {one.name}, 0};
  auto element = draw_element(one, choices);
  if (!element) return std::nullopt;
  return Made{text(element->text, element->value, element->value), {one.name}, 0};
}

std::optional<Made> draw_choice(const Point& point, const LiveTensor& target, Choices& choices) {
  auto garbage = draw_garbage(point, target, choices);
  auto test = draw_false(point, target, choices);
  if (!garbage || !test) return std::nullopt;
  garbage->names.insert(test->names.begin(), test->names.end());
  // masked_fill copies densely, whatever the layout.
  bool dense = is_dense({*target.facts->shape, *target.facts->strides, *target.facts->dtype});
  switch (choices.below(dense ? 3 : 2)) {
    case 0:
      garbage->text =
          fmt::format("{0}.where({0}.logical_not({1}), {2}, {3})", point.torch, test->text, target.name, garbage->text);
      break;
    case 1:
      garbage->text = fmt::format("{}.where({}, {}, {})", point.torch, test->text, garbage->text, target.name);
      break;
    default:
      garbage->text = fmt::format("{}.masked_fill({}, 7)", target.name, test->text);
  }
  return garbage;
}

std::optional<Made> draw_product(const Point& point, const LiveTensor& target, Choices& choices) {
  auto garbage = draw_garbage(point, target, choices);
  auto zero = garbage ? draw_zero(point, target, garbage->most, choices) : std::nullopt;
  if (!zero) return std::nullopt;
  zero->names.insert(garbage->names.begin(), garbage->names.end());
  zero->text = choices.chance(1, 2) ? fmt::format("{} * {}", garbage->text, zero->text)
                                    : fmt::format("{} * {}", zero->text, garbage->text);
  return zero;
}

/// What comes behind the statement, as a note: "NAMES;LINE".
std::string draw_line(const Parsed& parsed, const Facts& facts, const Statement& statement, bool in_place,
                      Choices& choices) {
  auto target = find_target(parsed, facts, statement);
  if (!target || !(in_place ? may_write(parsed, facts) : may_rebind(parsed, facts, statement, *target))) return "";
  Point point = point_after(parsed, facts, statement);
  if (point.torch.empty()) return "";
  auto same = [&](const LiveTensor& one) { return one.name == target->name; };
  if (std::none_of(point.live.begin(), point.live.end(), same)) point.live.push_back(*target);
  const std::string& name = target->name;
  for (int i = 0; i < 12; ++i) {
    bool choose = choices.chance(1, 4);
    auto made = choose ? draw_choice(point, *target, choices) : draw_product(point, *target, choices);
    if (!made) continue;
    std::string sign = choices.chance(1, 3) ? "-" : "+";
    std::string line;
    if (choose) line = fmt::format("{} = {}", name, made->text);
    if (choose && in_place) line = fmt::format("{}.copy_({})", name, made->text);
    if (!choose) line = fmt::format("{0} = {0} {1} {2}", name, sign, made->text);
    if (!choose && in_place)
      line = choices.chance(1, 2) ? fmt::format("{} {}= {}", name, sign, made->text)
                                  : fmt::format("{}.add_({})", name, made->text);
    made->names.erase(name);
    made->names.insert(point.torch);
    return fmt::format("{};{}", fmt::join(made->names, " "), line);
  }
  return "";
}

class ZeroGarbage final : public Mutation {
 public:
  ZeroGarbage()
      : Mutation({"zero_garbage", "D", Exactness::kRounding, true, "MT-DLComp",
                  "algebra that must cancel: wrong folding, fusion that reorders, masks and zeros that leak garbage"}) {
  }

  std::vector<Site> sites(const Parsed& parsed, const Facts& facts) const override {
    std::vector<Site> found;
    if (watches_itself(parsed) || programs_see_signs(parsed)) return found;
    bool writes = may_write(parsed, facts);
    for (const Statement& statement : parsed.statements()) {
      if (!facts.after.contains(statement.id)) continue;
      auto target = find_target(parsed, facts, statement);
      if (!target || torch_name(parsed, statement).empty()) continue;
      if (may_rebind(parsed, facts, statement, *target)) found.push_back({statement.id, ""});
      if (writes) found.push_back({statement.id, "in_place"});
    }
    return found;
  }

  EditSet rewrite(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                  int step_number) const override {
    const Statement& statement = *parsed.find(site.statement);
    if (watches_itself(parsed) || programs_see_signs(parsed) || !open_place(parsed, statement)) return {};
    bool in_place = site.path == "in_place";
    if (!in_place && !site.path.empty()) return {};
    std::uint64_t seed = choices.below(std::uint64_t{1} << 62);
    std::string note = choices.note([&] {
      Choices inner(seed);
      return draw_line(parsed, facts, statement, in_place, inner);
    });
    auto halves = split(note, ';');
    if (halves.size() != 2 || statement.kind() != "expression_statement") return {};
    for (std::string_view name : split(halves[0], ' '))
      if (!parsed.scopes().readable(statement, name)) return {};
    Rewrite rewrite(parsed, step_number);
    rewrite.after(statement, {{std::string(halves[1])}});
    return rewrite.edits();
  }
};

const Register<Mutation, ZeroGarbage> registered;

}  // namespace
}  // namespace jp::mutate
