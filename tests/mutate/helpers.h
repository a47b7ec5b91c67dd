// Shared helpers of the tests of mutate/: programs from text, made-up facts.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "core/tensor_type.h"
#include "mutate/engine/engine.h"
#include "mutate/names/scopes.h"
#include "mutate/syntax/syntax.h"

namespace jp::mutate::testing {

inline Parsed parsed_from(const std::string& source) {
  auto program = Program::make(source, {});
  JP_CHECK(program.ok(), "{}", program.error().message);
  auto parsed = parse(program.value());
  JP_CHECK(parsed.ok(), "{}\n{}", parsed.error().message, source);
  return parsed.value();
}

inline std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The programs of tests/mutate/programs, by name.
inline std::vector<std::filesystem::path> program_files() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(JITPROBE_TEST_DIR "/mutate/programs"))
    if (entry.path().extension() == ".py") paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

inline NameFacts tensor_facts(std::vector<std::int64_t> shape, std::int64_t storage) {
  NameFacts facts;
  facts.kind = "tensor";
  facts.dtype = Dtype::kFloat32;
  facts.shape = shape;
  facts.strides = contiguous_strides(shape);
  const std::int64_t count = element_count(shape);
  facts.offset = 0;
  facts.storage = storage;
  facts.requires_grad = false;
  facts.is_leaf = true;
  facts.overlaps_itself = false;
  std::vector<Elements::value_type> elements;
  for (std::int64_t i = 0; i < count; ++i) elements.emplace_back(i, static_cast<double>(i) / 4 - 1);
  facts.elements = Elements(std::move(elements));
  facts.minimum = -1;
  facts.maximum = static_cast<double>(count - 1) / 4 - 1;
  facts.sum = static_cast<double>(count) * (*facts.minimum + *facts.maximum) / 2;
  return facts;
}

/// Facts that take every name of every function for a 2 x 3 tensor with a storage of its own, except names of one
/// letter after "n", which are the integer 4. In a program that mentions no_grad, tensors require grad.
inline Facts made_up_facts(const Parsed& parsed) {
  Facts facts;
  facts.calls = 1;
  const Scopes& scopes = parsed.scopes();
  for (const Statement& statement : parsed.statements()) {
    int scope = scopes.scope_of(statement);
    if (scopes.scope(scope).kind != Scope::Kind::kFunction) continue;
    std::int64_t storage = 0;
    bool grad = parsed.has_word("no_grad");
    auto add = [&](Names& to, std::string_view name) {
      NameFacts number;
      number.kind = "int";
      number.literal = "4";
      NameFacts tensor = tensor_facts({2, 3}, storage++);
      tensor.requires_grad = grad;
      to.set(std::string(name), name.starts_with("n") ? number : tensor);
    };
    for (const auto& name : parsed.surely_bound(statement)) add(facts.before[statement.id], name);
    facts.after[statement.id] = facts.before[statement.id];
    for (const auto& name : scopes.bound_in(statement.begin, statement.end, scope))
      add(facts.after[statement.id], name);
    facts.visits[statement.id] = 1;
  }
  return facts;
}

}  // namespace jp::mutate::testing
