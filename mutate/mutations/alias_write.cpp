// A live tensor gets a second name, and something is written through that name: either a new write that is undone
// before anything can observe it (as in mutate_recover), or a write that the program makes already (site path "move").
// Later reads use the old name or the new one:
//
//     v0.add_(1)                   a7 = v0.view(3, 4)
//     v2 = v0 * v1                 a7.add_(1)
//                                  v2 = a7 * v1
//
// The second name is a view, a slice, a transpose, `detach`, `.data`, a chunk, a view as another dtype, and so on. A
// write or a read of the program is moved only to an alias of the same shape and strides. Where gradients are wanted,
// the alias is one of `.data` or `.detach()`, or written under no_grad (save_restore.h says when), and nothing reads
// it; or it is an alias of a clone in the graph, which is read instead (clones.h; site path: "clone" and the read's
// number). The result is unchanged bit for bit.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "mutate/facts/alias_reads.h"
#include "mutate/facts/aliases.h"
#include "mutate/facts/clones.h"
#include "mutate/facts/save_restore.h"
#include "mutate/syntax/queries.h"

namespace jp::mutate::alias_write_mutation {
namespace {

/// In-place methods that keep shape and strides.
constexpr std::array<std::string_view, 30> kWrites = {
    "add_",  "sub_",       "mul_",        "div_",        "fill_",        "zero_",   "copy_",  "neg_",
    "abs_",  "relu_",      "clamp_",      "sin_",        "cos_",         "tanh_",   "exp_",   "sigmoid_",
    "sqrt_", "square_",    "floor_",      "round_",      "ceil_",        "sign_",   "trunc_", "log_",
    "pow_",  "index_add_", "index_fill_", "index_copy_", "masked_fill_", "scatter_"};

constexpr int kFarthest = 8;

/// A clobbered tensor, with what must be known to make aliases of the same shape.
struct Written {
  ClobberedTensor clobbered;
  Layout layout;
  /// Statements that may read the alias (alias_reads.h).
  std::vector<std::string> readers;
};

/// Adds aliases of parts of the tensor along its first axis.
void add_parts(const ClobberedTensor& clobbered, const std::string& name, Choices& choices,
               std::vector<std::string>& forms) {
  std::int64_t size = clobbered.shape[0];
  std::int64_t at = choices.between(0, size - 1);
  forms.push_back(fmt::format("{}[{}]", name, at));
  forms.push_back(fmt::format("{}[{}:]", name, at));
  forms.push_back(fmt::format("{}[::2]", name));
  forms.push_back(fmt::format("{}[-1]", name));
  forms.push_back(fmt::format("{}.select(0, {})", name, at));
  forms.push_back(fmt::format("{}.narrow(0, {}, {})", name, at, size - at));
}

/// Adds those that are one of several results of an operator. Autograd lets nothing write to them.
void add_one_of_several(const ClobberedTensor& clobbered, const std::string& name, Choices& choices,
                        std::vector<std::string>& forms) {
  std::int64_t size = clobbered.shape[0];
  std::int64_t at = choices.between(0, size - 1);
  forms.push_back(fmt::format("{}.unbind(0)[{}]", name, at));
  forms.push_back(fmt::format("{}.chunk(2)[0]", name));
  // The last chunk may be empty.
  if (size >= 2) forms.push_back(fmt::format("{}.tensor_split(2)[1]", name));
  forms.push_back(fmt::format("{}.split(1)[{}]", name, at));
}

/// Views of other shapes, of the whole tensor or a part of it, to which autograd lets a program write.
std::vector<std::string> view_forms(const ClobberedTensor& clobbered, const std::string& name, Choices& choices) {
  std::vector<std::string> forms = {name + ".unsqueeze(0)", name + ".squeeze()", name + ".unsqueeze(0).expand(1, -1)",
                                    name + ".unsqueeze(-1).squeeze(0)"};
  if (clobbered.shape.size() != 1) forms[2] = name + "[None]";
  if (clobbered.contiguous) forms.push_back(name + ".view(-1)");
  if (clobbered.contiguous) forms.push_back(name + ".reshape(-1)");
  if (!clobbered.shape.empty()) add_parts(clobbered, name, choices, forms);
  if (clobbered.shape.size() >= 2) {
    forms.push_back(name + ".transpose(0, -1)");
    forms.push_back(name + ".mT");
    forms.push_back(name + ".movedim(0, -1)");
    forms.push_back(name + ".swapaxes(0, 1)[0]");
    forms.push_back(name + ".diagonal()");
    forms.push_back(name + "[..., 0]");
    // Flattening a tensor that is not dense may copy.
    if (clobbered.contiguous) forms.push_back(name + ".flatten(0, 1)[:1]");
  }
  return forms;
}

/// Aliases of other shapes or dtypes, of the whole tensor or a part of it. `name`: the text by which it is written.
std::string other_shape(const Parsed& parsed, const ClobberedTensor& clobbered, const std::string& torch,
                        const std::string& name, Choices& choices) {
  std::vector<std::string> forms = view_forms(clobbered, name, choices);
  if (!clobbered.shape.empty()) add_one_of_several(clobbered, name, choices, forms);
  if (clobbered.contiguous) forms.push_back(name + ".data.view(-1)");
  // storage_offset() breaks the graph, which writes through `.data` don't survive (pytorch 185497).
  if (clobbered.contiguous && name == clobbered.name)
    forms.push_back(fmt::format("{0}.as_strided(({1},), (1,), {0}.storage_offset())", name, clobbered.count()));
  std::string_view twin = dtype_twin(clobbered.dtype);
  if (!twin.empty() && !torch.empty() && !may_negate(parsed)) {
    forms.push_back(fmt::format("{}.view({}.{})", name, torch, twin));
    forms.push_back(fmt::format("{}.unsqueeze(0).view({}.{})[0]", name, torch, twin));
  }
  return choices.pick(forms);
}

/// The name of the tensor that a statement writes to by subscript or in-place method, or no node.
Node written_name(const Statement& statement) {
  const Node does = sole_expression(statement);
  const Assignment made = assignment(does);
  const Call called = call(does);
  Node object;
  if (made && !made.augmented() && made.left.is("subscript") && made.right && !assignment(made.right))
    object = made.left.field("value");
  if (called && std::find(kWrites.begin(), kWrites.end(), called.name) != kWrites.end()) object = called.object;
  return object && object.is("identifier") ? object : Node();
}

class AliasWrite final : public Mutation {
 public:
  AliasWrite()
      : Mutation({"alias_write", "B", Exactness::kBitwise, true, "TorchProbe",
                  "writes through a view that must show in the base and in every other view"}) {}

