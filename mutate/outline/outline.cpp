#include "mutate/outline/outline.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "mutate/calls/pure_names.h"
#include "mutate/outline/extract.h"
#include "mutate/rewrite/statement_ranges.h"
#include "mutate/syntax/queries.h"

namespace jp::mutate {
namespace {

// The most statements of a range.
constexpr int kLongestRun = 4;
constexpr int kDraws = 8;  // ranges that are drawn and don't qualify before all are listed (chosen, not measured)

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// The module's torch or a path of attributes on it ("torch.nn.functional").
bool is_torch_path(const Node& node, std::string_view torch) {
  if (node.is("identifier")) return node.text() == torch;
  return node.is("attribute") && is_torch_path(node.field("object"), torch);
}

bool pure_call(const Call& call, std::string_view torch) {
  if (!call.object || !is_pure_name(call.name)) return false;
  if (!is_torch_path(call.object, torch)) return true;
  std::string_view path = call.object.text();
  path.remove_prefix(std::min(path.size(), torch.size()));
  return path.empty() || path == ".nn.functional" || path == ".special" || path == ".linalg";
}

bool pure_node(const Node& node, std::string_view torch) {
  if (!is_pure_kind(node.kind())) return false;
  if (const Call made = call(node)) return pure_call(made, torch);
  if (node.is("keyword_argument")) {
    std::string_view name = node.field("name").text();
    return name != "out" && name != "inplace" && name != "requires_grad" && name != "training";
  }
  if (node.is("comparison_operator")) {
    constexpr std::array<std::string_view, 6> kSymbols = {"<", "<=", "==", "!=", ">", ">="};
    return node.children().size() == 2 &&
           std::find(kSymbols.begin(), kSymbols.end(), node.field("operators").text()) != kSymbols.end();
  }
  // Matrix products may choose another kernel if gradients are required, with other rounding.
  if (node.is("binary_operator")) return node.field("operator").text() != "@";
  if (node.is("attribute") && !is_torch_path(node, torch)) {
    std::string_view name = node.field("attribute").text();
    return is_called(node) || name == "shape" || name == "dtype" || name == "T" || name == "mT" || name == "ndim";
  }
  return true;
}

bool pure_expression(const Node& value, std::string_view torch) {
  for (const Node node : nodes_of(value))
    if (node.named() && !node.is("comment") && !pure_node(node, torch)) return false;
  return true;
}

std::optional<Outline> outline_of(const Parsed& parsed, const StatementRange& run) {
  auto extraction = find_extraction(parsed, *run.first, *run.last, {}, {});
  if (!extraction || !extraction->globals.empty() || !extraction->nonlocals.empty()) return std::nullopt;
  Outline outline{run.first, run.last, {}, {}};
  for (const BoundName& name : extraction->bound) {
    if (name.comes_in) outline.arguments.push_back(name.name);
    if (!name.by_value && !name.stays) return std::nullopt;
    if (!name.stays) outline.results.push_back(name.name);
  }
  add(outline.arguments, extraction->readable);
  if (outline.results.empty()) return std::nullopt;
  return outline;
}

bool may_be_outlined(const Statement& statement) {
  const Node does = sole_expression(statement);
  return does && does.is("assignment");
}

std::vector<Site> short_runs(const Parsed& parsed) {
  std::vector<Site> runs = run_sites(parsed, false, may_be_outlined);
  std::erase_if(runs, [&](const Site& site) {
    return !site.path.empty() && parsed.find(site.path)->place - parsed.find(site.statement)->place >= kLongestRun;
  });
  return runs;
}

}  // namespace

std::optional<Outline> find_outline(const Parsed& parsed, const Site& site) {
  StatementRange run = find_run(parsed, site, may_be_outlined);
  if (!run.first || run.empty()) return std::nullopt;
  return outline_of(parsed, run);
}

bool is_closed(const Parsed& parsed, const Outline& outline) {
  int frame = parsed.scopes().scope_of(*outline.first);
  NameSet bound = parsed.scopes().bound_in(outline.first->begin, outline.last->end, frame);
  std::string torch = torch_name(parsed, *outline.first);
  for (const Use& use : parsed.scopes().uses_in(outline.first->begin, outline.last->end)) {
    if (use.owner < 0 || (use.owner == 0 && use.name == torch && use.kind == Use::Kind::kRead)) continue;
    if (use.owner != frame || (!contains(outline.arguments, use.name) && !bound.contains(use.name))) return false;
  }
  return true;
}

bool is_pure(const Parsed& parsed, const Outline& outline) {
  std::string torch = torch_name(parsed, *outline.first);
  for (const Statement* statement : run_between(parsed, *outline.first, *outline.last)) {
    const Assignment made = assignment(*statement);
    if (made.augmented() || !made.right || !made.left.is("identifier") || !pure_expression(made.right, torch))
      return false;
  }
  return true;
}

bool rebound(const Parsed& parsed, const Outline& outline, std::string_view name) {
  int frame = parsed.scopes().scope_of(*outline.first);
  return parsed.scopes().bound_in(outline.first->begin, outline.last->end, frame).contains(name);
}

bool OutlineMutation::may_take(const Parsed& parsed, const Facts& facts, const Site& site) const {
  const Statement* first = parsed.find(site.statement);
  auto outline = outline_of(parsed, {first, site.path.empty() ? first : parsed.find(site.path)});
  return outline && fits(parsed, facts, *outline);
}

std::vector<Site> OutlineMutation::sites(const Parsed& parsed, const Facts& facts) const {
  if (needs_facts() && facts.before.empty()) return {};
  std::vector<Site> found = short_runs(parsed);
  std::erase_if(found, [&](const Site& site) { return !may_take(parsed, facts, site); });
  return found;
}

std::optional<Site> OutlineMutation::draw_site(const Parsed& parsed, const Facts& facts, Choices& choices) const {
  if (needs_facts() && facts.before.empty()) return std::nullopt;
  const std::vector<Site> runs = short_runs(parsed);
  for (int i = 0; i < kDraws && !runs.empty(); ++i)
    if (const Site& drawn = choices.pick(runs); may_take(parsed, facts, drawn)) return drawn;
  return Mutation::draw_site(parsed, facts, choices);
}

void put_outline(Rewrite& rewrite, const Outline& outline, const std::string& function,
                 const std::vector<std::string>& parameters, const Lines& prelude, const Lines& more,
                 const std::string& call) {
  std::string results = joined(outline.results);
  Lines open = prelude;
  open.push_back({fmt::format("def {}({}):", function, fmt::join(parameters, ", "))});
  Lines close = {{"return " + results, 1}};
  add(close, more);
  close.push_back({fmt::format("{} = {}", results, call)});
  rewrite.before(*outline.first, open);
  rewrite.indent(*outline.first, *outline.last);
  rewrite.after(*outline.last, close);
}

}  // namespace jp::mutate
