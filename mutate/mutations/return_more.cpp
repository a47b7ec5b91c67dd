// The program returns more: intermediate values, inputs, views of them, properties of a tensor (shape, strides,
// requires_grad), alone or in a list, a tuple or a dict:
//
//     return v3 + v1
//     return v3 + v1, v1.t(), {"v3": v3, "stride": v3.stride()}
//
// The program is a variation. Site: a return statement of the entry.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "mutate/engine/mutation.h"
#include "mutate/engine/notes.h"
#include "mutate/inputs/inputs.h"
#include "mutate/names/scopes.h"
#include "mutate/rewrite/rewrite.h"
#include "mutate/syntax/queries.h"

namespace jp::mutate::return_more_mutation {
namespace {

/// A tensor that is live at the return.
struct Live {
  std::string name;
  std::size_t rank = 0;
  bool filled = false;  // at least one element
  bool dense = false;   // dense, and with elements

  auto fields() { return std::tie(name, rank, filled, dense); }
};

std::vector<Live> live_at(const Parsed& parsed, const Facts& facts, const Statement& statement) {
  std::vector<Live> found;
  auto point = facts.before.find(statement.id);
  if (point == facts.before.end()) return found;
  for (const auto& [name, known] : point->second) {
    bool fits = known.kind == "tensor" && known.shape && known.strides && name.find('[') == std::string::npos;
    if (!fits || !parsed.scopes().readable(statement, name)) continue;
    bool filled = element_count(*known.shape) > 0;
    found.push_back({name, known.shape->size(), filled, filled && is_row_major(*known.shape, *known.strides)});
  }
  return found;
}

/// Draws the tensor itself or a view of it.
std::string draw_tensor(const Live& live, Choices& choices) {
  std::vector<std::string_view> forms = {"{}", "{}", "{}", "{}.detach()", "{}[...]", "{}.unsqueeze(0)", "{}.flatten()"};
  if (live.rank >= 1) forms.insert(forms.end(), {"{}[1:]", "{}[..., :1]", "{}[None]"});
  if (live.rank >= 1 && live.filled) forms.insert(forms.end(), {"{}[0]", "{}.select(-1, 0)"});
  if (live.rank >= 2) forms.insert(forms.end(), {"{}.transpose(0, 1)", "{}.mT", "{}.transpose(0, -1)"});
  if (live.dense) forms.push_back("{}.view(-1)");
  return fmt::format(fmt::runtime(choices.pick(forms)), live.name);
}

/// Draws a property of the tensor. Not _version: a compiler may write a tensor more often, or less.
std::string draw_fact(const Live& live, Choices& choices) {
  std::vector<std::string_view> forms = {"{}.shape",          "{}.stride()", "{}.requires_grad",    "{}.dtype",
                                         "{}.dim()",          "{}.numel()",  "{}.is_contiguous()",  "tuple({}.shape)",
                                         "list({}.stride())", "{}.size()",   "{}.storage_offset()", "{}.is_leaf",
                                         "{}.element_size()"};
  if (live.rank >= 1) forms.insert(forms.end(), {"{}.size(-1)", "{}.shape[0]", "len({})"});
  return fmt::format(fmt::runtime(choices.pick(forms)), live.name);
}

std::string draw_one(const std::vector<Live>& live, Choices& choices) {
  const Live& tensor = choices.pick(live);
  switch (choices.below(10)) {
    case 0:
    case 1:
    case 2:
      return draw_fact(tensor, choices);
    case 3:
      return fmt::format("[{}, {}]", draw_tensor(tensor, choices), draw_tensor(choices.pick(live), choices));
    case 4:
      return fmt::format("({}, {})", draw_tensor(tensor, choices), draw_fact(choices.pick(live), choices));
    case 5:
      return fmt::format("{{\"{0}\": {0}, \"more\": {1}}}", tensor.name, draw_fact(tensor, choices));
    case 6:
      return fmt::format("{} is {}", tensor.name, choices.pick(live).name);
    default:
      return draw_tensor(tensor, choices);
  }
}

/// Adds the extra values to the returned value.
void extend(Rewrite& rewrite, const Node& statement, const std::vector<std::string>& extras, std::uint64_t form) {
  std::string more = joined(extras);
  auto children = statement.children();
  if (children.empty()) return rewrite.insert(statement.begin() + std::string_view("return").size(), " " + more);
  const Node& value = children.front();
  bool bare = value.is("expression_list");
  bool displays = value.is("tuple") || value.is("list") || value.is("dictionary");
  if (form == 0) {
    rewrite.insert(value.begin(), bare ? "{\"out\": (" : "{\"out\": ");
    return rewrite.insert(value.end(), fmt::format("{}, \"more\": ({},)}}", bare ? ")" : "", more));
  }
  if (form == 1) {
    rewrite.insert(value.begin(), bare ? "[(" : "[");
    return rewrite.insert(value.end(), fmt::format("{}, {}]", bare ? ")" : "", more));
  }
  if (bare || (displays && !value.is("dictionary") && !value.children().empty() && form < 6)) {
    auto tokens = value.tokens();
    bool comma = tokens[tokens.size() - (bare ? 1 : 2)].is(",");
    auto items = value.children();
    std::size_t at = comma ? tokens[tokens.size() - (bare ? 1 : 2)].end() : items.back().end();
    return rewrite.insert(at, (comma ? " " : ", ") + more);
  }
  rewrite.insert(value.end(), ", " + more);
}

class ReturnMore final : public Mutation {
 public:
  ReturnMore()
      : Mutation({"return_more", "E", Exactness::kVariation, true, "jitprobe",
                  "outputs that are aliases of inputs or of each other, and their metadata"}) {}

  std::vector<Site> sites(const Parsed& parsed, const Facts& facts) const override {
    return statement_sites(parsed, [&](const Statement& statement) {
      return facts.before.contains(statement.id) && usable(parsed, statement) &&
             !live_at(parsed, facts, statement).empty();
    });
  }

  EditSet rewrite(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                  int step_number) const override {
    const Statement& statement = *parsed.find(site.statement);
    if (!usable(parsed, statement)) return {};
    auto live = choices.note([&] { return live_at(parsed, facts, statement); });
    std::erase_if(live, [&](const Live& one) { return !parsed.scopes().readable(statement, one.name); });
    if (live.empty()) return {};
    Rewrite rewrite(parsed, step_number);
    std::vector<std::string> extras;
    for (std::uint64_t i = choices.below(3) + 1; i > 0; --i) extras.push_back(draw_one(live, choices));
    extend(rewrite, statement.node, extras, choices.below(8));
    return rewrite.edits();
  }

 private:
  static bool usable(const Parsed& parsed, const Statement& statement) {
    if (statement.kind() != "return_statement" || statement.function < 0) return false;
    const Statement* entry = entry_function(parsed);
    if (!entry || statement.function != entry->index) return false;
    for (const Statement& other : parsed.statements())
      if (other.function == entry->index && (other.exits.yields || other.exits.awaits)) return false;
    auto children = statement.node.children();
    return children.empty() || !(children[0].is("lambda") || children[0].is("conditional_expression") ||
                                 children[0].is("generator_expression") || is_splat(children[0]));
  }
};

const Register<Mutation, ReturnMore> registered;

}  // namespace
}  // namespace jp::mutate::return_more_mutation
