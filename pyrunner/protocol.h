// What is said between driver, zygote and children. Every message is one MessagePack map; wire.h says how it travels.
//
// Start. The driver starts the guard with two descriptors: kLifeDescriptor, a pipe whose other end only the driver
// holds, and kControlDescriptor, which the guard hands on to the zygote. The driver's first datagram is the
// configuration:
//   {version, executable, runtime, cache, device, warm}
// where `executable` is the venv's python, `runtime` the folder pyrunner/, `cache` the folder of the precompiled
// header, and `warm` whether to compile something first. When it is warm the zygote greets with {version, info{…}}, or
// says {error}.
//
// Children. {op: "fork", folder, exec} is answered by {pid} with the driver's end of the child's socket beside it, or
// {error} ("threads": the zygote is no longer single-threaded and must be replaced). With `exec` the child becomes a
// new interpreter that is given the same configuration as its first frame. {exited: pid, status} tells that a child
// was waited for; `status` is that of waitpid.
//
// Runs. A child greets with {version, pid}. Then each frame {op: "run", program{source, entry, inputs, path}, file,
// run} or {op: "profile", program, file, places[]} is answered by {outcome, facts?, retire}, or {broken: text} when our
// own code in it could not go on. `file` is where the driver wrote the program's text; `retire` asks for a new child
// for whatever comes next.
//
// Facts of a profile (core/facts.h) are one binary value, packed once more: {table[], names[], points[],
// before{}, after{}, visits{}, calls}. An entry of the table is NameFacts without storage; its elements are `values`,
// packed 8-byte floats, at `positions`, which is left out when they are 0, 1, 2 and so on. A point is packed 4-byte
// integers, three for each name: its number in `names`, its entry's in the table, its storage's or -1. `before` and
// `after` give each statement the number of its point: what is known behind a statement and before the one that follows
// it is one point.
#pragma once

#include <string_view>

namespace jp::pyrunner {

/// Raised on any change that an older worker would misread.
inline constexpr int kProtocolVersion = 3;
inline constexpr int kLifeDescriptor = 3;
inline constexpr int kControlDescriptor = 4;
/// Exit status of a child that could not speak to the driver any more.
inline constexpr int kLostSocket = 86;
/// Names of the files in a child's folder.
inline constexpr std::string_view kStdout = "stdout";
inline constexpr std::string_view kStderr = "stderr";
inline constexpr std::string_view kStack = "stack";    // Python stacks, written by faulthandler
inline constexpr std::string_view kNative = "native";  // native frames of a fatal signal

}  // namespace jp::pyrunner
