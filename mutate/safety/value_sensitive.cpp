#include "mutate/safety/value_sensitive.h"

#include <algorithm>
#include <vector>

#include "core/operators.h"
#include "mutate/syntax/queries.h"

namespace jp::mutate {
namespace {

/// The operator that an identifier of the program names, in its plain or in-place form; nullptr if there is none.
const OperatorFacts* named_by(std::string_view word) {
  const OperatorFacts* op = find_operator(base_name(word));
  // Some operators have only an in-place form: `copy_` is a method, `copy` is a module of Python.
  const bool in_place = base_name(word) != word;
  return op && (in_place || op->function || op->method || op->functional || op->special || op->linalg || op->fft)
             ? op
             : nullptr;
}

/// The name of an integer dtype, as an attribute of torch: "int32", "uint8".
bool is_integer_type(std::string_view word) {
  if (word.starts_with('u')) word.remove_prefix(1);
  return word.size() > 3 && word.starts_with("int") && word[3] >= '0' && word[3] <= '9';
}

/// The effects of one statement's own text.
struct StatementEffects {
  Effects effects;
  bool indexing = false;
  bool casting = false;
  bool calls_own = false;
};

class Reader {
 public:
  explicit Reader(const Parsed& parsed) {
    for (const Use& use : parsed.scopes().uses())
      if (use.kind == Use::Kind::kBind) bound_.insert(use.name);
    for (const Statement& statement : parsed.statements()) {
      const std::string_view name = defined_name(statement);
      if (name.empty()) continue;
      defined_.insert(name);
      const bool function = statement.definition().is("function_definition");
      overloads_ = overloads_ || (function && name.starts_with("__") && name != "__init__");
    }
  }

  StatementEffects read(const Statement& statement) const {
    StatementEffects statement_effects{effects_of(statement)};
    statement_effects.casting = statement_effects.effects.writes_parts;
    for (const Node node : nodes_of(statement.node, {"block"})) {
      if (node.is("<<") || node.is(">>") || node.is("**")) statement_effects.indexing = true;
      if (!node.is("identifier")) continue;
      const std::string_view text = node.text();
      const OperatorFacts* op = named_by(text);
      // torch.nn.Embedding and EmbeddingBag, and aten's names for subscripts (index, index_put).
      const bool indexing = text.starts_with("Embedding") || text.starts_with("index");
      statement_effects.indexing = statement_effects.indexing || indexing || (op && op->indexes);
      statement_effects.casting =
          statement_effects.casting || text == "linalg" || is_integer_type(text) || (op && op->casts);
    }
    const auto& calls = statement_effects.effects.calls;
    statement_effects.calls_own =
        overloads_ || std::any_of(calls.begin(), calls.end(), [&](const Call& one) { return is_own(one); });
    return statement_effects;
  }

 private:
  bool is_own(const Call& call) const {
    if (call.function.is("identifier") ? bound_.contains(call.name) : defined_.contains(call.name)) return true;
    // Which object an attribute of `self` holds is decided elsewhere; it may be a module of the file.
    return call.function.text().starts_with("self.");
  }

  NameSet bound_;
  NameSet defined_;
  bool overloads_ = false;  // the file defines special methods, so any operator may run its code
};

bool any_in(const std::vector<std::string_view>& names, const NameSet& set) {
  return std::any_of(names.begin(), names.end(), [&](std::string_view name) { return set.contains(name); });
}

void add_all(const std::vector<std::string_view>& names, NameSet& set) {
  for (std::string_view name : names) set.insert(name);
}

/// Adds all names that flow into value-sensitive names, going backwards, until nothing is added (at most four rounds).
void spread(const std::vector<StatementEffects>& all_effects, NameSet& set) {
  std::size_t before = set.size() + 1;
  for (int round = 0; round < 4 && set.size() != before; ++round) {
    before = set.size();
    for (std::size_t i = all_effects.size(); i-- > 0;)
      if (any_in(all_effects[i].effects.bound, set)) add_all(all_effects[i].effects.names, set);
  }
}

bool within_inputs(const Parsed& parsed, const Statement& statement) {
  for (int at = statement.index; at >= 0; at = parsed.statement(at).parent)
    if (parsed.statement(at).kind() == "function_definition" && parsed.statement(at).parent < 0)
      return parsed.statement(at).node.field("name").text() == parsed.program().inputs();
  return false;
}

}  // namespace

ValueSensitive find_value_sensitive(const Parsed& parsed) {
  const Reader reader(parsed);
  std::vector<StatementEffects> all_effects;
  ValueSensitive value_sensitive;
  for (const Statement& statement : parsed.statements()) {
    if (within_inputs(parsed, statement) || statement.kind().starts_with("import")) continue;
    // Definitions are skipped: their parameters may get values from anywhere.
    if (statement.kind() == "function_definition" || statement.kind() == "class_definition") continue;
    all_effects.push_back(reader.read(statement));
  }
  bool indexing = std::any_of(all_effects.begin(), all_effects.end(),
                              [](const StatementEffects& statement_effects) { return statement_effects.indexing; });
  bool casting = std::any_of(all_effects.begin(), all_effects.end(),
                             [](const StatementEffects& statement_effects) { return statement_effects.casting; });
  for (const StatementEffects& statement_effects : all_effects) {
    if (statement_effects.indexing || (statement_effects.calls_own && indexing))
      add_all(statement_effects.effects.names, value_sensitive.index);
    if (statement_effects.casting || (statement_effects.calls_own && casting))
      add_all(statement_effects.effects.names, value_sensitive.cast);
    add_all(statement_effects.effects.indices, value_sensitive.index);
    add_all(statement_effects.effects.indices, value_sensitive.cast);
    add_all(statement_effects.effects.written, value_sensitive.written);
  }
  spread(all_effects, value_sensitive.index);
  spread(all_effects, value_sensitive.cast);
  return value_sensitive;
}

bool is_value_sensitive(const Parsed& parsed, const ValueSensitive& value_sensitive, const InputKind& kind,
                        std::size_t at) {
  auto parameters = entry_parameters(parsed);
  if (at >= parameters.size()) return true;
  std::string_view name = parameters[at].text();
  return is_integral(kind.dtype) ? value_sensitive.index.contains(name) : value_sensitive.cast.contains(name);
}

}  // namespace jp::mutate
