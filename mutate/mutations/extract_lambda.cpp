// An expression that a statement evaluates is evaluated by a lambda:
//
//     v3 = v0 + v1                 f7 = lambda v0: v0 + v1
//                                  v3 = f7(v0)
//
// The expression is the value of an assignment, of `return`, of an expression statement, or the condition of an `if` or
// `while`. The lambda has a name or is called on the spot; what it reads is captured, an argument, a keyword, or a
// default; the lambda is made by another lambda, passed to one, taken from a container, or binds its value to a name of
// its own. The result is unchanged bit for bit. Site path: "".
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "mutate/engine/mutation.h"
#include "mutate/outline/signature.h"
#include "mutate/rewrite/values.h"
#include "mutate/syntax/queries.h"

namespace jp::mutate::extract_lambda_mutation {
namespace {

enum Form : std::uint64_t { kPlain, kDefaults, kKeywords, kCurried, kList, kDict, kHanded, kBound, kWrapped, kForms };

Node value_at(const Parsed& parsed, const Statement& statement) {
  Node value = value_of(parsed, statement);
  return may_move(parsed, statement, value) ? value : Node();
}

/// A lambda and how it is called.
struct Lambda {
  std::string made;
  std::string arguments;
};

std::string pairs(const std::vector<std::string>& names) {
  std::vector<std::string> both;
  for (const auto& name : names) both.push_back(fmt::format("{0}={0}", name));
  return joined(both);
}

std::string lambda_text(const std::string& parameters, const std::string& body) {
  return parameters.empty() ? fmt::format("lambda: {}", body) : fmt::format("lambda {}: {}", parameters, body);
}

/// `handed` are the names that are passed as arguments.
Lambda lambda_for(Form form, const std::vector<std::string>& handed, const std::string& body, Rewrite& rewrite) {
  std::string all = joined(handed);
  switch (form) {
    case kDefaults:
      return {lambda_text(pairs(handed), body), "()"};
    case kKeywords:
      // Python doesn't mangle keywords of calls.
      if (handed.empty() || std::any_of(handed.begin(), handed.end(), is_mangled)) break;
      return {lambda_text("*, " + all, body), fmt::format("({})", pairs(handed))};
    case kCurried: {
      if (handed.empty()) return {lambda_text("", lambda_text("", body)), "()()"};
      std::vector<std::string> rest(handed.begin() + 1, handed.end());
      return {lambda_text(handed[0], lambda_text(joined(rest), body)),
              fmt::format("({})({})", handed[0], joined(rest))};
    }
    case kBound:
      return {lambda_text(all, fmt::format("({} := {})", rewrite.name("t"), body)), fmt::format("({})", all)};
    case kWrapped:
      return {lambda_text(all, fmt::format("[{}]", body)), fmt::format("({})[0]", all)};
    default:
      break;
  }
  return {lambda_text(all, body), fmt::format("({})", all)};
}

class ExtractLambda final : public Mutation {
 public:
  ExtractLambda()
      : Mutation({"extract_lambda", "C", Exactness::kBitwise, false, "jitprobe",
                  "closures, defaults and cells of lambdas that are made and inlined in one frame"}) {}

  std::vector<Site> sites(const Parsed& parsed, const Facts&) const override {
    if (uses_introspection(parsed)) return {};
    return statement_sites(parsed, [&](const Statement& statement) { return bool(value_at(parsed, statement)); });
  }

  EditSet rewrite(const Parsed& parsed, const Facts&, const Site& site, Choices& choices,
                  int step_number) const override {
    const Statement& statement = *parsed.find(site.statement);
    Node value = value_at(parsed, statement);
    if (!value || uses_introspection(parsed)) return {};
    Rewrite rewrite(parsed, step_number);
    auto form = static_cast<Form>(choices.below(kForms));
    std::vector<std::string> handed;
    for (const auto& name : names_to_hand(parsed, statement, value))
      if (choices.chance(1, 2)) handed.push_back(name);
    Lambda lambda = lambda_for(form, handed, value_text(value), rewrite);

    // The defaults of a lambda in a loop's condition must be evaluated in every iteration.
    bool inline_only = form == kDefaults && statement.kind() == "while_statement";
    bool named = !inline_only && choices.chance(1, 2);
    std::string name = rewrite.name("f");
    std::string called = named ? name : fmt::format("({})", lambda.made);
    if (form == kList) called = named ? name + "[0]" : fmt::format("[{}][0]", lambda.made);
    if (form == kDict) called = named ? name + "[\"run\"]" : fmt::format("{{\"run\": {}}}[\"run\"]", lambda.made);
    if (named && form == kList) lambda.made = fmt::format("[{}]", lambda.made);
    if (named && form == kDict) lambda.made = fmt::format("{{\"run\": {}}}", lambda.made);
    if (named) rewrite.before(statement, {{fmt::format("{} = {}", name, lambda.made)}});
    std::string text = called + lambda.arguments;
    if (form == kHanded) {
      std::string taken = rewrite.name("g");
      text = fmt::format("(lambda {0}: {0}{1})({2})", taken, lambda.arguments, named ? name : lambda.made);
    }
    rewrite.replace(value, text);
    return rewrite.edits();
  }
};

const Register<Mutation, ExtractLambda> registered;

}  // namespace
}  // namespace jp::mutate::extract_lambda_mutation
