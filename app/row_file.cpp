#include "app/row_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstring>
#include <fstream>

namespace jp::app {
namespace {

Status append(const std::string& path, const std::string& text) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (file < 0) return Error{fmt::format("can't write {}: {}", path, std::strerror(errno))};
  const ssize_t written = ::write(file, text.data(), text.size());
  const bool synced = written == static_cast<ssize_t>(text.size()) && ::fdatasync(file) == 0;
  const std::string why = std::strerror(errno);
  ::close(file);
  return synced ? Status{Done{}} : Status{Error{fmt::format("can't write {}: {}", path, why)}};
}

}  // namespace

// Line by line: a night's rows need not fit into memory at once.
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
  return file.get() == '\n' ? Status{Done{}} : append(path, "\n");
}

Status append_row(const std::string& path, const codec::Json& row) { return append(path, codec::text(row) + "\n"); }

}  // namespace jp::app
