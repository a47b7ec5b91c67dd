// Properties that every registered mutation must have, with made-up facts: the result parses, replays byte for byte,
// any subsequence of its steps replays, and unchanged statements keep their ids.
#include "mutate/engine/engine.h"

#include <set>

#include "helpers.h"
#include "trees.h"

namespace jp::mutate {
namespace {

using testing::made_up_facts;
using testing::parsed_from;
using testing::program_files;
using testing::read_file;

/// Up to `steps` steps from a seed.
Parsed mutated(const Parsed& base, std::uint64_t seed, int steps, Counts& counts) {
  Parsed now = base;
  for (int i = 0; i < steps; ++i) {
    Choices choices(seed * 1000 + static_cast<std::uint64_t>(i));
    if (auto made = random_step(now, made_up_facts(now), choices, {{"break_rule", 1}}, &counts)) now = *std::move(made);
    EXPECT_EQ(testing::tree_difference(now.tree(), *parse_tree(now.source()).value()), "") << now.source();
  }
  return now;
}

/// A few steps of one mutation on every program, so that each mutation is tested.
void alone(const Mutation& mutation, Counts& counts) {
  Weights only;
  for (const Mutation* other : Mutations::instance().all()) only[std::string(other->name())] = other == &mutation;
  for (const auto& path : program_files()) {
    const Parsed base = parsed_from(read_file(path));
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
      Choices choices(seed);
      random_step(base, made_up_facts(base), choices, only, &counts);
    }
  }
}

TEST(Engine, EveryMutationAppliesParsesAndReplays) {
  Counts counts;
  for (const auto& path : program_files())
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      Parsed base = parsed_from(read_file(path));
      Parsed made = mutated(base, seed, 25, counts);
      EXPECT_EQ(replay(base, made.program().lineage().steps).source(), made.source()) << path;
      EXPECT_EQ(parsed_from(made.source()).statements().size(), made.statements().size());
    }
  for (const Mutation* mutation : Mutations::instance().all()) {
    alone(*mutation, counts);
    const Count& count = counts[std::string(mutation->name())];
    EXPECT_GT(count.applied, 0) << mutation->name();
    EXPECT_EQ(count.unparsable, 0) << mutation->name();
    EXPECT_GE(count.applied * 100, count.tried * 98) << mutation->name() << ": sites that do not apply";
  }
}

TEST(Engine, NoStepBringsInAMissingFunction) {
  const auto brought = [](const MissingFunctions& missing) {
    std::set<std::string> names;
    for (const auto& path : program_files()) {
      const Parsed base = parsed_from(read_file(path));
      for (std::uint64_t seed = 0; seed < 20; ++seed) {
        Choices choices(seed);
        const auto made = random_step(base, made_up_facts(base), choices, {}, nullptr, {}, missing);
        if (!made) continue;
        for (std::string& name : functions_named(made->source())) names.insert(std::move(name));
        for (const std::string& name : functions_named(base.source())) names.erase(name);
      }
    }
    return names;
  };
  const std::set<std::string> free = brought({});
  ASSERT_GE(free.size(), 4u);
  const std::vector<std::string> names(free.begin(), free.end());
  // Every second one is missing.
  std::vector<std::string> lacking;
  for (std::size_t i = 0; i < names.size(); i += 2) lacking.push_back(names[i]);
  const std::set<std::string> rest = brought(MissingFunctions(lacking));
  for (const std::string& name : lacking) EXPECT_FALSE(rest.contains(name)) << name;
  EXPECT_FALSE(rest.empty());
}

TEST(Engine, FiftyStepsOnOneProgram) {
  Counts counts;
  Parsed base = parsed_from(read_file(JITPROBE_TEST_DIR "/mutate/programs/nested.py"));
  Parsed made = mutated(base, 9, 50, counts);
  EXPECT_GE(made.program().lineage().steps.size(), 48u);
  EXPECT_EQ(replay(base, made.program().lineage().steps).source(), made.source());
}

TEST(Engine, AnySubsequenceReplays) {
  Counts counts;
  for (const auto& path : program_files()) {
    Parsed base = parsed_from(read_file(path));
    Parsed made = mutated(base, 4, 20, counts);
    const auto& all = made.program().lineage().steps;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      Choices choices(seed);
      std::vector<Step> some;
      for (const Step& step : all)
        if (choices.chance(1, 2)) some.push_back(step);
      Parsed again = replay(base, some);
      EXPECT_LE(again.program().lineage().steps.size(), some.size());
      EXPECT_EQ(replay(base, again.program().lineage().steps).source(), again.source()) << path << " " << seed;
    }
    EXPECT_EQ(replay(base, {}).source(), base.source());
  }
}

