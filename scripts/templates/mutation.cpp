// @NAME@: what it rewrites, with one line before and after:
//
//     v1 = f(v0)          pass
//                         v1 = f(v0)
#include "mutate/mutation.h"

#include "mutate/layout.h"

namespace jp::mutate {
namespace {

class @CLASS @final : public Mutation {
 public:
  @CLASS @() : Mutation({"@NAME@", "C", Exactness::kBitwise, false, "jitprobe", "the shape of bug that it is after"}) {
  }

  std::vector<Site> sites(const Parsed& parsed, const Facts&) const override {
    std::vector<Site> sites;
    if (watches_itself(parsed)) return sites;
    for (const Statement& statement : parsed.statements())
      if (open_place(parsed, statement)) sites.push_back({statement.id, ""});
    return sites;
  }

  EditSet rewrite(const Parsed& parsed, const Facts&, const Site& site, Choices&, int step_number) const override {
    const Statement& statement = *parsed.find(site.statement);
    if (watches_itself(parsed) || !open_place(parsed, statement)) return {};
    Rewrite rewrite(parsed, step_number);
    rewrite.before(statement, {{"pass"}});
    return rewrite.edits();
  }
};

const Register<Mutation, @CLASS @> registered;

}  // namespace
}  // namespace jp::mutate
