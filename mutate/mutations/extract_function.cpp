// A run of statements of one block becomes a nested function that is called in their place:
//
//     v3 = v0 + v1                 def f7(v0):
//     v4 = torch.relu(v3)              v3 = v0 + v1
//                                      v4 = torch.relu(v3)
//                                      return v3, v4
//                                  v3, v4 = f7(v0)
//
// What the run reads is captured or, by choice, handed over. What it binds comes back by `return`, by `nonlocal`, in a
// dict or list that the function fills, or as attributes of the function; names that other functions capture stay the
// same variable (nonlocal). Site path: the id of the run's last statement ("" is the statement alone).
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "mutate/extract.h"
#include "mutate/mutation.h"

namespace jp::mutate {
namespace {

constexpr int kLongestRun = 6;

enum Style : std::uint64_t { kReturn, kNonlocal, kDict, kList, kAttribute, kStyles };

/// "bound a,b|c,d": names that facts saw before and behind the run, of those that it binds.
std::string note_names(const Parsed& parsed, const Facts& facts, const Statement& first, const Statement& last) {
  NameSet names = parsed.scopes().bound_in(first.begin, last.end, parsed.scopes().scope_of(first));
  auto list = [&](const std::map<std::string, Names>& points, const std::string& id) {
    std::vector<std::string> seen;
    if (auto point = points.find(id); point != points.end())
      for (const auto& [name, known] : point->second)
        if (names.contains(name) && !known.kind.empty()) seen.push_back(name);
    return fmt::format("{}", fmt::join(seen, ","));
  };
  return fmt::format("bound {}|{}", list(facts.before, first.id), list(facts.after, last.id));
}

NameSet read_names(std::string_view text) {
  NameSet names;
  while (!text.empty()) {
    std::size_t end = std::min(text.find(','), text.size());
    names.emplace(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return names;
}

std::optional<Extraction> extraction_of(const Parsed& parsed, const Statement& first, const Statement& last,
                                        std::string_view note) {
  constexpr std::string_view kHead = "bound ";
  std::size_t bar = note.find('|');
  if (!note.starts_with(kHead) || bar == std::string_view::npos) return std::nullopt;
  return find_extraction(parsed, first, last, read_names(note.substr(kHead.size(), bar - kHead.size())),
                         read_names(note.substr(bar + 1)));
}

/// The lines around the run.
struct Function {
  std::string name;
  Style style = kReturn;
  std::vector<std::string> arguments;
  std::vector<std::string> nonlocals;
  std::vector<std::string> results;
  Lines prelude;
  std::string box;  // the dict or list that carries results

  Lines open(const Extraction& extraction) const {
    Lines lines = prelude;
    if (style == kDict && !results.empty()) lines.push_back({box + " = {}"});
    if (style == kList && !results.empty()) lines.push_back({box + " = []"});
    lines.push_back({fmt::format("def {}({}):", name, fmt::join(arguments, ", "))});
    if (!extraction.globals.empty())
      lines.push_back({fmt::format("global {}", fmt::join(extraction.globals, ", ")), 1});
    std::vector<std::string> all = nonlocals;
    all.insert(all.end(), extraction.nonlocals.begin(), extraction.nonlocals.end());
    if (!all.empty()) lines.push_back({fmt::format("nonlocal {}", fmt::join(all, ", ")), 1});
    return lines;
  }

  Lines close() const {
    Lines lines;
    std::string call = fmt::format("{}({})", name, fmt::join(arguments, ", "));
    if (results.empty() || style == kReturn || style == kNonlocal) {
      if (results.empty()) return {{call}};
      std::string joined = fmt::format("{}", fmt::join(results, ", "));
      return {{"return " + joined, 1}, {joined + " = " + call}};
    }
    for (const auto& result : results) {
      if (style == kDict) lines.push_back({fmt::format("{}[\"{}\"] = {}", box, result, result), 1});
      if (style == kList) lines.push_back({fmt::format("{}.append({})", box, result), 1});
      if (style == kAttribute) lines.push_back({fmt::format("{}.{} = {}", name, result, result), 1});
    }
    lines.push_back({call});
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (style == kDict) lines.push_back({fmt::format("{} = {}[\"{}\"]", results[i], box, results[i])});
      if (style == kList) lines.push_back({fmt::format("{} = {}[{}]", results[i], box, i)});
      if (style == kAttribute) lines.push_back({fmt::format("{0} = {1}.{0}", results[i], name)});
    }
    return lines;
  }
};

class ExtractFunction final : public Mutation {
 public:
  ExtractFunction()
      : Mutation({"extract_function", "C", Exactness::kBitwise, false, "TorchProbe",
                  "writes and rebindings that cross the border of an inlined nested function"}) {}

  std::vector<Site> sites(const Parsed& parsed, const Facts& facts) const override {
    std::vector<Site> found;
    if (watches_itself(parsed)) return found;
    for (const Statement& first : parsed.statements()) {
      if (!open_place(parsed, first)) continue;
      const Statement* last = &first;
      for (int i = 0; last && i < kLongestRun; ++i, last = next_in_block(parsed, *last)) {
        if (!open_place(parsed, *last)) break;
        if (extraction_of(parsed, first, *last, note_names(parsed, facts, first, *last)))
          found.push_back({first.id, last == &first ? "" : last->id});
      }
    }
    return found;
  }

  EditSet rewrite(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                  int step_number) const override {
    const Statement& first = *parsed.find(site.statement);
    const Statement* last = site.path.empty() ? &first : parsed.find(site.path);
    if (!last || first.block != last->block || watches_itself(parsed)) return {};
    auto extraction =
        extraction_of(parsed, first, *last, choices.note([&] { return note_names(parsed, facts, first, *last); }));
    if (!extraction) return {};

    Rewrite rewrite(parsed, step_number);
    Function function;
    function.name = rewrite.name("f");
    function.style = static_cast<Style>(choices.below(kStyles));
    if (function.style == kDict || function.style == kList) function.box = rewrite.name("c");
    for (const BoundName& name : extraction->bound) carry(name, function);
    for (const std::string& name : extraction->readable)
      if (choices.chance(1, 3)) function.arguments.push_back(name);

    rewrite.before(first, function.open(*extraction));
    rewrite.indent(first, *last);
    rewrite.after(*last, function.close());
    return rewrite.edits();
  }

 private:
  /// Decides how one name goes in and out.
  static void carry(const BoundName& name, Function& function) {
    bool nonlocal = name.by_nonlocal && (function.style == kNonlocal || (!name.by_value && !name.stays));
    if (nonlocal) {
      function.nonlocals.push_back(name.name);
      if (name.needs_prelude) function.prelude.push_back({name.name + " = None"});
      return;
    }
    if (name.comes_in) function.arguments.push_back(name.name);
    if (name.by_value) function.results.push_back(name.name);
  }
};

const Register<Mutation, ExtractFunction> registered;

}  // namespace
}  // namespace jp::mutate
