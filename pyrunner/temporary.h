// Temporary folders: $TMPDIR/jitprobe-$UID/tmp-KIND-XXXXXX, of this user alone. One whose process is gone, however it
// died, is removed when the next one is made.
#pragma once

#include <string>

#include "core/result.h"
#include "pyrunner/wire.h"

namespace jp::pyrunner {

class TemporaryFolder {
 public:
  /// An Error when the user's folder can't be made, or belongs to somebody else.
  static Result<TemporaryFolder> make(const std::string& kind);
  /// The same below another folder, which is made when it is missing and need not be the user's alone.
  static Result<TemporaryFolder> make_in(const std::string& base, const std::string& kind);
  /// Removes it with all that is in it.
  ~TemporaryFolder();
  TemporaryFolder(TemporaryFolder&&) = default;
  TemporaryFolder& operator=(TemporaryFolder&& other) noexcept;

  const std::string& path() const { return path_; }

 private:
  TemporaryFolder(std::string path, Descriptor held) : path_(std::move(path)), held_(std::move(held)) {}
  void remove();

  std::string path_;
  Descriptor held_;  // the folder itself, locked: this process is alive
};

/// "$TMPDIR/jitprobe-$UID" after it was made, with mode 0700; an Error when something else is there or it belongs to
/// somebody else.
Result<std::string> users_folder();

}  // namespace jp::pyrunner
