#include "oracle/judge/exceptions.h"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <vector>

#include "core/among.h"
#include "core/dtype.h"
#include "oracle/judge/text.h"

namespace jp::oracle {
namespace {

constexpr std::string_view kBetween = ": ";  // between type and text of a cause that is merely wrapped

// Of the innermost message.
std::string first_line(const ExceptionRecord& exception) {
  const std::string message = innermost(exception).message;
  return message.substr(0, message.find('\n'));
}

bool is_caused_by(const ExceptionRecord& exception, const std::string& type) {
  return std::any_of(exception.causes.begin(), exception.causes.end(),
                     [&](const std::string& cause) { return cause.substr(0, cause.find(kBetween)) == type; });
}

// Failures of the compiler itself. All are RuntimeErrors, which says nothing about what they wrap.
bool is_internal(const ExceptionRecord& compiled) {
  return compiled.type == "torch._dynamo.exc.InternalTorchDynamoError" ||
         compiled.type == "torch._dynamo.exc.BackendCompilerFailed" ||
         compiled.type.starts_with("torch._inductor.exc.");
}

// A compiler may wrap the exception (its class is then among the causes) or raise a more specific one (a subclass).
bool related(const ExceptionRecord& eager, const ExceptionRecord& compiled) {
  const bool more_specific = among(compiled.bases, eager.type) && !is_internal(compiled);
  return compiled.type == eager.type || more_specific || is_caused_by(compiled, eager.type);
}

}  // namespace

Raise judge_raise(const std::optional<ExceptionRecord>& eager, const std::optional<ExceptionRecord>& compiled) {
  if (!eager && !compiled) return Raise::kNeither;
  if (!compiled) return Raise::kOnlyEager;
  if (eager) {
    if (related(*eager, *compiled)) return Raise::kAlike;
    return compiled->expected_refusal ? Raise::kRefused : Raise::kErrorClass;
  }
  if (compiled->expected_refusal) return Raise::kRefused;
  return compiled->while_compiling ? Raise::kCompiler : Raise::kOnlyCompiled;
}

bool raised_while_tracing(const ExceptionRecord& exception) {
  return std::any_of(exception.frames.begin(), exception.frames.end(), [](const Frame& frame) {
    const bool traces =
        frame.file.ends_with("torch/fx/experimental/proxy_tensor.py") && frame.function == "dispatch_trace";
    return traces || frame.file.ends_with("torch/_dynamo/convert_frame.py");
  });
}

bool refuses_dtypes(const ExceptionRecord& exception) {
  // Of dtypes without a kernel, and of operands that must have one dtype or the one that another gives.
  constexpr std::string_view kWords[] = {"dtype", "scalar type", "not implemented for '", "promoting not supported",
                                         " type ("};
  if (exception.type != "builtins.RuntimeError" && exception.type != "builtins.NotImplementedError") return false;
  // The text of a tensor names its dtype, too, and what raises with it may depend on its values.
  if (exception.message.find("tensor(") != std::string::npos) return false;
  return std::any_of(std::begin(kWords), std::end(kWords),
                     [&](auto words) { return exception.message.find(words) != std::string::npos; });
}

Innermost innermost(const ExceptionRecord& exception) {
  for (const std::string& cause : exception.causes)
    if (const std::size_t between = cause.find(kBetween); between != std::string::npos)
      return {cause.substr(0, between), cause.substr(between + kBetween.size())};
  return {exception.type, exception.message};
}

bool same_words(const ExceptionRecord& eager, const ExceptionRecord& compiled) {
  const auto words = [](const ExceptionRecord& exception) {
    std::string line = first_line(exception);
    std::replace(line.begin(), line.end(), '"', '\'');
    return line;
  };
  return !words(eager).empty() && words(eager) == words(compiled);
}

bool alike_words(const ExceptionRecord& one, const ExceptionRecord& other) {
  const auto words = [](const ExceptionRecord& exception) {
    // What numbers and dtypes are called, and what torch writes of a tensor beside them.
    constexpr std::string_view kOfNumbers[] = {"Double", "Float", "Half",  "BFloat16", "inf",
                                               "nan",    "dtype", "torch", "grad_fn"};
    const std::string line = first_line(exception);
    std::vector<std::string> found;
    for (const std::string_view word : split_text(line)) {
      const bool letters = std::isalpha(static_cast<unsigned char>(word.front())) != 0 || word.front() == '_';
      const bool of_gradients = word.find("Backward") != std::string_view::npos;
      if (letters && !of_gradients && !parse_dtype(word) && !among(kOfNumbers, word)) found.emplace_back(word);
    }
    return found;
  };
  return words(one) == words(other);
}

std::string describe_exception(const ExceptionRecord& exception) {
  std::string type = exception.type;
  if (type.starts_with("builtins.")) type.erase(0, 9);
  return exception.message.empty() ? type : type + ": " + shorten(exception.message);
}

}  // namespace jp::oracle
