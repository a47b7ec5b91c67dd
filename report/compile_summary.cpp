#include "report/compile_summary.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

#include "codec/codec.h"
#include "core/text.h"
#include "report/short_form.h"

namespace jp::report {
namespace {

using codec::Json;

constexpr std::size_t kMostGuards = 6;  // of one graph; chosen, not measured

std::string text_of(const Json& row, const char* key) { return row.value(key, std::string()); }

// ", line 7", or nothing if the line isn't known.
std::string line_of(const Json& row) {
  const auto line = row.value("line", std::int64_t{0});
  return line > 0 ? fmt::format(", line {}", line) : "";
}

std::int64_t total(const Json& report, const char* name) {
  auto after = report.find("counters");
  if (after == report.end() || !after->contains("totals")) return 0;
  return (*after)["totals"].value(name, std::int64_t{0});
}

std::string heading(const std::string& title, const Json& report) {
  std::size_t nodes = 0;
  std::size_t guards = 0;
  for (const Json& graph : report["graphs"]) {
    nodes += graph["nodes"].size();
    guards += graph["guards"].size();
  }
  std::string text =
      fmt::format("{} compiled {} with {} and {}; {}, {}", title, plural(report["graphs"].size(), "graph"),
                  plural(nodes, "node"), plural(guards, "guard"), plural(report["breaks"].size(), "graph break"),
                  plural(report["recompiles"].size(), "recompilation"));
  if (const std::int64_t kernels = total(report, "generated_kernels"); kernels > 0)
    text += ", " + plural(static_cast<std::uint64_t>(kernels), "generated kernel");
  return text + "\n";
}

// "lines 7, 8, 12": those of the program that a graph's nodes come from.
std::string lines_of(const Json& graph) {
  std::set<std::int64_t> lines;
  for (const Json& node : graph["nodes"])
    if (const auto line = node.value("line", std::int64_t{0}); line > 0) lines.insert(line);
  if (lines.empty()) return "";
  return fmt::format(", of {} {}", lines.size() == 1 ? "line" : "lines", fmt::join(lines, ", "));
}

std::string graph_text(const Json& graph) {
  std::vector<std::string> has;
  if (!text_of(graph, "aot_forward").empty()) has.emplace_back("AOTAutograd's forward");
  if (!text_of(graph, "aot_backward").empty()) has.emplace_back("backward");
  const std::string code = text_of(graph, "code");
  if (!code.empty())
    has.push_back(plural(static_cast<std::uint64_t>(std::count(code.begin(), code.end(), '\n')), "line") +
                  " of generated code");
  std::string text =
      fmt::format("  graph {} of {}: {}{}, {}{}{}\n", text_of(graph, "id"), text_of(graph, "frame"),
                  plural(graph["nodes"].size(), "node"), lines_of(graph), plural(graph["guards"].size(), "guard"),
                  has.empty() ? "" : "; ", fmt::join(has, ", "));
  std::vector<std::string> located;
  std::size_t markings = 0;  // whether a dimension is marked as dynamic or static: several for each tensor
  for (const Json& guard : graph["guards"])
    if (text_of(guard, "text").find("'_dynamo_") != std::string::npos)
      ++markings;
    else if (guard.value("line", std::int64_t{0}) > 0)
      located.push_back(fmt::format("    guard{}: {}\n", line_of(guard), one_line(text_of(guard, "text"), 100)));
  for (std::size_t i = 0; i < std::min(located.size(), kMostGuards); ++i) text += located[i];
  const std::size_t shown = std::min(located.size(), kMostGuards);
  if (const std::size_t others = graph["guards"].size() - shown; others > 0)
    text += fmt::format("    and {}{}\n", plural(others, shown == 0 ? "guard" : "other guard"),
                        markings > 0 ? fmt::format(", {} of them on marks of dimensions", markings) : "");
  return text;
}

}  // namespace

std::string compile_summary(const std::string& title, const Json& report) {
  std::string text = heading(title, report);
  for (const Json& graph : report["graphs"]) text += graph_text(graph);
  for (const Json& row : report["breaks"])
    text += fmt::format("  graph break{}: {}\n", line_of(row), one_line(text_of(row, "reason")));
  for (const Json& row : report["recompiles"]) {
    const std::string says = row.contains("says") ? text_of(row, "says") : "";
    text += fmt::format("  compiled again in call {}{}: {}{}\n", row.value("call", std::int64_t{0}) + 1, line_of(row),
                        says.empty() ? "" : one_line(says) + " ", one_line(text_of(row, "reason")));
  }
  if (const std::string error = text_of(report, "error"); !error.empty())
    text += fmt::format("  ended early: {}\n", one_line(error, 400));
  for (const Json& sentence : report["missing"])
    text += fmt::format("  not shown: {}\n", one_line(sentence.get<std::string>(), 400));
  return text;
}

}  // namespace jp::report
