#include "campaign/evidence/backward.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "campaign/evidence/program_edit.h"
#include "campaign/evidence/statement_form.h"
#include "mutate/syntax/queries.h"

namespace jp::campaign {
namespace {

using mutate::Node;
using mutate::Parsed;
using mutate::Statement;

// Names that the entry's own statements bind: a leaf tensor can be added to their values.
std::vector<Binding> leaves_of(const Parsed& parsed) {
  std::vector<Binding> steps = bindings_of(parsed);
  const Statement* entry = entry_of(parsed);
  std::erase_if(steps, [&](const Binding& step) {
    const Statement& statement = parsed.statement(step.index);
    const mutate::Assignment made = mutate::assignment(statement);
    return step.outside || statement.function != entry->index || step.name.find('.') != std::string::npos || !made ||
           made.augmented();
  });
  return steps;
}

// "gradients[kept[3]]", "kept" -> 3.
std::optional<std::size_t> index_in(const std::string& where, const std::string& list) {
  const std::string head = list + "[";
  const std::size_t at = where.find(head);
  if (!where.starts_with("gradients") || at == std::string::npos) return std::nullopt;
  std::size_t index = 0;
  const auto read = std::from_chars(where.data() + at + head.size(), where.data() + where.size(), index);
  return read.ec == std::errc() ? std::optional(index) : std::nullopt;
}

bool reads(const Statement& statement, std::string_view name) {
  for (const Node node : mutate::nodes_of(statement.node))
    if (mutate::is_variable(node) && node.text() == name && !mutate::is_target(node)) return true;
  return false;
}

// The first statement of the entry after that one which reads the name and is not a block.
const Statement* reader_of(const Parsed& parsed, std::string_view name, int behind) {
  const Statement* entry = entry_of(parsed);
  for (const Statement& statement : parsed.statements())
    if (statement.index > behind && statement.simple && statement.function == entry->index && reads(statement, name))
      return &statement;
  return nullptr;
}

std::optional<report::Intermediate> gradient_at(const Parsed& parsed, const std::string& name, int behind,
                                                const Difference& difference) {
  const Statement* reader = name.empty() ? nullptr : reader_of(parsed, name, behind);
  if (!reader) return std::nullopt;
  const std::string text = parsed.source().substr(reader->begin, reader->end - reader->begin);
  return report::Intermediate{.name = "gradient of " + name,
                              .statement = text.substr(0, text.find('\n')),
                              .line = static_cast<int>(parsed.tree().row(reader->begin)) + 1,
                              .reference = difference.reference,
                              .observed = difference.observed,
                              .form = form_of(parsed, reader->node),
                              .words = words_of(parsed, reader->node)};
}

}  // namespace

std::optional<Program> with_leaves(const Parsed& parsed, const std::vector<Binding>& steps) {
  if (steps.empty() || !parsed.has_word("torch")) return std::nullopt;
  const std::string list = free_name(parsed, "kept");
  EditSet edits;
  edits.insert(first_definition(parsed),
               fmt::format("{} = [torch.zeros((), requires_grad=True) for _ in range({})]\n\n\n", list, steps.size()));
  for (std::size_t i = 0; i < steps.size(); ++i)
    edits.insert(steps[i].behind,
                 fmt::format("{0}{1} = {1} + {2}[{3}].to({1}.dtype) if isinstance({1}, torch.Tensor) and "
                             "{1}.is_floating_point() and {1}.requires_grad else {1}\n",
                             steps[i].indent, steps[i].name, list, i));
  return edited(parsed, edits);
}

std::optional<report::Intermediate> first_wrong_gradient(const Parsed& parsed, const AskDifferences& ask) {
  if (!entry_of(parsed)) return std::nullopt;
  const std::vector<Binding> steps = leaves_of(parsed);
  const std::optional<Program> program = with_leaves(parsed, steps);
  const std::vector<Difference> differences = ask(program ? *program : parsed.program());
  const std::string list = free_name(parsed, "kept");
  const Difference* nearest = nullptr;
  for (const Difference& difference : differences) {
    const std::optional<std::size_t> index = index_in(difference.where, list);
    if (index && *index < steps.size() && (!nearest || *index > *index_in(nearest->where, list))) nearest = &difference;
  }
  if (nearest) {
    const Binding& step = steps[*index_in(nearest->where, list)];
    return gradient_at(parsed, step.name, step.index, *nearest);
  }
  for (const Difference& difference : differences)
    if (auto found = gradient_at(parsed, parameter_at(parsed, difference.where), entry_of(parsed)->index, difference))
      return found;
  return std::nullopt;
}

}  // namespace jp::campaign
