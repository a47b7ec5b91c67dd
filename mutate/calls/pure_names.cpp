#include "mutate/calls/pure_names.h"

#include "core/operators.h"

namespace jp::mutate {

bool is_pure_name(std::string_view name) {
  const OperatorFacts* op = find_operator(name);
  return op && op->pure;
}

}  // namespace jp::mutate
