#include "fleet/ray_servers.h"

#include <fmt/format.h>
#include <poll.h>

#include <cstdlib>
#include <filesystem>
#include <utility>

#include "campaign/common/stopwatch.h"
#include "codec/codec.h"
#include "core/own_program.h"
#include "pyrunner/paths.h"

namespace jp::fleet {
namespace {

namespace fs = std::filesystem;

struct Tools {
  std::string python;
  std::string script;
};

// The Python that has Ray is JITPROBE_RAY_PYTHON, or that of `./dev setup --ray`.
Result<Tools> tools() {
  const Result<pyrunner::RunnerOptions> options = pyrunner::default_options();
  if (!options.ok()) return options.error();
  const fs::path root = fs::path(options.value().runtime_dir).parent_path();
  const char* given = std::getenv("JITPROBE_RAY_PYTHON");
  Tools tools{given != nullptr ? given : (root / ".venv-ray/bin/python").string(),
              (root / "fleet/ray_leases.py").string()};
  std::error_code error;
  if (!fs::exists(tools.python, error))
    return Error{fmt::format("{} is missing: ./dev setup --ray makes the venv that Ray lives in", tools.python)};
  return tools;
}

}  // namespace

Result<std::unique_ptr<RayServers>> RayServers::join(const std::string& address, const std::atomic<bool>& stop) {
  Result<Tools> found = tools();
  if (!found.ok()) return found.error();
  auto python = FramedChild::start({found.value().python, found.value().script, address, own_program()});
  if (!python.ok()) return python.error();
  std::unique_ptr<RayServers> servers(new RayServers(std::move(python).value()));
  constexpr double kBetween = 0.2;
  const campaign::Stopwatch waited;
  while (servers->slots_ == 0 && servers->failure_.empty() && waited.seconds() < kMostWait && !stop)
    servers->hear(kBetween);
  if (stop) return Error{fmt::format("stopped before Ray's cluster {} was joined", address)};
  if (servers->slots_ == 0 && servers->failure_.empty())
    return Error{fmt::format("Ray's cluster {} has had no cores for {:.0f} s", address, kMostWait)};
  if (!servers->failure_.empty()) return Error{servers->failure_};
  return servers;
}

bool RayServers::order(const char* op, int server, std::string_view message) {
  return python_->send(codec::pack({{"op", op}, {"server", server}, {"start", start_of(server)}}), message);
}

int& RayServers::start_of(int server) {
  const auto at = static_cast<std::size_t>(server);
  if (starts_.size() <= at) starts_.resize(at + 1);
  return starts_[at];
}

Status RayServers::start(int server) {
  ++start_of(server);
  placed_.erase(server);
  if (order("start", server)) return Done{};
  return Error{"the process that speaks with Ray takes no orders"};
}

bool RayServers::send(int server, const std::string& message) { return order("send", server, message); }

// If it takes no order it is ending, which is heard of.
void RayServers::kill(int server) {
  order("kill", server);
  ++start_of(server);
}

std::vector<Servers::Said> RayServers::hear(double seconds) {
  pollfd watched{failure_.empty() ? python_->socket() : -1, POLLIN, 0};
  poll(&watched, 1, static_cast<int>(seconds * 1000));
  std::vector<Said> said;
  if (watched.revents == 0) return said;
  std::vector<pyrunner::WireFrame> frames;
  const bool there = python_->receive(frames);
  for (const pyrunner::WireFrame& frame : frames) take(frame, said);
  if (!there && failure_.empty())
    failure_ = fmt::format("the process that speaks with Ray has ended ({})", python_->ended());
  return said;
}

void RayServers::take(const pyrunner::WireFrame& frame, std::vector<Said>& said) {
  const Result<codec::Json> message = codec::unpack(frame.message());
  if (!message.ok() || !message.value().is_object()) {
    failure_ = "the process that speaks with Ray spoke nonsense";
    return;
  }
  const codec::Json& json = message.value();
  if (json.contains("slots")) slots_ = json.value("slots", slots_);
  if (json.contains("failed")) failure_ = json.value("failed", "");
  if (!json.contains("server")) return;
  const bool gone = json.contains("gone");
  const int server = json.value("server", 0);
  if (server < 0 || json.value("start", 0) != start_of(server)) return;
  placed_.insert(server);
  if (json.contains("placed")) return;
  said.push_back({server, gone, gone ? json.value("gone", "") : std::string(frame.attachment())});
}

}  // namespace jp::fleet
