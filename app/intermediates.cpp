#include "app/intermediates.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

namespace jp::app {
namespace {

using mutate::Node;
using mutate::Parsed;
using mutate::Statement;

const Statement* entry_of(const Parsed& parsed) {
  for (const Statement& statement : parsed.statements()) {
    if (statement.parent != -1) continue;
    const Node definition = statement.definition();
    if (definition.is("function_definition") && definition.field("name").text() == parsed.program().entry())
      return &statement;
  }
  return nullptr;
}

// The statements of the entry's own block, in order.
std::vector<const Statement*> body_of(const Parsed& parsed) {
  std::vector<const Statement*> body;
  const Statement* entry = entry_of(parsed);
  if (!entry) return body;
  for (const Statement& statement : parsed.statements())
    if (statement.parent == entry->index) body.push_back(&statement);
  return body;
}

// The name that a statement gives a value to, or changes in place; "" for other statements.
std::string bound_name(const Statement& statement) {
  if (statement.kind() != "expression_statement" || statement.node.children().size() != 1) return "";
  const Node inner = statement.node.children().front();
  Node target;
  if (inner.is("assignment") || inner.is("augmented_assignment")) target = inner.field("left");
  if (inner.is("call") && inner.field("function").is("attribute")) target = inner.field("function").field("object");
  return target && target.is("identifier") ? std::string(target.text()) : "";
}

std::string free_name(const Parsed& parsed) {
  std::string name = "kept";
  while (parsed.has_word(name)) name += "_";
  return name;
}

// "output[1][7]" -> 7.
std::optional<std::size_t> index_in(const std::string& where) {
  constexpr std::string_view kHead = "output[1][";
  if (!where.starts_with(kHead)) return std::nullopt;
  std::size_t index = 0;
  const char* begin = where.data() + kHead.size();
  const auto read = std::from_chars(begin, where.data() + where.size(), index);
  if (read.ec != std::errc() || read.ptr == begin) return std::nullopt;
  return index;
}

// The first of the kept values that differs.
const Difference* first_of(const std::vector<Difference>& differences) {
  const Difference* first = nullptr;
  for (const Difference& difference : differences) {
    const std::optional<std::size_t> index = index_in(difference.where);
    if (index && (!first || *index < *index_in(first->where))) first = &difference;
  }
  return first;
}

report::Intermediate intermediate(const Binding& step, const Difference& difference, bool bisected) {
  return {step.name, step.statement, step.line, difference.reference, difference.observed, bisected};
}

}  // namespace

std::vector<Binding> bindings_of(const Parsed& parsed) {
  std::vector<Binding> steps;
  for (const Statement* statement : body_of(parsed)) {
    const std::string name = bound_name(*statement);
    if (name.empty() || !statement->own_lines) continue;
    const std::string& source = parsed.source();
    const std::size_t end = std::min(source.find('\n', statement->end), source.size() - 1);
    const std::string text = source.substr(statement->begin, statement->end - statement->begin);
    steps.push_back({name, text.substr(0, text.find('\n')), static_cast<int>(parsed.tree().row(statement->begin)) + 1,
                     end + 1, statement->indent});
  }
  return steps;
}

std::optional<Program> with_bindings(const Parsed& parsed, const std::vector<Binding>& steps,
                                     const std::vector<std::size_t>& chosen) {
  const std::vector<const Statement*> body = body_of(parsed);
  if (body.empty() || body.back()->kind() != "return_statement" || !body.back()->own_lines) return std::nullopt;
  const Statement& last = *body.back();
  const bool earlier =
      std::any_of(body.begin(), body.end() - 1, [](const Statement* one) { return one->exits.leaves(); });
  if (earlier || !body.front()->own_lines) return std::nullopt;
  const std::string name = free_name(parsed);
  std::string source = parsed.source();
  // From the back, so that places before stay where they are.
  const std::vector<Node> given = last.node.children();
  const std::string output =
      given.empty() ? "None" : source.substr(given.front().begin(), last.end - given.front().begin());
  source.replace(last.begin, last.end - last.begin, fmt::format("return ({}), {}", output, name));
  for (auto at = chosen.rbegin(); at != chosen.rend(); ++at) {
    const Binding& step = steps[*at];
    source.insert(step.behind, fmt::format("{0}{1}.append({2}.detach().clone() if isinstance({2}, torch.Tensor) else "
                                           "{2})\n",
                                           step.indent, name, step.name));
  }
  const std::size_t line = source.rfind('\n', body.front()->begin) + 1;
  source.insert(line, fmt::format("{}{} = []\n", body.front()->indent, name));
  const Program& program = parsed.program();
  Result<Program> made =
      Program::make(std::move(source), program.lineage(), program.path(), program.entry(), program.inputs());
  if (!made.ok() || !mutate::parse(made.value()).ok()) return std::nullopt;
  return made.value();
}

std::optional<report::Intermediate> first_wrong(const Parsed& parsed, const AskDifferences& ask) {
  const std::vector<Binding> steps = bindings_of(parsed);
  std::vector<std::size_t> all(steps.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  const auto asked = [&](const std::vector<std::size_t>& chosen) {
    const std::optional<Program> program = with_bindings(parsed, steps, chosen);
    return program ? ask(*program) : std::vector<Difference>{};
  };
  if (steps.empty()) return std::nullopt;
  const std::vector<Difference> at_once = asked(all);
  if (const Difference* first = first_of(at_once)) return intermediate(steps[*index_in(first->where)], *first, false);
  std::optional<report::Intermediate> found;
  for (std::size_t low = 0, high = steps.size(); low < high;) {
    const std::size_t middle = low + (high - low) / 2;
    const std::vector<Difference> differences = asked({middle});
    const Difference* first = first_of(differences);
    if (first) found = intermediate(steps[middle], *first, true);
    (first ? high : low) = first ? middle : middle + 1;
  }
  return found;
}

}  // namespace jp::app
