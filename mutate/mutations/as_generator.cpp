// A range of statements of one block becomes a generator:
//
//     v3 = v0 + v1                 def g7(v0):
//     v4 = torch.relu(v3)              v3 = v0 + v1
//                                      yield v3
//                                      v4 = torch.relu(v3)
//                                      yield v4
//                                  t7 = g7(v0)
//                                  v3 = next(t7)
//                                  v4 = next(t7)
//
// The generator is consumed in part, piece by piece, or in full by unpacking; or it is sent its arguments, or runs when
// it is closed or when an exception is thrown into it; or another generator delegates to it (`yield from`); or it
// escapes into a container, a default argument or another function before it runs. The result is unchanged bit for bit.
// Site path: the ID of the range's last statement ("" if the range is one statement).
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "mutate/engine/mutation.h"
#include "mutate/outline/carry.h"
#include "mutate/syntax/queries.h"

namespace jp::mutate::as_generator_mutation {
namespace {

enum Form : std::uint64_t { kNext, kPieces, kUnpack, kSend, kClose, kThrow, kDelegate, kValue, kEscape, kForms };

/// The choices that were drawn, and the lines that follow from them.
struct Generator {
  Rewrite& rewrite;
  const Parsed& parsed;
  const Extraction& extraction;
  Choices& choices;
  Form form;
  bool outside;
  Carried carried;
  std::string name;
  std::string live;  // the generator object
  Frame frame;

  std::string call() const { return fmt::format("{}({})", name, joined(carried.arguments)); }
  bool by_value() const {
    return (carried.channel == Channel::kReturn || carried.channel == Channel::kNonlocal) && !carried.results.empty();
  }
  void say(const std::string& text) { frame.call.push_back({text}); }

  /// The last lines of the body: they yield or return the results and end the generator.
  Lines last_yield() const {
    Lines lines = carried.deliver("yield");
    if (!by_value()) lines.push_back({"yield"});
    return lines;
  }
  void open(const std::vector<std::string>& parameters) {
    frame.before = carried.before();
    frame.open = {{fmt::format("def {}({}):", name, joined(parameters))}};
    add(frame.open, deeper(carried.declarations()));
  }
  void start() {
    say(fmt::format("{} = {}", live, call()));
    say(fmt::format("next({})", live));
  }
  /// What is done with a generator that has yielded everything.
  void end() {
    if (auto ending = choices.below(3); ending == 1)
      say(live + ".close()");
    else if (ending == 2)
      say(fmt::format("next({}, None)", live));
  }

  void next() {
    open(carried.arguments);
    frame.close = deeper(last_yield());
    bool named = choices.chance(1, 2);
    if (named) say(fmt::format("{} = {}", live, call()));
    add(frame.call, carried.fetch(fmt::format("next({})", named ? live : call())));
    if (named) end();
  }

  /// Each result is yielded after the last statement that binds it.
  void pieces() {
    open(carried.arguments);
    const Scopes& scopes = parsed.scopes();
    std::vector<std::string> left = carried.results;
    std::vector<std::vector<std::string>> groups(extraction.run.size());
    for (std::size_t i = extraction.run.size(); i-- > 0;) {
      const Statement& at = *extraction.run[i];
      NameSet bound = scopes.bound_in(at.begin, at.end, scopes.scope_of(at));
      for (const auto& result : left)
        if (bound.contains(result)) groups[i].push_back(result);
      std::erase_if(left, [&](const std::string& result) { return bound.contains(result); });
    }
    say(fmt::format("{} = {}", live, call()));
    for (std::size_t i = 0; i < groups.size(); ++i) {
      bool last = i + 1 == groups.size();
      if (groups[i].empty() && !last) continue;
      Line yield = {groups[i].empty() ? "yield" : "yield " + joined(groups[i]), 1};
      last ? frame.close.push_back(yield) : rewrite.after(*extraction.run[i], {yield});
      say(fmt::format("{}{}next({})", joined(groups[i]), groups[i].empty() ? "" : " = ", live));
    }
    end();
  }

  void unpack() {
    open(carried.arguments);
    for (const auto& result : carried.results) frame.close.push_back({"yield " + result, 1});
    if (carried.results.empty()) frame.close.push_back({"yield", 1});
    if (carried.results.empty()) return say(fmt::format("list({})", call()));
    std::string all = joined(carried.results);
    bool one = carried.results.size() == 1;
    say(choices.chance(1, 2) ? fmt::format("[{}] = {}", all, call())
                             : fmt::format("{}{} = {}", all, one ? "," : "", call()));
  }

  void send() {
    std::vector<std::string> sent = carried.arguments;
    std::vector<std::string> kept;
    if (sent.size() > 1 && choices.chance(1, 2)) {
      kept.push_back(sent.back());
      sent.pop_back();
    }
    open(kept);
    frame.open.push_back({sent.empty() ? "yield" : joined(sent) + " = yield", 1});
    frame.close = deeper(last_yield());
    say(fmt::format("{} = {}({})", live, name, joined(kept)));
    say(fmt::format("next({})", live));
    std::string value = sent.empty() ? "None" : sent.size() == 1 ? sent[0] : fmt::format("({})", joined(sent));
    add(frame.call, carried.fetch(fmt::format("{}.send({})", live, value)));
    end();
  }

