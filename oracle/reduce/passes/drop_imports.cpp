// Drops some of several imported names, with everything that reads them:
//
//     import copy, torch                      import torch
//     from torch import nn, float32           from torch import float32
#include "mutate/names/scopes.h"
#include "oracle/reduce/edits.h"
#include "oracle/reduce/pass.h"

namespace jp::reduce::drop_imports_pass {
namespace {

/// The name that an imported item binds: "nn" for "nn", "F" for "functional as F", "torch" for "torch.nn".
std::string_view bound_name(const Node& item) {
  if (item.is("aliased_import")) return item.field("alias").text();
  std::string_view text = item.text();
  return text.substr(0, text.find('.'));
}

class DropImports final : public Pass {
 public:
  DropImports() : Pass({"drop_imports", Tier::kPolish, false, "Removes imports that nothing reads."}) {}

  std::vector<EditSet> propose(const Parsed& parsed, const Facts&) const override {
    std::vector<EditSet> proposals;
    for (const Statement& statement : parsed.statements()) {
      bool from = statement.kind() == "import_from_statement";
      if (!from && statement.kind() != "import_statement") continue;
      std::vector<Node> items = statement.node.children();
      if (from && !items.empty()) items.erase(items.begin());
      for (std::size_t at = items.size(); at-- > 0 && items.size() > 1;) {
        EditSet edits;
        if (unread(parsed, bound_name(items[at])) && erase_name(edits, items, at))
          proposals.push_back(std::move(edits));
      }
    }
    return proposals;
  }

 private:
  static bool unread(const Parsed& parsed, std::string_view name) {
    for (const auto& use : parsed.scopes().uses())
      if (use.kind != mutate::Use::Kind::kBind && use.name == name) return false;
    return true;
  }
  /// A list of imports without parentheses must not end in a comma.
  static bool erase_name(EditSet& edits, const std::vector<Node>& items, std::size_t at) {
    if (at + 1 < items.size()) return put(edits, items[at].begin(), items[at + 1].begin(), "");
    return put(edits, items[at - 1].end(), items[at].end(), "");
  }
};

const Register<Pass, DropImports> registered;

}  // namespace
}  // namespace jp::reduce::drop_imports_pass
