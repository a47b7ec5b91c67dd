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

/// One call: its program file, its operator (all forms of one are one), and what it gives, in order.
struct Instance {
  std::string file;
  std::string op;
  std::vector<Parameter> parameters;
};

/// The class of a value, as OPERA has them: enumerations by value; integers <= -2, -1, 0, 1, >= 2; floats < 0, 0, > 0
/// (and NaN); tensors by dtype, rank 0 to 5 or >= 6, and the integer class of each size; lists by the classes of their
/// items in order. Equal texts are one class.
std::string value_class(const ParameterValue& value);

}  // namespace jp::seedgen
