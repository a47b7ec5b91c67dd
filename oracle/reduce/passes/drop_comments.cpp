// Drops comments:
//
//     # what it does
//     x = 1  # and why            x = 1
#include "oracle/reduce/edits.h"
#include "oracle/reduce/pass.h"

namespace jp::reduce::drop_comments_pass {
namespace {

class DropComments final : public Pass {
 public:
  DropComments() : Pass({"drop_comments", Tier::kPolish, false, "Removes comments."}) {}

  std::vector<EditSet> propose(const Parsed& parsed, const Facts&) const override {
    std::vector<EditSet> proposals;
    std::string_view source = parsed.source();
    for (int i = 0; i < parsed.tree().size(); ++i) {
      Node node = parsed.tree().node(i);
      if (!node.is("comment")) continue;
      std::size_t begin = node.begin();
      while (begin > 0 && (source[begin - 1] == ' ' || source[begin - 1] == '\t')) --begin;
      // A comment on a line of its own is dropped with its line break.
      bool own = begin == 0 || source[begin - 1] == '\n';
      std::size_t end = node.end();
      if (own && end < source.size() && source[end] == '\n') ++end;
      EditSet edits;
      if (put(edits, begin, end, "")) proposals.push_back(std::move(edits));
    }
    return proposals;
  }
};

const Register<Pass, DropComments> registered;

}  // namespace
}  // namespace jp::reduce::drop_comments_pass
