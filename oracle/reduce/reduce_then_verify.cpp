#include "oracle/reduce/reduce_then_verify.h"

#include <utility>

namespace jp::reduce {
namespace {

/// How many programs of the path are verified; each one builds on those before it.
std::size_t standing(const std::vector<Program>& way, const Problem& problem) {
  std::size_t good = 0;
  for (std::size_t bad = way.size(); good < bad;) {
    const std::size_t middle = (good + bad) / 2;
    if (problem.first_interesting({way[middle]}))
      good = middle + 1;
    else
      bad = middle;
  }
  return good;
}

}  // namespace

VerifiedReduction reduce_then_verify(const Problem& problem, const VerificationHooks& sureness,
                                     const std::function<Reduced(const Problem&)>& reduce) {
  const auto given_up = [&] { return sureness.given_up && sureness.given_up(); };
  std::vector<Program> way;
  Problem watched = problem;
  watched.better = [&](const Program& program, const Progress& progress) {
    way.push_back(program);
    if (problem.better) problem.better(program, progress);
  };
  Reduced first = reduce(watched);
  sureness.verify_from_now();
  // The start is known to be interesting, so its answer is not needed.
  if (way.empty()) return {std::move(first), !given_up()};
  if (given_up()) return {std::move(first), false};
  const bool stands = problem.first_interesting({way.back()}).has_value();
  if (given_up()) return {std::move(first), false};
  if (stands) return {std::move(first), true};
  way.pop_back();
  const std::size_t good = standing(way, problem);
  if (given_up()) return {std::move(first), false};
  if (good == 0) {
    // From here on every answer is a full judgement.
    Reduced again = reduce(problem);
    return {std::move(again), !given_up()};
  }
  Result<Parsed> parsed = mutate::parse(way[good - 1]);
  JP_CHECK(parsed.ok(), "a program that was accepted does not parse");
  Problem rest = problem;
  rest.output.reset();
  if (rest.better) rest.better(way[good - 1], first.progress);
  Reduced second = sureness.go_on ? sureness.go_on(parsed.value(), rest) : reduce::reduce(parsed.value(), rest);
  second.progress += first.progress;
  return {std::move(second), !given_up()};
}

}  // namespace jp::reduce
