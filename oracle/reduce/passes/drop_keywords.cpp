// Drops optional arguments of calls, keyword and trailing ones, and defaults of parameters:
//
//     torch.sum(x, 1, keepdim=True)          torch.sum(x)
#include "mutate/syntax/queries.h"
#include "oracle/reduce/edits.h"
#include "oracle/reduce/pass.h"

namespace jp::reduce::drop_keywords_pass {
namespace {

class DropKeywords final : public Pass {
 public:
  DropKeywords() : Pass({"drop_keywords", Tier::kShrink, false, "Removes options of calls."}) {}

  std::vector<EditSet> propose(const Parsed& parsed, const Facts&) const override {
    std::vector<EditSet> proposals;
    for (int i = 0; i < parsed.tree().size(); ++i) {
      const Node list = parsed.tree().node(i);
      const mutate::Call call = mutate::call(list.parent());
      if (call.arguments != list || call.takes_generator()) continue;
      const std::vector<Node> items = list.children();
      for (std::size_t at = items.size(); at-- > 0;) {
        bool trailing = at > 0 && at + 1 == items.size();
        EditSet edits;
        if ((trailing || mutate::is_keyword(items[at])) && erase_item(edits, items, at))
          proposals.push_back(std::move(edits));
      }
    }
    return proposals;
  }
};

const Register<Pass, DropKeywords> registered;

}  // namespace
}  // namespace jp::reduce::drop_keywords_pass
