// Results stay within what their dtype and a program can hold, however large what they read has grown.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "core/internal_error.h"
#include "seedgen/bases/members.h"
#include "seedgen/generate.h"

namespace jp::seedgen {
namespace {

// Each operator among those that make shapes and intervals grow. More seeds each: JITPROBE_SEEDS.
void draw_among_what_grows(const std::vector<std::string>& ids, const std::vector<Dtype>& dtypes, std::uint64_t seeds) {
  if (const char* more = std::getenv("JITPROBE_SEEDS")) seeds = std::strtoull(more, nullptr, 10);
  for (const std::string& id : ids)
    for (Dtype dtype : dtypes) {
      const GenerateOptions options{.operators = 12,
                                    .bounds = {.dtypes = {dtype}, .min_size = 1},
                                    .only = {id, "cat", "expand", "mul", "add", "exp"}};
      for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        try {
          generate_graph(seed, options);
        } catch (const InternalError& error) {
          ADD_FAILURE() << id << " of " << dtype_name(dtype) << ", seed " << seed << ": " << error.what();
          break;
        }
      }
    }
}

TEST(Bounds, EveryOperatorAmongWhatGrows) {
  std::vector<std::string> ids;
  for (const Member& member : all_members()) ids.emplace_back(member.id);
  draw_among_what_grows(ids, {Dtype::kFloat16, Dtype::kFloat32}, 40);
}

TEST(Bounds, OfLosses) {
  draw_among_what_grows({"nll_loss", "cross_entropy", "multi_margin_loss", "kl_div", "gaussian_nll_loss"},
                        {Dtype::kFloat16, Dtype::kBFloat16}, 1500);
}

TEST(Bounds, OfRowsOfATable) { draw_among_what_grows({"embedding", "embedding_bag"}, {Dtype::kFloat32}, 1500); }

// Seeds that were met first.
TEST(Bounds, OfTheSeedsThatBroke) {
  for (std::uint64_t seed : {104287, 1367015, 7875160, 14449679, 17871174, 17888070})
    EXPECT_TRUE(generate(seed, {.operators = 20}).ok());
  for (std::uint64_t seed : {101484, 216311}) EXPECT_TRUE(generate(seed, {.operators = 100}).ok());
}

}  // namespace
}  // namespace jp::seedgen
