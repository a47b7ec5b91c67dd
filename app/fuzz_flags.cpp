#include "app/fuzz_flags.h"

namespace jp::app {

void add_flags(CLI::App& command, FuzzFlags& flags) {
  command.add_option("--time", flags.time,
                     "how long to fuzz, confirmations included: 90s, 5m, 8h (until Ctrl-C by default); "
                     "start-up is not included");
  command.add_option("--tests", flags.tests, "how many tests to make")->check(CLI::Range(1, 1000000000));
  command
      .add_option("--until-findings", flags.until_findings,
                  "end once so many new findings are confirmed, with --resume so many more")
      ->check(CLI::Range(1, 1000000));
  command.add_option("--seed", flags.seed, "campaign seed (random by default, printed)");
  command
      .add_option("--from", flags.from,
                  "where seeds come from: generated (default), tables, tables:NAME, models, a program file or a "
                  "folder of them; several, comma-separated or repeated, are used in turn")
      ->delimiter(',')
      ->allow_extra_args(false);
  command.add_option("--with", flags.with, "a folder that harvest wrote: generated programs contain its calls, too");
  command.add_flag("--draw", flags.draw, "draw seeds of tables, models and files instead of taking them in order");
  command
      .add_option("--ops", flags.operators,
                  "operator calls in each generated program: a number, or LOW:HIGH, of which each draws one")
      ->capture_default_str();
  command.add_option("--mutations-per-program", flags.mutations, "most mutations on one program; 0 for none")
      ->capture_default_str()
      ->check(CLI::Range(0, 1000));
  add_flags(command, flags.drawn);
  command.add_option("--jobs", flags.jobs, "parallel test processes (one per core by default)")
      ->check(CLI::Range(1, 256));
  command
      .add_option("--backend", flags.backends,
                  "what to test: eager, aot_eager, aot_eager_decomp_partition, inductor, file.py, module:callable, "
                  "torch:NAME; may be repeated (the first four by default, mostly aot_eager)")
      ->allow_extra_args(false);
  add_flags(command, flags.judging);
  command
      .add_option("--reduce", flags.reduce,
                  "most candidates tried to reduce each new finding before its test ends; 0: don't reduce")
      ->capture_default_str()
      ->check(CLI::Range(0, 1000000));
  command.add_flag(
      "--finish,!--no-finish", flags.finish,
      "after the last test, reduce every finding to the end, however long that takes; by default only with --time, "
      "and until that is over; --no-finish: continue no reduction, neither between tests nor after them");
  command.add_option("--epoch", flags.epoch, "tests per learning epoch (500; the first few epochs are shorter)")
      ->check(CLI::Range(1, 1000000));
  command
      .add_option("--cores", flags.cores,
                  "epochs for so many cores: without --epoch 300 tests a core, 500 at least, and what a finding "
                  "suppresses takes effect four epochs after its test instead of two (with --on processes:N and "
                  "--on ray: for as many as these have)")
      ->check(CLI::Range(1, 100000));
  command.add_flag("--allow-known", flags.allow_known, "don't suppress programs that resemble bugs already found");
  command.add_option("--depth", flags.depth, "most mutation generations; 1: always start from a seed")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000));
  command
      .add_option("--accept", flags.corpus_policy,
                  "which mutants join the corpus: all, distant (far from their seed), mcmc (a Markov chain "
                  "towards distant ones)")
      ->capture_default_str()
      ->check(CLI::IsMember({"all", "distant", "mcmc"}));
  command
      .add_option("--on", flags.on,
                  "who makes the tests: processes:N, so many on this machine; ray:auto or ray:ADDRESS, a Ray "
                  "cluster; files:DIR, processes of jitprobe lease --of DIR; "
                  "--jobs then only make runs that their decisions need")
      ->check([](const std::string& text) {
        return text.empty() ? std::string("it is empty: give processes:N, ray:ADDRESS or files:DIR") : std::string();
      });
  command.add_option("--campaign", flags.folder, "folder of the campaign (campaigns/seed-N by default)");
  command
      .add_option("--known", flags.known,
                  "what is known: folders of known bugs (with known/ and trophies/), which are counted, not reported, "
                  "and of earlier campaigns, whose findings are suppressed, too; the project's corpus by default; "
                  "none: nothing. Comma-separated or repeated")
      ->delimiter(',')
      ->allow_extra_args(false);
  command.add_flag("--resume", flags.resume, "continue the campaign in --campaign")->needs("--campaign");
  command
      .add_option("--replay", flags.replay,
                  "make and judge only this test of the campaign in --campaign again, in a copy of it")
      ->needs("--campaign")
      ->excludes("--resume")
      ->excludes("--on");
  command
      .add_option("--keep-programs", flags.keep_programs,
                  "write each program that was judged into this folder, as test_NUMBER.py")
      ->excludes("--replay");
  command.add_flag("--stats", flags.statistics,
                   "print in which phases the time of all jobs was spent (findings statistics prints it later)");
  command.add_flag("--json", flags.json, "the last line is one JSON object");
}

}  // namespace jp::app
