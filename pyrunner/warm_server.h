// Warm workers for the commands that a command runs. Importing torch and its compiler takes seconds of each start. The
// server keeps zygotes that have done it, one for each way of starting a worker, and lets them fork: below a template,
// which is such a zygote, a guard and a zygote begin their life for another driver. From there on they are as any
// others; they end when that driver does, and when the server does.
//
// A driver finds it by the environment variable kWarmVariable. Over a Unix socket of datagrams it sends
//   {version, worker, guard, folder, current, configuration{…}, environment[], inherited}
// with three descriptors: the guard's end of its pipe of life, the zygote's of its control socket, and the log. It gets
// {guard: number, resident: bytes of the template} with a pidfd of the guard, or {refused: text}, and keeps the
// connection while it uses them. Without either it starts its worker itself, over other descriptors.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "codec/json.h"
#include "core/result.h"
#include "pyrunner/environment.h"
#include "pyrunner/shared_zygote.h"
#include "pyrunner/temporary.h"
#include "pyrunner/wire.h"

namespace jp::pyrunner {

class WarmServer {
 public:
  /// Listens in a temporary folder of the user's, in a thread of its own, and answers each request in another: a worker
  /// that doesn't start keeps nobody waiting but who asked for it. An Error if there can be no such socket.
  static Result<std::unique_ptr<WarmServer>> start();
  /// Ends with all templates and what was forked of them.
  ~WarmServer();
  WarmServer(const WarmServer&) = delete;
  WarmServer& operator=(const WarmServer&) = delete;

  /// The value of kWarmVariable.
  std::string address() const { return folder_.path() + "/socket"; }
  /// Drivers that use workers of its. They lose them when it ends.
  std::size_t users();

 private:
  struct Template {
    explicit Template(RunnerOptions options) : zygote(std::move(options)) {}
    SharedZygote zygote;
    // Guarded by the server's mutex:
    std::vector<Descriptor> users;  // connections of drivers; those that have ended are still in it
    int asked = 0;                  // requests that are being answered
    std::uint64_t used = 0;         // when it was used last, in requests
  };

  explicit WarmServer(TemporaryFolder folder) : folder_(std::move(folder)) {}
  class Asked;
  void serve();
  void answer_aside(Descriptor connection);
  void answer(Descriptor connection);
  codec::Json fork_for(const codec::Json& request, const std::vector<Descriptor>& descriptors,
                       const Descriptor& connection, Template& one);
  std::shared_ptr<Template> template_for(const codec::Json& request);
  bool make_room();

  TemporaryFolder folder_;
  Descriptor listening_;
  const std::string inherited_ = inherited();  // what this process passes on: for others there is nothing to share
  std::atomic<bool> ended_ = false;
  std::mutex mutex_;                                            // guards what follows
  std::map<std::string, std::shared_ptr<Template>> templates_;  // by all that makes their workers what they are
  std::uint64_t requests_ = 0;
  int answering_ = 0;  // threads; each answers one request
  std::condition_variable answered_;
  std::thread thread_;
};

}  // namespace jp::pyrunner
