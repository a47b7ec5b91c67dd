#include "explore/request.h"

#include <fmt/format.h>

#include <utility>

#include "answers/steps.h"
#include "codec/codec.h"

namespace jp::explore {
namespace {

const codec::Json* member(const codec::Json& body, const char* name) {
  auto found = body.find(name);
  return found == body.end() || found->is_null() ? nullptr : &*found;
}

}  // namespace

Result<std::string> read_text(const codec::Json& body, const char* name) {
  const codec::Json* found = member(body, name);
  if (!found || !found->is_string()) return Error{fmt::format("the request lacks the text \"{}\"", name)};
  return found->get<std::string>();
}

Result<std::string> read_text(const codec::Json& body, const char* name, const std::string& otherwise) {
  return member(body, name) ? read_text(body, name) : otherwise;
}

Result<std::optional<std::uint64_t>> read_number(const codec::Json& body, const char* name, std::uint64_t most) {
  using Number = std::optional<std::uint64_t>;
  const codec::Json* found = member(body, name);
  if (!found) return Number{};
  if (!found->is_number_unsigned() || found->get<std::uint64_t>() > most)
    return Error{fmt::format("\"{}\" must be a whole number from 0 to {}", name, most)};
  return Number{found->get<std::uint64_t>()};
}

Result<std::vector<std::string>> read_texts(const codec::Json& body, const char* name) {
  std::vector<std::string> texts;
  const codec::Json* found = member(body, name);
  if (!found) return texts;
  if (!found->is_array() || found->size() > kMostSteps)
    return Error{fmt::format("\"{}\" must be a list of at most {} texts", name, kMostSteps)};
  for (const codec::Json& text : *found) {
    if (!text.is_string() && !text.is_null()) return Error{fmt::format("\"{}\" must be a list of texts", name)};
    texts.push_back(text.is_null() ? "" : text.get<std::string>());
  }
  return texts;
}

Result<Program> read_program(const codec::Json& body, const Explorer& explorer) {
  const codec::Json* program = member(body, "program");
  if (!program || !program->is_object()) return Error{"the request lacks the object \"program\""};
  Result<std::string> source = read_text(*program, "source");
  if (!source.ok()) return source.error();
  Result<std::string> entry = read_text(*program, "entry", "program");
  if (!entry.ok()) return entry.error();
  Result<std::string> inputs = read_text(*program, "inputs", "make_inputs");
  if (!inputs.ok()) return inputs.error();
  const std::string path = explorer.opened().program ? explorer.opened().program->path() : "";
  return Program::make(std::move(source).value(), {}, path, entry.value(), inputs.value());
}

Result<mutate::Parsed> read_parsed(const codec::Json& body, const Explorer& explorer) {
  Result<Program> program = read_program(body, explorer);
  if (!program.ok()) return program.error();
  Result<mutate::Parsed> parsed = mutate::parse(program.value());
  if (!parsed.ok()) return Error{"the program " + parsed.error().message};
  return parsed;
}

Result<std::vector<std::string>> read_steps(const codec::Json& body) { return read_texts(body, "steps"); }

Result<Asked> read_asked(const codec::Json& body, const Explorer& explorer) {
  Result<mutate::Parsed> base = read_parsed(body, explorer);
  if (!base.ok()) return base.error();
  Result<std::vector<std::string>> steps = read_steps(body);
  if (!steps.ok()) return steps.error();
  answers::Replayed replayed = answers::replay_written(base.value(), steps.value());
  return Asked{std::move(base).value(), std::move(replayed.made), static_cast<int>(steps.value().size())};
}

codec::Json program_json(const Program& program) {
  return {{"source", program.source()}, {"entry", program.entry()}, {"inputs", program.inputs()}};
}

}  // namespace jp::explore
