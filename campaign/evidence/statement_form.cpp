#include "campaign/evidence/statement_form.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mutate/names/scopes.h"
#include "mutate/syntax/queries.h"

namespace jp::campaign {
namespace {

using mutate::Node;
using mutate::Parsed;

/// One effect of a statement: as a part of its form, and in words.
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
  explicit Reader(const Parsed& parsed) : parsed_(parsed), imported_(mutate::imported_names(parsed.tree())) {
    for (const mutate::Statement& statement : parsed.statements())
      if (const std::string_view name = mutate::defined_name(statement); !name.empty()) defined_.emplace(name);
  }

  std::vector<StatementEffects> deeds(const Node& statement) {
    visit(statement);
    return std::move(deeds_);
  }

 private:
  void add(std::string form, std::string words) { deeds_.push_back({std::move(form), std::move(words)}); }

  void visit(const Node& node) {
    if (node.is("block") || node.is("comment")) return;
    if (const mutate::Assignment made = mutate::assignment(node)) return assigned(made);
    own(node);
    const mutate::Call made = mutate::call(node);
    for (const Node& child : node.children()) child == made.function ? receiver(made) : visit(child);
  }

  void assigned(const mutate::Assignment& made) {
    if (const mutate::Operation update = mutate::operation(made.node))
      add(std::string(update.symbol()), std::string(update.symbol()));
    target(made.left);
    if (made.right) visit(made.right);
  }

  // The target of an assignment: names say nothing, items and attributes do.
  void target(const Node& node) {
    if (!node || node.is("identifier")) return;
    if (node.is("subscript")) return add("[]=", "an item assignment");
    if (mutate::attribute(node)) return add(".=", "an attribute assignment");
    for (const Node& child : node.children()) target(child);
  }

  // The object on which a method is called, if it is itself a call: `x.relu().exp`.
  void receiver(const mutate::Call& made) {
    if (made.object)
      visit(made.object);
    else if (!made.function.is("identifier"))
      visit(made.function);
  }

  void own(const Node& node) {
    const std::string_view kind = node.kind();
    if (const mutate::Call made = mutate::call(node)) return called(made);
    if (const mutate::Operation made = mutate::operation(node)) return operation(made);
    if (kind == "not_operator") return add("not", in_words("not"));
    if (kind == "subscript") return subscript(node);
    if (const mutate::Attribute read = mutate::attribute(node)) return attribute(read);
    for (const auto& [known, words] : kNodes)
      if (kind == known) add(std::string(known), std::string(words));
    if (kind == "delete_statement") add("del", "del");
  }

  void operation(const mutate::Operation& made) {
    if (!made.chained()) return add(std::string(made.symbol()), in_words(made.symbol()));
    for (const Node& token : made.node.tokens())
      if (!token.named()) add(std::string(token.text()), in_words(token.text()));
  }

  void subscript(const Node& node) {
    bool slices = false;
    for (const Node& child : node.children()) slices = slices || child.is("slice");
    slices ? add("[:]", "a slice") : add("[]", "an index");
  }

  // The text of an expression begins with a module's name.
  bool in_module(std::string_view object) const {
    return imported_.contains(std::string(object.substr(0, object.find('.'))));
  }

  void attribute(const mutate::Attribute& read) {
    // A module's name in front of something that is only passed on: `torch.float32`.
    if (in_module(read.object.text())) return;
    add(fmt::format(".{}", read.name), fmt::format(".{}", read.name));
  }

  void called(const mutate::Call& made) {
    const std::string name(made.name);
    if (made.function.is("identifier")) {
      // The names of the file's own functions are arbitrary.
      if (defined_.contains(name)) return add("call", "a call of its own");
      return add(name, name);
    }
    if (!made.object) return add("call", "a call");
    const std::string_view object = made.object.text();
    add(name, in_module(object) ? fmt::format("{}.{}", object, name) : name);
  }

  const Parsed& parsed_;
  std::set<std::string> imported_;
  std::set<std::string> defined_;
  std::vector<StatementEffects> deeds_;
};

}  // namespace

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
    const std::string_view name = mutate::defined_name(*top);
    if (top != &statement && !name.empty() && name != parsed.program().inputs()) code.push_back(&statement);
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
