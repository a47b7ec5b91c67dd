#include "seedgen/text/emit.h"

// Graph to Python text: one statement per call, one argument per line, long lines wrapped.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "seedgen/bases/writes.h"
#include "seedgen/draw/policy.h"
#include "seedgen/types/types.h"

namespace jp::seedgen {
namespace {

constexpr std::size_t kWidth = 100;

void append(std::string& text, std::int64_t number) {
  const fmt::format_int digits(number);
  text.append(digits.data(), digits.size());
}

void append_name(std::string& text, int value) {
  text += 'v';
  append(text, value);
}

/// A Python float: the shortest digits that round-trip, always with a point or an exponent.
void append(std::string& text, double number) {
  char digits[32];
  const std::string_view shortest(digits, static_cast<std::size_t>(fmt::format_to(digits, "{}", number) - digits));
  text += shortest;
  if (shortest.find_first_of(".e") == std::string_view::npos) text += ".0";
}

void append_items(std::string& text, const Ints& ints) {
  for (int i = 0; i < ints.size(); ++i) {
    if (i > 0) text += ", ";
    append(text, ints[i]);
  }
}

void append_tuple(std::string& text, const Ints& ints) {
  text += '(';
  append_items(text, ints);
  text += ints.size() == 1 ? ",)" : ")";
}

void append_call(std::string& text, const Call& call, std::string_view form);

void append_argument(std::string& text, const Call& call, const Argument& argument, bool items) {
  switch (argument.index()) {
    case 0:
      return append_name(text, std::get<Ref>(argument).value);
    case 1: {
      const auto& refs = std::get<std::vector<Ref>>(argument);
      text += items ? "" : "[";
      for (std::size_t i = 0; i < refs.size(); ++i) {
        if (i > 0) text += ", ";
        append_name(text, refs[i].value);
      }
      text += items ? "" : "]";
      return;
    }
    case 2:
      text += std::get<bool>(argument) ? "True" : "False";
      return;
    case 3:
      return append(text, std::get<std::int64_t>(argument));
    case 4:
      return append(text, std::get<double>(argument));
    case 5:
      if (items)
        append_items(text, std::get<Ints>(argument));
      else
        append_tuple(text, std::get<Ints>(argument));
      return;
    case 6:
      text += "torch.";
      text += dtype_name(std::get<Dtype>(argument));
      return;
    default:
      append_call(text, call, std::get<std::string>(argument));
  }
}

void append_call(std::string& text, const Call& call, std::string_view form) {
  for (std::size_t i = 0; i < form.size(); ++i) {
    if (form.substr(i, 2) == "##") {  // a comment
      text += form[i++];
    } else if (form[i] == '#') {
      text += call.op;
    } else if (form[i] == '$') {
      bool items = form[i + 1] == '*';
      i += items ? 2 : 1;
      auto number = static_cast<std::size_t>(form[i] - '0');
      JP_CHECK(number < call.arguments.size(), "{} has no argument {} for the form {}", call.op, number, form);
      append_argument(text, call, call.arguments[number], items);
    } else {
      const std::size_t plain = std::min(form.find_first_of("#$", i), form.size()) - i;
      text += form.substr(i, plain);
      i += plain - 1;
    }
  }
}

void append_expression(std::string& text, const Call& call, std::string_view form);

// A statement's mark is no part of it.
std::string_view bare(std::string_view form) { return form.starts_with('!') ? form.substr(1) : form; }

// The forms of a call that name no missing function.
std::vector<std::string_view> forms_without(const Call& call, const MissingFunctions& missing) {
  std::vector<std::string_view> forms;
  const auto consider = [&](std::string_view form) {
    if (form.empty() || (call.out && !takes_out(form))) return;
    std::string text;
    append_expression(text, call, bare(form));
    if (!missing.named_in(text)) forms.push_back(form);
  };
  for (std::string_view form : call.forms) consider(form);
  consider(call.infix);
  return forms;
}

std::string_view draw_form(const Call& call, Choices& choices, const MissingFunctions& missing) {
  if (!missing.empty())
    if (const auto forms = forms_without(call, missing); !forms.empty()) return choices.pick(forms);
  if (call.out) {
    std::vector<std::string_view> functions;
    for (std::string_view form : call.forms)
      if (takes_out(form)) functions.push_back(form);
    return choices.pick(functions);
  }
  std::size_t forms = call.forms.size() + (call.infix.empty() ? 0 : 1);
  std::size_t drawn = choices.below(forms);
  return drawn < call.forms.size() ? call.forms[drawn] : call.infix;
}

// `indent` + opening + names + closing, broken over lines if it is too long.
void append_names(std::string& text, std::string_view opening, const std::vector<int>& values,
                  std::string_view closing) {
  std::size_t line = text.size();
  text += opening;
  std::size_t indent = opening.starts_with(' ') ? 8 : 4;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) text += text.size() - line > kWidth - 12 ? "," : ", ";
    if (i > 0 && text.back() == ',') {
      text += '\n';
      line = text.size();
      text.append(indent, ' ');
    }
    append_name(text, values[i]);
  }
  text += closing;
}

