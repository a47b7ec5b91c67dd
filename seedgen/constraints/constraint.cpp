#include "seedgen/constraints/constraint.h"

#include <fmt/format.h>

namespace jp::seedgen {
namespace {

struct Row {
  std::string_view name;
  std::string_view says;
};

// In the order of the enumeration.
constexpr Row kRows[] = {
    {"tensor", "is no tensor"},
    {"dtype", "has a dtype that the operator doesn't take"},
    {"rank", "has a rank that the operator doesn't take"},
    {"size", "has a size that the operator doesn't take"},
    {"relation", "has a type that doesn't go with the other operands"},
    {"values", "has elements outside the operator's domain"},
    {"gradients", "requires gradients"},
    {"leaf", "is written although it is a leaf that requires gradients"},
    {"overlap", "is written although elements of it have the same address"},
    {"dim", "is out of range"},
    {"other_dim", "is named twice"},
    {"literal", "is of another type than the parameter"},
    {"choice", "is none of the parameter's words"},
    {"length", "has another number of items than the parameter"},
    {"range", "is a number outside the parameter's range"},
    {"device", "lies on another device"},
};
static_assert(std::size(kRows) == kConstraints);

constexpr std::string_view kNear = "near";
constexpr std::string_view kFar = "far";

const Row& row_of(Constraint constraint) { return kRows[static_cast<std::size_t>(constraint)]; }

}  // namespace

std::string_view constraint_name(Constraint constraint) { return row_of(constraint).name; }
std::string_view constraint_says(Constraint constraint) { return row_of(constraint).says; }

int breach_number(const Breach& breach) {
  return (static_cast<int>(breach.constraint) * kMostPlaces + breach.place) * 2 + (breach.far ? 1 : 0);
}

std::string breach_name(int number) {
  const int place = number / 2;
  const auto constraint = static_cast<Constraint>(place / kMostPlaces);
  return fmt::format("{}:{}:{}", constraint_name(constraint), place % kMostPlaces, number % 2 == 1 ? kFar : kNear);
}

}  // namespace jp::seedgen