TEST(Engine, IdsBelongToOneStatementForEver) {
  Counts counts;
  for (const auto& path : program_files()) {
    Parsed now = parsed_from(read_file(path));
    std::map<std::string, std::string> kinds;
    std::set<std::string> gone;
    for (int i = 0; i < 15; ++i) {
      Parsed next = mutated(now, static_cast<std::uint64_t>(100 + i), 1, counts);
      std::set<std::string> ids;
      for (const Statement& statement : next.statements()) {
        EXPECT_TRUE(ids.insert(statement.id).second) << "twice: " << statement.id;
        EXPECT_FALSE(gone.contains(statement.id)) << "came back: " << statement.id;
        auto [known, fresh] = kinds.emplace(statement.id, statement.kind());
        EXPECT_EQ(known->second, statement.kind()) << statement.id;
      }
      for (const auto& [id, kind] : kinds)
        if (!ids.contains(id)) gone.insert(id);
      now = next;
    }
  }
}

TEST(Engine, WithoutFactsOnlyMutationsThatNeedNoneHaveSites) {
  Parsed base = parsed_from(read_file(JITPROBE_TEST_DIR "/mutate/programs/nested.py"));
  for (const Mutation* mutation : Mutations::instance().all())
    EXPECT_EQ(mutation->sites(base, Facts()).empty(), mutation->needs_facts()) << mutation->name();
}

// Some mutations draw a site without listing all: it must be in the list, and every one must be possible.
TEST(Engine, DrawnSitesAreThoseOfTheList) {
  for (const char* file : {"straight.py", "nested.py"}) {
    const Parsed base = parsed_from(read_file(std::string(JITPROBE_TEST_DIR "/mutate/programs/") + file));
    const Facts facts = made_up_facts(base);
    for (const Mutation* mutation : Mutations::instance().all()) {
      const std::vector<Site> listed = mutation->sites(base, facts);
      const std::set<Site> all(listed.begin(), listed.end());
      std::set<Site> drawn;
      Choices choices(3);
      for (std::size_t i = 0; i < 20 * (all.size() + 1); ++i)
        if (auto site = mutation->draw_site(base, facts, choices)) drawn.insert(*site);
      EXPECT_EQ(drawn, all) << mutation->name() << " in " << file;
    }
  }
}

TEST(Engine, SitesAreTheSameTwiceAndDrawsDecideTheRest) {
  Parsed base = parsed_from(read_file(JITPROBE_TEST_DIR "/mutate/programs/straight.py"));
  Facts facts = made_up_facts(base);
  for (const Candidate& candidate : candidates(base, facts)) {
    Choices one(5);
    Choices other(5);
    EditSet first = candidate.mutation->rewrite(base, facts, candidate.site, one, 0);
    EXPECT_EQ(first, candidate.mutation->rewrite(base, facts, candidate.site, other, 0));
    Choices again = Choices::replay(one.draws());
    EXPECT_EQ(first, candidate.mutation->rewrite(base, Facts(), candidate.site, again, 0))
        << candidate.mutation->name();
    Choices empty = Choices::replay({});
    if (candidate.mutation->needs_facts()) {
      EXPECT_TRUE(candidate.mutation->rewrite(base, Facts(), candidate.site, empty, 0).empty())
          << candidate.mutation->name() << " acts without its notes";
    }
  }
}

/// Ways to spoil a note.
std::vector<std::string> spoilt(const std::string& note) {
  std::vector<std::string> notes = {"", "-", "yes", "[]", "{} {1} $9$", std::string("\0\xff", 2), note + note};
  for (std::size_t part = 1; part < 4; ++part) notes.push_back(note.substr(0, note.size() * part / 4));
  for (std::size_t i = 0; i < note.size(); ++i) {
    if (note[i] < '0' || note[i] > '9') continue;
    for (const char* number :
         {"-1", "0", "7", "1000000", "1099511627776", "9223372036854775807", "99999999999999999999"})
      notes.push_back(note.substr(0, i) + number + note.substr(i + 1));
  }
  for (const char* word : {"float32", "int64", "bool", "complex64", "yes", "no"})
    for (const char* by : {"float16", "no", "yes", "-", "v0"})
      if (std::size_t at = note.find(word); at != std::string::npos)
        notes.push_back(std::string(note).replace(at, std::string_view(word).size(), by));
  // An item twice, and one less.
  if (std::size_t at = note.find('['), end = note.find(']', at); end != std::string::npos) {
    const std::string items = note.substr(at + 1, end - at - 1);
    notes.push_back(note.substr(0, at + 1) + items + " " + items + note.substr(end));
    notes.push_back(note.substr(0, at + 1) + items.substr(0, items.find(' ')) + note.substr(end));
  }
  return notes;
}

