// How varied a set of graphs is: the eleven metrics of Isra (Ren et al. 2023, "Effective Random Test Generation for
// Deep Learning Compilers"), defined exactly, for graphs of any generator that can be written as a Graph.
//
// The words. A call's *type* is its operator's id. Its *inputs* are the tensors that it reads, in order, repeated ones
// repeated; their number is its *in-degree*. An *edge* leads from the call that gave a value to each place where
// another call reads that value by its name; arguments have none. The *out-degree* of a call is the number of edges
// that leave it. Two edges are *adjacent* when one ends in the call where the other begins. Edges are equal when their
// two types are, adjacent pairs when their three types are. The *attributes* of a call are everything in its
// parentheses that is no tensor (numbers too), and which parameters are given; not its spelling as a function, method
// or sign.
//
// Of a graph, averaged over the graphs:
//   NOO  calls
//   NOT  different types
//   NOP  different edges
//   NTR  different adjacent pairs
//   NSA  different (input shapes, attributes) among all its calls, whatever their types
// Of the whole set, averaged over the types that could be drawn; a type that never came counts with zeros:
//   OTC  1 if the type came, else 0
//   IDC  different in-degrees, as a share of those possible
//   ODC  different out-degrees
//   SEC  different edges from the type, as a share of those possible
//   DEC  different adjacent pairs with the type in the middle, as a share of those possible
//   SAC  different (input shapes, attributes)
//
// What is possible is what 256 draws of each operator show (half of them alone, half behind other operators), and what
// the set itself shows: an in-degree that came; an edge from a type that gives a kind of value to one that takes it; an
// adjacent pair through a type that gives the one kind where it takes the other in one call. A kind of value is its
// dtype, and whether every faithful evaluation gives the same bits (GraphValue::exact): what jumps, such as floor, is
// not fed with what rounds. An edge that a domain forbids (acosh of a sine) counts as possible though it can't come.
// The paper glosses NSA as a number per operator; its figures (26.63 where 45.24 types came) leave only a count over
// the whole graph, which is what stands here.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

#include "core/graph.h"
#include "seedgen/bases/members.h"

namespace jp::seedgen {

/// The eleven, shares from 0 to 1.
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

/// What an operator can do, as far as draws of it show. Kinds of values are bits: that of the dtype's number, or 16
/// more where the value is not exact.
struct OperatorProfile {
  /// Bit i: in-degree i, up to 63.
  std::uint64_t in_degrees = 0;
  /// The kinds of its inputs and of its results.
  std::uint32_t takes = 0;
  std::uint32_t gives = 0;
  /// By the kind of an input: the kinds of results beside it.
  std::array<std::uint32_t, 32> through = {};
};

/// That of an operator with such arguments, from so many draws: half of them of it alone, half of them behind some of
/// the others, whose results it reads where it can.
OperatorProfile profile_of(const Member& member, const std::vector<Member>& others, const Bounds& bounds = {},
                           std::uint64_t draws = 256);

/// Takes in graphs and measures them. Calls of other types than the ones given are an error of the caller's.
class MetricsCounter {
 public:
  /// The types that could be drawn, each with its profile.
  MetricsCounter(std::vector<std::string> types, std::vector<OperatorProfile> profiles);
  /// Of these operators of ours, with such arguments.
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
