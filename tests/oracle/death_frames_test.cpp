#include "oracle/signature/death_frames.h"

#include <gtest/gtest.h>

#include "tests/oracle/shown.h"

namespace jp::oracle::test {
namespace {

using Names = std::vector<std::string>;

// Of a real run: a compiled program that calls os.abort().
const Names kAborts = {"libc.so.6(gsignal)", "libc.so.6(abort)", "program:program",
                       "site-packages/torch/_dynamo/eval_frame.py:compile_wrapper"};

Names of(const Names& recorded) { return death_frames(recorded, 3); }

Signature signature_of_death(int signal, const Names& frames, const std::string& last_words = "") {
  return of_ending(Died{"signal", signal, 0, last_words, frames});
}

TEST(DeathFrames, TwoFunctionsOfOneLibraryAreTwo) {
  const Names copy = {"libtorch_cpu.so(at::native::copy_(at::Tensor&, at::Tensor const&, bool))"};
  const Names add = {"libtorch_cpu.so(at::native::add(at::Tensor const&, c10::Scalar const&))"};
  EXPECT_EQ(of(copy), Names{"at::native::copy_"});
  EXPECT_NE(signature_of_death(11, copy).id(), signature_of_death(11, add).id());
  EXPECT_NE(signature_of_death(11, copy).id(), signature_of_death(6, copy).id());
}

TEST(DeathFrames, HowAProcessIsBroughtDownIsLeftOut) {
  EXPECT_EQ(of(kAborts), Names{"site-packages/torch/_dynamo/eval_frame.py:compile_wrapper"});
  EXPECT_EQ(of({"libc.so.6()", "libc.so.6(gsignal)", "libc.so.6(abort)", "libstdc++.so.6()",
                "libstdc++.so.6(std::terminate())", "libstdc++.so.6(__cxa_throw)", "libtorch_cpu.so(at::f(long))"}),
            Names{"at::f"});
}

TEST(DeathFrames, NeitherTypesNorTheResultsType) {
  EXPECT_EQ(of({"libtorch_cpu.so(void at::native::(anonymous namespace)::fill<float, (int)3>(at::Tensor&))"}),
            Names{"at::native::(anonymous namespace)::fill"});
  EXPECT_EQ(of({"libtorch_cpu.so(std::vector<at::Tensor, std::allocator<at::Tensor> > at::split(at::Tensor const&))"}),
            Names{"at::split"});
  EXPECT_EQ(of({"libmkl_core.so(mkl_blas_sgemm)"}), Names{"mkl_blas_sgemm"});
}

TEST(DeathFrames, ALibraryStandsForUnnamedFunctionsOnlyWhereNothingElseDoes) {
  EXPECT_EQ(of({"libtorch_cpu.so()", "libtorch_cpu.so()", "libtorch_cpu.so(at::g())"}), Names{"at::g"});
  EXPECT_EQ(of({"libc.so.6()", "libtorch_cpu.so()", "libmkl.so()", "a.py:f"}), (Names{"libtorch_cpu", "a.py:f"}));
  EXPECT_EQ(of({"_C.cpython-311-x86_64-linux-gnu.so()"}), Names{"_C"});
}

// Of a real run: torch.sort() of memory that isn't there.
TEST(DeathFrames, HowTorchFindsAKernelIsLeftOut) {
  EXPECT_EQ(
      of({"libtorch_cpu.so()",
          "libtorch_cpu.so(at::TensorIteratorBase::serial_for_each(c10::function_ref<void (char**, long const*, long, "
          "long)>, at::Range) const)",
          "libtorch_cpu.so(at::TensorIteratorBase::for_each(c10::function_ref<void (char**, long const*, long, "
          "long)>, long))",
          "libtorch_cpu.so()", "libtorch_cpu.so(at::native::copy_(at::Tensor&, at::Tensor const&, bool))",
          "libtorch_cpu.so(at::_ops::sort::redispatch(c10::DispatchKeySet, at::Tensor const&, long, bool))",
          "libtorch_cpu.so(at::_ops::sort::call(at::Tensor const&, long, bool))", "wild.py:call"}),
      (Names{"at::native::copy_", "at::_ops::sort", "wild.py:call"}));
}

TEST(DeathFrames, WhatIsDrawnOrHashedIsLeftOut) {
  const Names one = {"cabcdefghijklmnop.main.so()", "program:helper_1", "<generated>:call"};
  const Names other = {"cqrstuvwxyz234567.main.so()", "program:program", "<generated>:call"};
  EXPECT_EQ(of(one), Names{"<generated>:call"});
  EXPECT_EQ(signature_of_death(11, one).id(), signature_of_death(11, other).id());
  EXPECT_EQ(of({"cabcdefghijklmnop.main.so(kernel)"}), Names{"kernel"});
}

TEST(DeathFrames, CppsOwnOperatorsKeepTheirNames) {
  EXPECT_EQ(of({"libc10.so(c10::SymInt::operator bool() const)"}), Names{"c10::SymInt::operator bool"});
  EXPECT_EQ(of({"libc10.so(c10::operator<<(std::ostream&, c10::Device const&))"}), Names{"c10::operator<<"});
  EXPECT_EQ(of({"libc10.so(c10::T<int>::operator()(int))"}), Names{"c10::T::operator"});
  EXPECT_EQ(of({"libtorch_cpu.so(decltype(auto) at::f<int>(int))"}), Names{"at::f"});
  EXPECT_EQ(of({"libtorch_cpu.so(decltype ((fp)(fp0)) at::g<int>(int&&))"}), Names{"at::g"});
  EXPECT_EQ(of({"libstdc++.so.6(operator delete(void*))", "libc.so.6(free)", "libtorch_cpu.so(at::f())"}),
            Names{"at::f"});
}

TEST(DeathFrames, NeitherThreadsNorInstructionSetsNorPythonsVersionPartACause) {
  EXPECT_EQ(of({"libtorch_cpu.so(at::native::AVX2::add(at::Tensor&))"}), Names{"at::native::add"});
  EXPECT_EQ(of({"cabc.main.so()", "libgomp.so.1(GOMP_parallel)", "<generated>:call"}),
            of({"cabc.main.so()", "libgomp.so.1()", "<generated>:call"}));
  EXPECT_EQ(
      of({"libtorch_cpu.so(std::_Function_handler<void (int), at::f()::{lambda(int)#1}>::_M_invoke(std::_Any_data "
          "const&, int&&))",
          "libtorch_cpu.so(at::f())"}),
      Names{"at::f"});
}

TEST(DeathFrames, AtMostSoMany) {
  EXPECT_EQ(of({"a.py:f", "b.py:g", "c.py:h", "d.py:i"}), (Names{"a.py:f", "b.py:g", "c.py:h"}));
  EXPECT_TRUE(of({}).empty());
}

TEST(DeathFrames, KernelsThatFailedAreToldApart) {
  const auto of_kernel = [](const std::string& said) {
    return signature_of_death(6, kAborts, "Traceback …\ntorch.AcceleratorError: " + said + "\nCompile with …\n");
  };
  const Signature asserted = of_kernel("CUDA error: device-side assert triggered");
  EXPECT_EQ(asserted.frames.at(1), "CUDA error: device-side assert triggered");
  EXPECT_NE(asserted.id(), of_kernel("CUDA error: an illegal memory access was encountered").id());
  EXPECT_NE(asserted.id(), of_kernel("another").id());
  EXPECT_EQ(kernel_failure("a CUDA error"), "");
  EXPECT_EQ(asserted.frames.size(), 2U) << "not where the GPU was waited for";
  EXPECT_EQ(signature_of_death(11, {"libx.so(f)"}, "CUDA error: caught before").frames, (Names{"SIGSEGV", "f"}));
}

}  // namespace
}  // namespace jp::oracle::test
