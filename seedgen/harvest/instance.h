// A harvested call as a test, and the classes that the values of its parameters fall into.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace jp::seedgen {

/// What a call gives for a parameter.
struct ParameterValue {
  enum class Kind : std::uint8_t { kNone, kWord, kInteger, kFloat, kTensor, kList };
  Kind kind = Kind::kNone;
  std::string word = "";                   // an enumeration as text (True, "sum", torch.int64); of a tensor its dtype
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

/// One call: its program file, its operator (all forms of one are one), what it gives, in order, and the ATen calls
/// that its program dispatches to (places in OrderInput::dispatched).
struct Instance {
  std::string file;
  std::string op;
  std::vector<Parameter> parameters;
  std::vector<std::size_t> dispatched = {};
};

/// The class of a value, as OPERA has them: enumerations by value; integers <= -2, -1, 0, 1, >= 2; floats < 0, 0, > 0
/// (and NaN); tensors by dtype, rank 0 to 5 or >= 6, and the integer class of each size; lists by the classes of their
/// items in order. Equal texts are one class.
std::string value_class(const ParameterValue& value);

/// What can be told of a value apart from all else of it: of a tensor its dtype, its rank, and that it has a dimension
/// of size 0 or 1; of a list how many items it has, and what can be told of these; of anything else its class.
std::vector<std::string> value_traits(const ParameterValue& value);

}  // namespace jp::seedgen
