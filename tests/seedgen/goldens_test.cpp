// The programs of ten seeds, byte for byte: the same seed gives the same program on every machine, today and with any
// later version with the same kGeneratorVersion.
#include "tests/goldens.h"

#include <fmt/format.h>

#include "seedgen/generate.h"

namespace jp::seedgen {
namespace {

TEST(Goldens, ProgramsOfTenSeeds) {
  for (std::uint64_t seed = 0; seed < 10; ++seed)
    test::expect_golden(fmt::format("programs/seed_{}.py", seed),
                        fmt::format("# generator {}\n{}", kGeneratorVersion, generate(seed, {}).value().source()));
}

}  // namespace
}  // namespace jp::seedgen
