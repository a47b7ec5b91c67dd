#include "mutate/outline.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "mutate/aliases.h"
#include "mutate/extract.h"
#include "mutate/live.h"
#include "mutate/notes.h"
#include "mutate/pure_names.h"
#include "mutate/runs.h"

namespace jp::mutate {
namespace {

constexpr int kLongestRun = 4;
constexpr int kDraws = 8;  // of runs that turn out not to do, until all are asked

/// The assignment that a statement is, or no node.
Node assignment_of(const Statement& statement) {
  if (statement.kind() != "expression_statement") return {};
  auto children = statement.node.children();
  return children.size() == 1 && children[0].is("assignment") ? children[0] : Node();
}

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// "torch.nn.functional" and the like: attributes on the module's torch.
bool is_torch_path(const Node& node, std::string_view torch) {
  if (node.is("identifier")) return node.text() == torch;
  return node.is("attribute") && is_torch_path(node.field("object"), torch);
}

bool pure_call(const Node& call, std::string_view torch) {
  Node function = call.field("function");
  if (!function.is("attribute") || !is_pure_name(function.field("attribute").text())) return false;
  if (!is_torch_path(function.field("object"), torch)) return true;
  std::string_view path = function.field("object").text();
  path.remove_prefix(std::min(path.size(), torch.size()));
  return path.empty() || path == ".nn.functional" || path == ".special" || path == ".linalg";
}

bool pure_node(const Node& node, std::string_view torch) {
  if (!is_pure_kind(node.kind())) return false;
  if (node.is("call")) return pure_call(node, torch);
  if (node.is("keyword_argument")) {
    std::string_view name = node.field("name").text();
    return name != "out" && name != "inplace" && name != "requires_grad" && name != "training";
  }
  if (node.is("comparison_operator")) {
    constexpr std::array<std::string_view, 6> kSymbols = {"<", "<=", "==", "!=", ">", ">="};
    return node.children().size() == 2 &&
           std::find(kSymbols.begin(), kSymbols.end(), node.field("operators").text()) != kSymbols.end();
  }
  // Products of matrices choose their kernel by whether gradients are wanted.
  if (node.is("binary_operator")) return node.field("operator").text() != "@";
  if (node.is("attribute") && !is_torch_path(node, torch)) {
    std::string_view name = node.field("attribute").text();
    bool called = node.parent().is("call") && node.field_name() == "function";
    return called || name == "shape" || name == "dtype" || name == "T" || name == "mT" || name == "ndim";
  }
  return true;
}

bool pure_expression(const Parsed& parsed, const Node& value, std::string_view torch) {
  for (int i = value.index(); i < value.past(); ++i) {
    Node node = parsed.tree().node(i);
    if (node.named() && !node.is("comment") && !pure_node(node, torch)) return false;
  }
  return true;
}

bool shares_memory(const Names& names, const std::string& name, const NameFacts& known) {
  return std::any_of(names.begin(), names.end(), [&](const auto& other) {
    const NameFacts& facts = other.second;
    if (other.first == name || facts.kind == "int" || facts.kind == "float" || facts.kind == "bool") return false;
    if (facts.kind == "tensor") return !facts.storage || *facts.storage == *known.storage;
    return facts.kind.empty();
  });
}

/// "tensor:float32:2,3:cgf", with letters only for what holds; "number".
std::string print_value(const Names& names, const std::string& name) {
  auto found = names.find(name);
  if (found == names.end()) return "";
  const NameFacts& facts = found->second;
  if (facts.kind == "int" || facts.kind == "float" || facts.kind == "bool") return "number";
  if (facts.kind != "tensor" || !facts.dtype || !facts.shape || !facts.strides || !facts.requires_grad) return "";
  std::int64_t stride = 1;
  bool contiguous = true;
  for (std::size_t i = facts.shape->size(); i-- > 0; stride *= (*facts.shape)[i])
    contiguous = contiguous && ((*facts.shape)[i] == 1 || (*facts.strides)[i] == stride);
  bool fresh = facts.storage && facts.overlaps_itself && !*facts.overlaps_itself && !shares_memory(names, name, facts);
  return fmt::format("tensor:{}:{}:{}{}{}", dtype_name(*facts.dtype), fmt::join(*facts.shape, ","),
                     contiguous ? "c" : "", *facts.requires_grad ? "g" : "", fresh ? "f" : "");
}

std::optional<Value> read_value(std::string_view text, const std::string& name) {
  Value value;
  value.name = name;
  if (text == "number") return value;
  auto parts = split(text, ':');
  if (parts.size() != 4 || parts[0] != "tensor") return std::nullopt;
  auto dtype = parse_dtype(parts[1]);
  if (!dtype) return std::nullopt;
  value.tensor = true;
  value.dtype = *dtype;
  for (std::string_view size : split(parts[2], ',')) {
    if (size.empty()) continue;
    std::int64_t number = 0;
    if (std::from_chars(size.data(), size.data() + size.size(), number).ptr != size.data() + size.size())
      return std::nullopt;
    value.shape.push_back(number);
  }
  value.contiguous = parts[3].find('c') != std::string_view::npos;
  value.requires_grad = parts[3].find('g') != std::string_view::npos;
  value.fresh = parts[3].find('f') != std::string_view::npos;
  return value;
}

/// Where the run binds the name last, it may bind it to what it held before.
bool made_of_itself(const Parsed& parsed, const Outline& outline, std::string_view name) {
  bool may = false;
  for (const Statement* statement : run_between(parsed, *outline.first, *outline.last))
    if (Node left = assignment_of(*statement).field("left"); left.is("identifier") && left.text() == name)
      may = may_hold_anothers(parsed, *statement, name);
    else if (!left.is("identifier"))
      may = true;
  return may;
}

std::optional<Outline> outline_of(const Parsed& parsed, const Run& run) {
  auto extraction = find_extraction(parsed, *run.first, *run.last, {}, {});
  if (!extraction || !extraction->globals.empty() || !extraction->nonlocals.empty()) return std::nullopt;
  Outline outline{run.first, run.last, {}, {}};
  for (const BoundName& name : extraction->bound) {
    if (name.comes_in) outline.arguments.push_back(name.name);
    if (!name.by_value && !name.stays) return std::nullopt;
    if (!name.stays) outline.results.push_back(name.name);
  }
  outline.arguments.insert(outline.arguments.end(), extraction->readable.begin(), extraction->readable.end());
  if (outline.results.empty()) return std::nullopt;
  return outline;
}

bool may_be_outlined(const Statement& statement) { return bool(assignment_of(statement)); }

std::vector<Site> short_runs(const Parsed& parsed) {
  std::vector<Site> runs = run_sites(parsed, false, may_be_outlined);
  std::erase_if(runs, [&](const Site& site) {
    return !site.path.empty() && parsed.find(site.path)->place - parsed.find(site.statement)->place >= kLongestRun;
  });
  return runs;
}

}  // namespace

bool Values::any_gradient() const {
  auto wants = [](const Value& value) { return value.requires_grad; };
  return std::any_of(arguments.begin(), arguments.end(), wants) || std::any_of(results.begin(), results.end(), wants);
}

bool Values::any_complex() const {
  auto complex = [](const Value& value) { return value.tensor && is_complex(value.dtype); };
  return std::any_of(arguments.begin(), arguments.end(), complex) ||
         std::any_of(results.begin(), results.end(), complex);
}

bool Values::all_fresh() const {
  return std::all_of(results.begin(), results.end(), [](const Value& value) { return value.tensor && value.fresh; });
}

std::vector<std::string> Values::tensor_arguments() const {
  std::vector<std::string> names;
  for (const Value& value : arguments)
    if (value.tensor) names.push_back(value.name);
  return names;
}

std::optional<Outline> find_outline(const Parsed& parsed, const Site& site) {
  Run run = find_run(parsed, site, may_be_outlined);
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
    Node assignment = assignment_of(*statement);
    Node value = assignment ? assignment.field("right") : Node();
    if (!value || !assignment.field("left").is("identifier") || !pure_expression(parsed, value, torch)) return false;
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

std::string note_values(const Parsed& parsed, const Outline& outline, const Facts& facts) {
  auto before = facts.before.find(outline.first->id);
  auto after = facts.after.find(outline.last->id);
  if (before == facts.before.end() || after == facts.after.end()) return "";
  std::string note = "values";
  auto add = [&](const std::vector<std::string>& names, const Names& known) {
    for (const auto& name : names) {
      std::string text = print_value(known, name);
      if (text.empty()) return false;
      if (&names == &outline.results && text.ends_with('f') && made_of_itself(parsed, outline, name)) text.pop_back();
      note += fmt::format(" {}={}", name, text);
    }
    return true;
  };
  return add(outline.arguments, before->second) && add(outline.results, after->second) ? note : "";
}

std::optional<Values> read_values(const Outline& outline, std::string_view note) {
  auto parts = split(note, ' ');
  if (parts.size() != 1 + outline.arguments.size() + outline.results.size()) return std::nullopt;
  Values values;
  std::size_t at = 1;
  auto take = [&](const std::vector<std::string>& names, std::vector<Value>& to) {
    for (const auto& name : names) {
      std::string_view part = parts[at++];
      std::size_t equals = part.find('=');
      if (part.substr(0, equals) != name || equals == std::string_view::npos) return false;
      auto value = read_value(part.substr(equals + 1), name);
      if (!value) return false;
      to.push_back(*value);
    }
    return true;
  };
  if (!take(outline.arguments, values.arguments) || !take(outline.results, values.results)) return std::nullopt;
  return values;
}

std::optional<Values> control_flow_values(const Parsed& parsed, const Outline& outline, std::string_view note) {
  auto values = read_values(outline, note);
  bool good = values && !values->any_gradient() && values->all_fresh() && !values->any_complex() &&
              !may_negate(parsed) && !parsed.has_word("_version") && !values->tensor_arguments().empty() &&
              is_closed(parsed, outline) && is_pure(parsed, outline) && !may_be_traced(parsed, *outline.first) &&
              !torch_name(parsed, *outline.first).empty();
  if (!good) return std::nullopt;
  // A number is no operand but captured.
  for (const Value& value : values->arguments)
    if (!value.tensor && rebound(parsed, outline, value.name)) return std::nullopt;
  return values;
}

void put_outline(Rewrite& rewrite, const Outline& outline, const std::string& function,
                 const std::vector<std::string>& parameters, const Lines& prelude, const Lines& more,
                 const std::string& call) {
  std::string results = fmt::format("{}", fmt::join(outline.results, ", "));
  Lines open = prelude;
  open.push_back({fmt::format("def {}({}):", function, fmt::join(parameters, ", "))});
  Lines close = {{"return " + results, 1}};
  close.insert(close.end(), more.begin(), more.end());
  close.push_back({fmt::format("{} = {}", results, call)});
  rewrite.before(*outline.first, open);
  rewrite.indent(*outline.first, *outline.last);
  rewrite.after(*outline.last, close);
}

}  // namespace jp::mutate
