// Values as Python text: exact, and formatted as black does.
#include "report/expression.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "report/inputs.h"
#include "tests/report/build.h"

namespace jp::report::test {
namespace {

template <typename Number>
std::string bytes_of(const std::vector<Number>& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Number)};
}

TensorRecord tensor_of(std::string dtype, std::vector<std::int64_t> shape, std::string bytes) {
  TensorRecord record;
  record.dtype = std::move(dtype);
  record.layout = "strided";
  record.device = "cpu";
  record.strides.assign(shape.size(), 1);
  for (std::size_t axis = shape.size(); axis-- > 1;) record.strides[axis - 1] = record.strides[axis] * shape[axis];
  record.shape = std::move(shape);
  record.bytes = std::move(bytes);
  return record;
}

std::string text_of(const TensorRecord& record) { return layout(tensor_expression(record).value(), 0, 0); }

Value tensor_value(std::int64_t index) {
  return {.kind = Value::Kind::kTensor, .type = "torch.Tensor", .index = index};
}

Value tuple_of(std::vector<Value> items) {
  return {.kind = Value::Kind::kSequence, .type = "tuple", .items = std::move(items)};
}

TEST(Expression, ShortestExactFloats) {
  EXPECT_EQ(float_literal(0.1f, true), "0.1");
  EXPECT_EQ(float_literal(0.1), "0.1");
  EXPECT_EQ(float_literal(3), "3.0");
  EXPECT_EQ(float_literal(-0.0), "-0.0");
  EXPECT_EQ(float_literal(1e30f, true), "1e+30");
  EXPECT_EQ(float_literal(-std::numeric_limits<double>::infinity()), "-torch.inf");
  EXPECT_EQ(float_literal(std::nan("")), "torch.nan");
}

TEST(Expression, ElementsOfEveryKind) {
  EXPECT_EQ(element_literals("bool", std::string("\1\0", 2), 2), (std::vector<std::string>{"True", "False"}));
  EXPECT_EQ(element_literals("int8", "\xff", 1), std::vector<std::string>{"-1"});
  EXPECT_EQ(element_literals("float16", bytes_of<std::uint16_t>({0x3C00, 0xC000, 0x0001, 0x7C00}), 4),
            (std::vector<std::string>{"1.0", "-2.0", "5.9604645e-08", "torch.inf"}));
  EXPECT_EQ(element_literals("bfloat16", bytes_of<std::uint16_t>({0x3FC0}), 1), std::vector<std::string>{"1.5"});
  EXPECT_EQ(element_literals("complex64", bytes_of<float>({1, -2}), 1), std::vector<std::string>{"complex(1.0, -2.0)"});
  EXPECT_TRUE(element_literals("float32", "abc", 1).empty());
  EXPECT_TRUE(element_literals("float8_e4m3fn", "a", 1).empty());
}

TEST(Expression, TensorsInTheFewestWords) {
  EXPECT_EQ(text_of(tensor_of("float32", {2}, bytes_of<float>({1, 2.5}))), "torch.tensor([1.0, 2.5])");
  EXPECT_EQ(text_of(tensor_of("float64", {1, 2}, bytes_of<double>({1, 2}))),
            "torch.tensor([[1.0, 2.0]], dtype=torch.float64)");
  EXPECT_EQ(text_of(tensor_of("int32", {}, bytes_of<std::int32_t>({7}))), "torch.tensor(7, dtype=torch.int32)");
  EXPECT_EQ(text_of(tensor_of("int64", {2, 2}, bytes_of<std::int64_t>({0, 0, 0, 0}))),
            "torch.zeros(2, 2, dtype=torch.int64)");
  EXPECT_EQ(text_of(tensor_of("float32", {4}, bytes_of<float>({3, 3, 3, 3}))), "torch.full((4,), 3.0)");
  EXPECT_EQ(text_of(tensor_of("float32", {2, 2}, bytes_of<float>({0, 1, 2, 3}))), "torch.arange(4.0).reshape(2, 2)");
  EXPECT_EQ(text_of(tensor_of("float64", {0, 3}, "")), "torch.empty(0, 3, dtype=torch.float64)");
  TensorRecord sparse = tensor_of("float32", {1}, "");
  sparse.layout = "sparse_coo";
  EXPECT_FALSE(tensor_expression(sparse));
}

