// jitprobe-worker: started by jitprobe-guard as the zygote (no arguments), or by the zygote as a child with a new
// interpreter (--serve DESCRIPTOR FOLDER). Not meant to be started by hand.
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "core/own_program.h"
#include "pyrunner/protocol.h"
#include "pyrunner/worker/zygote.h"

int main(int count, char** arguments) {
  if (count == 4 && std::string_view(arguments[1]) == "--serve") {
    jp::pyrunner::run_fresh(std::atoi(arguments[2]), arguments[3]);
  }
  if (fcntl(jp::pyrunner::kControlDescriptor, F_GETFD) < 0) {
    std::fputs("jitprobe-worker is started by jitprobe, not by hand\n", stderr);
    return 2;
  }
  fcntl(jp::pyrunner::kControlDescriptor, F_SETFD, FD_CLOEXEC);
  jp::pyrunner::run_zygote(jp::pyrunner::kControlDescriptor, jp::own_program());
}
