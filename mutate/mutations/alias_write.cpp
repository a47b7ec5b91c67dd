// A live tensor gets a second name, and a write goes to that one: either a new write that is taken back before anybody
// looks (as in mutate_recover), or one that the program makes already (site path "move"):
//
//     v0.add_(1)                   a7 = v0.view(3, 4)
//                                  a7.add_(1)
//
// The second name is a view, a slice, a transpose, `detach`, `.data`, a chunk, another dtype's view, and so on. A write
// is moved only to an alias of the same shape and strides.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "mutate/recover.h"

namespace jp::mutate {
namespace {

/// In-place methods that keep shape and strides.
constexpr std::array<std::string_view, 30> kWrites = {
    "add_",  "sub_",       "mul_",        "div_",        "fill_",        "zero_",   "copy_",  "neg_",
    "abs_",  "relu_",      "clamp_",      "sin_",        "cos_",         "tanh_",   "exp_",   "sigmoid_",
    "sqrt_", "square_",    "floor_",      "round_",      "ceil_",        "sign_",   "trunc_", "log_",
    "pow_",  "index_add_", "index_fill_", "index_copy_", "masked_fill_", "scatter_"};

std::string shape_text(const Victim& victim) { return fmt::format("{}", fmt::join(victim.shape, ", ")); }

/// Aliases with the tensor's own shape and strides.
std::vector<std::string> same_shape(const Victim& victim) {
  const std::string& name = victim.name;
  std::vector<std::string> forms = {name + "[...]", name + ".detach()", name + ".data",
                                    fmt::format("{0}.expand_as({0})", name), name + ".unsqueeze(0).squeeze(0)"};
  if (!victim.shape.empty()) forms.push_back(fmt::format("{}.view({})", name, shape_text(victim)));
  if (!victim.shape.empty()) forms.push_back(fmt::format("{}.narrow(0, 0, {})", name, victim.shape[0]));
  if (victim.shape.size() >= 2) forms.push_back(fmt::format("{}.transpose(0, 1).transpose(1, 0)", name));
  return forms;
}

/// Aliases of any shape, of the whole tensor or a part.
std::vector<std::string> any_shape(const Victim& victim, const std::string& torch, Choices& choices) {
  const std::string& name = victim.name;
  std::vector<std::string> forms = same_shape(victim);
  forms.push_back(name + ".unsqueeze(0)");
  forms.push_back(name + ".squeeze()");
  if (victim.contiguous) forms.push_back(name + ".view(-1)");
  if (victim.contiguous) forms.push_back(name + ".reshape(-1)");
  if (victim.contiguous)
    forms.push_back(fmt::format("{0}.as_strided(({1},), (1,), {0}.storage_offset())", name, victim.count()));
  if (!victim.shape.empty()) {
    std::int64_t at = choices.between(0, victim.shape[0] - 1);
    forms.push_back(fmt::format("{}[{}]", name, at));
    forms.push_back(fmt::format("{}[{}:]", name, at));
    forms.push_back(fmt::format("{}[::2]", name));
    forms.push_back(fmt::format("{}.unbind(0)[{}]", name, at));
    forms.push_back(fmt::format("{}.select(0, {})", name, at));
    forms.push_back(fmt::format("{}.chunk(2)[0]", name));
    forms.push_back(fmt::format("{}.split(1)[{}]", name, at));
  }
  if (victim.shape.size() >= 2) {
    forms.push_back(fmt::format("{}.transpose(0, -1)", name));
    forms.push_back(name + ".mT");
    // Of a tensor that is not dense, flatten may copy.
    if (victim.contiguous) forms.push_back(name + ".flatten(0, 1)[:1]");
  }
  if (victim.dtype == Dtype::kFloat32 && !torch.empty()) forms.push_back(fmt::format("{}.view({}.int32)", name, torch));
  if (victim.dtype == Dtype::kInt64 && !torch.empty())
    forms.push_back(fmt::format("{0}.view({1}.float64).view({1}.int64)", name, torch));
  return forms;
}

/// The name that a statement writes to by subscript or in-place method, or no node.
Node written_name(const Statement& statement) {
  auto children = statement.node.children();
  if (statement.kind() != "expression_statement" || children.size() != 1) return {};
  Node object;
  if (children[0].is("assignment") && children[0].field("left").is("subscript") && children[0].field("right")) {
    if (children[0].field("right").is("assignment")) return {};
    object = children[0].field("left").field("value");
  } else if (children[0].is("call") && children[0].field("function").is("attribute")) {
    Node function = children[0].field("function");
    std::string_view method = function.field("attribute").text();
    if (std::find(kWrites.begin(), kWrites.end(), method) == kWrites.end()) return {};
    object = function.field("object");
  }
  return object && object.is("identifier") ? object : Node();
}

class AliasWrite final : public Mutation {
 public:
  AliasWrite()
      : Mutation({"alias_write", "B", Exactness::kBitwise, true, "TorchProbe",
                  "writes through a view that must show in the base and in every other view"}) {}

