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
#include "mutate/outline/outline_mutation.h"

namespace jp::mutate::extract_function_mutation {
namespace {

class ExtractFunction final : public ExtractionMutation {
 public:
  ExtractFunction()
      : ExtractionMutation({"extract_function", "C", Exactness::kBitwise, false, "TorchProbe",
                            "writes and rebindings that cross the boundary of an inlined nested function"}) {}

 private:
  std::optional<Body> pack(Packing& packing) const override {
    const std::string name = packing.rewrite.name("f");
    Convention way = packing.draw(
        {Channel::kReturn, Channel::kNonlocal, Channel::kDict, Channel::kList, Channel::kAttribute}, false);
    if (way.channel == Channel::kAttribute) way.inner = way.outer = name;
    Body body = way.body({{fmt::format("def {}:", way.call_of(name))}});
    body.call = way.fetch(way.call_of(name));
    return body;
  }
};

const Register<Mutation, ExtractFunction> registered;

}  // namespace
}  // namespace jp::mutate::extract_function_mutation
