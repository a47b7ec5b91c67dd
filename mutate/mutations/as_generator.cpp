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
#include <utility>

#include "mutate/outline/outline_mutation.h"
#include "mutate/rewrite/template.h"
#include "mutate/syntax/queries.h"

namespace jp::mutate::as_generator_mutation {
namespace {

enum Form : std::uint64_t { kNext, kPieces, kUnpack, kSend, kClose, kThrow, kDelegate, kValue, kEscape, kForms };

/// How the body hands out the results: it yields them, returns them, or yields once more and then returns them.
enum class Leaves { kYields, kReturns, kYieldsFirst };

/// Templates around a generator $g, called by $call with $arguments. $t is the generator that is run.
struct Shape {
  std::string_view open = "";  // the body stands below its last line if that ends with a colon
  Leaves leaves = Leaves::kYields;
  std::string_view more = "";   // a definition after the generator's
  std::string_view start = "";  // lines before the results are fetched
  std::string_view fetch;
  bool ends = false;  // the generator is live after that
};

constexpr std::string_view kStart = "$t = $call\nnext($t)";
constexpr Shape kNamed = {.start = "$t = $call", .fetch = "next($t)", .ends = true};
constexpr Shape kAtOnce = {.fetch = "next($call)"};
constexpr Shape kFinally = {"try:\n\tyield\nfinally:", Leaves::kReturns, "", kStart, "$t.close()"};
constexpr Shape kExcept = {"try:\n\tyield\nexcept GeneratorExit:", Leaves::kReturns, "", kStart, "$t.close()"};
constexpr Shape kThrown = {
    "try:\n\tyield\nexcept KeyError:", Leaves::kYields, "", kStart, "$t.throw(KeyError())", true};
constexpr Shape kYieldFrom = {
    "", Leaves::kYields, "def $d($arguments):\n\tyield from $call", "$t = $d($arguments)", "next($t)", true};
constexpr std::string_view kYieldsValue = "def $d($arguments):\n\tyield (yield from $call)";
constexpr Shape kOnlyValue = {"if False:\n\tyield",  Leaves::kReturns, kYieldsValue,
                              "$t = $d($arguments)", "next($t)",       true};
constexpr Shape kLateValue = {"",  Leaves::kYieldsFirst, kYieldsValue, "$t = $d($arguments)\nnext($t)", "next($t)",
                              true};
// A function at module level must not get attributes, as in the last one: they would be visible from outside.
constexpr Shape kEscapes[] = {{.start = "$e = [$call]", .fetch = "next($e.pop())"},
                              {.start = "$e = {\"rows\": $call}", .fetch = "next($e[\"rows\"])"},
                              {.start = "def $e(rows=$call):\n\treturn next(rows)", .fetch = "$e()"},
                              {.start = "$e = lambda rows: next(rows)", .fetch = "$e($call)"},
                              {.start = "$g.rows = $call", .fetch = "next($g.rows)"}};

const Shape& draw_shape(Form form, bool outside, Choices& choices) {
  switch (form) {
    case kClose:
      return choices.chance(1, 2) ? kFinally : kExcept;
    case kThrow:
      return kThrown;
    case kDelegate:
      return kYieldFrom;
    case kValue:
      return choices.chance(1, 2) ? kOnlyValue : kLateValue;
    case kEscape:
      return kEscapes[choices.below(outside ? 4 : 5)];
    default:
      return choices.chance(1, 2) ? kNamed : kAtOnce;
  }
}

/// The choices that were drawn, and the lines that follow from them.
struct Generator {
  Packing& packing;
  Convention way;
  Template text;
  Body body;

  Generator(Packing& from, Convention how) : packing(from), way(std::move(how)), text(from.rewrite) {
    begin(way.arguments);
  }

  void say(std::string_view lines) { add(body.call, text.lines(lines)); }
  void fetch(std::string_view call) { add(body.call, way.fetch(text.expression(call, body.call))); }

  void begin(const std::vector<std::string>& parameters) {
    text.set("arguments", joined(parameters));
    text.set("call", text.part("$g($arguments)"));
    body = way.body(text.lines("def $call:"));
    body.close.clear();  // every form ends otherwise
  }
  /// The last lines of the body: they yield or return the results and end the generator.
  Lines last(Leaves leaves) const {
    if (leaves == Leaves::kReturns) return way.deliver();
    if (leaves == Leaves::kYieldsFirst) return Lines{{"yield"}} + way.deliver();
    return way.direct() ? way.deliver("yield") : way.deliver("yield") + Lines{{"yield"}};
  }
  /// What is done with a generator that has yielded everything.
  void end() {
    if (auto ending = packing.choices.below(3); ending == 1)
      say("$t.close()");
    else if (ending == 2)
      say("next($t, None)");
  }

  void write(const Shape& shape) {
    add(body.open, deeper(text.lines(shape.open)));
    if (shape.open.ends_with(':')) body.depth = 2;
    body.close = deeper(last(shape.leaves), body.depth);
    if (way.outside && !shape.more.empty()) add(body.close, {{""}, {""}});
    add(body.close, text.lines(shape.more));
    say(shape.start);
    fetch(shape.fetch);
    if (shape.ends) end();
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
  void write_pieces() {
    const auto groups = results_by_statement();
    say("$t = $call");
    for (std::size_t i = 0; i < groups.size(); ++i) {
      const bool last_one = i + 1 == groups.size();
      if (groups[i].empty() && !last_one) continue;
      text.set("results", joined(groups[i]));
      const Line yield = {groups[i].empty() ? "yield" : "yield " + joined(groups[i]), 1};
      last_one ? body.close.push_back(yield) : packing.rewrite.after(*packing.signature.range[i], {yield});
      say(groups[i].empty() ? "next($t)" : "$results = next($t)");
    }
    end();
  }

  void write_unpacked() {
    for (const auto& result : way.results) body.close.push_back({"yield " + result, 1});
    if (way.results.empty()) body.close.push_back({"yield", 1});
    if (way.results.empty()) return say("list($call)");
    text.set("results", joined(way.results));
    const auto targets = way.results.size() == 1 ? "$results, = $call" : "$results = $call";
    say(packing.choices.chance(1, 2) ? "[$results] = $call" : targets);
  }

  void write_sent() {
    std::vector<std::string> sent = way.arguments;
    std::vector<std::string> kept;
    if (sent.size() > 1 && packing.choices.chance(1, 2)) {
      kept.push_back(sent.back());
      sent.pop_back();
    }
    begin(kept);
    body.open.push_back({sent.empty() ? "yield" : joined(sent) + " = yield", 1});
    body.close = deeper(last(Leaves::kYields));
    say(kStart);
    text.set("sent", sent.empty() ? "None" : sent.size() == 1 ? sent[0] : tuple_text(sent));
    fetch("$t.send($sent)");
    end();
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
    Generator made(packing, std::move(way));
    if (form == kPieces)
      made.write_pieces();
    else if (form == kUnpack)
      made.write_unpacked();
    else if (form == kSend)
      made.write_sent();
    else
      made.write(draw_shape(form, outside, packing.choices));
    return made.body;
  }

  bool has_words(const Parsed& parsed) const override {
    // A generator has no exception that is being handled around it once it was resumed by another.
    static constexpr auto kHandled = std::to_array<std::string_view>({"exc_info", "exception"});
    if (parsed.has_any<kHandled>()) return false;
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
