// How varied a set of graphs is: the eleven metrics of Isra (Ren et al. 2023, "Effective Random Test Generation for
// Deep Learning Compilers"), defined exactly, for graphs of any generator that can be written as a Graph.
//
// Terms. A call's *type* is its operator's id. Its *inputs* are the tensors that it reads, in order, with
// repetitions; their number is its *in-degree*. An *edge* leads from the call that gave a value to each place where
// another call reads that value by its name; arguments have none. The *out-degree* of a call is the number of edges
// that leave it. Two edges are *adjacent* when one ends in the call where the other begins. Edges are equal when their
// two types are, adjacent pairs when their three types are. The *attributes* of a call are everything in its
// parentheses that is not a tensor (numbers too), and which parameters are given; not its spelling as a function,
// method or sign.
//
// Of a graph, averaged over the graphs:
//   NOO  calls
//   NOT  different types
//   NOP  different edges
//   NTR  different adjacent pairs
//   NSA  different (input shapes, attributes) among all its calls, whatever their types
// Of the whole set, averaged over the types that could be drawn; a type that never occurred counts as zero:
//   OTC  1 if the type occurred, else 0
//   IDC  different in-degrees, as a fraction of those possible
//   ODC  different out-degrees
//   SEC  different edges from the type, as a fraction of those possible
//   DEC  different adjacent pairs with the type in the middle, as a fraction of those possible
//   SAC  different (input shapes, attributes)
//
// "Possible" is what the table of operators (core/operators.h) says, and what the set itself shows: an edge from a type
// that gives a dtype to one that takes it, an adjacent pair through a type that gives the one dtype when it takes the
// other. Only dtypes count that spread from those of the arguments. Operators that the table doesn't have under their
// id, and in-degrees, are as 256 draws of each show them (half of them alone, half behind other operators). Edges that
// a domain forbids (acosh of a sine), or that the generator never draws (floor of a rounded value), count as possible
// although they can't occur. The paper describes NSA as a number per operator; its figures (26.63 where 45.24 types
// occurred) are only consistent with a count over the whole graph, which is what is computed here.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

#include "core/graph.h"
#include "core/operators.h"
#include "seedgen/bases/members.h"

namespace jp::seedgen {

/// The eleven metrics; those that are fractions lie between 0 and 1.
struct Metrics {
  std::uint64_t graphs = 0;
  double noo = 0;
  double types = 0;  // NOT
  double nop = 0;
  double ntr = 0;
  double nsa = 0;
  double otc = 0;
  double idc = 0;
  double odc = 0;
  double sec = 0;
  double dec = 0;
  double sac = 0;
};

/// What an operator can do. Kinds of values are bits: that of the dtype's number, or 16 more if the value is not exact.
struct OperatorProfile {
  /// Bit i: in-degree i, up to 63.
  std::uint64_t in_degrees = 0;
  /// The kinds of its inputs and of its results.
  std::uint32_t takes = 0;
  std::uint32_t gives = 0;
  /// By the kind of an input: the kinds of results that occur with it.
  std::array<std::uint32_t, 32> through = {};
};

/// The profile of an operator with such arguments, from so many draws: half of them of it alone, half of them behind
/// some of the others, whose results it reads if it can.
OperatorProfile profile_of(const Member& member, const std::vector<Member>& others, const Bounds& bounds = {},
                           std::uint64_t draws = 256);

/// The in-degrees that the table of operators says, as bits: from the operands without a default to all operands. None
/// where it doesn't say them: for a list of operands, and where parameters behind the operands are needed, which may be
/// tensors.
std::uint64_t in_degrees_in_table(const OperatorFacts& op);

/// Collects graphs and measures them. Calls of other types than the given ones are a caller's error.
class MetricsCounter {
 public:
  /// The types that could be drawn, each with its profile.
  MetricsCounter(std::vector<std::string> types, std::vector<OperatorProfile> profiles);
  /// For these operators of the generator, with such arguments.
  explicit MetricsCounter(const std::vector<Member>& members, const Bounds& bounds = {});

  void add(const Graph& graph);
  Metrics result() const;

 private:
  struct Type {
    std::uint64_t calls = 0;
    std::uint64_t in_degrees = 0;  // bits
    std::unordered_set<int> out_degrees;
    std::unordered_set<std::uint64_t> forms;  // hashes of input shapes and attributes
  };

  int number_of(std::string_view op) const;
  bool possible(std::size_t from, std::size_t to) const;
  bool possible(std::size_t from, std::size_t middle, std::size_t to) const;
  double edge_share(std::size_t from) const;
  double pair_share(std::size_t middle) const;
  std::size_t count() const { return types_.size(); }

  std::vector<std::pair<std::string, int>> numbers_;  // by id
  std::vector<OperatorProfile> profiles_;
  std::vector<Type> types_;
  std::vector<bool> edges_;  // [from][to]
  std::vector<bool> pairs_;  // [middle][from][to]
  Metrics sums_;             // graph level, not yet divided
};

}  // namespace jp::seedgen
