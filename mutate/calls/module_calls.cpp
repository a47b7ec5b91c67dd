#include "mutate/calls/module_calls.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "mutate/names/scopes.h"

namespace jp::mutate {
namespace {

/// Words of files that may put another module, or a hook, behind an attribute.
constexpr auto kReplaces = std::to_array<std::string_view>(
    {"setattr", "add_module", "register_module", "__setattr__", "__getattr__", "register_forward_hook",
     "register_forward_pre_hook", "register_module_forward_hook", "register_module_forward_pre_hook", "parametrize",
     "parametrizations", "spectral_norm", "weight_norm", "prune", "__dict__", "_modules", "quantize_dynamic",
     "fuse_modules", "delattr"});

/// Modules that give new memory and write to no argument, of which the table of operators knows nothing.
constexpr auto kFresh = std::to_array<std::string_view>(
    {"Linear", "Bilinear", "Conv1d", "Conv2d", "Conv3d", "ConvTranspose1d", "ConvTranspose2d", "ConvTranspose3d",
     "BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "GroupNorm", "LayerNorm", "InstanceNorm1d", "InstanceNorm2d",
     "InstanceNorm3d", "RMSNorm", "Embedding"});

/// The class around the method in which the statement stands; nullptr outside of methods.
const Statement* class_of(const Parsed& parsed, const Statement& statement) {
  if (statement.function < 0) return nullptr;
  const Statement& method = parsed.statement(statement.function);
  if (method.kind() != "function_definition" || method.parent < 0) return nullptr;
  const Statement& around = parsed.statement(method.parent);
  return around.kind() == "class_definition" && around.parent < 0 ? &around : nullptr;
}

/// The name of the method's first parameter: "self".
std::string_view self_name(const Parsed& parsed, const Statement& statement) {
  auto parameters = parsed.statement(statement.function).node.field("parameters").children();
  return !parameters.empty() && parameters[0].is("identifier") ? parameters[0].text() : "";
}

/// The class is an nn.Module and nothing else.
bool is_module_class(const Parsed& parsed, const Statement& definition) {
  const Node bases = definition.node.field("superclasses");
  if (!bases || bases.children().size() != 1) return false;
  const std::string_view base = bases.children()[0].text();
  const std::string_view nn = nn_name(parsed);
  if (!nn.empty() && base.starts_with(nn) && base.substr(nn.size()) == ".Module") return true;
  const auto& names = parsed.scopes().torch_names();
  return std::any_of(names.begin(), names.end(), [&](std::string_view torch) {
    return base.starts_with(torch) && base.substr(torch.size()) == ".nn.Module";
  });
}

/// A class of the file derives from it, and may keep other modules under its names.
bool has_subclass(const Parsed& parsed, const Statement& definition) {
  const std::string_view name = defined_name(definition);
  for (const Statement& one : parsed.statements()) {
    const Node made = one.definition();
    const Node bases = made.is("class_definition") ? made.field("superclasses") : Node();
    if (!bases) continue;
    for (const Node base : nodes_of(bases))
      if (base.is("identifier") && base.text() == name) return true;
  }
  return false;
}

/// The last part of `nn.Conv2d` or `torch.nn.Conv2d`, or "".
std::string_view torch_class(const Parsed& parsed, const Node& function) {
  const Attribute read = attribute(function);
  if (!read) return "";
  const std::string_view nn = nn_name(parsed);
  if (!nn.empty() && read.object.text() == nn) return read.name;
  const Attribute inner = attribute(read.object);
  const auto& names = parsed.scopes().torch_names();
  const bool ours =
      inner && inner.name == "nn" && std::find(names.begin(), names.end(), inner.object.text()) != names.end();
  return ours ? read.name : "";
}

/// The attributes that a statement assigns to; those of parts of them (`self.x[0] = …`) too.
std::vector<Attribute> assigned_attributes(const Statement& statement) {
  std::vector<Attribute> found;
  const Assignment made = assignment(statement);
  const bool loop = statement.kind() == "for_statement";
  const Node target = made ? made.left : loop ? statement.node.field("left") : Node();
  if (!target || target.is("identifier")) return found;
  for (const Node node : nodes_of(target))
    if (const Attribute one = attribute(node)) found.push_back(one);
  return found;
}

/// The call that the class's __init__ assigns to the attribute; an empty one if that is not all that the file assigns.
Call made_by_init(const Parsed& parsed, const Statement& definition, std::string_view name) {
  Call made;
  for (const Statement& at : parsed.statements())
    for (const Attribute& target : assigned_attributes(at)) {
      if (target.name != name) continue;
      const Statement* around = class_of(parsed, at);
      // What other classes keep under that name is theirs.
      const bool own = around && target.object.text() == self_name(parsed, at);
      if (own && around->index != definition.index) continue;
      const Assignment assigned = assignment(at);
      const bool in_init = own && defined_name(parsed.statement(at.function)) == "__init__" && at.parent == at.function;
      if (made || !in_init || assigned.augmented() || assigned.left != target.node) return {};
      made = call(assigned.right);
      if (!made) return {};
    }
  return made;
}

const OperatorFacts* operator_of(std::string_view type) {
  const auto all = all_operators();
  auto found = std::find_if(all.begin(), all.end(), [&](const OperatorFacts& op) { return op.module == type; });
  if (found != all.end()) return &*found;
  if (type == "Linear") return find_operator("linear");
  if (type == "LayerNorm") return find_operator("layer_norm");
  return nullptr;
}

}  // namespace

bool ModuleCall::is_fresh() const {
  // An embedding with a largest norm writes to its weight.
  if (made.keyword("inplace") || made.splats() || (type == "Embedding" && made.given()->size() > 2)) return false;
  return std::find(kFresh.begin(), kFresh.end(), type) != kFresh.end() || (op && op->is_new());
}

std::vector<ModuleOperatorCall> module_operator_calls(const Parsed& parsed, const Statement& statement,
                                                      std::string_view type, std::string_view op) {
  std::vector<ModuleOperatorCall> found;
  const std::string torch = torch_name(parsed, statement);
  if (!statement.simple || torch.empty()) return found;
  for (const Node node : nodes_of(statement.node, own_scopes())) {
    const auto module = node.is("call") ? module_call(parsed, statement, node) : std::nullopt;
    if (!module || module->type != type) continue;
    OperatorCall call;
    call.statement = &statement;
    call.op = find_operator(op);
    call.node = node;
    call.torch = torch;
    call.path = std::string(kModulePath) + std::to_string(found.size());
    found.push_back({std::move(call), *module});
  }
  return found;
}

std::string_view nn_name(const Parsed& parsed) {
  for (int index : parsed.blocks()[0].statements) {
    const Statement& statement = parsed.statement(index);
    const std::string_view text = statement.node.text();
    if (text == "from torch import nn" || text == "import torch.nn as nn")
      return parsed.scopes().bindings(0, "nn") == 1 ? "nn" : "";
  }
  return "";
}

std::optional<ModuleCall> module_call(const Parsed& parsed, const Statement& statement, const Node& node) {
  const Call made = call(node);
  if (!made || !made.object || !made.object.is("identifier") || parsed.has_any<kReplaces>()) return std::nullopt;
  const Statement* around = class_of(parsed, statement);
  if (!around || made.object.text() != self_name(parsed, statement) || !is_module_class(parsed, *around) ||
      has_subclass(parsed, *around))
    return std::nullopt;
  // A method of that name would be called instead, or the statement would bind `self` anew.
  const Scopes& scopes = parsed.scopes();
  if (scopes.bindings(scopes.scope_of(statement), made.object.text()) != 1) return std::nullopt;
  ModuleCall found;
  found.call = made;
  found.made = made_by_init(parsed, *around, made.name);
  if (!found.made) return std::nullopt;
  found.type = torch_class(parsed, found.made.function);
  if (found.type.empty()) return std::nullopt;
  found.op = operator_of(found.type);
  return found;
}

}  // namespace jp::mutate
