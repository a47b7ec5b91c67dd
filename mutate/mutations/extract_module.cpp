// A range of statements of one block becomes the forward method of a module:
//
//     v3 = v0 + v1                 class M7(torch.nn.Module):
//     v4 = torch.relu(v3)              def __init__(self, v0):
//                                          super().__init__()
//                                          self.register_buffer("w7", v0)
//                                      def forward(self, v1):
//                                          v0 = self.w7
//                                          v3 = v0 + v1
//                                          v4 = torch.relu(v3)
//                                          return v3, v4
//                                  m7 = torch.nn.ModuleList([torch.nn.Identity(), M7(v0)])
//                                  v3, v4 = m7[1](v1)
//
// Inputs are captured, arguments, attributes, buffers or parameters (of values that facts know to be tensors;
// parameters only where nothing requires gradients). The module is called itself, is a submodule, or is in a
// ModuleList, a ModuleDict or a Sequential; hooks that return nothing are registered on it. The result is unchanged bit
// for bit. Site path: the ID of the range's last statement ("" if the range is one statement).
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "core/among.h"
#include "mutate/names/reads.h"
#include "mutate/outline/outline_mutation.h"
#include "mutate/rewrite/statement_ranges.h"
#include "mutate/syntax/queries.h"

namespace jp::mutate::extract_module_mutation {
namespace {

enum Holder : std::uint64_t { kItself, kSubmodule, kModuleList, kModuleDict, kSequential, kHolders };
enum Place : std::uint64_t { kArgument, kAttribute, kBuffer, kParameter };

/// A tensor that may be passed to the range. If it is plain, it may become a parameter.
struct Handed {
  std::string name;
  bool plain = false;

  auto fields() { return std::tie(name, plain); }
};

std::vector<Handed> handed_tensors(const Facts& facts, const BodySignature& signature) {
  std::vector<Handed> found;
  for (const auto& name : signature.readable) {
    const NameFacts* known = facts.find_before(signature.first().id, name);
    if (!known || known->kind != "tensor" || !known->dtype) continue;
    bool plain = (is_floating(*known->dtype) || is_complex(*known->dtype)) && known->requires_grad == false &&
                 known->overlaps_itself == false;
    found.push_back({name, plain});
  }
  return found;
}

/// The range may give the tensor to something else as the object that it is, beside computing with its elements and
/// making views of it.
bool hands_on(const Parsed& parsed, const BodySignature& signature, std::string_view name) {
  for (const Statement* statement : signature.range) {
    const auto reads = tensor_reads(parsed, *statement);
    for (const Use& use : parsed.scopes().uses_in(statement->begin, statement->end)) {
      if (use.kind != Use::Kind::kRead || use.name != name) continue;
      const auto read =
          std::find_if(reads.begin(), reads.end(), [&](const TensorRead& one) { return one.node == use.node; });
      if (read == reads.end() || read->itself || read->returned) return true;
    }
  }
  return false;
}

/// A parameter is another tensor object with the same storage, so nothing in the range may distinguish the two.
bool allows_parameters(const Parsed& parsed, const BodySignature& signature) {
  if (parsed.has_word("_version") || parsed.has_word("id") || parsed.has_word("is")) return false;
  for (const Statement* statement : signature.range)
    for (const Node node : nodes_of(statement->node)) {
      bool in_place = node.is("identifier") && (node.text().ends_with("_") || node.text() == "out");
      if (in_place || node.is("augmented_assignment") || node.text() == "data") return false;
    }
  return true;
}

/// The choices that were drawn, and the lines that follow from them.
struct Module {
  Rewrite& rewrite;
  Choices& choices;
  Convention way;
  std::string torch;
  Holder holder = kItself;
  std::string type;
  std::string self;
  std::string object;
  std::string operand;  // one parameter that holds all arguments, "" otherwise
  std::vector<std::string> parameters;
  std::vector<std::string> kept;  // names passed to the constructor
  Lines keeping;                  // lines of the constructor that store them
  Lines taking;                   // lines of forward that read them back

