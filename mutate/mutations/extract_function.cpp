// A range of statements of one block becomes a nested function that is called in their place:
//
//     v3 = v0 + v1                 def f7(v0):
//     v4 = torch.relu(v3)              v3 = v0 + v1
//                                      v4 = torch.relu(v3)
//                                      return v3, v4
//                                  v3, v4 = f7(v0)
//
// A draw decides for each name that the range reads whether it is captured or passed as an argument. The names that it
// binds come back by `return`, by `nonlocal`, in a dict or list that the function fills, or as attributes of the
// function; names that other functions capture stay the same variable (nonlocal). The result is unchanged bit for bit.
// Site path: the ID of the range's last statement ("" if the range is one statement).
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "mutate/engine/mutation.h"
#include "mutate/outline/carry.h"

namespace jp::mutate::extract_function_mutation {
namespace {

class ExtractFunction final : public ExtractionMutation {
 public:
  ExtractFunction()
      : ExtractionMutation({"extract_function", "C", Exactness::kBitwise, false, "TorchProbe",
                            "writes and rebindings that cross the boundary of an inlined nested function"}) {}

  EditSet rewrite(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                  int step_number) const override {
    auto extraction = extraction_at(parsed, facts, site, choices);
    if (!extraction) return {};
    Rewrite rewrite(parsed, step_number);
    std::string name = rewrite.name("f");
    Carried carried = draw_carried(
        rewrite, *extraction,
        {Channel::kReturn, Channel::kNonlocal, Channel::kDict, Channel::kList, Channel::kAttribute}, false, choices);
    if (carried.channel == Channel::kAttribute) carried.inner = carried.outer = name;
    std::string arguments = fmt::format("({})", fmt::join(carried.arguments, ", "));

    Frame frame;
    frame.before = carried.before();
    frame.open = {{"def " + name + arguments + ":"}};
    add(frame.open, deeper(carried.declarations()));
    frame.close = deeper(carried.deliver());
    frame.call = carried.fetch(name + arguments);
    enclose(rewrite, parsed, *extraction, frame, false);
    return rewrite.edits();
  }
};

const Register<Mutation, ExtractFunction> registered;

}  // namespace
}  // namespace jp::mutate::extract_function_mutation
