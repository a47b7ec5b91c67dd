// Temporary folders: $TMPDIR/jitprobe-$UID/tmp-KIND-XXXXXX, of this user alone. A folder whose process is gone, however
// it died, is removed when the next one is made.
#pragma once

#include <string>

#include "core/result.h"
#include "pyrunner/wire.h"

namespace jp::pyrunner {

class TemporaryFolder {
 public:
  /// Returns an Error if the user's folder can't be made, or belongs to somebody else.
  static Result<TemporaryFolder> make(const std::string& kind);
  /// The same below another folder, which is created if missing and need not be the user's alone.
  static Result<TemporaryFolder> make_in(const std::string& base, const std::string& kind);
  /// Removes it with its contents.
  ~TemporaryFolder();
  TemporaryFolder(TemporaryFolder&&) = default;
  TemporaryFolder& operator=(TemporaryFolder&& other) noexcept;

  const std::string& path() const { return path_; }

 private:
  TemporaryFolder(std::string path, Descriptor held) : path_(std::move(path)), held_(std::move(held)) {}
  void remove();

  std::string path_;
  Descriptor held_;  // the folder itself, locked as a sign that this process is alive
};

/// "$TMPDIR/jitprobe-$UID", created with mode 0700; an Error if something else is there or it belongs to somebody else.
Result<std::string> users_folder();

}  // namespace jp::pyrunner
