// A call is made with functools.partial, or a range of statements becomes a function that is called in this way:
//
//     v3 = torch.add(v0, v1, alpha=2)      from functools import partial as partial7
//                                          p7 = partial7(torch.add, v0)
//                                          v3 = p7(v1, alpha=2)
//
// The partial has a name or not, is made of another partial, is taken apart (`p7.func(*p7.args, ...)`), or binds by
// keyword. It always binds the first arguments, so that all arguments are evaluated in their order. The result is
// unchanged bit for bit. Site path: "call" for the call that the statement evaluates, otherwise the ID of the range's
// last statement ("" if the range is one statement).
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "mutate/outline/outline_mutation.h"
#include "mutate/rewrite/values.h"
#include "mutate/syntax/queries.h"

namespace jp::mutate::extract_partial_mutation {
namespace {

enum Form : std::uint64_t { kNamed, kInline, kNested, kApart, kForms };

/// The parts of a call.
struct Parts {
  std::string function;
  std::vector<std::string> arguments;
  std::size_t positional = 0;  // this many of the first arguments are not keywords
};

std::optional<Parts> call_at(const Parsed& parsed, const Statement& statement) {
  Node value = value_of(parsed, statement);
  bool repeated = statement.kind() == "while_statement";
  const Call made = call(value);
  // The target of an augmented assignment is read before the arguments are evaluated.
  if (!made || repeated || statement.exits.yields || statement.exits.awaits || assignment(statement).augmented())
    return std::nullopt;
  if (made.function.text() == "super") return std::nullopt;
  Parts parts{std::string(made.function.text()), {}, 0};
  // In `sum(i for i in x)` the parentheses belong to the generator expression.
  if (made.arguments.is("generator_expression")) return Parts{parts.function, {std::string(made.arguments.text())}, 1};
  for (const Node& argument : made.arguments.children()) {
    bool keyword = argument.is("keyword_argument");
    if (argument.is("dictionary_splat") || (!keyword && parts.positional < parts.arguments.size())) return std::nullopt;
    parts.arguments.emplace_back(argument.text());
    if (!keyword) parts.positional = parts.arguments.size();
  }
  return parts;
}

/// The text of the call with the first `bound` arguments bound; lines that it needs go before it.
std::string partial_text(const Parts& call, Form form, std::size_t bound, Rewrite& rewrite, Choices& choices,
                         Lines& lines) {
  std::string partial = rewrite.name("partial");
  std::string name = rewrite.name("p");
  lines.push_back({fmt::format("from functools import partial as {}", partial)});
  auto part = [&](std::size_t begin, std::size_t end) {
    std::vector<std::string> all(call.arguments.begin() + static_cast<std::ptrdiff_t>(begin),
                                 call.arguments.begin() + static_cast<std::ptrdiff_t>(end));
    return joined(all);
  };
  auto made = [&](const std::string& function, std::size_t begin, std::size_t end) {
    return begin == end ? fmt::format("{}({})", partial, function)
                        : fmt::format("{}({}, {})", partial, function, part(begin, end));
  };
  std::size_t count = call.arguments.size();
  std::string rest = part(bound, count);
  if (form == kInline) return fmt::format("{}({})", made(call.function, 0, bound), rest);
  std::size_t half = form == kNested ? choices.below(bound + 1) : bound;
  std::string text = made(call.function, 0, half);
  if (form == kNested) text = made(text, half, bound);
  lines.push_back({fmt::format("{} = {}", name, text)});
  if (form != kApart) return fmt::format("{}({})", name, rest);
  std::size_t middle = std::max(bound, call.positional);
  std::string first = part(bound, middle);
  std::string last = part(middle, count);
  return fmt::format("{0}.func(*{0}.args{1}{2}, **{0}.keywords{3}{4})", name, first.empty() ? "" : ", ", first,
                     last.empty() ? "" : ", ", last);
}

class ExtractPartial final : public Mutation {
 public:
  ExtractPartial()
      : Mutation({"extract_partial", "C", Exactness::kBitwise, false, "jitprobe",
                  "calls through partial objects: bound arguments, merged keywords, arguments that are passed later"}) {
  }

  std::vector<Site> sites(const Parsed& parsed, const Facts& facts) const override {
    std::vector<Site> found = extraction_sites(parsed, facts);
    if (uses_introspection(parsed)) return found;
    for (const Statement& statement : parsed.statements())
      if (call_at(parsed, statement)) found.push_back({statement.id, "call"});
    return found;
  }

  EditSet rewrite(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                  int step_number) const override {
    Rewrite rewrite(parsed, step_number);
    if (site.path != "call") return rewrite_run(rewrite, parsed, facts, site, choices);
    const Statement& statement = *parsed.find(site.statement);
    auto call = call_at(parsed, statement);
    if (!call || uses_introspection(parsed)) return {};
    auto form = static_cast<Form>(choices.below(kForms));
    Lines lines;
    std::string text = partial_text(*call, form, choices.below(call->arguments.size() + 1), rewrite, choices, lines);
    rewrite.before(statement, lines);
    rewrite.replace(value_of(parsed, statement), text);
    return rewrite.edits();
  }

 private:
  static EditSet rewrite_run(Rewrite& rewrite, const Parsed& parsed, const Facts& facts, const Site& site,
                             Choices& choices) {
    const BodySignature signature = draw_signature(parsed, facts, site, choices);
    if (!signature) return {};
    Packing packing{parsed, facts, signature, rewrite, choices};
    const bool outside = packing.draw_outside(4);
    const Convention way = packing.draw(usual_channels(outside), outside);
    const std::string name = rewrite.name("f");
    Parts call{name, way.arguments, 0};
    auto form = static_cast<Form>(choices.below(kForms));
    std::size_t bound = choices.below(call.arguments.size() + 1);
    bool keywords = choices.chance(1, 3);
    // Python doesn't mangle keywords of calls.
    keywords = keywords && std::none_of(call.arguments.begin(), call.arguments.end(), is_mangled);
    for (auto& argument : call.arguments)
      if (keywords) argument = fmt::format("{0}={0}", argument);
    if (!keywords) call.positional = call.arguments.size();

    Body body = way.body({{fmt::format("def {}:", way.call_of(name))}});
    const std::string text = partial_text(call, form, bound, rewrite, choices, body.call);
    add(body.call, way.fetch(text));
    write_body(rewrite, parsed, signature, body);
    return rewrite.edits();
  }
};

const Register<Mutation, ExtractPartial> registered;

}  // namespace
}  // namespace jp::mutate::extract_partial_mutation
