#include "mutate/outline/convention.h"

#include <algorithm>

#include "mutate/rewrite/statement_ranges.h"

namespace jp::mutate {

void write_body(Rewrite& rewrite, const Parsed& parsed, const BodySignature& signature, const Body& body) {
  const Statement& first = signature.first();
  const Statement& last = signature.last();
  if (!body.outside) return wrap(rewrite, {&first, &last}, {body.opening(), body.depth, body.close + body.call});
  const Statement& top = outermost(parsed, first);
  const std::string unit = indent_unit(parsed, top);
  std::string indent;
  for (int i = 0; i < body.depth; ++i) indent += unit;
  rewrite.before(top, body.open);
  rewrite.insert(lines_begin(top), moved_text(parsed, first, last, indent));
  rewrite.before(top, body.close);
  rewrite.insert(lines_begin(top), "\n\n");
  rewrite.instead(first, last, body.before + body.call);
}

Convention::Convention(const BodySignature& signature, Channel way, bool is_outside)
    : channel(way), outside(is_outside), globals(signature.globals) {
  for (const WrittenName& name : signature.written) {
    const bool by_nonlocal = channel == Channel::kNonlocal || (!name.by_value && !name.stays);
    if (!outside && name.by_nonlocal && by_nonlocal) {
      nonlocals.push_back(name.name);
      if (name.needs_prelude && name.unbound_prelude) prelude.push_back({"if False:"});
      if (name.needs_prelude) prelude.push_back({name.name + " = None", name.unbound_prelude ? 1 : 0});
      continue;
    }
    if (name.comes_in) arguments.push_back(name.name);
    if (name.by_value) results.push_back(name.name);
  }
  add(nonlocals, signature.nonlocals);
}

bool Convention::direct() const {
  return !results.empty() && (channel == Channel::kReturn || channel == Channel::kNonlocal);
}

std::string Convention::call_of(std::string_view name) const { return fmt::format("{}({})", name, joined(arguments)); }

Lines Convention::declarations() const {
  Lines lines;
  if (!globals.empty()) lines.push_back({"global " + joined(globals)});
  if (!nonlocals.empty()) lines.push_back({"nonlocal " + joined(nonlocals)});
  return lines;
}

Lines Convention::deliver(std::string_view leave) const {
  if (direct()) return {{fmt::format("{} {}", leave, joined(results))}};
  Lines lines;
  for (const auto& result : results) {
    if (channel == Channel::kDict) lines.push_back({fmt::format("{0}[\"{1}\"] = {1}", inner, result)});
    if (channel == Channel::kList) lines.push_back({fmt::format("{}.append({})", inner, result)});
    if (channel == Channel::kAttribute) lines.push_back({fmt::format("{0}.{1} = {1}", inner, result)});
  }
  return lines;
}

Lines Convention::fetch(const std::string& call) const {
  if (direct()) return {{fmt::format("{} = {}", joined(results), call)}};
  Lines lines = {{call}};
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (channel == Channel::kDict) lines.push_back({fmt::format("{0} = {1}[\"{0}\"]", results[i], outer)});
    if (channel == Channel::kList) lines.push_back({fmt::format("{} = {}[{}]", results[i], outer, i)});
    if (channel == Channel::kAttribute) lines.push_back({fmt::format("{0} = {1}.{0}", results[i], outer)});
  }
  return lines;
}

Body Convention::body(const Lines& definition, int depth) const {
  Body body{prelude, definition + deeper(declarations(), depth), depth, deeper(deliver(), depth), {}, outside};
  if (channel == Channel::kDict && !results.empty()) body.before.push_back({outer + " = {}"});
  if (channel == Channel::kList && !results.empty()) body.before.push_back({outer + " = []"});
  return body;
}

std::vector<Channel> usual_channels(bool outside) {
  std::vector<Channel> channels = {Channel::kReturn, Channel::kReturn, Channel::kDict, Channel::kList};
  if (!outside) channels.push_back(Channel::kNonlocal);
  return channels;
}

Convention draw_convention(Rewrite& rewrite, const BodySignature& signature, const std::vector<Channel>& channels,
                           bool outside, Choices& choices) {
  Convention drawn(signature, choices.pick(channels), outside);
  for (const std::string& name : signature.readable)
    if (outside || choices.chance(1, 3)) drawn.arguments.push_back(name);
  if (drawn.channel == Channel::kDict || drawn.channel == Channel::kList) {
    drawn.inner = drawn.outer = rewrite.name("c");
    if (outside && !drawn.results.empty()) drawn.arguments.push_back(drawn.outer);
  }
  return drawn;
}

// Outside of its class Python doesn't mangle a name.
bool has_mangled_names(const BodySignature& signature) {
  return std::any_of(signature.range.begin(), signature.range.end(),
                     [](const Statement* one) { return has_mangled_name(one->node); });
}

bool stands_alone(const Parsed& parsed, const BodySignature& signature) {
  if (has_mangled_names(signature)) return false;
  return signature.nonlocals.empty() && outermost(parsed, signature.first()).own_lines &&
         !parsed.scopes().scope(0).dynamic && signature.returns_all() && signature.is_self_contained(parsed);
}

const Statement& outermost(const Parsed& parsed, const Statement& statement) {
  const Statement* at = &statement;
  while (at->parent >= 0) at = &parsed.statement(at->parent);
  return *at;
}

std::string own_name(Rewrite& rewrite, const Parsed& parsed, const BodySignature& signature, std::string_view base) {
  auto uses = parsed.scopes().uses_in(signature.first().begin, signature.last().end);
  bool used = std::any_of(uses.begin(), uses.end(), [&](const Use& use) { return use.name == base; });
  return used ? rewrite.name(base) : std::string(base);
}

}  // namespace jp::mutate
