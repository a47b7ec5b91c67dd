// Dead code: a branch that is not taken on this input, and would change everything if it were, is put before a
// statement or gets that statement as its other branch:
//
//     v3 = v2 + v1                 if v2[0, 1].item() > 7.5:
//                                      v2.zero_()
//                                      return v1
//                                  v3 = v2 + v1
//
// The branch writes to live tensors, rebinds their names to another type, rank or kind, deletes them, returns, raises,
// or leaves the loop. The condition is made from facts at that very point (value_tests.h). The result is unchanged bit
// for bit. Site path: "", or "else" if the statement itself becomes the branch that is taken.
#include <fmt/format.h>

#include <array>
#include <optional>

#include "mutate/engine/mutation.h"
#include "mutate/facts/live.h"
#include "mutate/facts/value_tests.h"
#include "mutate/rewrite/rewrite.h"

namespace jp::mutate::false_block_mutation {
namespace {

class FalseBlock final : public Mutation {
 public:
  FalseBlock()
      : Mutation(
            {"false_block", "D", Exactness::kBitwise, true, "jitprobe",
             "effects of a branch that is not taken leak: guards, merged variables, early returns, hoisted writes"}) {}

  std::vector<Site> sites(const Parsed& parsed, const Facts& facts) const override {
    std::vector<Site> found;
    if (uses_introspection(parsed)) return found;
    for (const Statement& statement : parsed.statements()) {
      if (!facts.before.contains(statement.id) || !insertion_point(parsed, statement) ||
          !has_test(parsed, facts, statement))
        continue;
      found.push_back({statement.id, ""});
      found.push_back({statement.id, "else"});
    }
    return found;
  }

  EditSet rewrite(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                  int step_number) const override;
};

/// A live tensor that the dead branch changes.
struct Target {
  std::string name;
  Dtype dtype = Dtype::kFloat32;
  std::size_t rank = 0;

