// What the file's own code may do while a statement runs: facts show the names of the statement's own function alone,
// and neither what other functions bind, keep and advance, nor when.
#pragma once

#include <set>
#include <string_view>

#include "mutate/syntax/name_set.h"
#include "mutate/syntax/queries.h"
#include "mutate/syntax/syntax.h"

namespace jp::mutate {

/// The path of a function of torch is that of an operator which is not torch's own: "torch.ops.mylib.scale". Such an
/// operator may be code of the file, and read or write what it isn't given.
bool is_custom_operator(std::string_view function);

/// A lambda stands in the node, or is it: code of the file that may run later.
bool holds_lambda(const Node& node);

/// A function or method of that name adds items to a container, or sets an attribute.
bool fills_container(std::string_view name);
/// A function or method of that name takes the next item of an iterator.
bool advances_iterator(std::string_view name);

/// Analysed once for all statements of a program: Parsed::own_code().
class OwnCode {
 public:
  explicit OwnCode(const Parsed& parsed);

  /// The call may run code of the file. Functions of torch and of other modules run what they are given.
  bool runs(const Parsed& parsed, const Statement& statement, const Call& made) const;
  /// The statement may run code of the file, calls of functions by name and iterations included.
  bool may_run(const Parsed& parsed, const Statement& statement) const;
  /// The statement may run code of the file before it evaluates the node.
  bool runs_before(const Parsed& parsed, const Statement& statement, const Node& node) const;
  /// Some other function than the statement's own stores tensors in containers, attributes or module variables that the
  /// statement's facts do not list, or returns tensors stored there, or in defaults of parameters, closures and the
  /// like.
  bool keeps_values(const Statement& statement) const;
  /// What may_advance() says of a file that advances iterators at all.
  bool mentions_advancing(const Node& node) const;

 private:
  void find_names(const Parsed& parsed);
  void find_advancing(const Parsed& parsed);
  void find_keeping(const Parsed& parsed);
  void find_defaults(const Parsed& parsed);
  void find_closures(const Parsed& parsed);

  NameSet functions_;     // names of functions and classes
  NameSet methods_;       // names of methods, and of attributes that may hold the file's functions and objects
  NameSet imported_;      // names of modules and of what is imported
  NameSet advancing_;     // names of functions, methods, classes and of variables made of them
  std::set<int> keep_;    // indices of functions; -1: a lambda, or something that any function may call
  std::set<int> shared_;  // indices of functions whose variables nested functions read
  bool lazy_ = false;     // generators, iterators or contexts of the file's own
  bool unnamed_ = false;  // other special methods: operators and subscripts may run them
};

/// Code of the file that the statement runs before it reads the name may bind the variable anew: another function than
/// the statement's own binds or deletes it. Such a read can't be moved to a place before the statement.
bool rebinds_before(const Parsed& parsed, const Statement& statement, const Node& name);

/// The node may advance an iterator by code of the file: it mentions a function, method or class whose code calls
/// next(), send() or the like, or whose code mentions such a function.
bool may_advance(const Parsed& parsed, const Node& node);

}  // namespace jp::mutate
