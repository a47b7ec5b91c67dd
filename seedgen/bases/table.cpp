#include "seedgen/bases/table.h"

#include <fmt/format.h>

#include <limits>

#include "seedgen/draw/options.h"

namespace jp::seedgen {

Result<Program> table_program(const Table& table, std::uint64_t cell) {
  if (cell >= table.size())
    return Error{fmt::format("the table {} has the programs 0 to {}, and no {}", table.name(), table.size() - 1, cell)};
  Lineage lineage;
  lineage.seed = {.origin = Seed::Origin::kTable, .generator_version = kGeneratorVersion, .seed = cell};
  lineage.seed.table = table.name();
  return Program::make(table.text(cell), std::move(lineage));
}

std::uint64_t Grid::size() const { return cells().size(); }

std::string Grid::text(std::uint64_t cell) const {
  JP_CHECK(cell < size(), "the table {} has no cell {}", name(), cell);
  return text_at(at(cells()[cell]));
}

Grid::At Grid::at(std::uint64_t combination) const {
  At position = lengths();
  for (std::size_t axis = position.size(); axis-- > 0;) {
    const std::size_t length = position[axis];
    position[axis] = combination % length;
    combination /= length;
  }
  return position;
}

const std::vector<std::uint32_t>& Grid::cells() const {
  std::call_once(once_, [this] {
    std::uint64_t all = 1;
    for (std::size_t length : lengths()) all *= length;
    JP_CHECK(all <= std::numeric_limits<std::uint32_t>::max(), "the table {} is too large", name());
    for (std::uint64_t i = 0; i < all; ++i)
      if (defined(at(i))) cells_.push_back(static_cast<std::uint32_t>(i));
    JP_CHECK(!cells_.empty(), "the table {} is empty", name());
  });
  return cells_;
}

std::string indented(std::string_view lines) {
  std::string text;
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t end = std::min(lines.find('\n', at), lines.size() - 1) + 1;
    if (lines[at] != '\n') text += "    ";
    text += lines.substr(at, end - at);
    at = end;
  }
  return text;
}

std::string print(const Sheet& sheet) {
  std::string text = "import torch\n\n\n";
  if (!sheet.head.empty()) text += sheet.head + "\n\n";
  if (!sheet.inputs.empty()) text += "def make_inputs():\n" + indented(sheet.inputs) + "\n\n";
  text += fmt::format("def program({}):\n{}", sheet.parameters, indented(sheet.body));
  if (!sheet.foot.empty()) text += "\n\n" + sheet.foot;
  return text;
}

}  // namespace jp::seedgen