TEST(Engine, SpoiltNotesDoNoHarm) {
  for (const auto& path : program_files()) {
    const Parsed base = parsed_from(read_file(path));
    const Facts facts = made_up_facts(base);
    for (const Mutation* mutation : Mutations::instance().all()) {
      const std::vector<Site> sites = mutation->sites(base, facts);
      Choices choices(0);
      if (sites.empty() || !apply(base, facts, *mutation, sites.front(), choices)) continue;
      const Draws draws = choices.draws();
      for (std::size_t at = 0; at < draws.size(); ++at) {
        const auto* note = std::get_if<std::string>(&draws[at]);
        for (const std::string& other : note ? spoilt(*note) : std::vector<std::string>()) {
          Draws changed = draws;
          changed[at] = other;
          Choices replayed = Choices::replay(changed);
          std::optional<Parsed> made;
          EXPECT_NO_THROW(made = apply(base, Facts(), *mutation, sites.front(), replayed))
              << mutation->name() << " with " << other;
          if (made) {
            EXPECT_EQ(replay(base, made->program().lineage().steps).source(), made->source()) << other;
          }
        }
      }
    }
  }
}

TEST(Engine, ProgramsAreBrokenOnRequestOnly) {
  Parsed base = parsed_from(read_file(JITPROBE_TEST_DIR "/mutate/programs/straight.py"));
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Choices choices(seed);
    auto made = random_step(base, made_up_facts(base), choices);
    ASSERT_TRUE(made);
    EXPECT_NE(made->program().lineage().steps.at(0).mutation, "break_rule");
  }
}

TEST(Engine, WeightsOfZeroForbid) {
  Parsed base = parsed_from(read_file(JITPROBE_TEST_DIR "/mutate/programs/straight.py"));
  Weights weights;
  for (const Mutation* mutation : Mutations::instance().all()) weights[std::string(mutation->name())] = 0;
  Choices choices(1);
  EXPECT_FALSE(random_step(base, made_up_facts(base), choices, weights));
  weights["true_block"] = 3;
  auto made = random_step(base, made_up_facts(base), choices, weights);
  ASSERT_TRUE(made);
  EXPECT_EQ(made->program().lineage().steps.at(0).mutation, "true_block");
}

TEST(Engine, ProgramsThatWatchThemselvesAreLeftAlone) {
  Parsed base =
      parsed_from("import torch, sys\ndef program(x):\n    y = x + 1\n    f = sys._getframe()\n    return y\n");
  for (const Candidate& candidate : candidates(base, made_up_facts(base)))
    EXPECT_EQ(candidate.mutation->exactness(), Exactness::kVariation) << candidate.mutation->name();
}

TEST(Steps, PrintAndParse) {
  Step step{0, "true_block", {"m7.2", "s5"}, {std::int64_t{3}, "a > 'b'\\\n", std::int64_t{-1}}};
  EXPECT_EQ(print_step(step), "true_block@m7.2:s5=3,'a > \\'b\\'\\\\\\n',-1");
  auto back = parse_step(print_step(step));
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(back.value().step, step);
  EXPECT_TRUE(back.value().has_draws);
  EXPECT_FALSE(parse_step("x@s1").value().has_draws);
  for (const char* bad : {"", "@s1", "x", "x@", "x@s1=a", "x@s1='a", "x@s1=1 2"})
    EXPECT_FALSE(parse_step(bad).ok()) << bad;
}

TEST(Registry, NamesAreTheFilesNames) {
  std::set<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(JITPROBE_SOURCE_DIR "/mutate/mutations"))
    files.insert(entry.path().stem().string());
  std::set<std::string> names;
  for (const Mutation* mutation : Mutations::instance().all()) {
    names.emplace(mutation->name());
    EXPECT_FALSE(mutation->aims().empty());
    EXPECT_FALSE(mutation->source().empty());
    EXPECT_TRUE(std::set<std::string_view>({"A", "B", "C", "D", "E"}).contains(mutation->section()));
  }
  EXPECT_EQ(names, files);
}

}  // namespace
}  // namespace jp::mutate