// Both parts are that number.
void append_complex(std::string& text, double part) { fmt::format_to(std::back_inserter(text), "({0} + {0}j)", part); }

// Elements of every dtype from one generator `g`; each expression stays inside the interval.
void append_elements(std::string& text, const Value& value, const Shape& shape, Interval interval, Choices& choices) {
  auto out = std::back_inserter(text);
  bool plain = value.dtype == Dtype::kFloat32 || value.dtype == Dtype::kInt64;
  std::string dtype = plain ? "" : fmt::format(", dtype=torch.{}", dtype_name(value.dtype));
  std::string sizes;
  append_tuple(sizes, shape);
  if (is_integral(value.dtype)) {
    fmt::format_to(out, "torch.randint({}, {}, {}, generator=g{})", static_cast<std::int64_t>(interval.low),
                   static_cast<std::int64_t>(interval.high) + 1, sizes, dtype);
    return;
  }
  double width = interval.high - interval.low;
  bool complex = is_complex(value.dtype);
  if (width == 0) {
    fmt::format_to(out, "torch.full({}, ", sizes);
    complex ? append_complex(text, interval.low) : append(text, interval.low);
    fmt::format_to(out, "{})", dtype);
    return;
  }
  bool normal = !complex && interval.low == -interval.high && kPolicy.normal.drawn(choices);
  fmt::format_to(out, "torch.{}({}, generator=g{})", normal ? "randn" : "rand", sizes, dtype);
  if (normal) {
    fmt::format_to(out, ".clamp({}, {})", interval.low, interval.high);
    return;
  }
  if (width != 1) fmt::format_to(out, " * {}", width);
  if (interval.low == 0) return;
  text += interval.low < 0 ? " - " : " + ";
  complex ? append_complex(text, std::abs(interval.low)) : append(text, std::abs(interval.low));
}

// The allocated shape, and the expression that turns it into the argument's own shape.
struct Allocation {
  Shape shape;
  std::string view;
};

Allocation allocate(const Value& value, Layout layout) {
  Allocation made{value.shape, ""};
  int last = value.shape.size() - 1;
  switch (layout) {
    case Layout::kContiguous:
      break;
    case Layout::kTransposed:
      std::swap(made.shape[last], made.shape[last - 1]);
      made.view = ".transpose(-2, -1)";
      break;
    case Layout::kChannelsLast:
      made.view = ".contiguous(memory_format=torch.channels_last)";
      break;
    case Layout::kStepped:
      made.shape[last] *= 2;
      made.view = "[..., ::2]";
      break;
    case Layout::kExpanded:
      made.shape[0] = 1;
      made.view = ".expand(";
      append_items(made.view, value.shape);
      made.view += ')';
      break;
  }
  return made;
}

