#include "oracle/reduce/patches.h"

#include <algorithm>

#include "mutate/syntax/queries.h"

namespace jp::reduce {
namespace {

bool is_patch(const Statement& statement) {
  return statement.parent < 0 && statement.kind() == "expression_statement" && !mutate::is_docstring(statement) &&
         !mutate::assignment(statement).only_name();
}

bool changes_inside(const Edit& edit, const Statement& statement) {
  const bool removes = edit.begin <= statement.begin && statement.end <= edit.end && edit.text.empty();
  return edit.begin < statement.end && statement.begin < edit.end && !removes;
}

}  // namespace

std::vector<EditSet> with_whole_patches(const Parsed& parsed, std::vector<EditSet> proposals) {
  for (const Statement& statement : parsed.statements())
    if (is_patch(statement))
      std::erase_if(proposals, [&](const EditSet& proposal) {
        const std::vector<Edit>& edits = proposal.edits();
        return std::any_of(edits.begin(), edits.end(),
                           [&](const Edit& edit) { return changes_inside(edit, statement); });
      });
  return proposals;
}

}  // namespace jp::reduce
