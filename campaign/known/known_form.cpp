#include "campaign/known/known_form.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "mutate/names/scopes.h"
#include "mutate/syntax/queries.h"
#include "mutate/syntax/syntax.h"
#include "oracle/reduce/canonical.h"

namespace jp::campaign {
namespace {

using mutate::Node;
using mutate::Parsed;
using mutate::Statement;

std::set<std::string> roots_of(const Program& program) {
  const auto names = program.contract();
  return {names.begin(), names.end()};
}

bool is_docstring(const Node& node) {
  const Node text = mutate::sole_expression(node);
  return text && text.is("string");
}

// Code that runs only when the file is a script: `if __name__ == "__main__":`.
bool is_main_block(const Node& node) {
  return node.is("if_statement") && node.field("condition").text().starts_with("__name__");
}

/// A file's top-level statements, sorted by what becomes of them.
class Parts {
 public:
  explicit Parts(const Parsed& parsed) : parsed_(parsed), wanted_(roots_of(parsed.program())) {
    for (const Statement& statement : parsed.statements()) sort(statement);
    // What is needed may need more.
    for (std::size_t before = 0; before != wanted_.size();) {
      before = wanted_.size();
      for (const Node& node : rest_)
        if (is_kept(node)) want_all_of(node);
    }
  }

  std::string text() const {
    std::string imports;
    std::string others;
    std::string inputs;
    std::string entry;
    for (const Node& node : imports_)
      if (node.is("future_import_statement")) imports.insert(0, line(node));
    for (const Node& node : imports_)
      if (!node.is("future_import_statement") && is_kept(node)) imports += line(node);
    for (const Node& node : rest_) {
      if (!is_kept(node)) continue;
      if (binds(node, parsed_.program().entry())) {
        entry += block(node);
      } else if (binds(node, parsed_.program().inputs())) {
        inputs += block(node);
      } else {
        others += block(node);
      }
    }
    return imports + others + inputs + entry;
  }

 private:
  // An import in a `try`, as torch's own are written, counts as a top-level one.
  void sort(const Statement& statement) {
    const Node& node = statement.node;
    if (mutate::is_import(node) && statement.function < 0 && (statement.parent < 0 || in_try(statement))) {
      imports_.push_back(node);
    } else if (statement.parent < 0 && !is_main_block(node) && !is_import_block(node)) {
      rest_.push_back(node);
    }
  }

  bool in_try(const Statement& statement) const {
    const Statement& around = parsed_.statement(statement.parent);
    return around.parent < 0 && is_import_block(around.node);
  }

  static bool is_import_block(const Node& node) {
    if (!node.is("try_statement")) return false;
    const Node body = node.field("body");
    const std::vector<Node> statements = body.children();
    return !statements.empty() && std::all_of(statements.begin(), statements.end(), mutate::is_import);
  }

  bool binds(const Node& node, const std::string& name) const {
    return parsed_.scopes().bound_in(node.begin(), node.end(), 0).contains(name);
  }

  // A statement that binds nothing is there for its effect, and so may be a decorated one: `@op.register_fake`.
  bool is_kept(const Node& node) const {
    const mutate::NameSet bound = parsed_.scopes().bound_in(node.begin(), node.end(), 0);
    if (bound.empty()) return !is_docstring(node);
    if (node.is("decorated_definition")) return true;
    return std::any_of(bound.begin(), bound.end(), [&](const std::string& name) { return wanted_.contains(name); });
  }

  void want_all_of(const Node& node) {
    for (const mutate::Use& use : parsed_.scopes().uses_in(node.begin(), node.end()))
      if (use.owner == 0) wanted_.emplace(use.name);
  }

  static std::string line(const Node& node) { return std::string(node.text()) + "\n"; }
  static std::string block(const Node& node) { return "\n\n" + std::string(node.text()) + "\n"; }

  const Parsed& parsed_;
  std::set<std::string> wanted_;  // names of the module
  std::vector<Node> imports_;
  std::vector<Node> rest_;
};

Result<Program> bare(const Program& program) {
  Result<Parsed> parsed = mutate::parse(program);
  if (!parsed.ok()) return parsed.error();
  return Program::make(Parts(parsed.value()).text(), program.lineage(), "", program.entry(), program.inputs());
}

}  // namespace

Result<Program> known_program(const std::string& name, const std::string& text) {
  Result<Program> whole = Program::make(text, {});
  if (!whole.ok()) return Error{fmt::format("{}.py: {}", name, whole.error().message)};
  Result<Program> program = bare(whole.value());
  if (!program.ok()) return Error{fmt::format("{}.py: {}", name, program.error().message)};
  if (program.value().source().find("def program(") == std::string::npos)
    return Error{fmt::format("{}.py defines no function program", name)};
  return program;
}

std::string bug_form(const Program& program) {
  Result<Program> own = bare(program);
  return own.ok() ? reduce::canonical_form(own.value()) : "";
}

Result<std::string> with_line(const std::string& source, const std::string& line) {
  Result<Program> program = Program::make(source, {});
  if (!program.ok()) return program.error();
  Result<Program> made = with_line(program.value(), line);
  return made.ok() ? Result<std::string>(made.value().source()) : made.error();
}

Result<Program> with_line(const Program& program, const std::string& line) {
  // What a line replaces may not bear being replaced twice.
  if (program.source().find(fmt::format("\n{}\n", line)) != std::string::npos) return program;
  Result<Parsed> parsed = mutate::parse(program);
  if (!parsed.ok()) return parsed.error();
  std::size_t at = 0;
  for (const Statement& statement : parsed.value().statements()) {
    if (statement.parent >= 0) continue;
    if (!mutate::is_import(statement.node) && !is_docstring(statement.node)) break;
    at = statement.end;
  }
  std::string source = parsed.value().source();
  // after the rest of that line
  if (at > 0) at = std::min(source.find('\n', at), source.size());
  if (at > 0 && at < source.size()) ++at;
  const std::string added = fmt::format("{}import torch\n{}\n", at > 0 && source[at - 1] != '\n' ? "\n" : "", line);
  source.insert(at, added);
  Result<Program> made =
      Program::make(std::move(source), program.lineage(), program.path(), program.entry(), program.inputs());
  if (!made.ok()) return made;
  if (Result<Parsed> again = mutate::parse(made.value()); !again.ok())
    return Error{fmt::format("the line '{}' is no Python: it {}", line, again.error().message)};
  return made;
}

}  // namespace jp::campaign
