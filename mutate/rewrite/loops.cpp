#include "mutate/rewrite/loops.h"

namespace jp::mutate {

bool in_while(const Parsed& parsed, const Statement& statement) {
  for (int up = statement.parent; up >= 0 && up != statement.function; up = parsed.statement(up).parent)
    if (parsed.statement(up).kind() == "while_statement") return true;
  return false;
}

}  // namespace jp::mutate
