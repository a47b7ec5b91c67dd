// Shortens names: the entry's arguments x, y, z, other variables a, b, c, functions of the file f, g, h:
//
//     def program(v0, v17):               def program(x, y):
//         v29 = torch.relu(v0)                a = torch.relu(x)
//
// Names of the contract of program files, attributes, and names that may be looked up at run time stay.
#include <set>

#include "mutate/rewrite/rewrite.h"
#include "oracle/reduce/edits.h"
#include "oracle/reduce/names.h"
#include "oracle/reduce/pass.h"

namespace jp::reduce::rename_locals_pass {
namespace {

class RenameLocals final : public Pass {
 public:
  RenameLocals() : Pass({"rename_locals", Tier::kPolish, false, "Shortens names."}) {}

  std::vector<EditSet> propose(const Parsed& parsed, const Facts&) const override {
    std::vector<EditSet> proposals;
    if (mutate::uses_introspection(parsed)) return proposals;
    std::set<std::string> taken;
    for (const Variable& variable : variables(parsed)) {
      std::string short_name = fresh(parsed, variable.pool, taken);
      if (variable.name.size() < 2 || short_name.empty()) continue;
      EditSet edits;
      bool fits = true;
      for (const Node& place : variable.places) fits = fits && put(edits, place.begin(), place.end(), short_name);
      if (!fits) continue;
      taken.insert(short_name);
      proposals.push_back(std::move(edits));
    }
    return proposals;
  }

 private:
  static std::string fresh(const Parsed& parsed, std::string_view pool, const std::set<std::string>& taken) {
    for (char c : pool)
      if (std::string name(1, c); !parsed.has_word(name) && !taken.contains(name)) return name;
    return "";
  }
};

const Register<Pass, RenameLocals> registered;

}  // namespace
}  // namespace jp::reduce::rename_locals_pass
