#include "campaign/evidence/statement_form.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include "mutate/names/scopes.h"

namespace jp::campaign {
namespace {

using mutate::Node;
using mutate::Parsed;

/// One thing that a statement does: as a part of its form, and in words.
struct StatementEffects {
  std::string form;
  std::string words;
};

constexpr std::size_t kMostInTitle = 2;

constexpr std::pair<std::string_view, std::string_view> kOperators[] = {
    {"+", "an addition"},        {"-", "a subtraction"},        {"*", "a multiplication"}, {"/", "a division"},
    {"//", "a floor division"},  {"%", "a remainder"},          {"**", "a power"},         {"@", "a matrix product"},
    {"&", "a bitwise and"},      {"|", "a bitwise or"},         {"^", "a bitwise xor"},    {"<<", "a left shift"},
    {">>", "a right shift"},     {"~", "an inversion"},         {"==", "a comparison"},    {"!=", "a comparison"},
    {"<", "a comparison"},       {">", "a comparison"},         {"<=", "a comparison"},    {">=", "a comparison"},
    {"in", "a membership test"}, {"is", "an identity test"},    {"not", "a negation"},     {"and", "a conjunction"},
    {"or", "a disjunction"},     {"is not", "an identity test"}};

constexpr std::pair<std::string_view, std::string_view> kNodes[] = {
    {"conditional_expression", "a conditional expression"},
    {"list_comprehension", "a comprehension"},
    {"set_comprehension", "a comprehension"},
    {"dictionary_comprehension", "a comprehension"},
    {"generator_expression", "a generator"},
    {"lambda", "a lambda"},
    {"yield", "a yield"},
    {"await", "an await"},
    {"interpolation", "a formatted text"},
    {"list_splat", "an unpacking"},
    {"dictionary_splat", "an unpacking"}};

std::string in_words(std::string_view operation) {
  const auto found = std::find_if(std::begin(kOperators), std::end(kOperators),
                                  [&](const auto& row) { return row.first == operation; });
  return std::string(found == std::end(kOperators) ? operation : found->second);
}

class Reader {
 public:
  explicit Reader(const Parsed& parsed) : parsed_(parsed), imported_(imported_names(parsed)) {
    for (const mutate::Statement& statement : parsed.statements())
      if (const Node definition = statement.definition();
          definition.is("function_definition") || definition.is("class_definition"))
        defined_.emplace(definition.field("name").text());
  }

  std::vector<StatementEffects> deeds(const Node& statement) {
    visit(statement);
    return std::move(deeds_);
  }

 private:
  void add(std::string form, std::string words) { deeds_.push_back({std::move(form), std::move(words)}); }

  void visit(const Node& node) {
    if (node.is("block") || node.is("comment")) return;
    if (node.is("assignment") || node.is("augmented_assignment")) return assignment(node);
    own(node);
    for (const Node& child : node.children()) {
      if (node.is("call") && child == node.field("function")) {
        receiver(child);
        continue;
      }
      visit(child);
    }
  }

  void assignment(const Node& node) {
    if (const Node operation = node.field("operator"); node.is("augmented_assignment") && operation)
      add(std::string(operation.text()), std::string(operation.text()));
    target(node.field("left"));
    if (const Node right = node.field("right")) visit(right);
  }

  // What is assigned to: names say nothing, items and attributes do.
  void target(const Node& node) {
    if (!node || node.is("identifier")) return;
    if (node.is("subscript")) return add("[]=", "an item assignment");
    if (node.is("attribute")) return add(".=", "an attribute assignment");
    for (const Node& child : node.children()) target(child);
  }

  // The called function's own object: `x.relu().exp` of a call.
  void receiver(const Node& function) {
    if (function.is("attribute"))
      visit(function.field("object"));
    else if (!function.is("identifier"))
      visit(function);
  }