  std::vector<Site> sites(const Parsed& parsed, const Facts& facts) const override {
    std::vector<Site> sites = save_restore_sites(parsed, facts);
    add(sites, clone_sites(parsed, facts));
    if (sites.empty() || !no_gradients(facts)) return sites;
    for (const Statement& statement : parsed.statements())
      if (moved_victim(parsed, facts, statement)) sites.push_back({statement.id, "move"});
    return sites;
  }

  EditSet rewrite(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                  int step_number) const override {
    const Statement& statement = *parsed.find(site.statement);
    if (site.path.starts_with(kClonePath)) return write_clone(parsed, facts, site, choices, step_number);
    Rewrite rewrite(parsed, step_number);
    bool move = site.path == "move";
    auto moved = [&](Choices&) { return moved_victim(parsed, facts, statement); };
    const auto writes = move ? Writes::kPlain : read_writes(site.path);
    if (!writes) return {};
    auto clobbered = move ? note_clobbered(parsed, statement, moved, choices)
                          : draw_victim(parsed, facts, statement, *writes, choices);
    if (!clobbered) return {};
    if (*writes != Writes::kPlain) {
      write_quietly(parsed, statement, *clobbered, *writes, choices, rewrite);
      return rewrite.edits();
    }
    auto layout = choices.note([&] { return layout_of(facts.find_before(statement.id, clobbered->name)); });
    if (!layout) return {};
    Written written{*clobbered, *layout,
                    choices.note([&] { return find_readers(parsed, facts, statement, clobbered->name, kFarthest); })};
    Node name = written_name(statement);
    if (move && (!name || name.text() != clobbered->name)) return {};
    move ? move_write(parsed, statement, written, name, choices, rewrite)
         : write_and_restore(parsed, statement, written, choices, rewrite);
    return rewrite.edits();
  }

 private:
  /// The tensor that the statement writes to, if the write can be moved to an alias; no statements lie between write
  /// and restore.
  static std::optional<ClobberedTensor> moved_victim(const Parsed& parsed, const Facts& facts,
                                                     const Statement& statement) {
    Node name = written_name(statement);
    if (!name || !insertion_point(parsed, statement)) return std::nullopt;
    const NameFacts* known = writable(parsed, facts, statement, std::string(name.text()));
    if (!known || !no_gradients(facts)) return std::nullopt;
    ClobberedTensor clobbered;
    clobbered.name = name.text();
    clobbered.dtype = *known->dtype;
    clobbered.shape = *known->shape;
    return clobbered;
  }

  /// Makes some of the later reads use the alias.
  static void read_alias(const Parsed& parsed, const Statement& statement, const Written& written,
                         const std::string& alias, const Node& except, Choices& choices, Rewrite& rewrite) {
    if (choices.chance(1, 3)) return;
    for (const Node& node : readers(parsed, statement, written.clobbered.name, written.readers))
      if (!(node == except) && choices.chance(1, 2)) rewrite.replace(node, alias);
  }

  static void move_write(const Parsed& parsed, const Statement& statement, const Written& written, const Node& name,
                         Choices& choices, Rewrite& rewrite) {
    std::string alias = rewrite.name("a");
    std::string torch = torch_name(parsed, statement);
    const std::string& tensor = written.clobbered.name;
    const std::string form = draw_alias(parsed, tensor, tensor, written.layout, torch, choices);
    rewrite.before(statement, {{fmt::format("{} = {}", alias, form)}});
    rewrite.replace(name, alias);
    read_alias(parsed, statement, written, alias, name, choices, rewrite);
  }

