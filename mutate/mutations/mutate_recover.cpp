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
// decides which tensors may be overwritten, and for how long. The result is unchanged bit for bit.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "mutate/facts/save_restore.h"

namespace jp::mutate::mutate_recover_mutation {
namespace {

struct Halves {
  Lines first;
  Lines second;
};

Halves element(const ClobberedTensor& clobbered, const std::string& backup, const std::string& value,
               Choices& choices) {
  const std::string& name = clobbered.name;
  if (clobbered.shape.empty())
    return {{{fmt::format("{} = {}.item()", backup, name)}, {fmt::format("{}.fill_({})", name, value)}},
            {{fmt::format("{}.fill_({})", name, backup)}}};
  std::vector<std::int64_t> position;
  for (std::int64_t size : clobbered.shape) position.push_back(choices.between(0, size - 1));
  std::string place = fmt::format("{}[{}]", name, fmt::join(position, ", "));
  return {{{fmt::format("{} = {}.item()", backup, place)}, {fmt::format("{} = {}", place, value)}},
          {{fmt::format("{} = {}", place, backup)}}};
}

Halves part(const ClobberedTensor& clobbered, const std::string& backup, const std::string& value, Choices& choices) {
  std::int64_t size = clobbered.shape[0];
  std::int64_t at = choices.between(0, size - 1);
  std::string index = choices.chance(1, 2) ? fmt::format("{}", at) : fmt::format("{}:", at);
  std::string place = fmt::format("{}[{}]", clobbered.name, index);
  return {{{fmt::format("{} = {}.clone()", backup, place)}, {fmt::format("{} = {}", place, value)}},
          {{fmt::format("{} = {}", place, backup)}}};
}

Halves whole(const ClobberedTensor& clobbered, const std::string& backup, const std::string& value, Choices& choices) {
  const std::string& name = clobbered.name;
  std::vector<std::string> writes = {fmt::format("{}.fill_({})", name, value), fmt::format("{}.zero_()", name),
                                     fmt::format("{}[...] = {}", name, value)};
  if (clobbered.dtype != Dtype::kBool) writes.push_back(fmt::format("{}.add_(1)", name));
  if (clobbered.dtype != Dtype::kBool) writes.push_back(fmt::format("{}.mul_(2)", name));
  return {{{fmt::format("{} = {}.clone()", backup, name)}, {choices.pick(writes)}},
          {{fmt::format("{}.copy_({})", name, backup)}}};
}

class MutateRecover final : public Mutation {
 public:
  MutateRecover()
      : Mutation({"mutate_recover", "B", Exactness::kBitwise, true, "TorchProbe",
                  "writes that functionalization reorders, drops or fails to carry across a graph break"}) {}

  std::vector<Site> sites(const Parsed& parsed, const Facts& facts) const override {
    return save_restore_sites(parsed, facts);
  }

  EditSet rewrite(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                  int step_number) const override {
    const Statement& statement = *parsed.find(site.statement);
    auto clobbered = draw_victim(parsed, facts, statement, choices);
    if (!clobbered) return {};
    Rewrite rewrite(parsed, step_number);
    std::string backup = rewrite.name("b");
    std::string value = draw_value(clobbered->dtype, choices);
    Halves halves;
    switch (choices.below(clobbered->shape.empty() ? 2 : 4)) {
      case 0:
        halves = whole(*clobbered, backup, value, choices);
        break;
      case 1:
        halves = element(*clobbered, backup, value, choices);
        break;
      default:
        halves = part(*clobbered, backup, value, choices);
    }
    put_halves(rewrite, statement, *clobbered, halves.first, halves.second);
    return rewrite.edits();
  }
};

const Register<Mutation, MutateRecover> registered;

}  // namespace
}  // namespace jp::mutate::mutate_recover_mutation
