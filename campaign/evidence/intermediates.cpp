#include "campaign/evidence/intermediates.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "campaign/evidence/program_edit.h"
#include "campaign/evidence/statement_form.h"
#include "mutate/syntax/queries.h"
#include "oracle/judge/compared_runs.h"

namespace jp::campaign {
namespace {

using mutate::Node;
using mutate::Parsed;
using mutate::Statement;

std::string copy_of(const std::string& name) {
  return fmt::format(
      "{0}.detach().clone() if isinstance({0}, torch.Tensor) else list({0}) if isinstance({0}, list) else dict({0}) if "
      "isinstance({0}, dict) else {0}",
      name);
}

std::string kept_line(const Binding& step, const std::string& list, std::size_t index) {
  return fmt::format("{}{}.append(({}, {}))\n", step.indent, list, index, copy_of(step.name));
}

std::vector<const Statement*> returns_of(const Parsed& parsed, const Statement& entry) {
  std::vector<const Statement*> found;
  for (const Statement& statement : parsed.statements())
    if (statement.function == entry.index && statement.kind() == "return_statement") found.push_back(&statement);
  return found;
}

// Added before anything else is inserted into what the entry returns, so that it encloses all of it.
void open_returns(const Parsed& parsed, const Statement& entry, EditSet& edits) {
  for (const Statement* statement : returns_of(parsed, entry))
    if (const std::vector<Node> parts = statement->node.children(); !parts.empty())
      edits.insert(parts.front().begin(), "(");
}
void close_returns(const Parsed& parsed, const Statement& entry, const std::string& given, EditSet& edits) {
  for (const Statement* statement : returns_of(parsed, entry))
    edits.insert(statement->end, fmt::format("{}), {}", statement->node.children().empty() ? " (None" : "", given));
  const std::vector<const Statement*> body = body_of(parsed, entry);
  if (body.back()->kind() == "return_statement") return;
  const std::size_t end = std::min(parsed.source().find('\n', body.back()->end), parsed.source().size() - 1) + 1;
  edits.insert(end, fmt::format("{}return None, {}\n", body.front()->indent, given));
}

// The statements of the entry's own block, if lines can be inserted there and the entry returns its value there; else
// nothing.
std::vector<const Statement*> open_body(const Parsed& parsed, const Statement* entry) {
  if (!entry || !parsed.has_word("torch") || is_generator(parsed, *entry)) return {};
  std::vector<const Statement*> body = body_of(parsed, *entry);
  if (!body.empty() && !body.front()->own_lines) body.clear();
  return body;
}

// "output[1][7][1].x" -> 7.
std::optional<std::size_t> place_in(const std::string& where) {
  constexpr std::string_view kHead = "output[1][";
  if (!where.starts_with(kHead)) return std::nullopt;
  std::size_t index = 0;
  const char* begin = where.data() + kHead.size();
  const auto read = std::from_chars(begin, where.data() + where.size(), index);
  if (read.ec != std::errc() || read.ptr == begin) return std::nullopt;
  return index;
}

const std::vector<std::size_t>* order_of(const std::vector<std::vector<std::size_t>>& calls, int call) {
  return call >= 0 && static_cast<std::size_t>(call) < calls.size() ? &calls[static_cast<std::size_t>(call)] : nullptr;
}

/// A value that differs, by its index into `steps`.
struct Wrong {
  std::size_t step = 0;
  std::string reference;
  std::string observed;
};

// The first recorded value that differs, in the first call in which one does.
std::optional<Wrong> first_of(const Shown& shown) {
  const Difference* first = nullptr;
  for (const Difference& difference : shown.differences) {
    const std::optional<std::size_t> place = place_in(difference.where);
    if (!place || (first && difference.call > first->call)) continue;
    if (!first || difference.call < first->call || *place < *place_in(first->where)) first = &difference;
  }
  const Difference* lengths = nullptr;
  for (const Difference& difference : shown.differences)
    if (difference.where == "output[1]" && (!first || difference.call < first->call) && !lengths) lengths = &difference;
  const Difference* one = lengths ? lengths : first;
  if (!one) return std::nullopt;
  const std::vector<std::size_t>* eager = order_of(shown.eager, one->call);
  const std::vector<std::size_t>* compiled = order_of(shown.compiled, one->call);
  std::size_t place = first ? *place_in(first->where) : 0;
  if (lengths) {
    if (!eager || !compiled) return std::nullopt;
    const auto apart = std::mismatch(eager->begin(), eager->end(), compiled->begin(), compiled->end());
    const auto& longer = eager->size() >= compiled->size() ? *eager : *compiled;
    place = static_cast<std::size_t>(apart.first - eager->begin());
    if (place >= longer.size()) return std::nullopt;
    return Wrong{longer[place], one->reference, one->observed};
  }
  const std::size_t step = eager && place < eager->size() ? (*eager)[place] : place;
  return Wrong{step, one->reference, one->observed};
}

void add_expressions(const Node& node, std::vector<Node>& found) {
  constexpr std::string_view kOpaque[] = {"lambda",
                                          "list_comprehension",
                                          "set_comprehension",
                                          "dictionary_comprehension",
                                          "generator_expression",
                                          "block",
                                          "await",
                                          "yield",
                                          "named_expression"};
  if (std::find(std::begin(kOpaque), std::end(kOpaque), node.kind()) != std::end(kOpaque)) return;
  using Kind = mutate::Operation::Kind;
  const Kind kind = mutate::operation(node).kind;
  const mutate::Call made = mutate::call(node);
  const bool computes = kind == Kind::kBinary || kind == Kind::kUnary || kind == Kind::kComparison;
  if (made || computes || node.is("subscript")) found.push_back(node);
  const Node target = mutate::assignment(node).left;
  for (const Node& child : node.children()) {
    if (child == target || child.is("interpolation") || child.is("string")) continue;
    if (child != made.function)
      add_expressions(child, found);
    else if (made.object)
      add_expressions(made.object, found);
  }
}

// Narrows a wrong statement down to the one of its expressions that is wrong.
report::Intermediate narrowed(const Parsed& parsed, report::Intermediate seen, const Statement& statement,
                              const AskShown& ask) {
  const Statement* entry = entry_of(parsed);
  if (!statement.simple || statement.function != entry->index) return seen;
  const std::vector<Node> expressions = expressions_of(statement);
  const std::optional<Program> program = expressions.size() < 2 ? std::nullopt : with_expressions(parsed, expressions);
  const std::optional<Wrong> wrong = program ? first_of(ask(*program)) : std::nullopt;
  if (!wrong || wrong->step >= expressions.size()) return seen;
  seen.form = form_of_expression(parsed, expressions[wrong->step]);
  seen.words = words_of(parsed, expressions[wrong->step]);
  return seen;
}

report::Intermediate intermediate(const Parsed& parsed, const Binding& step, const Wrong& wrong, bool bisected) {
  const Node node = parsed.statement(step.index).node;
  return {.name = step.name,
          .statement = step.statement,
          .line = step.line,
          .reference = wrong.reference,
          .observed = wrong.observed,
          .bisected = bisected,
          .form = form_of(parsed, node),
          .words = words_of(parsed, node)};
}

// The entry's last statement, if it computes something and its result differs.
std::optional<report::Intermediate> output_itself(const Parsed& parsed, const std::vector<Difference>& differences) {
  const Statement* entry = entry_of(parsed);
  if (!entry) return std::nullopt;
  const std::vector<const Statement*> returns = returns_of(parsed, *entry);
  const Statement* last = returns.empty() ? nullptr : returns.back();
  const auto of_output = [](const Difference& difference) { return difference.where.starts_with("output"); };
  const auto found = std::find_if(differences.begin(), differences.end(), of_output);
  if (!last || found == differences.end()) return std::nullopt;
  report::Intermediate seen{.name = "output",
                            .statement = first_line(parsed, *last),
                            .line = static_cast<int>(parsed.tree().row(last->begin)) + 1,
                            .reference = found->reference,
                            .observed = found->observed,
                            .form = form_of(parsed, last->node),
                            .words = words_of(parsed, last->node)};
  return seen.form.empty() ? std::nullopt : std::optional(seen);
}

// The first statement of the entry that changes an argument in place which differs afterwards, although all
// intermediate values are right.
std::optional<report::Intermediate> written_argument(const Parsed& parsed, const std::vector<Difference>& differences) {
  for (const Difference& difference : differences) {
    const std::string name = difference.where.starts_with("inputs[") ? parameter_at(parsed, difference.where) : "";
    if (name.empty()) continue;
    for (const Binding& step : bindings_of(parsed)) {
      const Statement& statement = parsed.statement(step.index);
      if (step.name != name || step.outside || !statement.simple) continue;
      const mutate::Assignment made = mutate::assignment(statement);
      if (made && !made.augmented() && made.left.is("identifier")) break;  // a new value from here on
      return intermediate(parsed, step, {0, difference.reference, difference.observed}, false);
    }
  }
  return std::nullopt;
}

std::vector<std::vector<std::size_t>> orders_in(const Outcome& outcome) {
  std::vector<std::vector<std::size_t>> orders;
  const auto* finished = std::get_if<Finished>(&outcome.ending);
  if (!finished) return orders;
  for (const CallRecord& call : finished->observation.calls) {
    std::vector<std::size_t>& order = orders.emplace_back();
    if (call.output.items.size() != 2) continue;
    for (const Value& kept : call.output.items[1].items) {
      std::size_t index = 0;
      const std::string text = kept.items.size() == 2 ? kept.items[0].text : "";
      const auto read = std::from_chars(text.data(), text.data() + text.size(), index);
      if (text.empty() || read.ec != std::errc()) break;
      order.push_back(index);
    }
  }
  return orders;
}

}  // namespace

std::optional<Program> with_bindings(const Parsed& parsed, const std::vector<Binding>& steps,
                                     const std::vector<std::size_t>& chosen) {
  const Statement* entry = entry_of(parsed);
  const std::vector<const Statement*> body = open_body(parsed, entry);
  if (body.empty()) return std::nullopt;
  const std::string name = free_name(parsed, "kept");
  const bool outside =
      std::any_of(chosen.begin(), chosen.end(), [&](std::size_t index) { return steps[index].outside; });
  // Functions of the module can only see a list that is global to the module.
  EditSet edits;
  if (outside) edits.insert(first_definition(parsed), name + " = []\n\n\n");
  edits.insert(line_of(parsed, body.front()->begin),
               fmt::format("{}{}{}\n", body.front()->indent, name, outside ? ".clear()" : " = []"));
  open_returns(parsed, *entry, edits);
  for (std::size_t index : chosen) edits.insert(steps[index].behind, kept_line(steps[index], name, index));
  close_returns(parsed, *entry, outside ? fmt::format("list({})", name) : name, edits);
  return edited(parsed, edits);
}

std::vector<Node> expressions_of(const Statement& statement) {
  std::vector<Node> found;
  if (statement.simple) add_expressions(statement.node, found);
  return found;
}

std::optional<Program> with_expressions(const Parsed& parsed, const std::vector<Node>& expressions) {
  const Statement* entry = entry_of(parsed);
  const std::vector<const Statement*> body = open_body(parsed, entry);
  if (body.empty()) return std::nullopt;
  const std::string list = free_name(parsed, "kept");
  const std::string keep = free_name(parsed, "keep");
  EditSet edits;
  edits.insert(line_of(parsed, body.front()->begin),
               fmt::format("{0}{1} = []\n\n{0}def {2}(index, value):\n{0}    {1}.append((index, {3}))\n{0}    return "
                           "value\n\n",
                           body.front()->indent, list, keep, copy_of("value")));
  open_returns(parsed, *entry, edits);
  for (std::size_t i = 0; i < expressions.size(); ++i)
    edits.insert(expressions[i].begin(), fmt::format("{}({}, ", keep, i));
  // Nested expressions end first.
  for (std::size_t i = expressions.size(); i-- > 0;) edits.insert(expressions[i].end(), ")");
  close_returns(parsed, *entry, list, edits);
  return edited(parsed, edits);
}

Shown shown_of(const Plan& plan, const Verdict& verdict, const std::vector<Outcome>& outcomes) {
  const Verdict between = oracle::with_roles(verdict, plan);
  Shown shown{.differences = verdict.differences, .eager = {}, .compiled = {}};
  if (const Outcome* reference = oracle::outcome_of(outcomes, between.reference)) shown.eager = orders_in(*reference);
  if (const Outcome* under_test = oracle::outcome_of(outcomes, between.under_test))
    shown.compiled = orders_in(*under_test);
  return shown;
}

std::optional<report::Intermediate> first_wrong(const Parsed& parsed, const AskShown& ask) {
  const std::vector<Binding> steps = bindings_of(parsed);
  std::vector<std::size_t> all(steps.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  const auto asked = [&](const std::vector<std::size_t>& chosen) {
    const std::optional<Program> program = with_bindings(parsed, steps, chosen);
    return program ? ask(*program) : Shown{};
  };
  const Shown at_once = asked(all);
  if (const std::optional<Wrong> first = first_of(at_once); first && first->step < steps.size())
    return narrowed(parsed, intermediate(parsed, steps[first->step], *first, false),
                    parsed.statement(steps[first->step].index), ask);
  if (std::optional<report::Intermediate> output = output_itself(parsed, at_once.differences))
    return narrowed(parsed, *output, *returns_of(parsed, *entry_of(parsed)).back(), ask);
  // The fault still shows, but in none of the values.
  if (!at_once.differences.empty()) return written_argument(parsed, at_once.differences);
  std::optional<report::Intermediate> found;
  for (std::size_t low = 0, high = steps.size(); low < high;) {
    const std::size_t middle = low + (high - low) / 2;
    const std::optional<Wrong> wrong = first_of(asked({middle}));
    if (wrong) found = intermediate(parsed, steps[middle], *wrong, true);
    (wrong ? high : low) = wrong ? middle : middle + 1;
  }
  return found;
}

}  // namespace jp::campaign
