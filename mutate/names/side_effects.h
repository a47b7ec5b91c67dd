// Which statements run code of the file that leaves something behind under a name: facts show what becomes of the names
// of the statement's own function alone.
#pragma once

#include "mutate/syntax/name_set.h"
#include "mutate/syntax/syntax.h"

namespace jp::mutate {

/// The functions and classes of a file, read once for all questions about its statements.
class SideEffects {
 public:
  explicit SideEffects(const Parsed& parsed);
  /// The statement may run functions, methods or generators of the file, and some code of the file binds or deletes
  /// what others may read: by `nonlocal` or `global`, attributes, `setattr`.
  bool may_bind_elsewhere(const Statement& statement) const { return binds_elsewhere_ && may_run(statement); }

 private:
  bool may_run(const Statement& statement) const;

  const Parsed& parsed_;
  NameSet names_;
  bool unnamed_ = false;  // any statement may run some of it without naming it
  bool binds_elsewhere_ = false;
};

}  // namespace jp::mutate
