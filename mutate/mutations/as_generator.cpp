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

#include "mutate/outline/outline_mutation.h"
#include "mutate/syntax/queries.h"

namespace jp::mutate {
namespace {

enum Form : std::uint64_t { kNext, kPieces, kUnpack, kSend, kClose, kThrow, kDelegate, kValue, kEscape, kForms };

/// The choices that were drawn, and the lines that follow from them.
struct Generator {
  const Packing& packing;
  Form form;
  Convention way;
  std::string name;
  std::string live;  // the generator object
  Body body;

  Generator(Packing& from, Form of, Convention how)
      : packing(from), form(of), way(std::move(how)), name(from.rewrite.name("g")), live(from.rewrite.name("t")) {
    body = body_with(way.arguments);
  }

  std::string call() const { return way.call_of(name); }
  void say(const std::string& text) { body.call.push_back({text}); }
  void fetch(const std::string& text) { add(body.call, way.fetch(text)); }

  Body body_with(const std::vector<std::string>& parameters) const {
    Body made = way.body({{fmt::format("def {}({}):", name, joined(parameters))}});
    made.close.clear();  // every form ends otherwise
    return made;
  }
  /// The last lines of the body: they yield or return the results and end the generator.
  Lines last_yield() const {
    Lines lines = way.deliver("yield");
    if (!way.direct()) lines.push_back({"yield"});
    return lines;
  }
  void start() {
    say(fmt::format("{} = {}", live, call()));
    say(fmt::format("next({})", live));
  }
  /// What is done with a generator that has yielded everything.
  void end() {
    if (auto ending = packing.choices.below(3); ending == 1)
      say(live + ".close()");
    else if (ending == 2)
      say(fmt::format("next({}, None)", live));
  }

  void next() {
    body.close = deeper(last_yield());
    bool named = packing.choices.chance(1, 2);
    if (named) say(fmt::format("{} = {}", live, call()));
    fetch(fmt::format("next({})", named ? live : call()));
    if (named) end();
  }

  /// The results by the last statement of the range that binds them.
  std::vector<std::vector<std::string>> results_by_statement() const {
    const Scopes& scopes = packing.parsed.scopes();
    const auto& range = packing.signature.range;
    std::vector<std::string> left = way.results;
    std::vector<std::vector<std::string>> groups(range.size());
    for (std::size_t i = range.size(); i-- > 0;) {
      const NameSet bound = scopes.bound_in(range[i]->begin, range[i]->end, scopes.scope_of(*range[i]));
      for (const auto& result : left)
        if (bound.contains(result)) groups[i].push_back(result);
      std::erase_if(left, [&](const std::string& result) { return bound.contains(result); });
    }
    return groups;
  }

  /// Each result is yielded after the last statement that binds it.
  void pieces() {
    const auto groups = results_by_statement();
    say(fmt::format("{} = {}", live, call()));
    for (std::size_t i = 0; i < groups.size(); ++i) {
      bool last = i + 1 == groups.size();
      if (groups[i].empty() && !last) continue;
      Line yield = {groups[i].empty() ? "yield" : "yield " + joined(groups[i]), 1};
      last ? body.close.push_back(yield) : packing.rewrite.after(*packing.signature.range[i], {yield});
      say(fmt::format("{}{}next({})", joined(groups[i]), groups[i].empty() ? "" : " = ", live));
    }
    end();
  }

  void unpack() {
    for (const auto& result : way.results) body.close.push_back({"yield " + result, 1});
    if (way.results.empty()) body.close.push_back({"yield", 1});
    if (way.results.empty()) return say(fmt::format("list({})", call()));
    std::string all = joined(way.results);
    bool one = way.results.size() == 1;
    say(packing.choices.chance(1, 2) ? fmt::format("[{}] = {}", all, call())
                                     : fmt::format("{}{} = {}", all, one ? "," : "", call()));
  }

