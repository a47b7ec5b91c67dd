// Graphs as JSON: any text is a graph that can be printed, or an Error.
#include <cstdint>

#include "codec/codec.h"
#include "codec/graph.h"
#include "core/check.h"
#include "core/program.h"
#include "seedgen/text/check_graph.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace jp;
  Result<codec::Json> json = codec::parse_text({reinterpret_cast<const char*>(bytes), size});
  if (!json.ok()) return 0;
  Result<codec::StoredGraph> stored = codec::read_graph(json.value());
  if (!stored.ok() || !seedgen::check_graph(stored.value().graph).ok()) return 0;
  (void)Program::make(seedgen::emit_seed(stored.value().graph, stored.value().seed), {});
  Result<codec::StoredGraph> again = codec::read_graph(codec::to_json(stored.value()));
  JP_CHECK(again.ok(), "a graph that was read can't be read again");
  return 0;
}
