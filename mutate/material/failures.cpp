#include "mutate/material/failures.h"

#include <fmt/format.h>

#include <array>

namespace jp::mutate {
namespace {

/// {} stands for the module's name for torch, or for the tensor.
struct Text {
  std::string_view text;
  std::string_view error;
};

constexpr std::array kPlain = std::to_array<Text>({
    {"[][1]", "IndexError"},
    {"{}[\"missing\"]", "KeyError"},
    {"int(\"x\")", "ValueError"},
    {"1 // 0", "ZeroDivisionError"},
    {"None.shape", "AttributeError"},
    {"iter(3)", "TypeError"},
    {"next(iter(()))", "StopIteration"},
    {"assert not True", "AssertionError"},
    {"raise RuntimeError(\"on purpose\")", "RuntimeError"},
    {"raise NotImplementedError", "NotImplementedError"},
});

constexpr std::array kTorch = std::to_array<Text>({
    {"{}.zeros(2).view(3)", "RuntimeError"},
    {"{0}.ones(2) + {0}.ones(3)", "RuntimeError"},
    {"{0}.matmul({0}.ones(2, 3), {0}.ones(2, 3))", "RuntimeError"},
    {"{}.ones(3).item()", "RuntimeError"},
    {"{0}.stack([{0}.ones(2), {0}.ones(3)])", "RuntimeError"},
    {"{0}.zeros(2).add_({0}.zeros(3))", "RuntimeError"},
    {"{}.ones(4).reshape(-1, 3)", "RuntimeError"},
    {"bool({}.arange(2) > 0)", "RuntimeError"},
    {"{}.empty(0).max()", "RuntimeError"},
    {"{}.ones(2)[5]", "IndexError"},
    {"{}.ones(2).sum(dim=3)", "IndexError"},
    {"{}.ones(2, 3).transpose(0, 2)", "IndexError"},
    {"{}.relu(None)", "TypeError"},
    {"len({}.tensor(1))", "TypeError"},
    {"{}.ones(2).no_such_name", "AttributeError"},
    {"{}.no_such_function", "AttributeError"},
});

constexpr std::array kTensor = std::to_array<Text>({
    {"{0}.view({0}.numel() + 1)", "RuntimeError"},
    {"{0}.reshape({0}.numel() + 2, -1, 0)", "RuntimeError"},
    {"{}.expand(-2)", "RuntimeError"},
    {"{0}.select({0}.dim(), 0)", "IndexError"},
    {"{0}.sum(dim={0}.dim() + 1)", "IndexError"},
    {"{0}.unsqueeze({0}.dim() + 2)", "IndexError"},
    {"{0}.transpose(0, {0}.dim() + 1)", "IndexError"},
    {"{0}.flatten({0}.dim() + 1)", "IndexError"},
    {"{}.no_such_name", "AttributeError"},
});

/// Three lines each: the failing line follows an in-place change of an object that the first line made. {0} stands for
/// torch, {1} for the fresh name.
constexpr std::array kChanging = std::to_array<std::array<std::string_view, 3>>({
    {"{1} = {0}.arange(3)", "{1}[0] = 5", "{1}[7] = 1"},
    {"{1} = {0}.zeros(2, 3)", "{1}.add_(1)", "{1}[4] += 1"},
    {"{1} = [{0}.ones(2)]", "{1}.append({1}[0] * 2)", "{1}[5]"},
});

std::string_view parent_of(std::string_view error) {
  if (error == "IndexError" || error == "KeyError") return "LookupError";
  if (error == "ZeroDivisionError") return "ArithmeticError";
  if (error == "NotImplementedError") return "RuntimeError";
  return "Exception";
}

template <std::size_t kSize>
Failure of(const std::array<Text, kSize>& table, const std::string& filled, Choices& choices) {
  const Text& text = table[choices.below(kSize)];
  std::string line = filled.empty() ? std::string(text.text) : fmt::format(fmt::runtime(text.text), filled);
  return {{{line}}, std::string(text.error)};
}

}  // namespace

Failure draw_failure(const std::string& torch, const std::string& tensor, const std::string& own, Choices& choices) {
  if (!tensor.empty() && choices.chance(1, 2)) return of(kTensor, tensor, choices);
  if (torch.empty() || choices.chance(1, 4)) return of(kPlain, "", choices);
  if (own.empty() || choices.chance(3, 4)) return of(kTorch, torch, choices);
  Failure failure{{}, "IndexError"};
  for (std::string_view line : kChanging[choices.below(kChanging.size())])
    failure.lines.push_back({fmt::format(fmt::runtime(line), torch, own)});
  return failure;
}

std::string draw_clause(std::string_view error, const std::string& as, Choices& choices) {
  std::string_view other = error == "ValueError" ? "TypeError" : "ValueError";
  std::string caught(error);
  switch (choices.below(7)) {
    case 0:
      caught = parent_of(error);
      break;
    case 1:
      caught = fmt::format("({}, {})", other, error);
      break;
    case 2:
      caught = fmt::format("({}, {})", parent_of(error), other);
      break;
    case 3:
      if (as.empty()) return "except:";
      caught = "Exception";
      break;
    default:
      break;
  }
  return as.empty() ? fmt::format("except {}:", caught) : fmt::format("except {} as {}:", caught, as);
}

const std::vector<std::string_view>& failure_names() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> all = {"LookupError",  "ArithmeticError",
                                         "Exception",    "BaseException",
                                         "UnicodeError", "ValueError",
                                         "TypeError",    "int",
                                         "bool",         "iter",
                                         "next",         "len",
                                         "range"};
    for (const Text& text : kPlain) all.push_back(text.error);
    return all;
  }();
  return names;
}

}  // namespace jp::mutate
