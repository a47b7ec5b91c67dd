// The server of `jitprobe explore`: loopback only, for the page that it serves (docs/exploring.md).
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "core/program.h"
#include "core/result.h"
#include "explore/explorer.h"

namespace jp::explore {

/// The largest body of a request, in bytes: the largest program as JSON, in which a line's end and a quote are two
/// bytes each, with its steps.
inline constexpr std::size_t kMostBody = 4 * kMaxProgramBytes;

class Server {
 public:
  /// Listens on a free port of 127.0.0.1. `page`: the text of the page. An Error if no port can be had.
  static Result<std::unique_ptr<Server>> start(Explorer& explorer, std::string page);
  virtual ~Server() = default;
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// "http://127.0.0.1:PORT/?token=TOKEN".
  virtual std::string url() const = 0;
  /// Answers until `stop` is set, or until the port is lost; then ends all runs, and returns when everything has ended.
  virtual void serve(const std::atomic<bool>& stop) = 0;

 protected:
  Server() = default;
};

}  // namespace jp::explore