  void wake() {
    open(carried.arguments);
    bool finally = form == kClose && choices.chance(1, 2);
    std::string_view handler = form == kThrow ? "except KeyError:" : finally ? "finally:" : "except GeneratorExit:";
    add(frame.open, {{"try:", 1}, {"yield", 2}, {std::string(handler), 1}});
    frame.depth = 2;
    frame.close = deeper(form == kThrow ? last_yield() : carried.deliver(), 2);
    start();
    add(frame.call, carried.fetch(form == kThrow ? fmt::format("{}.throw(KeyError())", live) : live + ".close()"));
    if (form == kThrow) end();
  }

  void delegate() {
    open(carried.arguments);
    std::string outer = rewrite.name("d");
    bool value = form == kValue;
    bool empty = value && choices.chance(1, 2);  // the inner generator yields nothing and only returns its value
    if (empty) add(frame.open, {{"if False:", 1}, {"yield", 2}});
    if (value && !empty) frame.close.push_back({"yield", 1});
    add(frame.close, deeper(value ? carried.deliver() : last_yield()));
    if (outside) add(frame.close, {{""}, {""}});
    frame.close.push_back({fmt::format("def {}({}):", outer, joined(carried.arguments))});
    frame.close.push_back({value ? fmt::format("yield (yield from {})", call()) : "yield from " + call(), 1});
    std::string made = fmt::format("{}({})", outer, joined(carried.arguments));
    say(fmt::format("{} = {}", live, made));
    if (value && !empty) say(fmt::format("next({})", live));
    add(frame.call, carried.fetch(fmt::format("next({})", live)));
    end();
  }

  void escape() {
    open(carried.arguments);
    frame.close = deeper(last_yield());
    std::string place = rewrite.name("e");
    std::string text;
    // A function at module level must not get attributes: they would be visible from outside.
    switch (choices.below(outside ? 4 : 5)) {
      case 0:
        say(fmt::format("{} = [{}]", place, call()));
        text = fmt::format("next({}.pop())", place);
        break;
      case 1:
        say(fmt::format("{} = {{\"rows\": {}}}", place, call()));
        text = fmt::format("next({}[\"rows\"])", place);
        break;
      case 2:
        add(frame.call, {{fmt::format("def {}(rows={}):", place, call())}, {"return next(rows)", 1}});
        text = place + "()";
        break;
      case 3:
        say(fmt::format("{} = lambda rows: next(rows)", place));
        text = fmt::format("{}({})", place, call());
        break;
      default:
        say(fmt::format("{}.rows = {}", name, call()));
        text = fmt::format("next({}.rows)", name);
    }
    add(frame.call, carried.fetch(text));
  }
};

class AsGenerator final : public ExtractionMutation {
 public:
  AsGenerator()
      : ExtractionMutation(
            {"as_generator", "C", Exactness::kBitwise, false, "jitprobe",
             "generators that are suspended, resumed or dropped while tensors change between their steps"}) {}

  EditSet rewrite(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                  int step_number) const override {
    auto extraction = extraction_at(parsed, facts, site, choices);
    if (!extraction) return {};
    Rewrite rewrite(parsed, step_number);
    auto form = static_cast<Form>(choices.below(kForms));
    bool outside = form != kPieces && choices.chance(1, 4) && stands_alone(parsed, *extraction);
    std::vector<Channel> channels = {Channel::kReturn};
    if (form == kClose)
      channels = {Channel::kDict, Channel::kList};
    else if (form != kPieces && form != kUnpack)
      channels = {Channel::kReturn, Channel::kReturn, Channel::kDict, Channel::kList};
    if (!outside && form != kPieces && form != kUnpack) channels.push_back(Channel::kNonlocal);
    Carried carried = draw_carried(rewrite, *extraction, channels, outside, choices);
    // `close()` gives no value back.
    if (form == kClose && carried.channel == Channel::kNonlocal && !carried.results.empty()) form = kThrow;
    Generator made{rewrite, parsed, *extraction, choices, form, outside, carried, rewrite.name("g"), "", {}};
    made.live = rewrite.name("t");
    write(made);
    enclose(rewrite, parsed, *extraction, made.frame, outside);
    return rewrite.edits();
  }

 private:
  static void write(Generator& made) {
    switch (made.form) {
      case kPieces:
        return made.pieces();
      case kUnpack:
        return made.unpack();
      case kSend:
        return made.send();
      case kClose:
      case kThrow:
        return made.wake();
      case kDelegate:
      case kValue:
        return made.delegate();
      case kEscape:
        return made.escape();
      default:
        return made.next();
    }
  }

 private:
  bool has_words(const Parsed& parsed) const override {
    return means_builtin(parsed, "next") && means_builtin(parsed, "list") && means_builtin(parsed, "GeneratorExit") &&
           means_builtin(parsed, "KeyError");
  }
  // Inside the generator, a bare `raise` would re-raise the exception that resumed it.
  Fits fits(const Parsed& parsed) const override {
    return [&parsed](const Statement& statement) {
      if (may_stop_iteration(parsed, statement.node)) return false;
      if (!statement.exits.raises) return true;
      for (const Node node : nodes_of(statement.node))
        if (node.is("raise_statement") && node.children().empty()) return false;
      return true;
    };
  }
};

const Register<Mutation, AsGenerator> registered;

}  // namespace
}  // namespace jp::mutate::as_generator_mutation
