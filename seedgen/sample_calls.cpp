#include "seedgen/sample_calls.h"

#include <fmt/format.h>

#include <iterator>
#include <set>
#include <utility>

#include "core/check.h"
#include "core/functions_named.h"
#include "seedgen/bases/members.h"
#include "seedgen/generate.h"
#include "seedgen/text/check_graph.h"
#include "seedgen/text/emit.h"

namespace jp::seedgen {
namespace {

constexpr std::string_view kHead = "import torch\n\nCALLS = [\n";
// A call may write its arguments, so each form gets its own.
constexpr std::string_view kProgram = R"(]


def program():
    refused = []
    number = 0
    for inputs, names, texts in CALLS:
        for text in texts:
            scope = {}
            try:
                exec(inputs, scope)
                scope.update(zip(names, scope["make_inputs"]()))
                exec(text, scope)
            except Exception:
                refused.append(number)
            number += 1
    return " ".join(map(str, refused))
)";

// As Python reads it back.
std::string literal(std::string_view text) {
  std::string quoted = "\"";
  for (char letter : text) {
    if (letter == '"' || letter == '\\') quoted += '\\';
    quoted += letter == '\n' ? "\\n" : std::string(1, letter);
  }
  return quoted + '"';
}

// The part of a program's text that makes its arguments.
std::string inputs_of(const std::string& text) { return text.substr(0, text.find("def program(")); }

// The first draws of an operator have arguments of one dtype each, where it takes that; the others of any.
Graph draw_sample(const Member& member, int draw) {
  GenerateOptions options{.operators = 1};
  options.only = {std::string(member.id)};
  const std::vector<Dtype>& dtypes = all_dtypes();
  if (const auto at = static_cast<std::size_t>(draw); at < dtypes.size()) options.bounds.dtypes = {dtypes[at]};
  return generate_graph(static_cast<std::uint64_t>(draw), options);
}

class Builder {
 public:
  void add(const Member& member, int draw) {
    const Graph graph = draw_sample(member, draw);
    const std::string text = emit_seed(graph, 0);
    if (!seen_.insert(text).second) return;
    std::string names;
    for (const Input& input : graph.inputs) names += fmt::format("\"v{}\", ", input.value);
    std::string texts;
    for (std::string& form : call_texts(graph.calls.back())) {
      texts += literal(form) + ", ";
      samples_.push_back({member.id, draw, std::move(form)});
    }
    fmt::format_to(std::back_inserter(source_), "    ({}, [{}], [{}]),\n", literal(inputs_of(text)), names, texts);
  }
  SampleProgram finish() && {
    Result<Program> program = Program::make(source_ + std::string(kProgram), {});
    JP_CHECK(program.ok(), "samples are no program: {}", program.error().message);
    return {std::move(samples_), std::move(program).value()};
  }

 private:
  std::vector<SampleProgram::Sample> samples_;
  std::set<std::string> seen_;
  std::string source_{kHead};
};

}  // namespace

std::vector<SampleProgram> sample_calls(int more, const std::vector<std::string>& operators) {
  std::vector<SampleProgram> programs;
  const std::vector<Member> members = members_named(operators);
  const int draws = static_cast<int>(all_dtypes().size()) + more;
  for (std::size_t i = 0; i < members.size();) {
    Builder builder;
    const Operator* family = members[i].family;
    for (; i < members.size() && members[i].family == family; ++i)
      for (int draw = 0; draw < draws; ++draw) builder.add(members[i], draw);
    programs.push_back(std::move(builder).finish());
  }
  return programs;
}

std::vector<std::string> left_out(const std::vector<SampleProgram::Sample>& accepted,
                                  const std::vector<SampleProgram::Sample>& refused) {
  std::set<std::string> there;
  std::set<std::pair<std::string_view, int>> written;  // calls that have a form
  for (const auto& sample : accepted) {
    for (std::string& name : functions_named(sample.text)) there.insert(std::move(name));
    written.emplace(sample.op, sample.draw);
  }
  std::set<std::string> out;
  for (const auto& sample : refused) {
    bool explained = false;
    for (std::string& name : functions_named(sample.text)) {
      if (there.contains(name)) continue;
      explained = true;
      out.insert(std::move(name));
    }
    if (!explained || !written.contains({sample.op, sample.draw})) out.emplace(sample.op);
  }
  return {out.begin(), out.end()};
}

}  // namespace jp::seedgen
