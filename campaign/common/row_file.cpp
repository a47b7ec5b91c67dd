#include "campaign/common/row_file.h"

#include <fstream>

#include "codec/codec.h"
#include "core/files.h"

namespace jp::campaign {

// Reads line by line: a night's rows need not fit into memory at once.
void read_rows(const std::string& path, const std::function<void(const codec::Json&)>& take) {
  std::ifstream file(path, std::ios::binary);
  for (std::string line; std::getline(file, line);) {
    Result<codec::Json> row = codec::parse_text(line);
    if (row.ok() && row.value().is_object()) take(row.value());
  }
}

Status end_last_row(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file || file.tellg() == 0) return Done{};
  file.seekg(-1, std::ios::end);
  return file.get() == '\n' ? Status{Done{}} : append_file(path, "\n");
}

Status append_rows(const std::string& path, const std::vector<codec::Json>& rows) {
  std::string lines;
  for (const codec::Json& row : rows) lines += codec::text(row) + "\n";
  return append_file(path, lines);
}

}  // namespace jp::campaign