  static void write_and_restore(const Parsed& parsed, const Statement& statement, const Written& written,
                                Choices& choices, Rewrite& rewrite) {
    const ClobberedTensor& clobbered = written.clobbered;
    std::string alias = rewrite.name("a");
    std::string backup = rewrite.name("b");
    std::string torch = torch_name(parsed, statement);
    // The alias may have another dtype, so the value must be valid in every dtype.
    std::string value =
        clobbered.dtype == Dtype::kBool ? draw_value(clobbered.dtype, choices) : draw_value(Dtype::kInt8, choices);
    bool same = choices.chance(1, 3);
    std::string text = same ? draw_alias(parsed, clobbered.name, clobbered.name, written.layout, torch, choices)
                            : other_shape(parsed, clobbered, torch, clobbered.name, choices);
    bool by_alias = choices.chance(1, 2);
    const std::string& saved = by_alias ? alias : clobbered.name;
    Lines first = {{fmt::format("{} = {}", alias, text)}, {fmt::format("{} = {}.clone()", backup, saved)}};
    first.push_back({draw_write(clobbered, alias, value, choices)});
    put_halves(rewrite, statement, clobbered, {first, {clobbered.name}, {backup, alias}},
               {{{fmt::format("{}.copy_({})", saved, backup)}}, {saved, backup}, {}}, choices);
    if (same) read_alias(parsed, statement, written, alias, {}, choices, rewrite);
  }

  static std::string draw_write(const ClobberedTensor& clobbered, const std::string& alias, const std::string& value,
                                Choices& choices) {
    std::vector<std::string> writes = {fmt::format("{}.fill_({})", alias, value), alias + ".zero_()",
                                       fmt::format("{}[...] = {}", alias, value)};
    if (clobbered.dtype != Dtype::kBool) writes.push_back(alias + ".add_(1)");
    return choices.pick(writes);
  }

  /// The two halves of a write through an alias that nothing reads, and that may have any dtype.
  struct Quietly {
    Half first;
    Half second;
  };
  static Quietly quietly(const ClobberedTensor& clobbered, const WrittenAs& as, const std::string& torch,
                         const std::string& form, Choices& choices, Rewrite& rewrite) {
    const std::string alias = rewrite.name("a");
    const std::string backup = rewrite.name("b");
    const std::string value =
        clobbered.dtype == Dtype::kBool ? draw_value(clobbered.dtype, choices) : draw_value(Dtype::kInt8, choices);
    const std::string saved = choices.chance(1, 2) ? alias : as.text;
    const Lines first = {{fmt::format("{} = {}", alias, form)},
                         {fmt::format("{} = {}.clone()", backup, saved)},
                         {draw_write(clobbered, alias, value, choices)}};
    return {{written_lines(as, torch, first), {clobbered.name}, {backup, alias}},
            {written_lines(as, torch, {{fmt::format("{}.copy_({})", saved, backup)}}),
             {saved == alias ? alias : clobbered.name, backup},
             {}}};
  }

  /// Write and restore where gradients are wanted.
  static void write_quietly(const Parsed& parsed, const Statement& statement, const ClobberedTensor& clobbered,
                            Writes writes, Choices& choices, Rewrite& rewrite) {
    const std::string torch = torch_name(parsed, statement);
    const WrittenAs as = draw_written_as(clobbered, writes, torch, choices);
    const std::string form = other_shape(parsed, clobbered, torch, as.text, choices);
    const Quietly made = quietly(clobbered, as, torch, form, choices, rewrite);
    put_halves(rewrite, statement, clobbered, made.first, made.second, choices);
  }

  /// The same of a clone, or in the graph.
  static EditSet write_clone(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                             int step_number) {
    const auto read = draw_clone(parsed, facts, site, choices);
    if (!read) return {};
    const Statement& statement = *parsed.find(site.statement);
    Rewrite rewrite(parsed, step_number);
    const std::string clone = rewrite.name("c");
    const std::string torch = torch_name(parsed, statement);
    ClobberedTensor clobbered = read->tensor;
    clobbered.name = clone;
    WrittenAs as{clone, false};
    std::string form;
    if (choices.chance(1, 3)) {
      form = choices.pick(view_forms(clobbered, clone, choices));
    } else {
      as = draw_written_as(clobbered, choices.chance(1, 3) ? Writes::kData : Writes::kNoGrad, torch, choices);
      form = other_shape(parsed, clobbered, torch, as.text, choices);
    }
    const Quietly made = quietly(clobbered, as, torch, form, choices, rewrite);
    put_clone(rewrite, statement, *read, clone, made.first, made.second, choices);
    return rewrite.edits();
  }
};

const Register<Mutation, AliasWrite> registered;

}  // namespace
}  // namespace jp::mutate::alias_write_mutation
