#include "mutate/inputs/relocate.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "mutate/names/scopes.h"
#include "mutate/syntax/queries.h"

namespace jp::mutate {
namespace {

bool is_number(const std::string& text) { return text.starts_with('-') || (text[0] >= '0' && text[0] <= '9'); }

bool removable(const Parsed& parsed) {
  const Statement* entry = adaptable_entry(parsed);
  if (!entry || uses_introspection(parsed) || !entry_start(parsed)) return false;
  Node parameters = entry->node.field("parameters");
  for (const Node& token : parameters.tokens())
    if (token.is("*") || token.is("/") || token.is("comment")) return false;
  for (const Node& parameter : parameters.children())
    if (!parameter.is("identifier") && !parameter.is("typed_parameter")) return false;
  auto inputs = changeable_inputs(parsed);
  if (!inputs || !inputs->statement->own_lines) return false;
  const Statement* function = module_function(parsed, parsed.program().inputs());
  const Statement* start = function ? body_start(parsed, *function) : nullptr;
  if (!start || !function->own_lines || !start->own_lines) return false;
  std::size_t count = own_parameters(*entry).size();
  return std::all_of(inputs->calls.begin(), inputs->calls.end(),
                     [&](const auto& call) { return call.size() == count; });
}

/// Removes one item of a list of items. With `tuple`, a comma is kept where one remaining element needs it.
void remove_item(Rewrite& rewrite, const Node& list, std::size_t at, bool tuple) {
  auto items = list.children();
  auto tokens = list.tokens();
  bool bare = list.is("expression_list");
  if (items.size() == 1) {
    if (bare) return rewrite.replace(list, "()");
    return rewrite.erase(items[0].begin(), tokens.back().begin());
  }
  bool last = at + 1 == items.size();
  if (last)
    rewrite.erase(items[at - 1].end(), items[at].end());
  else
    rewrite.erase(items[at].begin(), items[at + 1].begin());
  std::size_t inner = tokens.size() - (bare ? 1 : 2);
  bool comma = tokens[inner].is(",");
  if (tuple && items.size() == 2 && !comma) rewrite.insert(last ? items[0].end() : items[1].end(), ",");
}

}  // namespace

std::vector<Site> removable_sites(const Parsed& parsed, const Facts& facts, bool to_move) {
  std::vector<Site> found;
  if (!removable(parsed)) return found;
  std::size_t parameters = entry_parameters(parsed).size();
  for (Site& site : argument_sites(parsed, facts, [](const InputKind&) { return true; })) {
    Choices ignored(0);
    if (!site.path.starts_with("0.")) break;
    auto calls = argument_at(parsed, facts, site, ignored);
    if (calls && calls->asked.at < parameters && (!to_move || movable(parsed, *calls)))
      found.push_back(std::move(site));
  }
  return found;
}

std::optional<Calls> removable_at(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices) {
  auto calls = argument_at(parsed, facts, site, choices);
  if (!calls || !removable(parsed) || calls->asked.at >= entry_parameters(parsed).size()) return std::nullopt;
  return calls;
}

void remove_argument(Rewrite& rewrite, const Parsed& parsed, const Calls& calls) {
  const Statement& entry = *entry_function(parsed);
  const Node parameters = entry.node.field("parameters");
  const std::size_t bound = parameters.children().size() - own_parameters(entry).size();
  remove_item(rewrite, parameters, bound + calls.asked.at, false);
  for (const Node& tuple : calls.inputs.tuples) remove_item(rewrite, tuple, calls.asked.at, true);
}

void read_instead(Rewrite& rewrite, const Parsed& parsed, const Calls& calls, const std::string& value,
                  Choices& choices) {
  Node name = entry_parameters(parsed)[calls.asked.at];
  const Scopes& scopes = parsed.scopes();
  const auto uses = scopes.uses_of(scopes.scope_of_node(entry_function(parsed)->node), name.text());
  bool direct = std::none_of(uses.begin(), uses.end(), [&](const Use& use) {
    return use.node != name && (use.kind != Use::Kind::kRead || in_string(parsed, use.node.begin()));
  });
  if (!direct || choices.chance(1, 2))
    return rewrite.before(*entry_start(parsed), {{fmt::format("{} = {}", name.text(), value)}});
  for (const Use& use : uses) {
    if (use.node == name) continue;
    Node around = use.node.parent();
    bool alone = around.is("argument_list") || (!attribute(around) && !value.starts_with('-'));
    rewrite.replace(use.node, alone || !is_number(value) ? value : fmt::format("({})", value));
  }
}

bool movable(const Parsed& parsed, const Calls& calls) {
  const Node& value = calls.inputs.value;
  auto texts = calls.texts(calls.asked.at, true);
  // With several texts, some are dropped or move to another function, where bound names would be missing.
  if (texts.size() > 1 &&
      std::any_of(texts.begin(), texts.end(), [&](const Node& text) { return binds_names(parsed, text); }))
    return false;
  for (const Node& text : texts)
    for (const Use& use : parsed.scopes().uses_in(text.begin(), text.end()))
      for (const Use& other : parsed.scopes().uses_in(value.begin(), value.end())) {
        bool outside = other.node.begin() < text.begin() || other.node.end() > text.end();
        if (outside && other.kind == Use::Kind::kBind && other.name == use.name) return false;
      }
  return true;
}

void move_argument(Rewrite& rewrite, const Parsed& parsed, const Calls& calls, const std::string& slot,
                   const Lines& define, const std::string& global_name, Choices& choices) {
  const Statement& function = *module_function(parsed, parsed.program().inputs());
  auto texts = calls.texts(calls.asked.at, true);
  bool each = texts.size() > 1 && !parsed.has_word("before_call") && choices.chance(3, 4);
  Lines module_lines = define;
  std::string filled = global_name;
  Lines fill = {{fmt::format("{} = {}", slot, texts.front().text())}};
  if (each) {
    filled = rewrite.name("values");
    std::vector<std::string_view> all;
    for (const Node& text : texts) all.push_back(text.text());
    fill = {{fmt::format("{} = [{}]", filled, fmt::join(all, ", "))}};
    module_lines.push_back({"def before_call(i):"});
    if (!global_name.empty()) module_lines.push_back({fmt::format("global {}", global_name), 1});
    module_lines.push_back({fmt::format("{} = {}[i]", slot, filled), 1});
    module_lines.push_back({""});
    module_lines.push_back({""});
  }
  if (!module_lines.empty()) rewrite.before(function, module_lines);
  if (!filled.empty()) rewrite.before(*body_start(parsed, function), {{fmt::format("global {}", filled)}});
  rewrite.before(*calls.inputs.statement, fill);
}

}  // namespace jp::mutate
