// The engine behind a pipe, for tests in Python: one JSON request a line on standard input, one JSON answer a line on
// standard output.
//
//   {"load": SOURCE}                        -> {"watched": ...} or {"error": TEXT}; the current program from now on
//   {"sites": FACTS}                        -> {"sites": [[mutation, exactness, statement, path, needs_moved], ...]};
//   keeps the facts
//   {"moved": [FACTS, ...]}                 -> {}: of runs with moved roundings, added to the kept facts
//   {"apply": [mutation, statement, path], "seed": N} -> {"source", "step", "watched", "replays"} or {"source": null};
//   with "replay": false the lineage is not replayed
//   {"keep": true}                          -> {}: what was applied last becomes the current program
//   {"count": true}                         -> {"count"}: steps of the current program
//   {"replay": [indices of steps]}          -> {"source"}: that subsequence of the current lineage, from what was
//   loaded
#include <fmt/format.h>

#include <iostream>
#include <optional>
#include <string>

#include "../trees.h"
#include "codec/codec.h"
#include "mutate/engine/engine.h"
#include "mutate/safety/introspection.h"
#include "pyrunner/facts.h"

namespace jp::mutate {
namespace {

using codec::Json;

class Filter {
 public:
  Json answer(const Json& request) {
    if (request.contains("load")) return load(request["load"]);
    if (request.contains("sites")) return sites(request["sites"]);
    if (request.contains("moved")) return moved(request["moved"]);
    if (request.contains("apply")) return apply_at(request["apply"], request["seed"], request.value("replay", true));
    if (request.contains("replay")) return replay_some(request["replay"]);
    if (request.contains("count")) return {{"count", now_->program().lineage().steps.size()}};
    now_ = made_;
    return Json::object();
  }

 private:
  Json load(const std::string& source) {
    auto program = Program::make(source, {});
    if (!program) return {{"error", program.error().message}};
    auto parsed = parse(program.value());
    if (!parsed) return {{"error", parsed.error().message}};
    base_ = now_ = made_ = std::move(parsed).value();
    return {{"watched", pyrunner::watched_json(watched(*now_))}};
  }

  Json sites(const Json& known) {
    facts_ = facts_of(known);
    Json list = Json::array();
    for (const Candidate& candidate : candidates(*now_, facts_))
      list.push_back({candidate.mutation->name(), exactness_name(candidate.mutation->exactness()),
                      candidate.site.statement, candidate.site.path, candidate.mutation->needs_moved()});
    return {{"sites", list}};
  }

  static Facts facts_of(const Json& known) {
    auto facts = pyrunner::read_facts(known);
    JP_CHECK(facts.ok(), "facts: {}", facts.error().message);
    return std::move(facts).value();
  }

  Json moved(const Json& runs) {
    facts_.moved.clear();
    for (const Json& run : runs) facts_.moved.push_back(facts_of(run));
    return Json::object();
  }

  Json apply_at(const Json& place, std::uint64_t seed, bool check) {
    const Mutation* mutation = Mutations::instance().find(place[0].get<std::string>());
    JP_CHECK(mutation, "no such mutation");
    Choices choices(seed);
    Counts counts;
    made_ = apply(*now_, facts_, *mutation, {place[1], place[2]}, choices, &counts);
    if (!made_) {
      made_ = now_;
      return {{"source", nullptr}, {"unparsable", counts.begin()->second.unparsable}};
    }
    auto whole = parse_tree(made_->source());
    JP_CHECK(whole.ok(), "{}", whole.error().message);
    std::string difference = testing::tree_difference(made_->tree(), *whole.value());
    JP_CHECK(difference.empty(), "{}: {}\n{}", mutation->name(), difference, made_->source());
    const auto& steps = made_->program().lineage().steps;
    return {{"source", made_->source()},
            {"step", print_step(steps.back())},
            {"watched", pyrunner::watched_json(watched(*made_))},
            {"replays", !check || replay(*base_, steps).source() == made_->source()}};
  }

  Json replay_some(const Json& indices) {
    std::vector<Step> steps;
    for (std::size_t i : indices) steps.push_back(now_->program().lineage().steps.at(i));
    return {{"source", replay(*base_, steps).source()}};
  }

  std::optional<Parsed> base_;
  std::optional<Parsed> now_;
  std::optional<Parsed> made_;
  Facts facts_;
};

}  // namespace
}  // namespace jp::mutate

int main() {
  jp::mutate::Filter filter;
  for (std::string line; std::getline(std::cin, line);) {
    auto request = jp::codec::parse_text(line);
    JP_CHECK(request.ok(), "a request is not JSON");
    std::cout << jp::codec::text(filter.answer(request.value())) << std::endl;
  }
}
