#include "oracle/reduce/engine.h"

#include <algorithm>
#include <utility>

#include "oracle/reduce/edits.h"
#include "oracle/reduce/focus.h"
#include "oracle/reduce/patches.h"

namespace jp::reduce {
namespace {

/// Candidates of one list: enough for every job of a large machine, few enough that little work is wasted.
constexpr std::size_t kList = 16;

/// What was accepted, with those of a chunk's proposals that are compatible with it and with each other.
EditSet merge_chunk(const std::vector<EditSet>& proposals, std::size_t begin, std::size_t size,
                    const EditSet& accepted) {
  EditSet all = accepted;
  for (std::size_t i = begin; i < std::min(begin + size, proposals.size()); ++i)
    if (auto more = merge(all, proposals[i])) all = *std::move(more);
  return all;
}

void drop_chunks(std::vector<EditSet>& proposals, std::size_t size, const std::set<std::size_t>& taken) {
  std::vector<EditSet> left;
  for (std::size_t i = 0; i < proposals.size(); ++i)
    if (!taken.contains(i / size)) left.push_back(std::move(proposals[i]));
  proposals = std::move(left);
}

class Reducer {
 public:
  Reducer(const Parsed& start, const Problem& problem, const std::vector<const Pass*>& passes)
      : problem_(problem), passes_(passes), search_(start, problem) {}

  Reduced run() {
    trim();
    focus_on_output();
    for (std::size_t at = 0; at < passes_.size() && !search_.stopped();) {
      bool changed = false;
      const Tier tier = passes_[at]->tier();
      std::size_t next = at;
      for (; next < passes_.size() && passes_[next]->tier() == tier; ++next) changed |= exhaust(*passes_[next]);
      at = changed ? 0 : next;
    }
    return {search_.current(), search_.progress(), !search_.stopped()};
  }

 private:
  /// Asks about the program as its parts will be written: a program may read its own text, so the normalised text must
  /// be interesting, too.
  void trim() { search_.first({apply(search_.current(), {})}, "tidy"); }

  void focus_on_output() {
    if (!problem_.output) return;
    std::vector<Search::Candidate> list;
    for (Parsed& parsed : focus(search_.current(), *problem_.output)) list.emplace_back(std::move(parsed));
    search_.first(list, "focus");
  }

  /// Repeats one pass until it finds nothing.
  bool exhaust(const Pass& pass) {
    bool changed = false;
    while (!search_.stopped()) {
      const std::string hash = search_.current().program().sha256();
      if (std::string& done = exhausted_[&pass]; done == hash) break;
      if (minimise(pass)) {
        changed = true;
      } else {
        if (!search_.stopped()) exhausted_[&pass] = hash;
        break;
      }
    }
    return changed;
  }

  Facts facts_for(const Pass& pass) {
    if (!pass.needs_facts() || !problem_.facts) return {};
    std::string hash = search_.current().program().sha256();
    if (hash != profiled_) {
      facts_ = problem_.facts(search_.current());
      profiled_ = std::move(hash);
    }
    return facts_;
  }

  bool minimise(const Pass& pass) {
    const Parsed base = search_.current();
    const auto make = [&](const EditSet& edits) { return apply(base, edits); };
    std::vector<EditSet> proposals = with_whole_patches(base, pass.propose(base, facts_for(pass)));
    return !search_.minimise(std::move(proposals), pass.name(), make).empty();
  }

  const Problem& problem_;
  const std::vector<const Pass*>& passes_;
  Search search_;
  std::map<const Pass*, std::string> exhausted_;
  std::string profiled_;
  Facts facts_;
};

}  // namespace

Progress& Progress::operator+=(const Progress& other) {
  asked += other.asked;
  accepted += other.accepted;
  for (const auto& [name, count] : other.passes) {
    passes[name].asked += count.asked;
    passes[name].accepted += count.accepted;
  }
  return *this;
}

std::optional<std::size_t> Search::first(const std::vector<Candidate>& candidates, std::string_view who) {
  std::vector<Program> list;
  std::vector<std::size_t> place;
  std::vector<std::string> hashes;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (!candidates[i] || !(weigh(*candidates[i]) < weight_)) continue;
    std::string hash = candidates[i]->program().sha256();
    if (refused_.contains(hash) || std::find(hashes.begin(), hashes.end(), hash) != hashes.end()) continue;
    list.push_back(candidates[i]->program());
    place.push_back(i);
    hashes.push_back(std::move(hash));
  }
  if (list.empty() || stopped()) return std::nullopt;
  auto found = problem_.first_interesting(list);
  // An answer after the time limit may only mean that the question was cut short.
  if (stopped()) return std::nullopt;
  const std::size_t asked = found ? *found + 1 : list.size();
  progress_.asked += static_cast<std::int64_t>(asked);
  progress_.passes[std::string(who)].asked += static_cast<std::int64_t>(asked);
  for (std::size_t i = 0; i < (found ? *found : list.size()); ++i) refused_.insert(hashes[i]);
  if (!found) return std::nullopt;
  accept(*candidates[place[*found]], who);
  return place[*found];
}

EditSet Search::minimise(std::vector<EditSet> proposals, std::string_view who,
                         const std::function<Candidate(const EditSet&)>& make, std::size_t finest) {
  EditSet accepted;
  for (std::size_t size = proposals.size(); size > 0 && !proposals.empty();
       size = size <= finest ? 0 : (size + 1) / 2) {
    size = std::min(size, proposals.size());
    std::set<std::size_t> taken;  // chunks of this size
    const std::size_t chunks = (proposals.size() + size - 1) / size;
    for (std::size_t from = 0; from < chunks && !stopped();) {
      std::vector<EditSet> merged;
      std::vector<Candidate> list;
      for (std::size_t at = from; at < std::min(from + kList, chunks); ++at) {
        merged.push_back(merge_chunk(proposals, at * size, size, accepted));
        list.push_back(merged.back() == accepted ? std::nullopt : make(merged.back()));
      }
      const auto found = first(list, who);
      if (found) {
        accepted = std::move(merged[*found]);
        taken.insert(from + *found);
      }
      from += found ? *found + 1 : list.size();
    }
    if (stopped()) break;
    drop_chunks(proposals, size, taken);
  }
  return accepted;
}

void Search::accept(const Parsed& parsed, std::string_view who) {
  if (problem_.accepted) problem_.accepted(current_.program(), parsed.program(), who);
  current_ = parsed;
  weight_ = weigh(parsed);
  ++progress_.accepted;
  ++progress_.passes[std::string(who)].accepted;
  if (problem_.better) problem_.better(current_.program(), progress_);
}

Reduced reduce(const Parsed& start, const Problem& problem, const std::vector<const Pass*>& passes) {
  return Reducer(start, problem, passes).run();
}

}  // namespace jp::reduce
