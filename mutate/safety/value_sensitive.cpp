#include "mutate/safety/value_sensitive.h"

#include <algorithm>
#include <vector>

#include "core/operators.h"

namespace jp::mutate {
namespace {

/// The operator that a word of the program names, itself or in place.
const OperatorFacts* named_by(std::string_view word) {
  const OperatorFacts* op = find_operator(base_name(word));
  // Of some operators there is the form in place alone: `copy` is a module, `copy_` is not.
  const bool in_place = base_name(word) != word;
  return op && (in_place || op->function || op->method || op->functional || op->special || op->linalg || op->fft)
             ? op
             : nullptr;
}

/// "int32", "uint8": as an attribute of torch.
bool is_integer_type(std::string_view word) {
  if (word.starts_with('u')) word.remove_prefix(1);
  return word.size() > 3 && word.starts_with("int") && word[3] >= '0' && word[3] <= '9';
}

/// What one statement's own text does, without its blocks.
struct StatementEffects {
  std::vector<std::string_view> names;
  std::vector<std::string_view> bound;
  std::vector<std::string_view> written;
  std::vector<std::string_view> indices;  // in the brackets of subscripts
  bool indexing = false;
  bool casting = false;
  bool calls_own = false;
};

/// The name at the root of `v0`, `v0[1]`, `v0.grad`.
Node root_of(Node node) {
  while (node && !node.is("identifier")) {
    if (node.is("subscript"))
      node = node.field("value");
    else if (node.is("attribute"))
      node = node.field("object");
    else if (node.is("call"))
      node = node.field("function");
    else
      return {};
  }
  return node;
}

void add_names(const Parsed& parsed, const Node& inside, std::vector<std::string_view>& names) {
  for (int i = inside.index(); i < inside.past(); ++i)
    if (Node node = parsed.tree().node(i); node.is("identifier")) names.push_back(node.text());
}

class Reader {
 public:
  explicit Reader(const Parsed& parsed) : parsed_(parsed) {
    for (const Use& use : parsed.scopes().uses())
      if (use.kind == Use::Kind::kBind) bound_.insert(use.name);
    for (const Statement& statement : parsed.statements()) {
      if (statement.definition().is("class_definition")) defined_.insert(statement.definition().field("name").text());
      if (!statement.definition().is("function_definition")) continue;
      std::string_view name = statement.definition().field("name").text();
      defined_.insert(name);
      overloads_ = overloads_ || (name.starts_with("__") && name != "__init__");
    }
  }

  StatementEffects read(const Statement& statement) {
    deed_ = {};
    deed_.calls_own = overloads_;
    for (int i = statement.node.index(); i < statement.node.past(); ++i) {
      Node node = parsed_.tree().node(i);
      if (node.is("block")) {
        i = node.past() - 1;
        continue;
      }
      see(node);
    }
    return std::move(deed_);
  }

 private:
  void see(const Node& node) {
    if (node.is("identifier")) word(node);
    if (node.is("<<") || node.is(">>") || node.is("**")) deed_.indexing = true;
    if (node.is("assignment") || node.is("augmented_assignment"))
      bind(node.field("left"), node.is("augmented_assignment"));
    if (node.is("for_statement") || node.is("for_in_clause")) bind(node.field("left"), false);
    if (node.is("named_expression")) bind(node.field("name"), false);
    if (node.is("keyword_argument") && node.field("name").text() == "out") bind(node.field("value"), true);
    if (node.is("call")) call(node);
    if (node.is("subscript"))
      for (const Node& child : node.children())
        if (child != node.field("value")) add_names(parsed_, child, deed_.indices);
  }

  void word(const Node& node) {
    std::string_view text = node.text();
    const OperatorFacts* op = named_by(text);
    // Classes of torch.nn, and what aten calls a subscript.
    const bool indexing = text.starts_with("Embedding") || text.starts_with("index");
    deed_.indexing = deed_.indexing || indexing || (op && op->indexes);
    deed_.casting = deed_.casting || text == "linalg" || is_integer_type(text) || (op && op->casts);
    std::string_view field = node.field_name();
    if (field != "attribute" && !(field == "name" && node.parent().is("keyword_argument"))) deed_.names.push_back(text);
  }

  void bind(const Node& target, bool in_place) {
    if (!target) return;
    if (target.is("subscript")) deed_.casting = in_place = true;
    if (Node root = root_of(target)) {
      deed_.bound.push_back(root.text());
      if (in_place) deed_.written.push_back(root.text());
      return;
    }
    add_names(parsed_, target, deed_.bound);
    if (in_place) add_names(parsed_, target, deed_.written);
  }

  void call(const Node& node) {
    Node function = node.field("function");
    Node last = function.is("attribute") ? function.field("attribute") : function;
    bool own = function.is("identifier") ? bound_.contains(function.text()) : defined_.contains(last.text());
    // Of what object it is an attribute is set elsewhere.
    own = own || function.text().starts_with("self.");
    deed_.calls_own = deed_.calls_own || own;
    if (!last.text().ends_with('_') || last.text().ends_with("__")) return;
    Node object = function.is("attribute") ? function.field("object") : Node();
    if (object) bind(object, true);
    auto arguments = node.field("arguments") ? node.field("arguments").children() : NodeRange();
    // torch.relu_(x), and foreach forms on lists.
    if (!arguments.empty()) bind(arguments.front(), true);
  }

  const Parsed& parsed_;
  NameSet bound_;
  NameSet defined_;
  bool overloads_ = false;  // any operator may run code of the file
  StatementEffects deed_;
};

bool any_in(const std::vector<std::string_view>& names, const NameSet& set) {
  return std::any_of(names.begin(), names.end(), [&](std::string_view name) { return set.contains(name); });
}

void add_all(const std::vector<std::string_view>& names, NameSet& set) {
  for (std::string_view name : names) set.insert(name);
}

/// What flows into fragile names is fragile: backwards, until nothing is added.
void spread(const std::vector<StatementEffects>& deeds, NameSet& set) {
  std::size_t before = set.size() + 1;
  for (int round = 0; round < 4 && set.size() != before; ++round) {
    before = set.size();
    for (std::size_t i = deeds.size(); i-- > 0;)
      if (any_in(deeds[i].bound, set)) add_all(deeds[i].names, set);
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
  Reader reader(parsed);
  std::vector<StatementEffects> deeds;
  ValueSensitive value_sensitive;
  for (const Statement& statement : parsed.statements()) {
    if (within_inputs(parsed, statement) || statement.kind().starts_with("import")) continue;
    // A definition's parameters take values from anywhere.
    if (statement.kind() == "function_definition" || statement.kind() == "class_definition") continue;
    deeds.push_back(reader.read(statement));
  }
  bool indexing = std::any_of(deeds.begin(), deeds.end(), [](const StatementEffects& deed) { return deed.indexing; });
  bool casting = std::any_of(deeds.begin(), deeds.end(), [](const StatementEffects& deed) { return deed.casting; });
  for (const StatementEffects& deed : deeds) {
    if (deed.indexing || (deed.calls_own && indexing)) add_all(deed.names, value_sensitive.index);
    if (deed.casting || (deed.calls_own && casting)) add_all(deed.names, value_sensitive.cast);
    add_all(deed.indices, value_sensitive.index);
    add_all(deed.indices, value_sensitive.cast);
    add_all(deed.written, value_sensitive.written);
  }
  spread(deeds, value_sensitive.index);
  spread(deeds, value_sensitive.cast);
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
