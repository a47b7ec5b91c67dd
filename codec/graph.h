// A drawn graph as JSON (docs/formats.md, "Graphs"), and back: everything needed to print it as a program, including
// the forms of its calls, so that a graph outlives the generator that drew it.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "codec/json.h"
#include "core/graph.h"
#include "core/result.h"

namespace jp::codec {

/// Incremented on every change that an old reader would misread.
inline constexpr int kGraphVersion = 1;

/// Owns texts at stable addresses for as long as it lives.
class Texts {
 public:
  std::string_view keep(std::string text) { return texts_.emplace_back(std::move(text)); }
  Forms keep(std::vector<std::string_view> forms) { return forms_.emplace_back(std::move(forms)); }

 private:
  std::deque<std::string> texts_;
  std::deque<std::vector<std::string_view>> forms_;
};

/// A graph and the seed whose draws print its text. `texts` owns what a drawn graph has in static storage.
struct StoredGraph {
  Graph graph;
  std::uint64_t seed = 0;
  /// The version of the generator that drew it; for people.
  int generator_version = 0;
  std::shared_ptr<const Texts> texts;
};

Json to_json(const StoredGraph& stored);

/// The graph, or an Error that says what doesn't fit: a newer version, a missing or wrong member. Only the form is
/// checked, not whether the members are consistent (seedgen/text/check_graph.h).
Result<StoredGraph> read_graph(const Json& json);

}  // namespace jp::codec
