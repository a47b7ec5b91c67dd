// The tables that mutations read, behind a pipe, for tests in Python: one JSON request a line on standard input, one
// JSON answer a line on standard output.
//
//   {"tables": true}  -> {"rules": {NAME: operands}, "pure": [NAME...], "discontinuous": [NAME...],
//                         "functions": [[operands, [NAME...]]...], "modules": {MODULE: as functions}, "foreach": as
//                         functions}
//   {"value": EXPRESSION, "names": {NAME: [DTYPE, [SIZES...]] or NUMBER}, "changed": WHAT}
//                     -> {"look": null} where the expression may raise, or {"look": LOOK}: what is known to come of it
//                     when
//                        every tensor among the names is another one than before ("changed": "type" for dtype and
//                        shape, "grad" for wishes for gradients, "" for none)
//   {"jumps_in": STATEMENT} -> {"small": BOOL}: whether what is only known up to rounding stays so where the statement
//                        reads it as x
#include <fmt/format.h>

#include <iostream>
#include <string>

#include "codec/codec.h"
#include "mutate/infer/infer_values.h"
#include "mutate/safety/rounding.h"

namespace jp::mutate {
namespace {

using codec::Json;

/// [[operands, [NAME...]]...] of the families in a module of torch.
Json families_in(std::string_view module) {
  Json list = Json::array();
  for (const OperatorFacts& op : all_operators()) {
    const OperatorFamily* family = op.family_in(module);
    if (!family || family_members(*family).front() != &op) continue;
    Json names = Json::array();
    for (const OperatorFacts* member : family_members(*family)) names.push_back(std::string(member->name));
    list.push_back({family->operands, names});
  }
  return list;
}

Json tables() {
  Json made = {{"rules", Json::object()}, {"pure", Json::array()}, {"discontinuous", Json::array()}};
  for (const OperatorFacts& op : all_operators()) {
    const std::string name(op.name);
    if (find_rule(name)) made["rules"][name] = op.operands;
    if (op.pure) made["pure"].push_back(name);
    if (is_discontinuous(name)) made["discontinuous"].push_back(name);
  }
  for (const char* name : {"print", "divmod"}) made["discontinuous"].push_back(name);
  made["functions"] = families_in("");
  made["modules"] = {{"nn.functional", families_in("functional")}, {"special", families_in("special")}};
  made["foreach"] = families_in("foreach");
  return made;
}

Parsed parsed_from(const std::string& source) {
  auto program = Program::make(source, {});
  JP_CHECK(program.ok(), "{}", program.error().message);
  auto parsed = parse(program.value());
  JP_CHECK(parsed.ok(), "{}\n{}", parsed.error().message, source);
  return parsed.value();
}

Json look_json(const AbstractValue& look) {
  Json made = {{"kind", static_cast<int>(look.kind)}};
  if (look.dtype) made["dtype"] = dtype_name(*look.dtype);
  if (look.shape) made["shape"] = *look.shape;
  if (look.is_tensor()) made["grad"] = look.regrad;
  for (const AbstractValue& item : look.items) made["items"].push_back(look_json(item));
  return made;
}

NameFacts known_as(const Json& value) {
  NameFacts known;
  if (!value.is_array()) {
    known.kind = value.is_boolean() ? "bool" : value.is_number_integer() ? "int" : "float";
    if (value.is_number_integer()) known.literal = value.dump();
    return known;
  }
  known.kind = "tensor";
  known.dtype = parse_dtype(value[0].get<std::string>());
  known.shape = value[1].get<std::vector<std::int64_t>>();
  known.requires_grad = false;
  return known;
}

Json value(const Json& request) {
  std::string parameters;
  for (const auto& [name, unused] : request["names"].items()) parameters += (parameters.empty() ? "" : ", ") + name;
  const Parsed parsed = parsed_from(
      fmt::format("import torch\nimport torch.nn.functional as F\n\n\ndef program({}):\n    r = {}\n    return r\n",
                  parameters, request["value"].get<std::string>()));
  const Statement* statement = nullptr;
  for (const Statement& one : parsed.statements())
    if (one.kind() == "expression_statement") statement = &one;
  JP_CHECK(statement, "no statement in {}", request["value"].dump());
  Facts facts;
  AbstractState looks;
  const std::string changed = request["changed"];
  for (const auto& [name, known] : request["names"].items()) {
    facts.before[statement->id].set(name, known_as(known));
    if (!known.is_array() || changed.empty()) continue;
    AbstractValue look = *abstract_value_of(facts.find_before(statement->id, name));
    look.retyped = look.resized = changed == "type";
    look.regrad = changed == "grad" && !is_integral(*look.dtype);
    look.was.reset();
    looks[name] = look;
  }
  ExpressionInference values(parsed, facts, *statement, looks);
  auto made = values.value(statement->node.children().front().field("right"));
  return {{"look", made ? look_json(*made) : Json()}};
}

Json jumps_in(const std::string& text) {
  const Parsed parsed = parsed_from(
      fmt::format("import torch\nimport torch.nn.functional as F\n\n\ndef program(a, y):\n    x = a * 3\n    "
                  "z = x.clone()\n    {}\n    return x\n",
                  text));
  for (const Statement& statement : parsed.statements())
    if (statement.node.text() == "x = a * 3") return {{"small", rounding_stays_small(parsed, Facts(), statement)}};
  JP_CHECK(false, "no such statement");
  return {};
}

Json answer(const Json& request) {
  if (request.contains("tables")) return tables();
  if (request.contains("value")) return value(request);
  return jumps_in(request["jumps_in"]);
}

}  // namespace
}  // namespace jp::mutate

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    auto request = jp::codec::parse_text(line);
    JP_CHECK(request.ok(), "a request is not JSON");
    std::cout << jp::codec::text(jp::mutate::answer(request.value())) << std::endl;
  }
}
