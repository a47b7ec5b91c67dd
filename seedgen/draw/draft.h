// A graph while it is drawn. It provides inputs (a live value that fits, or a new argument), records calls, and keeps
// what later draws need: what shares memory, what autograd saved, which values are unread.
//
// In-place writes. A value that is written must not be a leaf that requires gradients nor a view of one, must not
// overlap itself, and must not have been saved for backward (eager's own backward would refuse). Everything that shares
// its storage gets the wider interval.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "core/choices.h"
#include "core/graph.h"
#include "seedgen/draw/call_observer.h"
#include "seedgen/draw/known_values.h"
#include "seedgen/draw/want.h"

namespace jp::seedgen {

/// How much faithful evaluations of a result may differ, given exact operands.
enum class Exactness : std::uint8_t {
  kSame,     ///< bit for bit: selection, movement, integers, sign changes
  kRounded,  ///< one rounding, the same everywhere except in half precision, where compilers keep float32 for
             ///< intermediate values
  kLoose,    ///< the order of summation and library functions differ
};

/// What autograd saves of a call for its backward.
enum class Saves : std::uint8_t { kNothing, kAll };

/// Properties shared by all results of a call.
struct Traits {
  Exactness exactness = Exactness::kSame;
  Saves saves = Saves::kAll;
  bool differentiable = true;
  /// Several views of one tensor (split, unbind): autograd forbids writing to them.
  bool several_views = false;
  /// The result has whole numbers only, whatever its dtype.
  bool whole = false;
  /// Inexact operands are clear of all steps (Want::clear), so that rounding can't change the result.
  bool decided = false;
  /// The result contains only 0 and 1 (true and false), whatever its dtype.
  bool truths = false;
  /// Each result depends only on the items at its position in the lists.
  bool itemwise = false;
};

class Draft {
 public:
  /// `reuse` in thousandths: how often an input is a live value if one fits.
  Draft(Choices& choices, std::uint64_t reuse, const Bounds& bounds = {});

  Choices& choices() { return choices_; }
  Graph& graph() { return graph_; }

  /// The next input: a live value that fits, or a new argument made to fit.
  Value input(const Want& want);
  /// A live value that fits, with the probability of reuse; else nothing.
  std::optional<Value> live_input(const Want& want);
  /// Whether some live value fits.
  bool has_live(const Want& want);
  /// A new argument of that type, made by the expression `text` in make_inputs; without gradients.
  Value given_argument(Value argument, std::string text);
  /// Later operands are never combined elementwise with earlier ones, or only with that one.
  void beside_nobody() { partner_ = kNobody; }
  void beside_only(const Value& partner) { partner_ = partner.id; }
  /// Restricts the want of another operand of a call that writes `target`: it shares no memory, and has no gradients
  /// that the target can't take in. Sets `want.live`.
  void beside(Want& want, const Value& target) const;

  /// One of the dimensions of a value of rank 1 or more.
  Dim dim(int rank);
  /// Different dimensions, at least `least` of them.
  std::vector<Dim> dims(int rank, int least);
  /// How far a dimension of that size may grow so that other calls can still read the result.
  std::int64_t room_to_grow(std::int64_t size) const { return std::max<std::int64_t>(0, bounds_.max_size - size); }
  /// The largest rank of results that other calls read.
  int most_rank() const { return bounds_.max_rank; }
  bool flip() { return choices_.chance(1, 2); }
  std::int64_t between(std::int64_t low, std::int64_t high) { return choices_.between(low, high); }

  /// Records a call with its results (templates: dtype, shape, interval, and for views storage and strides); fills in
  /// what follows from the operands.
  void record(Call call, std::vector<Value> results, Traits traits);
  void record(Call call, Value result, Traits traits) {
    record(std::move(call), std::vector{std::move(result)}, traits);
  }
  /// Records a call that writes `target`, whose elements then lie in `result`.
  void record_write(Call call, const Value& target, Interval result, Traits traits);
  /// Records a call that writes several values of different storages, and gives each a new name. No other operand
  /// requires gradients.
  void record_writes(Call call, const std::vector<Value>& targets, const std::vector<Interval>& results, Traits traits);
  /// Records that the last call has also written `target`, without giving it a new name (running statistics).
  void overwrite(const Value& target, Interval result);

