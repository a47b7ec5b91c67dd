// Live tensors that may be compared with what the profile run saw, and how far from it they may come out: margins.
#pragma once

#include <optional>
#include <string>

#include "core/choices.h"
#include "core/dtype.h"
#include "mutate/material/zeros.h"

namespace jp::mutate {

/// What may be compared with its profiled value.
struct Comparable {
  LiveTensor tensor;
  double margin = 0;  // 0: compared exactly
};

/// The least power of two that is not below the number; 2^`least` for smaller ones.
double power_above(double number, int least);

/// For a comparison with the value itself: nothing if that would say little, since the value moves too far.
std::optional<double> margin_of(const Point& point, const LiveTensor& one);
/// For a comparison with a bound of all elements, which holds however far the value moves.
std::optional<double> margin_of_bound(const Point& point, const LiveTensor& one);
/// The margin of an element of a float tensor that moved roundings move that far.
double float_margin(const NameFacts& facts, double spread);

/// A result of the program where there is one, in five of six draws; otherwise an argument.
using MarginOf = std::optional<double> (*)(const Point&, const LiveTensor&);
std::optional<Comparable> draw_comparable(const Point& point, MarginOf margin_of, Choices& choices);

/// A sum or a mean of all elements of a tensor, and what it is within the margin, whatever the order in which the
/// elements are added.
struct Total {
  std::string text;
  double value = 0;
  double margin = 0;  // 0: integers, whose sums are exact
  Dtype dtype = Dtype::kFloat32;
};

/// The facts know the sum of all elements, and rounding moves it little enough in some dtype.
bool has_total(const NameFacts& facts);
/// `self`: the tensor's text. Only if has_total().
///
/// n elements of magnitude M at most that are added in any order give their sum within n g M, where g = n u / (1 - n
/// u), and u is the unit roundoff of the dtype in which they are added (Higham, Accuracy and Stability of Numerical
/// Algorithms, 4.2). The margin is twice that, for the constant is rounded too, and `one.margin` for each element.
Total draw_total(const Point& point, const Comparable& one, const std::string& self, Choices& choices);

/// The number in the shortest form that gives the same element of that dtype; `exact`: the same in float64 too.
std::string number_text(double value, Dtype dtype, bool exact);

/// The tensor has the target's shape and strides, and these are row-major.
bool lies_like(const NameFacts& facts, const NameFacts& target);

}  // namespace jp::mutate
