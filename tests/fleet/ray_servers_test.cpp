// Servers on Ray, with a process that plays the one that speaks with Ray.
#include "fleet/ray_servers.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>

#include "campaign/common/stopwatch.h"
#include "core/files.h"
#include "pyrunner/paths.h"
#include "tests/report/build.h"

namespace jp::fleet {
namespace {

// When server 0 has been started twice, says a word of the first one and one of the second.
constexpr const char* kPlayed = R"(#!/usr/bin/env python3
import os
import struct

def say(message, attachment=b""):
    os.write(1, struct.pack("<4sQQ", b"JPF2", len(message), len(attachment)) + message + attachment)

def hear():
    _, message, attachment = struct.unpack("<4sQQ", os.read(0, 20))
    return os.read(0, message + attachment)

say(b"\x81\xa5slots\x01")
starts = 0
while starts < 2:
    starts += b"kill" not in hear()
for start, word in ((1, b"old"), (3, b"new")):
    say(b"\x82\xa6server\x00\xa5start" + bytes([start]), word)
os.read(0, 1)
)";

TEST(RayServers, WhatALostServerSaidIsNotItsSuccessors) {
  if (const auto options = pyrunner::default_options(); !options.ok()) GTEST_SKIP() << options.error().message;
  const report::test::Folder folder;
  ASSERT_TRUE(write_file(folder / "played.py", kPlayed).ok());
  std::filesystem::permissions(folder / "played.py", std::filesystem::perms::owner_all);
  setenv("JITPROBE_RAY_PYTHON", (folder / "played.py").c_str(), 1);
  const std::atomic<bool> stop = false;
  auto joined = RayServers::join("auto", stop);
  unsetenv("JITPROBE_RAY_PYTHON");
  ASSERT_TRUE(joined.ok()) << joined.error().message;
  RayServers& servers = *joined.value();
  EXPECT_EQ(servers.count(), 1);
  ASSERT_TRUE(servers.start(0).ok());
  servers.kill(0);
  ASSERT_TRUE(servers.start(0).ok());
  std::vector<Servers::Said> said;
  const campaign::Stopwatch waited;
  constexpr double kPatience = 60;
  while (said.empty() && waited.seconds() < kPatience) said = servers.hear(0.1);
  ASSERT_EQ(said.size(), 1U);
  EXPECT_EQ(said[0].bytes, "new");
}

}  // namespace
}  // namespace jp::fleet
