// jitprobe-worker: started by jitprobe-guard as the zygote (no arguments), or by the zygote as a child with a new
// interpreter (--serve DESCRIPTOR FOLDER). Not meant to be started by hand.
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "pyrunner/protocol.h"
#include "pyrunner/worker/zygote.h"

namespace {

std::string own_path() {
  std::string path(4096, '\0');
  ssize_t size = readlink("/proc/self/exe", path.data(), path.size());
  path.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
  return path;
}

}  // namespace

int main(int count, char** arguments) {
  if (count == 4 && std::string_view(arguments[1]) == "--serve") {
    jp::pyrunner::run_fresh(std::atoi(arguments[2]), arguments[3]);
  }
  if (fcntl(jp::pyrunner::kControlDescriptor, F_GETFD) < 0) {
    std::fputs("jitprobe-worker is started by jitprobe, not by hand\n", stderr);
    return 2;
  }
  fcntl(jp::pyrunner::kControlDescriptor, F_SETFD, FD_CLOEXEC);
  jp::pyrunner::run_zygote(jp::pyrunner::kControlDescriptor, own_path());
}
