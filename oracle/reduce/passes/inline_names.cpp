// Replaces a name that is read once by its value, and a name for another name or a number wherever it is read:
//
//     a = x + 1                   return torch.relu(x + 1)
//     return torch.relu(a)
//
// Lines stay short enough to read. In a chain of names the first is replaced first.
#include "core/among.h"
#include "mutate/names/scopes.h"
#include "mutate/syntax/queries.h"
#include "oracle/reduce/edits.h"
#include "oracle/reduce/expressions.h"
#include "oracle/reduce/pass.h"

namespace jp::reduce::inline_names_pass {
namespace {

constexpr std::size_t kColumns = 88;

using mutate::Use;

/// The places where a variable that is bound once is read, all in its own frame; empty if it isn't such a variable.
std::vector<Node> readers_of(const Parsed& parsed, const Statement& statement, const Node& name) {
  const auto& scopes = parsed.scopes();
  const int scope = scopes.scope_of(statement);
  std::vector<Node> readers;
  if (scopes.bindings(scope, name.text()) != 1) return {};
  for (const Use& use : scopes.uses_of(scope, name.text())) {
    if (use.kind == Use::Kind::kBind) continue;
    if (use.kind != Use::Kind::kRead || scopes.frame(use.scope) != scope || !replaceable(use.node) ||
        use.node.begin() < statement.end)
      return {};
    readers.push_back(use.node);
  }
  return readers;
}

bool is_short(const Parsed& parsed, const Node& reader, std::size_t more) {
  std::string_view source = parsed.source();
  std::size_t begin = source.rfind('\n', reader.begin());
  std::size_t end = std::min(source.find('\n', reader.begin()), source.size());
  return end - (begin == std::string_view::npos ? 0 : begin) + more <= kColumns;
}

class InlineNames final : public Pass {
 public:
  InlineNames() : Pass({"inline_names", Tier::kFlatten, false, "Puts the value of a name where the name is read."}) {}

  std::vector<EditSet> propose(const Parsed& parsed, const Facts&) const override {
    std::vector<EditSet> proposals;
    mutate::NameSet inlined;
    for (const Statement& statement : parsed.statements()) {
      auto [name, value] = plain_assignment(statement);
      if (!name || among(parsed.program().contract(), name.text()) || value.text().find('\n') != std::string_view::npos)
        continue;
      auto readers = readers_of(parsed, statement, name);
      bool cheap = value.is("identifier") || mutate::is_unsigned_number(value);
      if (readers.empty() || (readers.size() > 1 && !cheap) || mentions(parsed, value, inlined)) continue;
      EditSet edits;
      bool fits = erase_statement(edits, parsed, statement);
      for (const Node& reader : readers)
        fits = fits && is_short(parsed, reader, value.text().size()) &&
               put(edits, reader.begin(), reader.end(), in_place_of(value, reader));
      if (!fits) continue;
      inlined.insert(name.text());
      proposals.push_back(std::move(edits));
    }
    return proposals;
  }

 private:
  static bool mentions(const Parsed& parsed, const Node& value, const mutate::NameSet& names) {
    for (const Use& use : parsed.scopes().uses_in(value.begin(), value.end()))
      if (names.contains(use.name)) return true;
    return false;
  }
};

const Register<Pass, InlineNames> registered;

}  // namespace
}  // namespace jp::reduce::inline_names_pass