TEST(Expression, LongOnesGoOverLines) {
  std::vector<Expression> items(12, Expression{"'1234567890'", {}, ""});
  const std::string text = layout(call("f", {list(items), {"x", {}, ""}}), 4, 8);
  EXPECT_TRUE(text.starts_with("f(\n        [\n            '1234567890',\n")) << text;
  EXPECT_TRUE(text.ends_with("\n        ],\n        x,\n    )")) << text;
  EXPECT_EQ(layout(tuple({{"a", {}, ""}}), 0, 0), "(a,)");
  const Expression single = tuple({list(items)});
  EXPECT_TRUE(layout(single, 0, 0).ends_with("    ],\n)"));  // one comma, not two
}

Observation one_call(std::vector<TensorRecord> tensors, Value inputs) {
  Observation seen;
  for (std::size_t i = 0; i < tensors.size(); ++i)
    if (tensors[i].identity == 0) tensors[i].identity = tensors[i].storage = static_cast<std::int64_t>(i) + 1;
  seen.tensors = std::move(tensors);
  seen.calls.resize(1);
  seen.calls[0].inputs = std::move(inputs);
  return seen;
}

TEST(WrittenInputs, PlainValues) {
  Value number{.kind = Value::Kind::kFloat, .type = "float", .text = "0x1.8p+0"};
  Value text{.kind = Value::Kind::kText, .type = "str", .text = "a\"b"};
  const Observation seen =
      one_call({tensor_of("float32", {1}, bytes_of<float>({2}))}, tuple_of({tensor_value(0), number, text}));
  EXPECT_EQ(written_inputs(seen, "make_inputs"),
            "def make_inputs():\n    return (torch.tensor([2.0]), 1.5, \"a\\\"b\")\n");
}

TEST(WrittenInputs, AliasesStayAliasesAndLeavesLeaves) {
  TensorRecord base = tensor_of("float32", {2, 2}, bytes_of<float>({1, 5, 2, 7}));
  TensorRecord view = tensor_of("float32", {2, 2}, bytes_of<float>({1, 2, 5, 7}));
  view.strides = {1, 2};
  base.identity = 1, view.identity = 2, base.storage = view.storage = 1;
  TensorRecord leaf = tensor_of("float32", {1}, bytes_of<float>({3}));
  leaf.identity = leaf.storage = 3;
  leaf.requires_grad = true;
  const Observation seen =
      one_call({base, view, leaf}, tuple_of({tensor_value(0), tensor_value(1), tensor_value(2), tensor_value(2)}));
  EXPECT_EQ(written_inputs(seen, "make_inputs"),
            "def make_inputs():\n"
            "    base = torch.tensor([1.0, 5.0, 2.0, 7.0])\n"
            "    shared = torch.tensor([3.0], requires_grad=True)\n"
            "    return (base.view(2, 2), base.as_strided((2, 2), (1, 2)), shared, shared)\n");
}

TEST(WrittenInputs, RefusesWhatItCanNotWrite) {
  TensorRecord grown = tensor_of("float32", {1}, bytes_of<float>({3}));
  grown.is_leaf = false;
  EXPECT_FALSE(written_inputs(one_call({grown}, tuple_of({tensor_value(0)})), "make_inputs"));
  const Value object{.kind = Value::Kind::kObject, .type = "program.Point"};
  EXPECT_FALSE(written_inputs(one_call({}, tuple_of({object})), "make_inputs"));
  EXPECT_FALSE(written_inputs({}, "make_inputs"));
  std::vector<float> many(65);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = static_cast<float>(i * i);
  EXPECT_FALSE(
      written_inputs(one_call({tensor_of("float32", {65}, bytes_of(many))}, tuple_of({tensor_value(0)})), "f"));
}

TEST(WrittenInputs, TakeThePlaceOfTheDefinition) {
  const Program program = program_of(
      "import torch\n\n\ndef make_inputs():\n    x = 1\n\n    return (x,)\n\n\ndef program(x):\n    return x\n");
  EXPECT_EQ(with_inputs(program, "def make_inputs():\n    return (2,)\n").value().source(),
            "import torch\n\n\ndef make_inputs():\n    return (2,)\n\n\ndef program(x):\n    return x\n");
  EXPECT_FALSE(with_inputs(program_of("def program():\n    return 1\n"), "def make_inputs():\n    return ()\n"));
  EXPECT_EQ(arguments_only(program).value().entry(), "look_at_arguments");
}

}  // namespace
}  // namespace jp::report::test
