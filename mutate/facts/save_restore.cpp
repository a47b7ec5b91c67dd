#include "mutate/facts/save_restore.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "mutate/calls/pure_names.h"

namespace jp::mutate {
namespace {

bool separate(const NameFacts& other, const NameFacts& clobbered) {
  if (other.kind == "int" || other.kind == "float" || other.kind == "bool" || other.kind == "none") return true;
  return other.kind == "tensor" && other.storage && clobbered.storage && *other.storage != *clobbered.storage;
}

/// The statement neither reads nor writes the victim's storage, binds none of its names, and can't leave.
bool inert(const Parsed& parsed, const Facts& facts, const Statement& statement, const std::string& name) {
  if (statement.kind() != "expression_statement" || !statement.own_lines) return false;
  auto children = statement.node.children();
  auto known = facts.before.find(statement.id);
  if (children.size() != 1 || !children[0].is("assignment") || known == facts.before.end()) return false;
  if (!facts.after.contains(statement.id)) return false;
  const NameFacts* clobbered = facts.find_before(statement.id, name);
  Node target = children[0].field("left");
  Node value = children[0].field("right");
  if (!clobbered || !value || !target.is("identifier") || target.text() == name) return false;
  std::string torch = torch_name(parsed, statement);
  for (int i = value.index(); i < value.past(); ++i) {
    Node node = parsed.tree().node(i);
    if (!node.named() || node.is("comment")) continue;
    if (!is_pure_kind(node.kind())) return false;
    // Only methods and functions of torch are called, never a value.
    if (node.is("call") && !node.field("function").is("attribute")) return false;
    bool label = node.parent().is("attribute") && node.field_name() == "attribute";
    label = label || (node.parent().is("keyword_argument") && node.field_name() == "name");
    if (!node.is("identifier") || label || node.text() == torch) continue;
    auto used = known->second.find(std::string(node.text()));
    if (used == known->second.end() || !separate(used->second, *clobbered)) return false;
  }
  return true;
}

std::optional<std::int64_t> read_number(std::string_view text) {
  std::int64_t number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

bool is_contiguous(const NameFacts& facts) {
  std::int64_t stride = 1;
  for (std::size_t i = facts.shape->size(); i-- > 0;) {
    if ((*facts.shape)[i] != 1 && (*facts.strides)[i] != stride) return false;
    stride *= (*facts.shape)[i];
  }
  return true;
}

std::vector<std::string> victims(const Parsed& parsed, const Facts& facts, const Statement& statement) {
  std::vector<std::string> names;
  auto known = facts.before.find(statement.id);
  if (known == facts.before.end()) return names;
  for (const auto& [name, unused] : known->second)
    if (writable(parsed, facts, statement, name)) names.push_back(name);
  return names;
}

bool allowed(const Parsed& parsed, const Facts& facts) {
  return !uses_introspection(parsed) && !parsed.has_word("_version") && !parsed.has_word("inference_mode") &&
         no_gradients(facts);
}

}  // namespace

std::int64_t ClobberedTensor::count() const {
  std::int64_t product = 1;
  for (std::int64_t size : shape) product *= size;
  return product;
}

bool no_gradients(const Facts& facts) {
  for (const auto* points : {&facts.before, &facts.after})
    for (const auto& [id, names] : *points)
      for (const auto& [name, known] : names)
        if ((known.kind == "tensor" || known.kind.empty()) && known.requires_grad.value_or(true)) return false;
  return true;
}

const NameFacts* writable(const Parsed& parsed, const Facts& facts, const Statement& statement,
                          const std::string& name) {
  const NameFacts* known = facts.find_before(statement.id, name);
  bool plain = known && known->kind == "tensor" && known->dtype && !is_complex(*known->dtype) && known->shape &&
               known->strides && known->storage && known->overlaps_itself == false && known->requires_grad == false;
  if (!plain || name.find('[') != std::string::npos || !parsed.scopes().readable(statement, name)) return nullptr;
  return std::find(known->shape->begin(), known->shape->end(), 0) == known->shape->end() ? known : nullptr;
}

std::vector<Site> save_restore_sites(const Parsed& parsed, const Facts& facts) {
  std::vector<Site> sites;
  if (!allowed(parsed, facts)) return sites;
  for (const Statement& statement : parsed.statements())
    if (insertion_point(parsed, statement) && !victims(parsed, facts, statement).empty())
      sites.push_back({statement.id, ""});
  return sites;
}

std::string note_clobbered(const Parsed& parsed, const Facts& facts, const Statement& statement, Choices& choices) {
  if (!allowed(parsed, facts)) return "";
  auto names = victims(parsed, facts, statement);
  if (names.empty()) return "";
  const std::string& name = choices.pick(names);
  const NameFacts& known = *writable(parsed, facts, statement, name);
  std::string gap_end = "-";
  for (const Statement* at = &statement; at && inert(parsed, facts, *at, name); at = next_in_block(parsed, *at))
    gap_end = at->id;
  return fmt::format("{} {} {} {} {}", name, dtype_name(*known.dtype), is_contiguous(known) ? "dense" : "strided",
                     gap_end, fmt::join(*known.shape, " "));
}

std::optional<ClobberedTensor> read_clobbered(const Parsed& parsed, const Statement& statement, std::string_view note) {
  std::vector<std::string_view> parts;
  while (!note.empty()) {
    std::size_t end = std::min(note.find(' '), note.size());
    if (end > 0) parts.push_back(note.substr(0, end));
    note.remove_prefix(std::min(end + 1, note.size()));
  }
  if (parts.size() < 4 || !insertion_point(parsed, statement) || uses_introspection(parsed)) return std::nullopt;
  ClobberedTensor clobbered;
  clobbered.name = parts[0];
  auto dtype = parse_dtype(parts[1]);
  if (!dtype || !parsed.scopes().readable(statement, clobbered.name)) return std::nullopt;
  clobbered.dtype = *dtype;
  clobbered.contiguous = parts[2] == "dense";
  if (parts[3] != "-") {
    clobbered.gap_end = parsed.find(parts[3]);
    if (!clobbered.gap_end || !clobbered.gap_end->own_lines ||
        run_between(parsed, statement, *clobbered.gap_end).empty())
      return std::nullopt;
  }
  for (std::size_t i = 4; i < parts.size(); ++i) {
    auto size = read_number(parts[i]);
    if (!size || *size < 1) return std::nullopt;
    clobbered.shape.push_back(*size);
  }
  return clobbered;
}

std::string draw_value(Dtype dtype, Choices& choices) {
  if (dtype == Dtype::kBool) return choices.chance(1, 2) ? "True" : "False";
  if (is_integral(dtype)) return fmt::format("{}", choices.between(0, 100));
  constexpr std::array<std::string_view, 8> kValues = {"0.0", "1.5", "-3.25", "7.0", "-0.0", "1e4", "-1e-3", "100.0"};
  return std::string(kValues[choices.below(kValues.size())]);
}

void put_halves(Rewrite& rewrite, const Statement& statement, const ClobberedTensor& clobbered, Lines first,
                const Lines& second) {
  if (!clobbered.gap_end) first.insert(first.end(), second.begin(), second.end());
  rewrite.before(statement, first);
  if (clobbered.gap_end) rewrite.after(*clobbered.gap_end, second);
}

}  // namespace jp::mutate
