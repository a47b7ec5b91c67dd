// A harvested call as a test, and the classes of its parameter values.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace jp::seedgen {

/// A parameter's value in a call.
struct ParameterValue {
  enum class Kind : std::uint8_t { kNone, kWord, kInteger, kFloat, kTensor, kList };
  Kind kind = Kind::kNone;
  std::string word = "";                   // an enumeration as text (True, "sum", torch.int64); for a tensor its dtype
  std::int64_t integer = 0;                // of kInteger
  double number = 0;                       // of kFloat
  std::vector<std::int64_t> shape = {};    // of kTensor
  std::vector<ParameterValue> items = {};  // of kList
};

struct Parameter {
  std::string name;
  ParameterValue value;
};

/// An ATen call that programs dispatch to.
struct DispatchedCall {
  std::string op;
  std::vector<Parameter> parameters;
};

/// One call: its program file, its operator (all spellings of one are one), its arguments, in order, and the ATen calls
/// that its program dispatches to (indices into OrderInput::dispatched).
struct Instance {
  std::string file;
  std::string op;
  std::vector<Parameter> parameters;
  std::vector<std::size_t> dispatched = {};
};

/// The class of a value, as OPERA defines it: enumerations by value; integers <= -2, -1, 0, 1, >= 2; floats < 0, 0, > 0
/// (and NaN); tensors by dtype, rank 0 to 5 or >= 6, and the integer class of each size; lists by the classes of their
/// items in order. Equal texts are one class.
std::string value_class(const ParameterValue& value);

/// Independent properties of a value: for a tensor its dtype, its rank, and whether it has a dimension of size 0 or 1;
/// for a list its number of items, and their properties; for anything else its class.
std::vector<std::string> value_traits(const ParameterValue& value);

}  // namespace jp::seedgen