  void own(const Node& node) {
    const std::string_view kind = node.kind();
    if (kind == "call") return call(node.field("function"));
    if (kind == "binary_operator" || kind == "unary_operator" || kind == "boolean_operator")
      return operation(node.field("operator"));
    if (kind == "not_operator") return add("not", in_words("not"));
    if (kind == "comparison_operator") {
      for (const Node& token : node.tokens())
        if (!token.named()) add(std::string(token.text()), in_words(token.text()));
      return;
    }
    if (kind == "subscript") return subscript(node);
    if (kind == "attribute") return attribute(node);
    for (const auto& [known, words] : kNodes)
      if (kind == known) add(std::string(known), std::string(words));
    if (kind == "delete_statement") add("del", "del");
  }

  void operation(const Node& token) {
    if (token) add(std::string(token.text()), in_words(token.text()));
  }

  void subscript(const Node& node) {
    bool slices = false;
    for (const Node& child : node.children()) slices = slices || child.is("slice");
    slices ? add("[:]", "a slice") : add("[]", "an index");
  }

  void attribute(const Node& node) {
    // A module's name before a function that is only passed on: `torch.float32`.
    const std::string name(node.field("attribute").text());
    const std::string object(node.field("object").text());
    if (imported_.contains(object.substr(0, object.find('.')))) return;
    add("." + name, "." + name);
  }

  void call(const Node& function) {
    if (function.is("identifier")) {
      const std::string name(function.text());
      // The names of the file's own functions are as it happened to choose them.
      if (defined_.contains(name)) return add("call", "a call of its own");
      return add(name, name);
    }
    if (!function.is("attribute")) return add("call", "a call");
    const std::string name(function.field("attribute").text());
    const std::string object(function.field("object").text());
    const bool module = imported_.contains(object.substr(0, object.find('.')));
    add(name, module ? object + "." + name : name);
  }

  const Parsed& parsed_;
  std::set<std::string> imported_;
  std::set<std::string> defined_;
  std::vector<StatementEffects> deeds_;
};

void add_imported(const Node& node, std::set<std::string>& names) {
  for (const Node& child : node.children()) {
    if (!node.is("import_statement") && !node.is("import_from_statement")) {
      add_imported(child, names);
      continue;
    }
    const std::string text(child.is("aliased_import") ? child.field("alias").text() : child.text());
    names.insert(text.substr(0, text.find('.')));
  }
}

}  // namespace

std::set<std::string> imported_names(const Parsed& parsed) {
  std::set<std::string> names;
  add_imported(parsed.tree().root(), names);
  return names;
}

std::string form_of(const Parsed& parsed, const Node& statement) {
  std::set<std::string> forms;
  for (StatementEffects& deed : Reader(parsed).deeds(statement)) forms.insert(std::move(deed.form));
  return fmt::format("{}", fmt::join(forms, " "));
}

std::vector<const mutate::Statement*> code_of(const Parsed& parsed) {
  std::vector<const mutate::Statement*> code;
  for (const mutate::Statement& statement : parsed.statements()) {
    const mutate::Statement* top = &statement;
    while (top->parent >= 0) top = &parsed.statement(top->parent);
    const Node definition = top->definition();
    const bool holds_code = definition.is("function_definition") || definition.is("class_definition");
    if (top != &statement && holds_code && definition.field("name").text() != parsed.program().inputs())
      code.push_back(&statement);
  }
  return code;
}

bool does_something(const Program& program) {
  const Result<Parsed> parsed = mutate::parse(program);
  if (!parsed.ok()) return false;
  const std::vector<const mutate::Statement*> code = code_of(parsed.value());
  return std::any_of(code.begin(), code.end(), [&](const mutate::Statement* statement) {
    return !form_of(parsed.value(), statement->node).empty();
  });
}

std::string form_of_expression(const Parsed& parsed, const Node& expression) {
  const std::vector<StatementEffects> deeds = Reader(parsed).deeds(expression);
  return deeds.empty() ? "" : deeds.front().form;
}

std::string words_of(const Parsed& parsed, const Node& statement) {
  std::vector<std::string> words;
  for (StatementEffects& deed : Reader(parsed).deeds(statement))
    if (words.size() < kMostInTitle && std::find(words.begin(), words.end(), deed.words) == words.end())
      words.push_back(std::move(deed.words));
  return fmt::format("{}", fmt::join(words, " over "));
}

}  // namespace jp::campaign
