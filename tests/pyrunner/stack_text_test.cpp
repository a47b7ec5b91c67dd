#include "pyrunner/stack_text.h"

#include <gtest/gtest.h>

namespace jp::pyrunner {
namespace {

TEST(NativeStack, FromBelowTheHandlerUpToTheInterpreterWithReadableNames) {
  const std::vector<std::string> frames = native_stack(
      "/build/jitprobe-worker(+0x1f) [0x55]\n"
      "/lib/x86_64-linux-gnu/libc.so.6(+0x3c050) [0x7f]\n"
      "/venv/torch/lib/libtorch_cpu.so(_ZN2at6native5copy_ERNS_6TensorE+0x77) [0x7f]\n"
      "/venv/torch/lib/libtorch_cpu.so(+0x1234) [0x7f]\n"
      "/tmp/inductor/cabc.main.so(kernel+0x12) [0x7f]\n"
      "/usr/lib/libpython3.11.so.1.0(_PyEval_EvalFrameDefault+0x9) [0x7f]\n"
      "/lib/x86_64-linux-gnu/libc.so.6(__libc_start_main+0x85) [0x7f]\n");
  EXPECT_EQ(frames, (std::vector<std::string>{"libtorch_cpu.so(at::native::copy_(at::Tensor&))", "libtorch_cpu.so()",
                                              "cabc.main.so(kernel)"}));
}

TEST(NativeStack, ANameThatOnlyLooksLikeOneOfCppStays) {
  EXPECT_EQ(native_stack("/lib/libx.so(_Z+0x1) [0x7f]\n"), std::vector<std::string>{"libx.so(_Z)"});
}

TEST(NativeStack, OfTextThatIsNoneNothing) { EXPECT_TRUE(native_stack("").empty()); }

}  // namespace
}  // namespace jp::pyrunner
