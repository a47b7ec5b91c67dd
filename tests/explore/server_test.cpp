// How the server ends. What it answers: server.py.
#include "explore/server.h"

#include <gtest/gtest.h>

#include <atomic>

namespace jp::explore {
namespace {

// Ctrl-C may come before the thread that answers has begun.
TEST(Server, EndsIfItIsStoppedBeforeItAnswers) {
  const std::atomic<bool> stop = true;
  for (int i = 0; i < 5; ++i) {
    Explorer explorer{ExplorerOptions{}};  // without the paths of its tools no worker starts
    auto server = Server::start(explorer, "page");
    ASSERT_TRUE(server.ok()) << server.error().message;
    server.value()->serve(stop);
  }
}

}  // namespace
}  // namespace jp::explore
