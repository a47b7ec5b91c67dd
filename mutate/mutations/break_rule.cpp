// Exactly one rule of torch is broken: a constraint of an operator, as the generator knows it (a shape that does not
// fit, a dtype that the operator does not accept, a dimension out of range), or a rule of Python's or of torch's
// argument parser (core/breaks). Eager raises in the first call, and a compiler must reject the program as cleanly:
//
//     v3 = v1.sum(dim=1)                       v3 = v1.sum(dim=65)
//
//     v3 = torch.relu(v1)                      v3 = torch.relu(v1)
//                                              v3 = v3.transpose(0, 2)
//
// Site: a statement `name = ...` that gives a tensor, where no caller may catch the exception. Path: "" adds an invalid
// call after the statement; a number says which of the dimensions and indices in the statement, from 0, is moved out of
// range.
#include <fmt/format.h>

#include "core/broken_rule.h"
#include "core/registry.h"
#include "mutate/engine/mutation.h"
#include "mutate/engine/notes.h"
#include "mutate/facts/assigned.h"
#include "mutate/inputs/inputs.h"
#include "mutate/names/scopes.h"
#include "mutate/outline/signature.h"
#include "mutate/rewrite/rewrite.h"
#include "mutate/syntax/queries.h"

namespace jp::mutate::break_rule_mutation {
namespace {

// Whether a leaf may be written to hangs on whether gradients are recorded there, which facts don't tell.
Breakable breakable(const InputKind& kind) {
  Breakable tensor;
  tensor.dtype = kind.dtype;
  tensor.shape = kind.shape;
  tensor.requires_grad = kind.requires_grad;
  return tensor;
}

// Of so many calls one breaks a rule of core/breaks, the others a constraint of an operator. Chosen, not measured.
constexpr std::uint64_t kWritten = 4;

std::string written_call(const Breakable& tensor, Choices& choices) {
  std::vector<const BrokenRule*> fitting;
  for (const BrokenRule& rule : broken_rules())
    if (rule.fits(tensor)) fitting.push_back(&rule);
  return broken_call(*choices.pick(fitting), tensor, "{v}", "{torch}", choices);
}

std::string with(std::string text, std::string_view mark, std::string_view name) {
  for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + name.size()))
    text.replace(at, mark.size(), name);
  return text;
}

// The text is recorded, so that a step means the same whatever the generator's operators have become.
std::string drawn_call(const Breakable& tensor, std::string_view name, std::string_view torch, Choices& choices) {
  const std::string call = choices.note_drawn([&](Choices& drawn) {
    std::string text;
    for (const CallBreaker* breaker : Registry<CallBreaker>::instance().all())
      if (text.empty() && drawn.below(kWritten) > 0) text = breaker->call(tensor, drawn);
    return text.empty() ? written_call(tensor, drawn) : text;
  });
  return with(with(call, "{v}", name), "{torch}", torch);
}

bool is_dim(std::string_view keyword) { return keyword == "dim" || keyword == "axis" || keyword == "dims"; }

/// Integer literals of the statement that are an index or the `dim=` of a call: any tensor rejects them once they are
/// larger by 64 (dimensions) or by a million (indices).
std::vector<Node> places_in(const Statement& statement) {
  std::vector<Node> found;
  for (const Node node : nodes_of(statement.node, {"lambda", "string"})) {
    if (!node.is("integer") || node.text().size() > 6) continue;
    Node around = node.parent();
    bool dim = is_dim(given_argument(around).keyword);
    bool index = around.is("subscript") && node != around.field("value");
    if (dim || index) found.push_back(node);
  }
  return found;
}

class BreakRule final : public Mutation {
 public:
  BreakRule()
      : Mutation({"break_rule", "E", Exactness::kBroken, true, "HirGen",
                  "errors that are checked too late, not at all, or by a crash"}) {}

  std::vector<Site> sites(const Parsed& parsed, const Facts& facts) const override {
    std::vector<Site> found;
    if (uses_introspection(parsed)) return found;
    for (const Site& site : assignment_sites(parsed, facts, [](const NameFacts&) { return true; })) {
      const Statement& statement = *parsed.find(site.statement);
      if (!usable(parsed, statement)) continue;
      found.push_back(site);
      std::size_t places = places_in(statement).size();
      for (std::size_t i = 0; i < places; ++i) found.push_back({site.statement, std::to_string(i)});
    }
    return found;
  }

  EditSet rewrite(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                  int step_number) const override {
    const Statement& statement = *parsed.find(site.statement);
    Node name = assigned_name(parsed, statement);
    const InputKind kind = choices.note([&] { return input_kind(assigned_tensor(parsed, facts, statement)); });
    if (!name || !kind.is_tensor() || uses_introspection(parsed) || !usable(parsed, statement)) return {};
    Rewrite rewrite(parsed, step_number);
    if (site.path.empty()) {
      std::string call = drawn_call(breakable(kind), name.text(), torch_name(parsed, statement), choices);
      if (call.empty()) return {};
      rewrite.after(statement, {{fmt::format("{} = {}", name.text(), call)}});
      return rewrite.edits();
    }
    auto places = places_in(statement);
    const auto at = read_index(site.path, places.size());
    if (!at) return {};
    bool index = places[*at].parent().is("subscript");
    std::string by = index ? "000000" : choices.chance(1, 2) ? "64" : "5";
    rewrite.replace(places[*at], index ? "1" + by : by + std::string(places[*at].text()));
    return rewrite.edits();
  }

 private:
  static bool usable(const Parsed& parsed, const Statement& statement) {
    return !torch_name(parsed, statement).empty() && !may_be_caught(parsed, statement);
  }

  // A function that is called by another one than the entry may be called inside a `try`.
  static bool may_be_caught(const Parsed& parsed, const Statement& statement) {
    if (in_guard(parsed, statement)) return true;
    const Statement* entry = entry_function(parsed);
    return (!entry || statement.function != entry->index) && (parsed.has_word("try") || parsed.has_word("with"));
  }
};

const Register<Mutation, BreakRule> registered;

}  // namespace
}  // namespace jp::mutate::break_rule_mutation
