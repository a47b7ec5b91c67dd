// Replaces dtypes by float32, one at a time or all equal ones at once:
//
//     torch.ones(2, dtype=torch.float16)          torch.ones(2, dtype=torch.float32)
//     x.to(torch.bfloat16)                        x.to(torch.float32)
//
// "dtype=torch.float32" itself is then a keyword that other passes drop.
#include <fmt/format.h>

#include <map>
#include <string>

#include "mutate/syntax/queries.h"
#include "oracle/reduce/edits.h"
#include "oracle/reduce/expressions.h"
#include "oracle/reduce/order.h"
#include "oracle/reduce/pass.h"

namespace jp::reduce::simplify_dtypes_pass {
namespace {

class SimplifyDtypes final : public Pass {
 public:
  SimplifyDtypes() : Pass({"simplify_dtypes", Tier::kShrink, false, "Replaces dtypes by float32."}) {}

  std::vector<EditSet> propose(const Parsed& parsed, const Facts&) const override {
    std::map<std::string_view, std::vector<Node>> places;
    for (int i = 0; i < parsed.tree().size(); ++i) {
      const Node node = parsed.tree().node(i);
      const mutate::Attribute read = mutate::attribute(node);
      if (!read || !is_other_dtype(read.name)) continue;
      if (!mutate::is_called(node) && replaceable(node) && names_module(parsed, read.object))
        places[read.name].push_back(read.label);
    }
    std::vector<EditSet> proposals;
    for (const auto& [name, alike] : places) {
      if (alike.size() < 2) continue;
      EditSet edits;
      for (const Node& place : alike) edits.replace(place.begin(), place.end(), std::string(kSimplestDtype));
      proposals.push_back(std::move(edits));
    }
    for (const auto& [name, alike] : places)
      for (const Node& place : alike) proposals.push_back(replacement(place, std::string(kSimplestDtype)));
    return proposals;
  }
};

const Register<Pass, SimplifyDtypes> registered;

}  // namespace
}  // namespace jp::reduce::simplify_dtypes_pass
