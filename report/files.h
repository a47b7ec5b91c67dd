// Files of a campaign: used by one process at a time, on a disk of this machine. core/files.h writes them.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "core/files.h"
#include "core/result.h"

namespace jp::report {

/// The path of a campaign's file: `name` in `folder`, or `former` where an older version left the file under that name.
std::string campaign_file(const std::string& folder, std::string_view name, std::string_view former);

/// Copies what is in a folder into another one that is there, except the names that `left_out` holds for; what has the
/// same name is replaced.
Status copy_contents(const std::string& from, const std::string& to,
                     const std::function<bool(const std::string& name)>& left_out);

/// Returns an Error if the folder lies on a network file system, where neither locks nor syncing can be trusted.
Status require_local(const std::string& folder);
/// The name of a network file system by its number (statfs) and, for FUSE, by its type in the mount table
/// ("fuse.sshfs");
/// "" for a local one. A FUSE type that isn't known to be local counts as remote.
std::string network_file_system(unsigned long magic, std::string_view type);

/// Whether a process of this machine holds the campaign's lock. Takes no lock itself: /proc/locks is asked.
bool is_locked(const std::string& folder);

/// This machine's name.
std::string host_name();

/// The file that is locked.
std::string lock_file(const std::string& folder);

/// Held by the one process that writes a campaign, until it ends in whatever way.
class Lock {
 public:
  enum class Where { kLocal, kAnywhere };
  /// Doesn't wait: an Error that names the owner and its machine when another process holds it. kAnywhere: on a file
  /// system that knows no locks it is held by nobody, and that is no error.
  static Result<std::unique_ptr<Lock>> take(const std::string& folder, Where where = Where::kLocal);
  ~Lock();
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  explicit Lock(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
};

}  // namespace jp::report