  std::vector<Site> sites(const Parsed& parsed, const Facts& facts) const override {
    std::vector<Site> sites = recover_sites(parsed, facts);
    if (sites.empty()) return sites;
    for (const Statement& statement : parsed.statements())
      if (!note_move(parsed, facts, statement).empty()) sites.push_back({statement.id, "move"});
    return sites;
  }

  EditSet rewrite(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                  int step_number) const override {
    const Statement& statement = *parsed.find(site.statement);
    Rewrite rewrite(parsed, step_number);
    if (site.path == "move") {
      auto victim = read_victim(parsed, statement, choices.note([&] { return note_move(parsed, facts, statement); }));
      Node name = written_name(statement);
      if (!victim || !name || name.text() != victim->name) return {};
      std::string alias = rewrite.name("a");
      rewrite.before(statement, {{fmt::format("{} = {}", alias, choices.pick(same_shape(*victim)))}});
      rewrite.replace(name, alias);
      return rewrite.edits();
    }
    std::uint64_t seed = choices.below(std::uint64_t{1} << 62);
    auto victim = read_victim(parsed, statement, choices.note([&] {
      Choices inner(seed);
      return note_victim(parsed, facts, statement, inner);
    }));
    if (!victim) return {};
    write_and_restore(parsed, statement, *victim, choices, rewrite);
    return rewrite.edits();
  }

 private:
  /// The facts of a write that can be moved, as a victim's note with an empty gap.
  static std::string note_move(const Parsed& parsed, const Facts& facts, const Statement& statement) {
    Node name = written_name(statement);
    if (!name || !open_place(parsed, statement)) return "";
    const NameFacts* known = writable(parsed, facts, statement, std::string(name.text()));
    if (!known || !no_gradients(facts)) return "";
    return fmt::format("{} {} strided - {}", name.text(), dtype_name(*known->dtype), fmt::join(*known->shape, " "));
  }

  static void write_and_restore(const Parsed& parsed, const Statement& statement, const Victim& victim,
                                Choices& choices, Rewrite& rewrite) {
    std::string alias = rewrite.name("a");
    std::string backup = rewrite.name("b");
    // The alias may be of another dtype, so the value is one that all types take.
    std::string value =
        victim.dtype == Dtype::kBool ? draw_value(victim.dtype, choices) : draw_value(Dtype::kInt8, choices);
    Lines first = {
        {fmt::format("{} = {}", alias, choices.pick(any_shape(victim, torch_name(parsed, statement), choices)))}};
    bool by_alias = choices.chance(1, 2);
    first.push_back({fmt::format("{} = {}.clone()", backup, by_alias ? alias : victim.name)});
    std::vector<std::string> writes = {fmt::format("{}.fill_({})", alias, value), alias + ".zero_()",
                                       fmt::format("{}[...] = {}", alias, value)};
    if (victim.dtype != Dtype::kBool) writes.push_back(alias + ".add_(1)");
    first.push_back({choices.pick(writes)});
    put_halves(rewrite, statement, victim, first,
               {{fmt::format("{}.copy_({})", by_alias ? alias : victim.name, backup)}});
  }
};

const Register<Mutation, AliasWrite> registered;

}  // namespace
}  // namespace jp::mutate
