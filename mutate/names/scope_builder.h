// Walks over a syntax tree and finds its scopes and the uses of names.
#pragma once

#include <string_view>
#include <vector>

#include "mutate/names/scopes.h"

namespace jp::mutate {

/// Fills a Scopes object during its construction.
class ScopeBuilder {
 public:
  explicit ScopeBuilder(Scopes& scopes) : to_(scopes) {}
  /// Walks the module, then resolves every use.
  void build(const Parsed& parsed);

 private:
  void walk(const Node& node, int scope);
  void walk_children(const Node& node, int scope);
  void walk_named(const Node& node, int scope);
  void walk_function(const Node& node, int scope);
  void walk_parameters(const Node& parameters, int outer, int inner);
  void walk_class(const Node& node, int scope);
  void walk_comprehension(const Node& node, int scope);
  void walk_assignment(const Node& node, int scope);
  void walk_import(const Node& node, int scope);
  void walk_pattern(const Node& node, int scope);
  void walk_declaration(const Node& node, int scope);
  void walk_except(const Node& node, int scope);
  /// Handles a target of an assignment: identifiers are bound; the objects of attributes and subscripts are read.
  void bind(const Node& target, int scope, bool conditional = false);
  void erase(const Node& target, int scope);
  void use(const Node& identifier, Use::Kind kind, int scope, bool conditional = false);
  int open(Scope::Kind kind, const Node& node, int parent);
  void resolve_all();

  Scopes& to_;
};

}  // namespace jp::mutate
