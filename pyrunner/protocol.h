// The messages between driver, zygote and children. Every message is one MessagePack map; wire.h says how it is sent.
//
// Start. The driver starts the guard with two descriptors: kLifeDescriptor, a pipe whose other end only the driver
// holds, and kControlDescriptor, which the guard passes on to the zygote. The driver's first datagram is the
// configuration:
//   {version, executable, runtime, cache, device, memory, compiler, warm}
// where `executable` is the venv's python, `runtime` the folder pyrunner/, `cache` the folder of the precompiled
// header, `memory` what a run may take of the device's memory in bytes, `compiler` the folder of the faster g++ or "",
// and `warm` what to import and use once besides torch: "", the "compiler", or "inductor" too. When it is warm the
// zygote greets with {version, info{…}}, or reports {error}. Later, {op: "warm", warm} makes up for what it has not
// imported, and is answered by {warm, info{missing}} or {error}.
//
// Children. {op: "fork", folder, exec, fixed, plain_compiler, sandbox?{readable[], writable[], file_bytes,
// address_bytes}} is answered by {pid} together with the driver's end of the child's socket, or {error} ("threads": the
// zygote is no longer single-threaded and must be replaced). With `exec` the child becomes a new interpreter that is
// given the same configuration as its first frame, and with `fixed` the kernel does not randomise its addresses, if it
// allows that. `sandbox` confines it (sandbox.h). {exited: pid, status} reports that a child was waited for; `status`
// is that of waitpid.
//
// Drivers. {op: "zygote", folder, guard, current} comes with three descriptors: the end of another driver's pipe of
// life and of its control socket, and a log. It is answered by {pid} of a guard, below which a zygote waits for that
// driver's configuration (warm_server.h), or by {error}.
//
// Runs. A child greets with {version, pid}. Then each frame {op: "run", program{source, entry, inputs, path}, file,
// run} or {op: "profile", program, file, watched{ids, places[], text?}, record, noise_seed} is answered by {outcome,
// facts?, retire, lacked_compiler}, or {broken: text} if jitprobe's own code in it could not continue. `file` is where
// the driver wrote the program's text; `retire` asks for a new child for the next request, and `lacked_compiler` says
// that the run imported the compiler, which the zygote had not.
//
// In a profile request, `ids` are those of the statements separated by spaces, `places` their lines and columns
// alternately, and `text` {source, points[], lines[], parts[]} is core's WatchedText, `points` being alternately the
// numbers of the statements after and before which they stand, or -1. A `noise_seed` other than 0 moves roundings.
// The facts are no member of the answer's map: they are the attachment of its frame (packed_facts.h).
//
// {op: "explain", program, file, run} is answered by {compiled, retire}, the report of runtime/explain.py, and {op:
// "backend", name} by what a backend's file declares, or {error: text}.
#pragma once

#include <string_view>

namespace jp::pyrunner {

/// Raised on any change that an older worker would misread.
inline constexpr int kProtocolVersion = 16;
/// How long a guard waits for what it has killed: on a busy machine a process with much memory ends late, and one that
/// still writes would leave the folder.
inline constexpr int kGuardEndSeconds = 10;
inline constexpr int kLifeDescriptor = 3;
inline constexpr int kControlDescriptor = 4;
/// Exit status of a child that lost its connection to the driver.
inline constexpr int kLostSocket = 86;
/// Names of the files in a child's folder.
inline constexpr std::string_view kStdout = "stdout";
inline constexpr std::string_view kStderr = "stderr";
inline constexpr std::string_view kStack = "stack";    // Python stacks, written by faulthandler
inline constexpr std::string_view kNative = "native";  // native frames of a fatal signal

}  // namespace jp::pyrunner
