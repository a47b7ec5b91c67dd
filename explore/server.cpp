#include "explore/server.h"

#include <fmt/format.h>
#include <httplib.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

#include "codec/codec.h"
#include "explore/access.h"
#include "explore/beginning.h"
#include "explore/campaigns.h"
#include "explore/mutating.h"
#include "explore/reply.h"
#include "explore/running.h"
#include "explore/stream.h"

namespace jp::explore {
namespace {

using codec::Json;
using httplib::Request;
using httplib::Response;
using Handled = httplib::Server::HandlerResponse;

/// Threads that answer: the streams that may run at once, and many short requests, so that connections on which nothing
/// comes (each is dropped after 5 s) hold up nobody.
constexpr std::size_t kThreads = 64;
/// A body that isn't there by then is not waited for.
constexpr auto kBodyTime = std::chrono::seconds(10);
/// How soon a closed connection is noticed.
constexpr auto kLook = std::chrono::milliseconds(100);
constexpr const char* kJson = "application/json";

const httplib::Headers kSecurity = {
    {"Content-Security-Policy",
     "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
     "font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
    {"Cache-Control", "no-store"},
    {"X-Content-Type-Options", "nosniff"},
    {"X-Frame-Options", "DENY"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Cross-Origin-Opener-Policy", "same-origin"},
    {"Referrer-Policy", "no-referrer"}};

/// Uncompressed. The library compresses what set_content gives, for a browser with Brotli at its highest level: that
/// took seconds for the page (measured), which is read from this machine in milliseconds.
void send_plainly(Response& response, std::string text, const char* type) {
  const auto kept = std::make_shared<const std::string>(std::move(text));
  response.set_content_provider(kept->size(), type, [kept](std::size_t at, std::size_t size, httplib::DataSink& sink) {
    return sink.write(kept->data() + at, size);
  });
}

void put(Response& response, const Reply& reply) {
  response.status = reply.status;
  if (reply.status >= 400)
    response.set_content(codec::text(reply.body), kJson);  // the error handler looks for a body
  else
    send_plainly(response, codec::text(reply.body), kJson);
}

/// For a person whose browser asks for the page, the sentence alone.
void put_readable(Response& response, int status, const std::string& sentence) {
  response.status = status;
  response.set_content(
      fmt::format("<!doctype html>\n<meta charset=\"utf-8\">\n<title>jitprobe</title>\n<p>{}</p>\n", sentence),
      "text/html; charset=utf-8");
}

std::string says_of(int status) {
  if (status == 404) return "there is nothing of that name";
  if (status == 413) return fmt::format("the request is larger than {} MiB", kMostBody >> 20);
  return "the request can't be answered";
}

/// The body as an object; nothing if the response says what is wrong with it.
std::optional<Json> read_body(const Request& request, Response& response, const httplib::ContentReader& read) {
  const auto wrong = [&](int status, const std::string& why) {
    response.set_header("Connection", "close");  // what is left of the body would be taken for the next request
    put(response, refused(status, why));
    return std::nullopt;
  };
  if (request.is_multipart_form_data()) return wrong(400, "the body is a form: send JSON as application/json");
  const auto end = std::chrono::steady_clock::now() + kBodyTime;
  bool late = false;
  std::string text;
  const bool whole = read([&](const char* data, std::size_t size) {
    late = std::chrono::steady_clock::now() > end;
    text.append(data, size);
    return !late && text.size() <= kMostBody;
  });
  if (late) return wrong(408, fmt::format("the body was not there within {} s", kBodyTime.count()));
  if (!whole) {
    const int status = text.size() > kMostBody ? 413 : std::max(response.status, 400);
    return wrong(status, says_of(status));
  }
  Result<Json> body = codec::parse_text(text);
  if (!body.ok()) return wrong(400, "the request's body is no JSON: " + body.error().message);
  if (!body.value().is_object()) return wrong(400, "the request's body must be a JSON object");
  return std::move(body).value();
}

class HttpServer : public Server {
 public:
  HttpServer(Explorer& explorer, std::string page) : explorer_(explorer), page_(std::move(page)) {}

  Status listen() {
    http_.new_task_queue = [] { return new httplib::ThreadPool(kThreads); };
    http_.set_payload_max_length(kMostBody);
    http_.set_default_headers(kSecurity);
    http_.set_tcp_nodelay(true);
    http_.set_keep_alive_timeout(1);  // an idle connection keeps the server from ending that long
    port_ = http_.bind_to_any_port("127.0.0.1");
    if (port_ < 0) return Error{"no port of 127.0.0.1 is free"};
    access_ = std::make_unique<Access>(port_, new_token());
    check_every_request();
    route();
    return Done{};
  }

  std::string url() const override { return fmt::format("http://127.0.0.1:{}/?token={}", port_, access_->token()); }

  void serve(const std::atomic<bool>& stop) override {
    std::atomic<bool> ended = false;
    std::thread listening([&] {
      http_.listen_after_bind();
      ended = true;
    });
    // The library's stop() does nothing before the thread listens.
    while (!ended && !(stop && http_.is_running())) std::this_thread::sleep_for(kLook);
    streams_.stop_all();
    explorer_.runners().stop();
    http_.stop();
    listening.join();
  }

 private:
  void check_every_request() {
    http_.set_pre_routing_handler([this](const Request& request, Response& response) {
      const bool page = request.method == "GET" && request.path == "/";
      const std::string token = page ? request.get_param_value("token") : request.get_header_value("X-Jitprobe-Token");
      const auto why = access_->refusal({request.get_header_value("Host"), request.get_header_value("Origin"), token});
      if (!why) return Handled::Unhandled;
      if (page && request.get_header_value("Accept").find("text/html") != std::string::npos)
        put_readable(response, 403, "This page can't be shown: " + *why + ".");
      else
        put(response, refused(403, *why));
      return Handled::Handled;
    });
    http_.set_error_handler([](const Request&, Response& response) {
      if (response.body.empty()) put(response, refused(response.status, says_of(response.status)));
    });
    http_.set_exception_handler([](const Request&, Response& response, const std::exception_ptr& thrown) {
      try {
        std::rethrow_exception(thrown);
      } catch (const std::exception& error) {
        put(response, refused(500, fmt::format("internal error: {}", error.what())));
      }
    });
  }

  void post(const std::string& path, const std::function<void(const Json&, Response&)>& made) {
    http_.Post(path, [made](const Request& request, Response& response, const httplib::ContentReader& read) {
      if (const std::optional<Json> body = read_body(request, response, read)) made(*body, response);
    });
  }

  using Answer = Reply (*)(Explorer&, const Json&);
  void answer(const std::string& path, Answer made) {
    post(path, [this, made](const Json& body, Response& response) { put(response, made(explorer_, body)); });
  }

  using MakeWork = Result<Stream::Work> (*)(Explorer&, const Json&);
  void stream(const std::string& path, MakeWork make) {
    post(path, [this, make](const Json& body, Response& response) {
      Result<Stream::Work> work = make(explorer_, body);
      if (!work.ok()) return put(response, refused(400, work.error().message));
      std::shared_ptr<Stream> opened = streams_.open(std::move(work).value());
      if (!opened) return put(response, refused(503, "too many runs at once: wait for one to end, or cancel it"));
      send(response, std::move(opened));
    });
  }

  /// Sends what the stream has until it ends, or until nobody listens any more: then what runs is cancelled.
  void send(Response& response, std::shared_ptr<Stream> stream) {
    const std::string id = stream->id();
    response.set_chunked_content_provider(
        "text/event-stream",
        [stream = std::move(stream)](std::size_t, httplib::DataSink& sink) {
          const std::optional<std::string> event = stream->next(kLook);
          if (!event) {
            sink.done();
            return true;
          }
          if (!sink.is_writable()) return false;
          return event->empty() || sink.write(event->data(), event->size());
        },
        [this, id](bool) { streams_.close(id); });
  }

  void route() {
    http_.Get(
        "/", [this](const Request&, Response& response) { send_plainly(response, page_, "text/html; charset=utf-8"); });
    http_.Get("/api/start", [this](const Request&, Response& response) { put(response, beginning(explorer_)); });
    answer("/api/example", example);
    answer("/api/draw", [](Explorer&, const Json& body) { return draw(body); });
    answer("/api/lineage", [](Explorer&, const Json& body) { return lineage(body); });
    answer("/api/replay", replay);
    answer("/api/campaign", [](Explorer& explorer, const Json&) { return campaign_overview(explorer); });
    answer("/api/finding", finding);
    stream("/api/export", export_work);
    stream("/api/sites", sites_work);
    stream("/api/apply", apply_work);
    stream("/api/random", random_work);
    stream("/api/run", run_work);
    stream("/api/hunt", hunt_work);
    post("/api/cancel", [this](const Json& body, Response& response) { put(response, cancel(body)); });
  }

  Reply cancel(const Json& body) {
    const bool named = body.contains("run") && body["run"].is_string();
    if (!named || !streams_.cancel(body["run"].get<std::string>())) return refused(404, "there is no such run");
    return {200, Json::object()};
  }

  Explorer& explorer_;
  std::string page_;
  std::unique_ptr<Access> access_;
  Streams streams_;
  httplib::Server http_;
  int port_ = 0;
};

}  // namespace

Result<std::unique_ptr<Server>> Server::start(Explorer& explorer, std::string page) {
  auto server = std::make_unique<HttpServer>(explorer, std::move(page));
  if (Status ready = server->listen(); !ready.ok()) return ready.error();
  return std::unique_ptr<Server>(std::move(server));
}

}  // namespace jp::explore