  auto fields() { return std::tie(name, dtype, rank); }
};

std::optional<Target> draw_target(const Parsed& parsed, const Facts& facts, const Statement& statement,
                                  Choices& choices) {
  auto live = live_tensors(parsed, facts, statement);
  if (live.empty()) return std::nullopt;
  const LiveTensor& one = choices.pick(live);
  return Target{one.name, *one.facts->dtype, one.facts->shape->size()};
}

std::string write_text(const Target& target, const std::string& torch, Choices& choices) {
  std::vector<std::string> forms = {
      fmt::format("{}.zero_()", target.name),           fmt::format("{}.fill_(1)", target.name),
      fmt::format("{}[...] = 0", target.name),          fmt::format("{}.resize_(0)", target.name),
      fmt::format("{}.unsqueeze_(0)", target.name),     fmt::format("{0}.set_({0}.clone())", target.name),
      fmt::format("{}.data.fill_(1)", target.name),     fmt::format("{}.requires_grad_()", target.name),
      fmt::format("{0}.copy_({0} == {0})", target.name)};
  if (target.rank > 0) forms.push_back(fmt::format("{}[0] = 1", target.name));
  if (target.rank > 1) forms.push_back(fmt::format("{}.t_()", target.name));
  if (target.dtype != Dtype::kBool) forms.push_back(fmt::format("{}.add_(1)", target.name));
  if (target.dtype != Dtype::kBool) forms.push_back(fmt::format("{}.mul_(-3)", target.name));
  if (!torch.empty()) forms.push_back(fmt::format("{}.nn.init.ones_({})", torch, target.name));
  return choices.pick(forms);
}

std::string rebinding_text(const Target& target, const std::string& torch, Choices& choices) {
  constexpr std::array<std::string_view, 12> kForms = {"{0} = {0}.to(dtype={1}.int8)",
                                                       "{0} = {0}.double()",
                                                       "{0} = {0}.unsqueeze(0)",
                                                       "{0} = {0}[None, None]",
                                                       "{0} = {0}.flatten()",
                                                       "{0} = {0}.sum()",
                                                       "{0} = {0}.shape",
                                                       "{0} = None",
                                                       "{0} = 3",
                                                       "{0} = [{0}, {0}]",
                                                       "{0} = {0}.tolist()",
                                                       "del {0}"};
  std::string_view form = kForms[choices.below(kForms.size())];
  if (torch.empty() && form.find("{1}") != std::string_view::npos) form = "{0} = {0}.bool()";
  return fmt::format(fmt::runtime(form), target.name, torch);
}

/// `break` and `continue` are allowed at the statement.
bool in_loop_body(const Statement& statement) {
  for (Node node = statement.node; node; node = node.parent()) {
    if (node.is("function_definition") || node.is("class_definition")) return false;
    bool body = node.field_name() == "body";
    if (body && (node.parent().is("for_statement") || node.parent().is("while_statement"))) return true;
  }
  return false;
}

/// The exits (return, raise, break, continue) that Python allows in a dead branch there.
std::vector<std::string> exits(const Parsed& parsed, const Statement& statement, const std::optional<Target>& target) {
  std::vector<std::string> forms;
  for (std::string_view error : {"ValueError", "RuntimeError", "KeyError"})
    if (parsed.scopes().resolve(error, parsed.scopes().scope_of(statement)) < 0)
      forms.push_back(fmt::format("raise {}(\"unreachable\")", error));
  forms.emplace_back("assert False");
  for (Node up = statement.node.parent(); up; up = up.parent())
    if (up.is("except_group_clause")) return forms;
  Node function = parsed.statement(statement.function).definition();
  forms.emplace_back("return");
  if (!function.has_token("async")) {
    forms.emplace_back("return None");
    if (target) forms.push_back(fmt::format("return {}", target->name));
    if (target) forms.push_back(fmt::format("return ({0}, {0} + 1)", target->name));
  }
  if (in_loop_body(statement)) {
    forms.emplace_back("break");
    forms.emplace_back("continue");
  }
  return forms;
}

enum Form : std::uint64_t { kIf, kElse, kElif, kWhile, kMatch, kFor, kForms };

/// A branch that contains the dead lines.
Lines framed(std::uint64_t form, const std::string& test, const std::string& index, const Lines& dead) {
  Lines lines = {{fmt::format("if {}:", test)}};
  int depth = 1;
  if (form == kElse) lines = {{fmt::format("if not ({}):", test)}, {"pass", 1}, {"else:"}};
  if (form == kElif) lines = {{fmt::format("if not ({}):", test)}, {"pass", 1}, {fmt::format("elif {}:", test)}};
  if (form == kWhile) lines = {{fmt::format("while {}:", test)}};
  if (form == kFor) lines = {{fmt::format("for {} in [0] if {} else []:", index, test)}};
  if (form == kMatch) {
    lines = {{fmt::format("match bool({}):", test)}, {"case True:", 1}};
    depth = 2;
  }
  for (const Line& line : dead) lines.push_back({line.text, depth});
  return lines;
}

EditSet FalseBlock::rewrite(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                            int step_number) const {
  const Statement& statement = *parsed.find(site.statement);
  bool other = site.path == "else";
  if (uses_introspection(parsed) || !insertion_point(parsed, statement) || (!other && !site.path.empty())) return {};
  const std::string test =
      choices.note_drawn([&](Choices& inner) { return draw_test(parsed, facts, statement, false, inner); });
  if (test.empty() || !names_readable(parsed, statement, test)) return {};

  std::string torch = torch_name(parsed, statement);
  Lines dead;
  std::optional<Target> last;
  for (std::uint64_t i = 0, count = 1 + choices.below(3); i < count; ++i) {
    auto target = choices.note_drawn([&](Choices& inner) { return draw_target(parsed, facts, statement, inner); });
    if (!target || !parsed.scopes().readable(statement, target->name)) continue;
    last = target;
    bool rebind = binds_itself(parsed, statement, target->name) && choices.chance(2, 5);
    dead.push_back({rebind ? rebinding_text(*target, torch, choices) : write_text(*target, torch, choices)});
  }
  if (dead.empty() || choices.chance(1, 2)) dead.push_back({choices.pick(exits(parsed, statement, last))});

  Rewrite rewrite(parsed, step_number);
  if (other) {
    bool first = choices.chance(1, 2);
    Lines branch = framed(kIf, test, "", dead);
    if (first) branch.push_back({"else:"});
    if (!first) branch[0].text = "else:";
    rewrite.before(statement, first ? branch : Lines{{fmt::format("if not ({}):", test)}});
    rewrite.indent(statement, statement);
    if (!first) rewrite.after(statement, branch);
    return rewrite.edits();
  }
  std::uint64_t form = choices.below(kForms);
  if (form == kMatch && !names_readable(parsed, statement, "bool(0)")) form = kIf;
  rewrite.before(statement, framed(form, test, form == kFor ? rewrite.name("i") : "", dead));
  return rewrite.edits();
}

const Register<Mutation, FalseBlock> registered;

}  // namespace
}  // namespace jp::mutate::false_block_mutation
