// Single calls of each operator, in every form in which it may be written: what a torch is asked about to learn which
// of them it accepts, and what follows from its answers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/program.h"

namespace jp::seedgen {

/// Calls of one family of operators.
struct SampleProgram {
  /// One for each call and each of its forms.
  struct Sample {
    std::string_view op;
    int draw = 0;
    std::string text;  // "torch.add(v0, v1)"
  };
  std::vector<Sample> samples;
  /// Makes the samples one after the other and returns the numbers of those that raised, from 0, as a text: "3 17".
  Program program;
};

/// Calls of each of the operators, or of all if none is named, by family: one with arguments of each dtype that it
/// takes, and `more` with arguments of any. They are drawn from seeds that are always the same.
std::vector<SampleProgram> sample_calls(int more, const std::vector<std::string>& operators = {});

/// What GenerateOptions::without has to be for a torch that accepted and refused these samples, sorted. A function that
/// every call with it was refused is missing. An operator is left out if a call of it was refused for another reason,
/// or in all of its forms.
std::vector<std::string> left_out(const std::vector<SampleProgram::Sample>& accepted,
                                  const std::vector<SampleProgram::Sample>& refused);

}  // namespace jp::seedgen