void append_input(std::string& text, const Value& value, const Input& input, Choices& choices) {
  if (!input.text.empty()) {
    text += input.text;
    return;
  }
  Allocation allocation = allocate(value, input.layout);
  std::string elements;
  append_elements(elements, value, allocation.shape, input.interval, choices);
  bool more = !allocation.view.empty() || input.requires_grad;
  bool sum = elements.find(") ") != std::string::npos;
  if (sum && more) elements = "(" + elements + ")";
  text += elements + allocation.view + (input.requires_grad ? ".requires_grad_()" : "");
}

// Arguments that others are views of get a name first: a0 becomes v0.
void append_inputs(std::string& text, const Graph& graph, Choices& choices) {
  std::vector<bool> named(graph.values.size());
  for (const Input& input : graph.inputs)
    if (input.base >= 0) named[static_cast<std::size_t>(input.base)] = true;
  std::string tuple;
  for (const Input& input : graph.inputs) {
    const GraphValue& value = graph.values[static_cast<std::size_t>(input.value)];
    tuple += "        ";
    if (input.base >= 0) {
      fmt::format_to(std::back_inserter(tuple), "a{}{}", input.base, input.view);
    } else if (named[static_cast<std::size_t>(input.value)]) {
      fmt::format_to(std::back_inserter(tuple), "a{}", input.value);
      fmt::format_to(std::back_inserter(text), "    a{} = ", input.value);
      append_input(text, value, input, choices);
      text += '\n';
    } else {
      append_input(tuple, value, input, choices);
    }
    tuple += ",\n";
  }
  text += "    return (\n" + tuple + "    )\n\n\n";
}

// The call without its results; `form` is one of its forms.
void append_expression(std::string& text, const Call& call, std::string_view form) {
  append_call(text, call, form);
  if (!call.out) return;
  text.back() = ',';
  text += " out=";
  if (const auto* several = std::get_if<std::vector<Ref>>(&call.arguments.back())) {
    text += '(';
    append_argument(text, call, *several, true);
    text += ')';
  } else {
    append_argument(text, call, call.arguments.back(), false);
  }
  text += ')';
}

void append_statement(std::string& text, const Call& call, Choices& choices, const MissingFunctions& missing) {
  std::string_view form = draw_form(call, choices, missing);
  bool statement = form.starts_with('!');
  std::string note = call.note.empty() ? "" : "  # " + call.note;
  if (statement) {
    text += "    ";
    append_call(text, call, bare(form));
    text += std::exchange(note, "") + '\n';
  }
  append_names(text, "    ", call.outputs, " = ");
  if (statement)
    append_name(text, call.written);
  else
    append_expression(text, call, form);
  text += note + '\n';
}

}  // namespace

std::vector<std::string> call_texts(const Call& call) {
  std::vector<std::string> texts;
  const auto add = [&](std::string_view form) {
    if (form.empty() || (call.out && !takes_out(form))) return;
    append_expression(texts.emplace_back(), call, bare(form));
  };
  for (std::string_view form : call.forms) add(form);
  add(call.infix);
  return texts;
}

std::string emit(const Graph& graph, Choices& choices, const MissingFunctions& missing) {
  std::string text;
  text.reserve(4096);
  text += "import torch\n\n\ndef make_inputs():\n    g = torch.Generator().manual_seed(";
  append(text, choices.between(0, 9999));
  text += ")\n";
  append_inputs(text, graph, choices);
  std::vector<int> parameters;
  for (const Input& input : graph.inputs) parameters.push_back(input.value);
  append_names(text, "def program(", parameters, "):\n");
  for (const Call& call : graph.calls) append_statement(text, call, choices, missing);
  std::vector<int> sinks = graph.sinks();
  if (sinks.size() > 14) {
    append_names(text, "    return (", sinks, ")\n");
  } else {
    append_names(text, "    return ", sinks, "\n");
  }
  return text;
}

}  // namespace jp::seedgen