  void send() {
    std::vector<std::string> sent = way.arguments;
    std::vector<std::string> kept;
    if (sent.size() > 1 && packing.choices.chance(1, 2)) {
      kept.push_back(sent.back());
      sent.pop_back();
    }
    body = body_with(kept);
    body.open.push_back({sent.empty() ? "yield" : joined(sent) + " = yield", 1});
    body.close = deeper(last_yield());
    say(fmt::format("{} = {}({})", live, name, joined(kept)));
    say(fmt::format("next({})", live));
    std::string value = sent.empty() ? "None" : sent.size() == 1 ? sent[0] : fmt::format("({})", joined(sent));
    fetch(fmt::format("{}.send({})", live, value));
    end();
  }

  void wake() {
    bool finally = form == kClose && packing.choices.chance(1, 2);
    std::string_view handler = form == kThrow ? "except KeyError:" : finally ? "finally:" : "except GeneratorExit:";
    add(body.open, {{"try:", 1}, {"yield", 2}, {std::string(handler), 1}});
    body.depth = 2;
    body.close = deeper(form == kThrow ? last_yield() : way.deliver(), 2);
    start();
    fetch(form == kThrow ? fmt::format("{}.throw(KeyError())", live) : live + ".close()");
    if (form == kThrow) end();
  }

  void delegate() {
    std::string outer = packing.rewrite.name("d");
    bool value = form == kValue;
    bool empty =
        value && packing.choices.chance(1, 2);  // the inner generator yields nothing and only returns its value
    if (empty) add(body.open, {{"if False:", 1}, {"yield", 2}});
    if (value && !empty) body.close.push_back({"yield", 1});
    add(body.close, deeper(value ? way.deliver() : last_yield()));
    if (way.outside) add(body.close, {{""}, {""}});
    body.close.push_back({fmt::format("def {}:", way.call_of(outer))});
    body.close.push_back({value ? fmt::format("yield (yield from {})", call()) : "yield from " + call(), 1});
    say(fmt::format("{} = {}", live, way.call_of(outer)));
    if (value && !empty) say(fmt::format("next({})", live));
    fetch(fmt::format("next({})", live));
    end();
  }

  void escape() {
    body.close = deeper(last_yield());
    std::string place = packing.rewrite.name("e");
    std::string text;
    // A function at module level must not get attributes: they would be visible from outside.
    switch (packing.choices.below(way.outside ? 4 : 5)) {
      case 0:
        say(fmt::format("{} = [{}]", place, call()));
        text = fmt::format("next({}.pop())", place);
        break;
      case 1:
        say(fmt::format("{} = {{\"rows\": {}}}", place, call()));
        text = fmt::format("next({}[\"rows\"])", place);
        break;
      case 2:
        add(body.call, {{fmt::format("def {}(rows={}):", place, call())}, {"return next(rows)", 1}});
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
    fetch(text);
  }

  Body made() {
    switch (form) {
      case kPieces:
        pieces();
        break;
      case kUnpack:
        unpack();
        break;
      case kSend:
        send();
        break;
      case kClose:
      case kThrow:
        wake();
        break;
      case kDelegate:
      case kValue:
        delegate();
        break;
      case kEscape:
        escape();
        break;
      default:
        next();
    }
    return body;
  }
};

class AsGenerator final : public ExtractionMutation {
 public:
  AsGenerator()
      : ExtractionMutation(
            {"as_generator", "C", Exactness::kBitwise, false, "jitprobe",
             "generators that are suspended, resumed or dropped while tensors change between their steps"}) {}

 private:
  std::optional<Body> pack(Packing& packing) const override {
    auto form = static_cast<Form>(packing.choices.below(kForms));
    const bool in_full = form == kPieces || form == kUnpack;
    const bool outside = form != kPieces && packing.draw_outside(4);
    std::vector<Channel> channels = usual_channels(outside);
    if (form == kClose) channels.erase(channels.begin(), channels.begin() + 2);
    if (in_full) channels = {Channel::kReturn};
    Convention way = packing.draw(channels, outside);
    // `close()` gives no value back.
    if (form == kClose && way.direct()) form = kThrow;
    return Generator(packing, form, std::move(way)).made();
  }

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
}  // namespace jp::mutate
