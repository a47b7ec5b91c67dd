// A part of a live tensor is saved, overwritten, and restored just before the next statement that may depend on the
// tensor or on one of its aliases:
//
//     v3 = torch.relu(v1)          b7 = v0[1, 2].item()
//     v4 = v0 + v3                 v0[1, 2] = 7.0
//                                  v3 = torch.relu(v1)
//                                  v0[1, 2] = b7
//                                  v4 = v0 + v3
//
// The part is an element (saved by `.item()`), a row, a slice, or the whole tensor (by `.clone()`). save_restore.h
// decides which tensors may be overwritten, for how long, and how where gradients are wanted; or a clone in the graph
// is overwritten, restored and read instead (clones.h; site path: "clone" and the read's number).
// Each half is put into a block or a function of its own, or neither. The result is unchanged bit for bit.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/tensor_type.h"
#include "mutate/facts/clones.h"
#include "mutate/facts/save_restore.h"
#include "mutate/names/scopes.h"
#include "mutate/rewrite/statement_ranges.h"

namespace jp::mutate::mutate_recover_mutation {
namespace {

struct Halves {
  Lines first;
  Lines second;
};

/// `text`: the tensor's name, or the text by which it is written. The element is kept as a number, but as a tensor
/// where it is written through `.data`: `.item()` breaks the graph, and then all show one bug (pytorch 185497).
Halves element(const ClobberedTensor& clobbered, const std::string& text, const std::string& backup,
               const std::string& value, Choices& choices) {
  const std::string_view kept = text.ends_with(".data") ? "clone" : "item";
  if (clobbered.shape.empty())
    return {{{fmt::format("{} = {}.{}()", backup, text, kept)}, {fmt::format("{}.fill_({})", text, value)}},
            {{fmt::format("{}.fill_({})", text, backup)}}};
  std::vector<std::int64_t> position;
  for (std::int64_t size : clobbered.shape) position.push_back(choices.between(0, size - 1));
  std::string place = fmt::format("{}[{}]", text, fmt::join(position, ", "));
  return {{{fmt::format("{} = {}.{}()", backup, place, kept)}, {fmt::format("{} = {}", place, value)}},
          {{fmt::format("{} = {}", place, backup)}}};
}

Halves part(const ClobberedTensor& clobbered, const std::string& text, const std::string& backup,
            const std::string& value, Choices& choices) {
  std::int64_t size = clobbered.shape[0];
  std::int64_t at = choices.between(0, size - 1);
  std::string index = choices.chance(1, 2) ? fmt::format("{}", at) : fmt::format("{}:", at);
  std::string place = fmt::format("{}[{}]", text, index);
  return {{{fmt::format("{} = {}.clone()", backup, place)}, {fmt::format("{} = {}", place, value)}},
          {{fmt::format("{} = {}", place, backup)}}};
}

Halves whole(const ClobberedTensor& clobbered, const std::string& text, const std::string& backup,
             const std::string& value, Choices& choices) {
  std::vector<std::string> writes = {fmt::format("{}.fill_({})", text, value), fmt::format("{}.zero_()", text),
                                     fmt::format("{}[...] = {}", text, value)};
  if (clobbered.dtype != Dtype::kBool) writes.push_back(fmt::format("{}.add_(1)", text));
  if (clobbered.dtype != Dtype::kBool) writes.push_back(fmt::format("{}.mul_(2)", text));
  return {{{fmt::format("{} = {}.clone()", backup, text)}, {choices.pick(writes)}},
          {{fmt::format("{}.copy_({})", text, backup)}}};
}

class MutateRecover final : public Mutation {
 public:
  MutateRecover()
      : Mutation({"mutate_recover", "B", Exactness::kBitwise, true, "TorchProbe",
                  "writes that functionalization reorders, drops or fails to carry across a graph break"}) {}

  std::vector<Site> sites(const Parsed& parsed, const Facts& facts) const override {
    if (binds_loop_words(parsed)) return {};
    std::vector<Site> found = save_restore_sites(parsed, facts);
    add(found, clone_sites(parsed, facts));
    return found;
  }

  EditSet rewrite(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                  int step_number) const override {
    const Statement& statement = *parsed.find(site.statement);
    if (binds_loop_words(parsed)) return {};
    if (site.path.starts_with(kClonePath)) return write_clone(parsed, facts, site, choices, step_number);
    const auto writes = read_writes(site.path);
    auto clobbered = writes ? draw_victim(parsed, facts, statement, *writes, choices) : std::nullopt;
    if (!clobbered) return {};
    Rewrite rewrite(parsed, step_number);
    std::string backup = rewrite.name("b");
    std::string value = draw_value(clobbered->dtype, choices);
    const std::string torch = torch_name(parsed, statement);
    const WrittenAs as = draw_written_as(*clobbered, *writes, torch, choices);
    Halves halves;
    switch (choices.below(clobbered->shape.empty() ? 2 : 4)) {
      case 0:
        halves = whole(*clobbered, as.text, backup, value, choices);
        break;
      case 1:
        halves = element(*clobbered, as.text, backup, value, choices);
        break;
      default:
        halves = part(*clobbered, as.text, backup, value, choices);
    }
    put_halves(rewrite, statement, *clobbered, {written_lines(as, torch, halves.first), {clobbered->name}, {backup}},
               {written_lines(as, torch, halves.second), {clobbered->name, backup}, {}}, choices);
    return rewrite.edits();
  }

 private:
  static EditSet write_clone(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                             int step_number) {
    const auto read = draw_clone(parsed, facts, site, choices);
    if (!read) return {};
    const Statement& statement = *parsed.find(site.statement);
    Rewrite rewrite(parsed, step_number);
    const std::string clone = rewrite.name("c");
    const std::string backup = rewrite.name("b");
    const std::string torch = torch_name(parsed, statement);
    const bool part = !read->tensor.shape.empty() && choices.chance(2, 3);
    const std::string place = fmt::format("{}[{}]", clone, !part ? "..." : choices.chance(1, 2) ? "0" : "-1:");
    const WrittenAs as{clone, !torch.empty() && choices.chance(1, 3)};
    const Half first{written_lines(as, torch,
                                   {{fmt::format("{} = {}.clone()", backup, place)},
                                    {fmt::format("{} = {}", place, draw_value(read->tensor.dtype, choices))}}),
                     {clone},
                     {backup}};
    const Half second{written_lines(as, torch, {{fmt::format("{} = {}", place, backup)}}), {clone, backup}, {}};
    put_clone(rewrite, statement, *read, clone, first, second, choices);
    return rewrite.edits();
  }
};

const Register<Mutation, MutateRecover> registered;

}  // namespace
}  // namespace jp::mutate::mutate_recover_mutation
