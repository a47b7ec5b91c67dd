// An input of the program becomes a global that make_inputs sets, or an item of a global list or dict; when there are
// several calls, before_call mostly sets it anew:
//
//     def make_inputs():                       def make_inputs():
//         return (torch.randn(3), 2)               global w7
//                                                  w7 = torch.randn(3)
//                                                  return (2,)
//     def program(v0, n):                      def program(n):
//         return v0 * n                            return w7 * n
//
// The program is a variation. Site: the return statement of make_inputs; path: 0.ARGUMENT, from 0.
#include <fmt/format.h>

#include "mutate/engine/mutation.h"
#include "mutate/inputs/relocate.h"

namespace jp::mutate::input_to_global_mutation {
namespace {

class InputToGlobal final : public Mutation {
 public:
  InputToGlobal()
      : Mutation({"input_to_global", "E", Exactness::kVariation, true, "jitprobe",
                  "globals that guards must watch, and side effects on them"}) {}

  std::vector<Site> sites(const Parsed& parsed, const Facts& facts) const override {
    return removable_sites(parsed, facts, true);
  }

  EditSet rewrite(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                  int step_number) const override {
    auto calls = removable_at(parsed, facts, site, choices);
    if (!calls || !movable(parsed, *calls)) return {};
    Rewrite rewrite(parsed, step_number);
    std::string name = rewrite.name("w");
    std::uint64_t form = choices.below(5);
    std::string slot = form == 3 ? name + "[0]" : form == 4 ? name + "[\"value\"]" : name;
    Lines define;
    if (form == 2) define = {{name + " = None"}, {""}, {""}};
    if (form == 3) define = {{name + " = [None]"}, {""}, {""}};
    if (form == 4) define = {{name + " = {}"}, {""}, {""}};
    remove_argument(rewrite, parsed, *calls);
    read_instead(rewrite, parsed, *calls, slot, choices);
    move_argument(rewrite, parsed, *calls, slot, define, form < 3 ? name : "", choices);
    return rewrite.edits();
  }
};

const Register<Mutation, InputToGlobal> registered;

}  // namespace
}  // namespace jp::mutate::input_to_global_mutation
