// The rules of judging by name: the order of the questions, what is compared how, and every difference that looks like
// a bug and is none. A verdict and each decision behind it name one of these.
//
// The names are checked at compile time: code names a rule through RuleName, and a name that is not in the table does
// not compile.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace jp::oracle {

/// What enforces a rule.
enum class DecidedBy {
  kOrder,    // one of the questions, in the order of judging
  kJudge,    // the comparison of recorded outcomes
  kBackend,  // the backend's file: its table of refusals, its counters
  kWorker,   // how runs are made and recorded
  kGrammar,  // such programs are not made
};

/// "order", "judge", "backend", "worker", "grammar".
std::string_view decided_by_name(DecidedBy by);

struct Rule {
  std::string_view name;
  DecidedBy by;
  /// One sentence: what holds, and why.
  std::string_view sentence;
};

// clang-format off
inline constexpr std::array kRules = {
    // The questions, cheapest first; each is asked only if those before it have left something open.
    Rule{"bitwise", DecidedBy::kOrder, "Everything observed is the same, bit for bit."},
    Rule{"tolerance", DecidedBy::kOrder, "Floating numbers may differ by torch.testing's default tolerance for their type."},
    Rule{"small_numbers", DecidedBy::kOrder, "A tensor whose numbers are all so small that the default tolerance would accept any may differ by half of the largest, and by four epsilons of the largest number that is shown anywhere; by more if eager itself isn't accurate at this size."},
    Rule{"float32", DecidedBy::kOrder, "Half types: a result that is as near to the program in float32 as eager is rounding."},
    Rule{"float64", DecidedBy::kOrder, "A result that is as near to the program in float64 as eager (within twice its distance and one tolerance) is rounding."},
    Rule{"monte_carlo", DecidedBy::kOrder, "A number within eight times the spread that eager shows when its roundings are moved is rounding; what changes discretely then is not compared."},
    Rule{"other_choices", DecidedBy::kOrder, "Unspecified behaviour (which of equal elements an index names, what an in-place operator reads of memory that it writes, what entries of a list that share memory see of one another, what a write leaves in a tensor whose own elements share memory, the sign of a NaN, or of a zero chosen among zeros of both signs, what integer a number out of its range becomes, how much time passes between two readings of a clock, at which address an object lies, what strides dimensions of one element have) may differ: eager shows it too when it is resolved differently. So may numbers and texts that are new in each run of eager (a time, a name drawn for the run)."},
    Rule{"emulate_precision_casts", DecidedBy::kOrder, "Half types: a difference that disappears when the compiler rounds after each operator is rounding."},
    Rule{"other_values", DecidedBy::kOrder, "Eager may be exact by luck: the error of the element on other values counts as its own rounding."},
    Rule{"borderline", DecidedBy::kOrder, "A small numerical difference that vanishes on all other values tried is not a demonstrable bug."},
    Rule{"eager_wrong", DecidedBy::kOrder, "The compiled run agrees with the higher precision and eager does not: no finding against the compiler."},
    // What is compared, and how.
    Rule{"exact", DecidedBy::kJudge, "Integers, bools and Python values other than floats are compared exactly."},
    Rule{"nonfinite", DecidedBy::kJudge, "NaN and infinities are in the same places."},
    Rule{"structure", DecidedBy::kJudge, "Number, nesting and types of values are compared exactly."},
    Rule{"dtype", DecidedBy::kJudge, "Element types are compared exactly."},
    Rule{"shape", DecidedBy::kJudge, "Shapes are compared exactly."},
    Rule{"requires_grad", DecidedBy::kJudge, "Whether a tensor requires grad is compared exactly."},
    Rule{"node_names", DecidedBy::kJudge, "A tensor's text names the node of autograd that computed it; the compiler's own nodes have other names."},
    Rule{"text", DecidedBy::kJudge, "Text that the program prints or returns is compared exactly, except for the rounding of the numbers in it."},
    Rule{"overwritten", DecidedBy::kJudge, "Arguments and outputs of a call that share no memory with what the program holds aren't written to after it, unless eager writes to them, too."},
    Rule{"shared_memory", DecidedBy::kJudge, "An output that shares no memory with arguments and state in eager shares none in the compiled run: a write to one would change the other."},
    Rule{"mode", DecidedBy::kJudge, "Default dtype, grad mode, threads and the like are the same after a call."},
    Rule{"handler", DecidedBy::kJudge, "If a text shows another exception class, another handler of the program ran."},
    Rule{"raises", DecidedBy::kJudge, "Only the compiled run raises."},
    Rule{"accepts", DecidedBy::kJudge, "Only eager raises: a class of its own, with low priority."},
    Rule{"both_raise", DecidedBy::kJudge, "Both sides raise in the same phase."},
    Rule{"compiler_error", DecidedBy::kJudge, "The compiler fails by an error of its own."},
    Rule{"death", DecidedBy::kJudge, "The compiled run's process dies."},
    Rule{"lost_children", DecidedBy::kJudge, "A process that the compiler started dies of a signal although the run continues; not one that eager loses too."},
    Rule{"hang", DecidedBy::kJudge, "The compiled run gives no answer within a limit that eager keeps."},
    Rule{"memory", DecidedBy::kJudge, "The compiled run grows beyond a limit that eager keeps."},
    Rule{"vacuous", DecidedBy::kBackend, "Agreement shows nothing if nothing was compiled, or if the recompile limit fell back to eager."},
    // Programs that are no evidence against a compiler.
    Rule{"eager_fails", DecidedBy::kJudge, "A program that eager can't finish is no evidence against a compiler."},
    Rule{"eager_differs", DecidedBy::kJudge, "A program that differs from itself in eager is random, or reads unwritten memory."},
    Rule{"not_repeatable", DecidedBy::kJudge, "The program's own part ran in eager and fails when it runs again."},
    Rule{"backend", DecidedBy::kBackend, "The backend could not be used: nothing is said of the program."},
    Rule{"broken", DecidedBy::kJudge, "A run that jitprobe's own worker can't make on this torch says nothing of program or compiler."},
    Rule{"incomparable", DecidedBy::kJudge, "A program that returns what can't be read (too deep, too large, an object that raises when it is inspected) can't be judged by its output."},
    Rule{"no_seed", DecidedBy::kJudge, "The oracle compares a program with its seed, and none was given."},
    Rule{"no_switches", DecidedBy::kJudge, "The oracle compares configurations, and no switches were given."},
    Rule{"not_broken", DecidedBy::kJudge, "A program that should break a rule runs in eager."},
    // Which oracle found it.
    Rule{"seed_too", DecidedBy::kJudge, "The seed shows the same difference from its own eager run: the mutation is not the cause."},
    Rule{"both_configurations", DecidedBy::kJudge, "Both configurations differ from eager and not from one another: their switches are not the cause."},
    Rule{"both_devices", DecidedBy::kJudge, "Both devices differ from eager and not from one another."},
    Rule{"devices_differ", DecidedBy::kJudge, "Where eager itself differs between the devices (random numbers, what only one device can do), they are not compared: no finding of this oracle."},
    Rule{"rejects_alike", DecidedBy::kJudge, "A broken program is rejected by the compiler with a clean exception, as by eager."},
    Rule{"survives", DecidedBy::kJudge, "The compiled run finishes."},
    Rule{"state_after", DecidedBy::kJudge, "Eager does the same in a process in which the program was compiled."},
    Rule{"in_proportion", DecidedBy::kJudge, "The work of compiling grows no faster than the program."},
    Rule{"cost", DecidedBy::kJudge, "The work of compiling, by counters, is out of proportion to the program; never by the clock."},
    // Differences that are recorded and never enough alone; `--report NAME` reports them.
    Rule{"strides", DecidedBy::kJudge, "Strides are weak; those of dimensions of size one and of empty tensors never count."},
    Rule{"aliasing", DecidedBy::kJudge, "Which tensors share memory is weak, but for outputs that become the memory of an argument or of the state."},
    Rule{"identity", DecidedBy::kJudge, "Which tensors are one object is weak."},
    Rule{"leaf", DecidedBy::kJudge, "is_leaf and the presence of a grad_fn are weak."},
    Rule{"offset", DecidedBy::kJudge, "Storage offsets are weak."},
    Rule{"version", DecidedBy::kJudge, "Version counters are weak."},
    Rule{"sign_of_zero", DecidedBy::kJudge, "The sign of a zero is weak."},
    Rule{"nan_payload", DecidedBy::kJudge, "The bits of a NaN are weak."},
    Rule{"warnings", DecidedBy::kJudge, "Warnings are weak."},
    Rule{"error_class", DecidedBy::kJudge, "Both raise exceptions of unrelated classes that the program doesn't catch: weak. A subclass of eager's class counts as the same."},
    Rule{"denormal", DecidedBy::kJudge, "Differences between numbers below the smallest normal one are weak: hardware may flush them."},
    // Differences that look like a bug and are none.
    Rule{"expected_refusal", DecidedBy::kBackend, "A refusal that the backend's file declares (Unsupported, mixed bases, donated buffers …) is no bug."},
    Rule{"overlapping_write", DecidedBy::kJudge, "A write through an argument that overlaps itself has no defined result. Only asked where no run with other choices could be made."},
    Rule{"single_memory_location", DecidedBy::kJudge, "Eager refuses a write in which several elements are one memory location, and the compiled run accepts it: weak."},
    Rule{"dead_operator", DecidedBy::kJudge, "An operator that would raise and whose result nothing reads may be removed: weak."},
    Rule{"eager_traces", DecidedBy::kJudge, "Eager itself traces a graph (of the branches of cond, for its backward) and raises in that, and the compiled run accepts the program: weak."},
    Rule{"float_to_int", DecidedBy::kJudge, "A float beyond an integer type's range has no defined value in it. Only asked where no run with other choices could be made."},
    Rule{"numpy_scalars", DecidedBy::kJudge, "numpy scalars become tensors or arrays without dimensions, by design, also in a text that writes them."},
    Rule{"iterator_types", DecidedBy::kJudge, "Iterators over lists and tuples are one type: the compiler makes either from the remaining items."},
    Rule{"message_text", DecidedBy::kJudge, "The text of an exception that leaves the program is never compared."},
    Rule{"eager_backward_fails", DecidedBy::kJudge, "A backward that eager can't run may be refused in the call, and nothing after it is compared."},
    Rule{"kept_for_backward", DecidedBy::kJudge, "Eager's backward refuses a tensor that was written after it was saved, and the compiled run had saved its old value: weak."},
    Rule{"graph_freed", DecidedBy::kJudge, "Behind a call that may have run backward through its graph already, one run can't do so again: what the first way frees depends on what a graph keeps, which is the compiler's choice. Weak."},
    Rule{"state_after_raise", DecidedBy::kJudge, "State is not compared after a call that raised, nor what follows from it."},
    Rule{"compile_time", DecidedBy::kJudge, "The time of a run is shown and never judged."},
    Rule{"random_operators", DecidedBy::kGrammar, "Programs are made without random operators unless fallback_random and reseeding hold."},
    Rule{"undefined_integers", DecidedBy::kGrammar, "Shifts by the width or more, signed overflow and division of integers by zero are undefined: not made."},
    Rule{"uninitialised_memory", DecidedBy::kGrammar, "empty and resize_ give unwritten memory: not made; caught by eager_differs."},
    Rule{"module_truth", DecidedBy::kGrammar, "A compiled module is true whatever its own __bool__ or __len__ says, by design: not tested."},
    Rule{"function_defaults", DecidedBy::kWorker, "__defaults__ of functions are not state, by design."},
    Rule{"foreign_globals", DecidedBy::kWorker, "A global that the file neither had when it was loaded nor names is not part of its state: the compiler keeps constants there."},
    Rule{"fresh_inputs", DecidedBy::kWorker, "Each run makes its arguments afresh, with strides, offsets and aliasing."},
    Rule{"same_inputs_cast", DecidedBy::kWorker, "A run in higher precision casts the same arguments up and preserves their aliasing; nothing is drawn again."},
    Rule{"iterators_at_the_end", DecidedBy::kWorker, "Items are drawn from iterators after everything else, on both sides alike."},
    Rule{"sets_sorted", DecidedBy::kWorker, "Sets are recorded sorted: their order means nothing."},
    Rule{"modes_put_back", DecidedBy::kWorker, "Grad mode, default dtype, random state and threads are restored between runs."},
    Rule{"unread_random_numbers", DecidedBy::kWorker, "Operators whose random numbers nothing reads stay: AOTAutograd removes them by design, unless fallback_random is set, as it is."},
    Rule{"numpy_random_numbers", DecidedBy::kWorker, "numpy's random numbers are numpy's: by default Dynamo draws them with torch, unless use_numpy_random_stream is set, as it is."},
    Rule{"no_shared_caches", DecidedBy::kWorker, "The compiler's graph caches are off: a test never depends on an earlier one."},
    Rule{"observed_from_outside", DecidedBy::kWorker, "Runs are observed after the call, never by code that the compiler sees."},
};
// clang-format on

constexpr const Rule* find_rule(std::string_view name) {
  for (const Rule& rule : kRules)
    if (rule.name == name) return &rule;
  return nullptr;
}

/// Whether the table has it. Not by find_rule: under -fsanitize=undefined g++ 12 takes no comparison of pointers for a
/// constant.
constexpr bool is_rule(std::string_view name) {
  return std::any_of(kRules.begin(), kRules.end(), [name](const Rule& rule) { return rule.name == name; });
}

/// The name of a rule in the table; any other text does not compile.
class RuleName {
 public:
  consteval RuleName(const char* name) : text_(name) {  // NOLINT: a literal is meant to convert
    if (!is_rule(text_)) throw "no rule of that name";
  }
  constexpr std::string_view text() const { return text_; }
  std::string str() const { return std::string(text_); }
  constexpr bool operator==(const RuleName& other) const { return text_ == other.text_; }

 private:
  std::string_view text_;
};

/// Names that Plan::report accepts: the weak classes of difference, in the order of core/verdict.h.
std::vector<std::string> weak_classes();

}  // namespace jp::oracle