  void keep(const std::string& name, Place place) {
    kept.push_back(name);
    std::string attribute = rewrite.name("w");
    std::string taken = self + "." + attribute;
    if (place == kAttribute) keeping.push_back({fmt::format("{}.{} = {}", self, attribute, name)});
    if (place == kBuffer)
      keeping.push_back({fmt::format("{}.register_buffer(\"{}\", {}{})", self, attribute, name,
                                     choices.chance(1, 3) ? ", persistent=False" : "")});
    if (place == kParameter) {
      keeping.push_back(
          {fmt::format("{}.{} = {}.nn.Parameter({}, requires_grad=False)", self, attribute, torch, name)});
      taken += choices.chance(1, 2) ? ".data" : ".detach()";
    }
    taking.push_back({fmt::format("{} = {}", name, taken)});
  }

  void share_arguments(const BodySignature& signature, const std::vector<Handed>& tensors, bool may_be_parameters) {
    for (const auto& name : way.arguments) {
      std::vector<Place> places = {kArgument, kAttribute};
      auto tensor = std::find_if(tensors.begin(), tensors.end(), [&](const Handed& one) { return one.name == name; });
      if (tensor != tensors.end() && among(signature.readable, name)) {
        places.push_back(kBuffer);
        if (tensor->plain && may_be_parameters) places.push_back(kParameter);
      }
      Place place = choices.pick(places);
      place == kArgument ? parameters.push_back(name) : keep(name, place);
    }
    if (holder == kSequential && parameters.size() != 1) operand = rewrite.name("a");
  }

  /// The class up to the first line of forward.
  Lines definition() const {
    Lines lines = {{fmt::format("class {}({}.nn.Module):", type, torch)}};
    if (!kept.empty()) {
      lines.push_back({fmt::format("def __init__({}, {}):", self, joined(kept)), 1});
      lines.push_back({"super().__init__()", 2});
      add(lines, deeper(keeping, 2));
    }
    std::vector<std::string> all = {self};
    operand.empty() ? void(all.insert(all.end(), parameters.begin(), parameters.end())) : all.push_back(operand);
    lines.push_back({fmt::format("def forward({}):", joined(all)), 1});
    return lines;
  }

  /// The first lines of forward after its declarations.
  Lines taken() const {
    Lines lines = taking;
    if (!operand.empty() && !parameters.empty()) lines.push_back({fmt::format("{} = {}", joined(parameters), operand)});
    return deeper(lines, 2);
  }

  /// Adds the lines that make the object, and returns the text of the expression to be called.
  std::string make(Lines& lines, Lines& definitions) {
    std::string made = fmt::format("{}({})", type, joined(kept));
    std::string identity = torch + ".nn.Identity()";
    bool first = choices.chance(1, 2);
    std::string both = first ? fmt::format("{}, {}", made, identity) : fmt::format("{}, {}", identity, made);
    switch (holder) {
      case kSubmodule: {
        std::string outer = rewrite.name("N");
        definitions = {{fmt::format("class {}({}.nn.Module):", outer, torch)},
                       {"def __init__(self, inner):", 1},
                       {"super().__init__()", 2},
                       {"self.inner = inner", 2},
                       {"def forward(self, *args):", 1},
                       {"return self.inner(*args)", 2}};
        lines.push_back({fmt::format("{} = {}({})", object, outer, made)});
        return object;
      }
      case kModuleList:
        lines.push_back({fmt::format("{} = {}.nn.ModuleList([{}])", object, torch, both)});
        return fmt::format("{}[{}]", object, first ? 0 : 1);
      case kModuleDict:
        lines.push_back({fmt::format("{} = {}.nn.ModuleDict({{\"rows\": {}}})", object, torch, made)});
        return choices.chance(1, 2) ? object + "[\"rows\"]" : object + ".rows";
      case kSequential:
        lines.push_back({fmt::format("{} = {}.nn.Sequential({})", object, torch, both)});
        return object;
      default:
        lines.push_back({fmt::format("{} = {}", object, made)});
        return object;
    }
  }

