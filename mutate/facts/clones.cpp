#include "mutate/facts/clones.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/tensor_type.h"
#include "mutate/engine/notes.h"
#include "mutate/facts/live.h"
#include "mutate/facts/value_reads.h"
#include "mutate/names/own_code.h"
#include "mutate/names/reads.h"
#include "mutate/names/scopes.h"
#include "mutate/syntax/queries.h"

namespace jp::mutate {
namespace {

/// Nothing else of the function reads the name, and no loop repeats the statement.
bool read_here_only(const Parsed& parsed, const Statement& statement, std::string_view name) {
  const Scopes& scopes = parsed.scopes();
  const int scope = scopes.scope_of(statement);
  if (scopes.resolve(name, scope) != scope || stands_in(parsed, statement, {"for_statement", "while_statement"}))
    return false;
  int reads = 0;
  for (const Use& use : scopes.uses_of(scope, name)) reads += use.kind == Use::Kind::kRead ? 1 : 0;
  return reads == 1;
}

/// Another name that the statement reads, or a part of it, may share the tensor's storage.
bool read_otherwise(const Parsed& parsed, const Facts& facts, const Statement& statement, std::string_view name) {
  const Names& live = facts.before.at(statement.id);
  const NameFacts& cloned = live.at(name);
  const auto uses = parsed.scopes().uses_in(statement.begin, statement.end);
  const auto reads = [&](std::string_view other) {
    return std::any_of(uses.begin(), uses.end(), [&](const Use& use) { return use.name == other; });
  };
  return std::any_of(live.begin(), live.end(), [&](const auto& one) {
    const auto& [path, known] = one;
    if (path == name || !reads(std::string_view(path).substr(0, path.find('[')))) return false;
    if (known.kind == "tensor") return !known.storage || known.storage == cloned.storage;
    return known.kind.empty() || known.kind == "object" || may_hold_unseen(known);
  });
}

/// A copy of it has its layout.
bool copies_alike(const NameFacts& known) {
  if (known.shape && known.strides) return is_non_overlapping_and_dense(*known.shape, *known.strides);
  return known.least_shape && known.row_major == true;
}

/// The tensor that is read; nothing if a clone may not stand there. `quietly`: value_reads.h, quiet().
std::optional<ClobberedTensor> clonable(const Parsed& parsed, const Facts& facts, const Statement& statement,
                                        const ValueRead& read, bool quietly) {
  const std::string name(read.node.text());
  const NameFacts* known = facts.find_before(statement.id, name);
  const bool fits = known && known->kind == "tensor" && known->dtype && !is_complex(*known->dtype) && known->storage &&
                    known->overlaps_itself == false && copies_alike(*known);
  if (!fits || !parsed.scopes().readable(statement, name)) return std::nullopt;
  ClobberedTensor found;
  found.name = name;
  found.dtype = *known->dtype;
  found.shape = known->shape ? *known->shape : *known->least_shape;
  found.contiguous = known->shape && known->strides ? is_row_major(*known->shape, *known->strides) : true;
  // Code of the file that runs first may write to the tensor, or bind the name anew.
  if (!quietly && parsed.own_code().runs_before(parsed, statement, read.node)) return std::nullopt;
  if (rebinds_before(parsed, statement, read.node)) return std::nullopt;
  const bool once = read_once(parsed, statement, name);
  const bool apart = (read.fresh && read_here_only(parsed, statement, name)) || (quietly && once);
  const bool alone = apart && !read_otherwise(parsed, facts, statement, name);
  return alone && found.count() > 0 ? std::optional(std::move(found)) : std::nullopt;
}

}  // namespace

std::vector<Site> clone_sites(const Parsed& parsed, const Facts& facts) {
  std::vector<Site> found;
  if (uses_introspection(parsed) || no_gradients(facts) || parsed.has_word("_version") || !autograd_is_plain(parsed))
    return found;
  const ValueReads reads(parsed, facts);
  const bool quietly = quiet(parsed);
  for (const Statement& statement : parsed.statements()) {
    if (!facts.before.contains(statement.id) || !insertion_point(parsed, statement)) continue;
    const auto plain = plain_reads(parsed, statement);
    for (const ValueRead& read : reads.of(statement))
      if (clonable(parsed, facts, statement, read, quietly))
        found.push_back({statement.id, fmt::format("{}{}", kClonePath,
                                                   std::find(plain.begin(), plain.end(), read.node) - plain.begin())});
  }
  return found;
}

std::optional<ClonedRead> draw_clone(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices) {
  const Statement& statement = *parsed.find(site.statement);
  const auto plain = plain_reads(parsed, statement);
  const auto at = read_index(std::string_view(site.path).substr(kClonePath.size()), plain.size());
  if (!at || !insertion_point(parsed, statement) || uses_introspection(parsed)) return std::nullopt;
  const Node node = plain[*at];
  auto tensor = choices.note([&]() -> std::optional<ClobberedTensor> {
    for (const ValueRead& read : ValueReads(parsed, facts).of(statement))
      if (read.node == node) return clonable(parsed, facts, statement, read, quiet(parsed));
    return std::nullopt;
  });
  const bool ours = tensor && !tensor->last && tensor->name == node.text() &&
                    read_once(parsed, statement, tensor->name) && parsed.scopes().readable(statement, tensor->name);
  return ours ? std::optional(ClonedRead{node, *std::move(tensor)}) : std::nullopt;
}

void put_clone(Rewrite& rewrite, const Statement& statement, const ClonedRead& read, const std::string& clone,
               const Half& first, const Half& second, Choices& choices) {
  rewrite.before(statement, Lines{{fmt::format("{} = {}.clone()", clone, read.tensor.name)}} +
                                placed(rewrite, first, "", choices) + placed(rewrite, second, "", choices));
  rewrite.replace(read.node, clone);
}

}  // namespace jp::mutate
