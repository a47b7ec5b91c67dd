#include "oracle/reduce/surely.h"

#include <utility>

namespace jp::reduce {
namespace {

/// How many programs of the way stand: each stands on those before it.
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

Reduced reduce_surely(const Problem& problem, const std::function<void()>& be_sure,
                      const std::function<Reduced(const Problem&)>& reduce) {
  std::vector<Program> way;
  Problem watched = problem;
  watched.better = [&](const Program& program, const Progress& progress) {
    way.push_back(program);
    if (problem.better) problem.better(program, progress);
  };
  Reduced first = reduce(watched);
  be_sure();
  if (way.empty() || (problem.stop && problem.stop()) || problem.first_interesting({way.back()})) return first;
  way.pop_back();
  const std::size_t good = standing(way, problem);
  if (problem.stop && problem.stop()) return first;
  if (good == 0) return reduce(problem);
  Result<Parsed> parsed = mutate::parse(way[good - 1]);
  JP_CHECK(parsed.ok(), "a program that was accepted does not parse");
  Problem rest = problem;
  rest.output.reset();
  if (rest.better) rest.better(way[good - 1], first.progress);
  Reduced second = reduce::reduce(parsed.value(), rest);
  second.progress.asked += first.progress.asked;
  second.progress.accepted += first.progress.accepted;
  return second;
}

}  // namespace jp::reduce
