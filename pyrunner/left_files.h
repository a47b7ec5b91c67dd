// What programs under test leave on disk, for processes that are not confined: the driver and the guard. A program may
// have put anything in the place of a file that the driver reads: a link to a file of the user's, a pipe that nobody
// writes into, a text without end. It may also have closed its folders to everybody.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace jp::pyrunner {

/// Bytes in a plain file; 0 if there is none. A link is no plain file.
std::size_t left_size(const std::string& path);

/// At most so many bytes of a plain file from `begin` on; "" if there is none.
std::string left_text(const std::string& path, std::size_t begin, std::size_t most);

/// Takes everything out of a plain file if it has more than so many bytes. Does nothing to anything else.
void bound_left(const std::string& path, std::size_t most);

/// Whether the files in a folder have more than so many bytes, or are more than anybody compiles. So does a folder that
/// can't be looked into: it may hold anything.
bool fills(const std::string& folder, std::int64_t bytes);

/// Removes a folder in which no process writes any more, also where its folders were closed.
void remove_left(const std::string& folder);

}  // namespace jp::pyrunner
