#include "mutate/material/garbage.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "core/note_text.h"
#include "core/operators.h"
#include "mutate/engine/notes.h"
#include "mutate/facts/live.h"
#include "mutate/facts/save_restore.h"
#include "mutate/facts/value_reads.h"
#include "mutate/material/any_shape.h"
#include "mutate/material/constants.h"
#include "mutate/names/own_code.h"
#include "mutate/names/reads.h"
#include "mutate/names/side_effects.h"
#include "mutate/rewrite/rewrite.h"
#include "mutate/syntax/queries.h"
#include "mutate/syntax/writing_calls.h"

namespace jp::mutate {
namespace {

// Targets with more elements get no garbage (chosen, not measured).
constexpr std::int64_t kMostElements = 1 << 16;

/// The largest magnitude allowed for finite products: far from overflow for floats, no limit for integers, which wrap
/// around.
double largest(Dtype dtype) {
  if (dtype == Dtype::kFloat16) return 3e4;
  return is_integral(dtype) ? 1e300 : 1e30;
}

bool programs_see_signs(const Parsed& parsed) {
  const auto all = all_operators();
  return std::any_of(all.begin(), all.end(), [&](const OperatorFacts& op) {
    return op.shows_signs && (parsed.has_word(op.name) || parsed.has_word(std::string(op.name) + "_"));
  });
}

/// The tensor that the statement binds, if garbage may be added to it.
std::optional<LiveTensor> find_target(const Parsed& parsed, const Facts& facts, const Statement& statement) {
  auto target = bound_tensor(parsed, facts, statement);
  if (!target || *target->facts->dtype == Dtype::kBool || !bounded(*target->facts, largest(*target->facts->dtype)) ||
      element_count(*target->facts->shape) > kMostElements)
    return std::nullopt;
  return target;
}

constexpr std::string_view kRead = "read";

/// The layout of a sum with the tensor: its own if it is dense; else row-major, which is what an operator that gives
/// new memory makes of it in any case, unless it keeps strides.
bool keeps_layout(const NameFacts& known, const ValueRead& read) {
  const SizeSpan strides = *known.strides;
  if (is_non_overlapping_and_dense(*known.shape, strides)) return true;
  return read.fresh && !read.keeps_strides && std::is_sorted(strides.begin(), strides.end(), std::greater<>()) &&
         strides.back() > 0;
}

/// The tensor that is read, if garbage may be added to it there.
std::optional<LiveTensor> read_target(const Parsed& parsed, const Facts& facts, const Statement& statement,
                                      const ValueRead& read) {
  const std::string name(read.node.text());
  const NameFacts* known = facts.find_before(statement.id, name);
  if (!known || known->kind != "tensor" || !parsed.scopes().readable(statement, name)) return std::nullopt;
  if (!knows_extent(known)) return has_any_shape(*known) ? std::optional(LiveTensor{name, known}) : std::nullopt;
  const std::int64_t count = element_count(*known->shape);
  const bool fits = *known->dtype != Dtype::kBool && !is_complex(*known->dtype) && known->overlaps_itself == false &&
                    bounded(*known, largest(*known->dtype)) && count > 0 && count <= kMostElements;
  return fits && keeps_layout(*known, read) ? std::optional(LiveTensor{name, known}) : std::nullopt;
}

/// Code of the file that the statement runs before it evaluates the node may write to tensors, or bind names anew.
bool changes_before(const Parsed& parsed, const Statement& statement, const Node& node) {
  if (!parsed.own_code().runs_before(parsed, statement, node)) return false;
  return !quiet(parsed) || SideEffects(parsed).may_bind_elsewhere(statement);
}

/// The statement evaluates no part that may write before another.
bool writes_nothing_inside(const Parsed& parsed, const Statement& statement) {
  if (!statement.simple || !insertion_point(parsed, statement)) return false;
  const Effects effects = effects_of(statement);
  const bool calls = std::any_of(effects.calls.begin(), effects.calls.end(), writes_tensor);
  const auto uses = parsed.scopes().uses_in(statement.begin, statement.end);
  return !calls && std::none_of(uses.begin(), uses.end(), [](const Use& use) { return use.conditional; });
}

/// The paths of the reads that are sites: their numbers among plain_reads().
std::vector<std::string> read_paths(const Parsed& parsed, const Facts& facts, const Statement& statement,
                                    const ValueReads& reads) {
  std::vector<std::string> paths;
  if (!writes_nothing_inside(parsed, statement) || torch_name(parsed, statement).empty()) return paths;
  const auto plain = plain_reads(parsed, statement);
  for (const ValueRead& read : reads.of(statement)) {
    if (!read_target(parsed, facts, statement, read) || changes_before(parsed, statement, read.node)) continue;
    const auto at = std::find(plain.begin(), plain.end(), read.node) - plain.begin();
    paths.push_back(fmt::format("{}{}", kRead, at));
  }
  return paths;
}

std::string added_line(const std::string& name, const std::string& text, bool in_place, Choices& choices) {
  std::string sign = choices.chance(1, 3) ? "-" : "+";
  if (!in_place) return fmt::format("{0} = {0} {1} {2}", name, sign, text);
  return choices.chance(1, 2) ? fmt::format("{} {}= {}", name, sign, text) : fmt::format("{}.add_({})", name, text);
}

std::string whole_line(const std::string& name, const std::string& text, bool in_place) {
  return in_place ? fmt::format("{}.copy_({})", name, text) : fmt::format("{} = {}", name, text);
}

/// Garbage through which gradients flow must not make theirs overflow.
double largest_attached(Dtype dtype) { return dtype_size(dtype) == 2 ? 100 : 1e6; }

/// Tensors of the target's dtype and layout, and elements.
std::vector<BoundedExpression> draw_parts(const Point& point, const LiveTensor& target, Choices& choices) {
  const Dtype dtype = *target.facts->dtype;
  std::vector<BoundedExpression> parts;
  for (const LiveTensor& one : point.live) {
    const bool attachable = point.attachable.contains(one.name);
    if (one.facts->dtype != dtype || !bounded(*one.facts, attachable ? largest_attached(dtype) : largest(dtype)))
      continue;
    if (one.facts->shape == target.facts->shape && one.facts->strides == target.facts->strides)
      parts.push_back({operand(point, one, choices), {one.name}, magnitude(*one.facts)});
    if (auto element = draw_element({operand(point, one, choices), one.facts}, choices))
      parts.push_back({element->text, {one.name}, std::abs(element->value)});
  }
  return parts;
}

/// A sum, difference or product of two parts, or one made larger.
std::optional<BoundedExpression> elementwise(const Point& point, const LiveTensor& target, Choices& choices) {
  const std::vector<BoundedExpression> parts = draw_parts(point, target, choices);
  if (parts.empty()) return std::nullopt;
  BoundedExpression made = choices.pick(parts);
  BoundedExpression other = choices.pick(parts);
  const Dtype dtype = *target.facts->dtype;
  if (is_row_major(*target.facts->shape, *target.facts->strides) && choices.chance(1, 4))
    other = {seeded_tensor(point.torch, *target.facts->shape, dtype, choices), {}, most_seeded(dtype)};
  std::uint64_t form = choices.below(4);
  if (form == 1 && made.text == other.text) form = 0;  // zero is no garbage
  if (form == 3) return BoundedExpression{fmt::format("({} * 100)", made.text), made.names, made.most * 100};
  made.names.insert(other.names.begin(), other.names.end());
  made.text = fmt::format("({} {} {})", made.text, "+-*"[form], other.text);
  made.most = form == 2 ? made.most * other.most : made.most + other.most;
  return made;
}

/// A weight of that shape: constants, equal ones or drawn from a seed, or the first elements of a live tensor. `most`:
/// the largest magnitude of one.
BoundedExpression draw_weight(const Point& point, const LiveTensor& target, const std::vector<std::int64_t>& shape,
                              Choices& choices) {
  const Dtype dtype = *target.facts->dtype;
  const std::int64_t count = element_count(shape);
  std::vector<LiveTensor> large;
  for (const LiveTensor& one : point.live)
    if (one.facts->dtype == dtype && element_count(*one.facts->shape) >= count && bounded(*one.facts, 1e6))
      large.push_back(one);
  const bool constant = large.empty() || choices.chance(1, 3);
  if (constant && choices.chance(1, 2))
    return {seeded_tensor(point.torch, shape, dtype, choices), {}, most_seeded(dtype)};
  if (constant)
    return {
        fmt::format("{}.full({}, 0.5, dtype={}.{})", point.torch, tuple_text(shape), point.torch, dtype_name(dtype)),
        {},
        0.5};
  const LiveTensor& one = choices.pick(large);
  return {fmt::format("{}.flatten()[:{}].reshape({})", operand(point, one, choices), count, tuple_text(shape)),
          {one.name},
          magnitude(*one.facts)};
}

/// A dense layer over the target's last axis.
BoundedExpression dense_layer(const Point& point, const LiveTensor& target, Choices& choices) {
  const std::int64_t last = target.facts->shape->back();
  // The result of one row broadcasts.
  const std::int64_t rows = last <= 64 && choices.chance(2, 3) ? last : 1;
  BoundedExpression made = draw_weight(point, target, {rows, last}, choices);
  const std::string self = operand(point, target, choices);
  made.text = choices.chance(1, 2) ? fmt::format("{}.nn.functional.linear({}, {})", point.torch, self, made.text)
                                   : fmt::format("{}.matmul({}, {}.t())", point.torch, self, made.text);
  made.names.insert(target.name);
  made.most *= magnitude(*target.facts) * static_cast<double>(last);
  return made;
}

/// A convolution of the target with a kernel of three, of planes by channel.
BoundedExpression convolution(const Point& point, const LiveTensor& target, Choices& choices) {
  const auto& shape = *target.facts->shape;
  const bool planes = shape.size() == 4;
  BoundedExpression made = draw_weight(
      point, target, planes ? std::vector<std::int64_t>{1, 1, 3, 3} : std::vector<std::int64_t>{1, 1, 3}, choices);
  const std::string self = operand(point, target, choices);
  made.text = planes ? fmt::format("{}.nn.functional.conv2d({}, {}.repeat({}, 1, 1, 1), padding=1, groups={})",
                                   point.torch, self, made.text, shape[1], shape[1])
                     : fmt::format("{}.nn.functional.conv1d({}.reshape(1, 1, -1), {}, padding=1).reshape({})",
                                   point.torch, self, made.text, tuple_text(shape));
  made.names.insert(target.name);
  made.most *= magnitude(*target.facts) * 9;
  return made;
}

NamedText constant_read(const NamedText& read) {
  return {{read.names.front()}, fmt::format("({} + 0)", read.names.front())};
}

NamedText constant_line(const Step& step, const NamedText& line) {
  const std::string name = line.text.substr(0, line.text.find_first_of(" ."));
  return {{}, step.site.path == "in_place" ? name + " += 0" : fmt::format("{0} = {0} + 0", name)};
}

}  // namespace

std::optional<BoundedExpression> draw_garbage(const Point& point, const LiveTensor& target, Choices& choices) {
  const Dtype dtype = *target.facts->dtype;
  const auto& shape = *target.facts->shape;
  const bool full = dtype == Dtype::kFloat32 || dtype == Dtype::kFloat64;
  const bool dense = is_row_major(shape, *target.facts->strides) && !shape.empty();
  const std::uint64_t form = choices.below(full && dense ? 8 : 4);
  std::optional<BoundedExpression> made;
  if (form < 4) made = elementwise(point, target, choices);
  if (form >= 4) made = form < 6 ? dense_layer(point, target, choices) : convolution(point, target, choices);
  // The target can always be read without `.detach()`, if gradients flow through it at all.
  const double most = *target.facts->requires_grad ? largest_attached(dtype) : largest(dtype);
  return made && made->most <= most ? made : std::nullopt;
}

std::optional<BoundedExpression> draw_product(const Point& point, const LiveTensor& target, DrawZero draw_zero,
                                              Choices& choices) {
  auto garbage = draw_garbage(point, target, choices);
  auto zero = garbage ? draw_zero(point, target, choices) : std::nullopt;
  if (!zero) return std::nullopt;
  zero->names.insert(garbage->names.begin(), garbage->names.end());
  zero->text = choices.chance(1, 2) ? fmt::format("{} * {}", garbage->text, zero->text)
                                    : fmt::format("{} * {}", zero->text, garbage->text);
  return zero;
}

/// The line to put after the statement; nothing if it doesn't apply there.
std::optional<NamedText> GarbageMutation::draw_line(const Parsed& parsed, const Facts& facts,
                                                    const Statement& statement, bool in_place, Choices& choices) const {
  auto target = find_target(parsed, facts, statement);
  if (!target || !(in_place ? may_write(parsed, facts) : may_rebind(parsed, facts, statement, *target)))
    return std::nullopt;
  const Point point = point_after(parsed, facts, statement, *target);
  if (point.torch.empty()) return std::nullopt;
  const std::string& name = target->name;
  for (int i = 0; i < 12; ++i) {
    auto changed = draw(point, *target, choices);
    if (!changed) continue;
    BoundedExpression& made = changed->made;
    made.names.erase(name);
    made.names.insert(point.torch);
    std::string line =
        changed->added ? added_line(name, made.text, in_place, choices) : whole_line(name, made.text, in_place);
    return named_text(made.names, std::move(line));
  }
  return std::nullopt;
}

std::optional<NamedText> GarbageMutation::draw_read(const Parsed& parsed, const Facts& facts,
                                                    const Statement& statement, const Node& node,
                                                    Choices& choices) const {
  std::optional<LiveTensor> target;
  for (const ValueRead& read : ValueReads(parsed, facts).of(statement))
    if (read.node == node) target = read_target(parsed, facts, statement, read);
  if (!target) return std::nullopt;
  const Point point = point_before(parsed, facts, statement);
  const bool known = knows_extent(target->facts);
  for (int i = 0; i < 12; ++i) {
    auto changed = known ? draw(point, *target, choices) : draw_any_shape(point.torch, *target, choices);
    if (!changed) continue;
    changed->made.names.insert(point.torch);
    changed->made.names.insert(target->name);
    std::string text = changed->made.text;
    if (changed->added) text = fmt::format("({} {} {})", target->name, choices.chance(1, 3) ? '-' : '+', text);
    NamedText read = named_text(changed->made.names, std::move(text));
    // What is replaced comes first: as_constant() has no program to ask.
    const auto at = std::find(read.names.begin(), read.names.end(), target->name);
    std::rotate(read.names.begin(), at, at + 1);
    return read;
  }
  return std::nullopt;
}

std::vector<Site> GarbageMutation::sites(const Parsed& parsed, const Facts& facts) const {
  std::vector<Site> found;
  if (uses_introspection(parsed) || programs_see_signs(parsed)) return found;
  const bool writes = may_write(parsed, facts);
  const ValueReads reads(parsed, facts);
  for (const Statement& statement : parsed.statements()) {
    const auto target = facts.after.contains(statement.id) ? find_target(parsed, facts, statement) : std::nullopt;
    const bool torch = target && !torch_name(parsed, statement).empty();
    const bool rebinds = torch && may_rebind(parsed, facts, statement, *target);
    if (rebinds) found.push_back({statement.id, ""});
    if (torch && writes) found.push_back({statement.id, "in_place"});
    if (rebinds || !facts.before.contains(statement.id)) continue;
    for (std::string& path : read_paths(parsed, facts, statement, reads))
      found.push_back({statement.id, std::move(path)});
  }
  return found;
}

EditSet GarbageMutation::rewrite_read(const Parsed& parsed, const Facts& facts, const Statement& statement,
                                      std::string_view path, Choices& choices, int step_number) const {
  const auto plain = plain_reads(parsed, statement);
  const auto at = read_index(path, plain.size());
  if (!at || !writes_nothing_inside(parsed, statement)) return {};
  const Node node = plain[*at];
  if (changes_before(parsed, statement, node)) return {};
  const auto reads = ValueReads(parsed, facts).of(statement);
  if (std::none_of(reads.begin(), reads.end(), [&](const ValueRead& read) { return read.node == node; })) return {};
  auto text = choices.note_drawn([&](Choices& inner) { return draw_read(parsed, facts, statement, node, inner); });
  if (!text || !text->readable(parsed, statement)) return {};
  if (std::find(text->names.begin(), text->names.end(), node.text()) == text->names.end()) return {};
  Rewrite rewrite(parsed, step_number);
  const auto made = put_redrawn(parsed, rewrite, text->text);
  if (!made) return {};
  rewrite.replace(node, *made);
  return rewrite.edits();
}

EditSet GarbageMutation::rewrite(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                                 int step_number) const {
  const Statement& statement = *parsed.find(site.statement);
  if (uses_introspection(parsed) || programs_see_signs(parsed) || !insertion_point(parsed, statement)) return {};
  if (site.path.starts_with(kRead))
    return rewrite_read(parsed, facts, statement, std::string_view(site.path).substr(kRead.size()), choices,
                        step_number);
  bool in_place = site.path == "in_place";
  if (!in_place && !site.path.empty()) return {};
  auto line = choices.note_drawn([&](Choices& inner) { return draw_line(parsed, facts, statement, in_place, inner); });
  if (!line || !sole_expression(statement) || !line->readable(parsed, statement)) return {};
  Rewrite rewrite(parsed, step_number);
  const auto made = put_redrawn(parsed, rewrite, line->text);
  if (!made) return {};
  rewrite.after(statement, {{*made}});
  return rewrite.edits();
}

std::optional<Step> GarbageMutation::as_constant(const Step& step) const {
  const auto recorded = [](Choices& /*inner*/) { return std::optional<NamedText>(); };
  Choices draws = Choices::replay(step.draws);
  const std::optional<NamedText> line = draws.note_drawn(recorded);
  if (!line || line->names.empty() || step.draws.empty()) return std::nullopt;
  const NamedText constant = step.site.path.starts_with(kRead) ? constant_read(*line) : constant_line(step, *line);
  if (constant.text == line->text) return std::nullopt;
  Step made = step;
  made.draws.back() = note_text(std::optional(constant));
  return made;
}

}  // namespace jp::mutate
