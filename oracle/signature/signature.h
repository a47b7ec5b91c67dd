// Names a kind of failure, so that its sightings count as one finding.
//
// Parts by kind:
//   death           how it died (SIGSEGV, exit, protocol) and the innermost native frames
//   compiler_error, raises, accepts
//                   stage; of the innermost exception, which the compiler's own merely wrap: type, library frames,
//                   cleaned message
//   cost            the counter
//   hang            innermost frame inside torch
//   memory          nothing more
//   differences     where (output, gradients, inputs …), what (float, integer, "float mask", length …), and whether
//                   the first call was still right
// Frames are file and function without line numbers. Nothing in it depends on names in the program, values, sizes,
// addresses or folders. Differences of values tell little about their cause, and so does an exception that only eager
// raises. If the first wrong value was found, what its statement does is added; for a reduced program, its calls and
// statements. Findings of oracles other than eager_vs_compiled carry the oracle's name, and their switches.
#pragma once

#include <string>
#include <vector>

#include "core/outcome.h"
#include "core/plan.h"
#include "core/program.h"
#include "core/verdict.h"

namespace jp::oracle {

/// Incremented when the same failure would get other parts.
inline constexpr int kSignatureVersion = 7;

/// The signature of a verdict that diverges (of its first difference); `backend` as in RunRequest, `outcomes` with the
/// roles of the plan; the verdict names the two that it is about (`with_roles` adds them to an old one). `reduced`: the
/// program if it is fully reduced; then the attributes and functions that it calls become parts of a signature of
/// values. `plan`: that of the verdict, for oracles other than eager_vs_compiled; without it the two are not told
/// apart.
Signature signature_of(const std::string& backend, const Verdict& verdict, const std::vector<Outcome>& outcomes,
                       const Program* reduced = nullptr, const Plan* plan = nullptr);

/// The finding's signature as this version computes it: one stored by an earlier version has another id, and is still
/// the same failure.
Signature current_signature(const Finding& finding);

/// Whether the signature names only the place and class of a difference, or what eager alone raised; other kinds are
/// distinctive enough by themselves.
bool is_of_values(const Signature& signature);

/// A signature of values with the calls of a reduced program as its last part, as `signature_of` gives it; any other is
/// unchanged.
Signature refined(Signature signature, const Program& reduced);

/// With the name of a known bug that shows in the same way but does not explain it: it remains under that bug's avoid
/// line.
Signature beyond(Signature signature, const std::string& known_bug);

/// Of the sightings of a known bug that show in this way: of that kind, on that backend.
Signature of_known_bug(const Signature& signature, const std::string& known_bug);

/// Without the calls of a reduced program, a place and a bug that it is beyond: the signature of the same failure as it
/// was first seen.
Signature unrefined(Signature signature);

/// A signature of values with what the first wrong statement does ("// pad", campaign/evidence/statement_form.h) as a
/// part; any other, one that has a place, or with place "", is unchanged.
Signature located(Signature signature, const std::string& place);
/// That part; "" without one.
std::string place_of(const Signature& signature);

/// Whether two signatures mean the same way of diverging: for confirming and reducing a finding, whatever the oracle.
/// The calls of a reduced program don't count, nor the place of the first wrong value, nor which switches were set, nor
/// where a hang was interrupted.
bool diverges_alike(const Signature& one, const Signature& other);

/// A message without what belongs to one program: quoted names, numbers, shapes, addresses, paths, the user's code.
std::string clean_message(const std::string& message);

/// "file:/home/me/backend.py" -> "file:backend.py": without the machine's folders.
std::string portable_backend(const std::string& backend);

/// Sorted names of attributes and of functions that are called and not defined in a Python text: "relu", "add_".
std::vector<std::string> called_names(const std::string& source);

/// The features of a reduced program that say something of a cause, sorted: what it calls, and some of its statements
/// ("try", "nonlocal", "def" for a nested function). Without the function `inputs`, and without calls that only make
/// tensors ("ones", "view") unless it calls nothing else; but with "conj" if `inputs` calls that. The operators of a
/// program that calls nothing ("//", "[") are used instead of calls.
std::vector<std::string> traits_of(const std::string& source, const std::string& inputs);

}  // namespace jp::oracle
