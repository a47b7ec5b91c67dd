// Which statements may call code of the file that binds names elsewhere, or advances an iterator. Facts only show the
// names of the statement's own function, so such effects would go unnoticed.
#pragma once

#include "mutate/syntax/name_set.h"
#include "mutate/syntax/syntax.h"

namespace jp::mutate {

/// The side effects of a file's functions and classes, analysed once for all its statements.
class SideEffects {
 public:
  explicit SideEffects(const Parsed& parsed);
  /// The statement may run functions, methods or generators of the file, and some code of the file binds or deletes
  /// what other frames may read: by `nonlocal`, `global`, attributes or `setattr`.
  bool may_bind_elsewhere(const Statement& statement) const { return binds_elsewhere_ && may_run(statement); }
  /// The same, or the statement may advance an iterator by code of the file.
  bool may_change_elsewhere(const Statement& statement) const;

 private:
  bool may_run(const Statement& statement) const;

  const Parsed& parsed_;
  NameSet names_;
  bool unnamed_ = false;  // properties or special methods: any statement may run them without naming them
  bool binds_elsewhere_ = false;
};

}  // namespace jp::mutate