  std::string call(const std::string& called) const {
    std::string all = joined(parameters);
    if (!operand.empty()) all = parameters.empty() ? "None" : fmt::format("({})", all);
    return fmt::format("{}({})", called, all);
  }

  /// Registers hooks that return nothing, which therefore change nothing.
  Lines hooks(const std::string& called) {
    static const std::vector<std::string> kHooks = {
        "forward_pre_hook(lambda module, args: None)",
        "forward_pre_hook(lambda *args: None, prepend=True)",
        "forward_hook(lambda module, args, output: None)",
        "forward_hook(lambda *args: None, always_call=True)",
        "forward_pre_hook(lambda module, args, kwargs: None, with_kwargs=True)",
        "forward_hook(lambda module, args, kwargs, output: None, with_kwargs=True)"};
    Lines lines;
    for (std::uint64_t left = choices.below(3); left > 0; --left) {
      std::string hung = fmt::format("{}.register_{}", called, choices.pick(kHooks));
      bool removed = choices.chance(1, 4);
      lines.push_back({removed ? hung + ".remove()" : hung});
    }
    return lines;
  }
};

/// The module has imported torch before its statement `top` runs.
bool imported_before(const Parsed& parsed, const std::string& torch, const Statement& top) {
  const auto uses = parsed.scopes().uses_of(0, torch);
  return std::any_of(uses.begin(), uses.end(), [&](const Use& use) {
    const Statement* at = parsed.statement_at(use.node.begin());
    return use.kind == Use::Kind::kBind && use.node.begin() < top.begin && at && at->parent < 0;
  });
}

class ExtractModule final : public ExtractionMutation {
 public:
  ExtractModule()
      : ExtractionMutation(
            {"extract_module", "C", Exactness::kBitwise, false, "jitprobe",
             "state that is lifted out of modules: buffers, parameters, hooks and attributes beside closures"}) {}

 private:
  std::optional<Body> pack(Packing& packing) const override {
    auto& [parsed, facts, signature, rewrite, choices] = packing;
    auto tensors = choices.note([&] { return handed_tensors(packing.facts, packing.signature); });
    for (Handed& one : tensors) one.plain = one.plain && !hands_on(parsed, signature, one.name);
    Module module{rewrite, choices, {}, packing.torch()};
    const bool outside =
        packing.draw_outside(2) && imported_before(parsed, module.torch, outermost(parsed, signature.first()));
    module.way = packing.draw(usual_channels(outside), outside);
    module.holder = static_cast<Holder>(choices.below(kHolders));
    module.type = rewrite.name("M");
    module.object = rewrite.name("m");
    module.self = own_name(rewrite, parsed, signature, "self");
    module.share_arguments(signature, tensors, allows_parameters(parsed, signature));

    Body body = module.way.body(module.definition(), 2);
    add(body.open, module.taken());
    Lines definitions;
    const std::string called = module.make(body.call, definitions);
    if (outside && !definitions.empty()) add(body.close, {{""}, {""}});
    add(body.close, definitions);
    add(body.call, module.hooks(called));
    add(body.call, module.way.fetch(module.call(called)));
    return body;
  }

  bool has_words(const Parsed& parsed) const override { return means_builtin(parsed, "super"); }
  Fits fits(const Parsed& parsed) const override {
    std::map<int, bool> has_torch;  // by scope
    return [&parsed, has_torch](const Statement& statement) mutable {
      int scope = parsed.scopes().scope_of(statement);
      auto known = has_torch.find(scope);
      if (known == has_torch.end()) known = has_torch.emplace(scope, !torch_name(parsed, statement).empty()).first;
      // nn.Module reads attributes of what is assigned to it, to see whether it is a parameter.
      return known->second && !in_special_method(parsed, statement) && !has_mangled_name(statement.node);
    };
  }
};

const Register<Mutation, ExtractModule> registered;

}  // namespace
}  // namespace jp::mutate::extract_module_mutation
