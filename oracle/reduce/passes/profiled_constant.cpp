// Replaces a value by the constant that a run observed, and drops everything that was needed only to compute it:
//
//     a = torch.relu(x)           b = torch.tensor([2.0, 3.0])
//     b = a + 1                   return b * 2
//     return b * 2
//
// This removes what dropping statements can't: something needs the value, but not how it was computed.
#include "mutate/names/scopes.h"
#include "mutate/syntax/queries.h"
#include "oracle/reduce/edits.h"
#include "oracle/reduce/expressions.h"
#include "oracle/reduce/pass.h"
#include "oracle/reduce/values.h"

namespace jp::reduce::profiled_constant_pass {
namespace {

class ProfiledConstant final : public Pass {
 public:
  ProfiledConstant()
      : Pass({"profiled_constant", Tier::kReplace, true,
              "Replaces a value by the constant that a run observed, and removes what only computed it."}) {}

  std::vector<EditSet> propose(const Parsed& parsed, const Facts& facts) const override {
    std::vector<EditSet> proposals;
    const auto& statements = parsed.statements();
    const std::vector<int> before = dead_statements(parsed);
    // The last ones first: they make the most code superfluous.
    for (std::size_t i = statements.size(); i-- > 0;) {
      auto [name, value] = plain_assignment(statements[i]);
      if (!name || statements[i].function < 0 || mutate::is_unsigned_number(value)) continue;
      const NameFacts* known = facts.find_after(statements[i].id, std::string(name.text()));
      if (!known) continue;
      std::vector<std::string> texts;
      const std::string torch = mutate::torch_name(parsed, statements[i]);
      if (!torch.empty()) texts = written_tensors(*known, torch);
      if (known->literal) texts.push_back(*known->literal);
      if (texts.empty()) continue;
      const std::vector<int> dead = dead_statements(parsed, value);
      for (std::string& text : texts) {
        if (text == value.text()) continue;
        EditSet edits = replacement(value, std::move(text));
        bool fits = true;
        for (int index : dead) {
          bool was_dead = std::find(before.begin(), before.end(), index) != before.end();
          fits = fits && (was_dead || erase_statement(edits, parsed, parsed.statement(index)));
        }
        if (fits) proposals.push_back(std::move(edits));
      }
    }
    return proposals;
  }
};

const Register<Pass, ProfiledConstant> registered;

}  // namespace
}  // namespace jp::reduce::profiled_constant_pass