  /// A snapshot of what was drawn so far, to go back to. The choices are not rewound.
  struct State;
  State state() const;
  void restore(State state);

  /// Tells this observer of each input and dimension from now on; nullptr: nobody.
  void observe(CallObserver* observer) { observer_ = observer; }

  /// Renumbers arguments to come first and returns the graph.
  Graph finish();

 private:
  static constexpr int kEverybody = -1;
  static constexpr int kNobody = -2;

  struct Storage {
    bool argument = false;
    bool leaf = false;   // an argument that requires gradients
    bool saved = false;  // for the backward of some call
    bool several_views = false;
    int values = 0;  // the number of values that share it
  };

  // What the operands of a call have in common.
  struct Read {
    bool gradients = false;  // some have gradients
    bool floats = false;     // some are floats
    bool exact = true;
    bool whole = true;
    bool truths = true;
  };

  bool fits(const Value& value, const Want& want) const;
  bool shape_fits(const Shape& shape, const Want& want) const;
  bool state_fits(const Value& value, const Want& want) const;
  void find_fitting(const Want& want, ValueSet& found);
  bool writable(const Value& value) const;
  Value take_input(const Want& want);
  bool keep_decided();
  Value new_argument(const Want& want);
  std::optional<Value> shared_argument(const Want& want);
  Shape draw_shape(const Want& want);
  Dtype draw_dtype(const Want& want, const Shape& shape);
  std::optional<Dtype> draw_dtype(const Want& want, const Shape& shape, DtypeSet among);
  Interval draw_interval(const Want& want, const Value& argument);
  Layout draw_layout(const Want& want, const Value& argument);
  Storage& storage(const Value& value) { return storages_[static_cast<std::size_t>(value.storage)]; }
  const Storage& storage(const Value& value) const { return storages_[static_cast<std::size_t>(value.storage)]; }
  Value& live(int id) { return graph_.values[static_cast<std::size_t>(id)]; }
  int new_storage(Storage storage);
  void spread(const Value& target, int renamed, Interval result, bool exact, bool gradients);
  bool varies_beside() const;
  Read read_by(const Call& call) const;
  InputSensitivity sensitivity_of(const Call& call, const Traits& traits, std::size_t result,
                                  std::size_t results) const;
  void add_known(const Value& value, InputSensitivity sensitivity);
  void mark_read(const Call& call);
  void prefer(std::uint64_t numerator, std::uint64_t denominator, const ValueSet& among);
  void prefer_unread(const Want& want, bool varies);
  bool depends_on_inputs(int id) const { return known_.dependent().has(id); }
  void save(const Call& call);

  Choices& choices_;
  std::uint64_t reuse_;
  Bounds bounds_;
  bool gradients_;
  bool shares_;  // arguments may be views of earlier ones
  Graph graph_;
  std::vector<Storage> storages_;
  KnownValues known_;
  std::vector<int> drawn_;      // operands of the call that is being drawn
  int partner_ = kEverybody;    // the operand that the next one is combined with
  bool discontinuous_ = false;  // of the call that is being drawn, whose result may therefore be constant
  bool preferred_ = false;      // it is discontinuous, and some operand is as it prefers
  CallObserver* observer_ = nullptr;
  // Kept between draws to reuse its memory.
  ValueSet candidates_;
  ValueSet among_;
};

struct Draft::State {
  Graph graph;
  std::vector<Storage> storages;
  KnownValues known;
};

/// A new contiguous tensor.
Value fresh(Dtype dtype, const Shape& shape, Interval interval);
/// A new tensor whose strides are not known.
Value fresh_unknown(Dtype dtype, const Shape& shape, Interval interval);
/// The result of an elementwise operator on these operands, broadcast: contiguous if they all are.
Value elementwise(Dtype dtype, Interval interval, std::initializer_list<const Value*> operands);
/// A view of `base`, of the same elements or some of them.
Value view_of(const Value& base, const Shape& shape);
Value view_of(const Value& base, const Shape& shape, const Strides& strides);

}  // namespace jp::seedgen
