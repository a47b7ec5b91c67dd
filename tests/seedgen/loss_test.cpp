// Losses of half precision stay in its range, whatever their weights turn out to be.
#include <gtest/gtest.h>

#include "core/internal_error.h"
#include "seedgen/generate.h"

namespace jp::seedgen {
namespace {

// Losses over the results of what grows: many elements, wide intervals.
void draw_losses(const std::string& loss, Dtype dtype) {
  const GenerateOptions options{.operators = 12,
                                .bounds = {.dtypes = {dtype}, .min_size = 1},
                                .only = {loss, "cat", "expand", "mul", "add", "exp"}};
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    try {
      generate_graph(seed, options);
    } catch (const InternalError& error) {
      FAIL() << loss << " of " << dtype_name(dtype) << ", seed " << seed << ": " << error.what();
    }
  }
}

class Losses : public testing::TestWithParam<const char*> {};

TEST_P(Losses, OfManyElementsStayInRange) {
  for (Dtype dtype : {Dtype::kFloat16, Dtype::kBFloat16, Dtype::kFloat32}) draw_losses(GetParam(), dtype);
}

INSTANTIATE_TEST_SUITE_P(All, Losses,
                         testing::Values("nll_loss", "cross_entropy", "multi_margin_loss", "multilabel_margin_loss",
                                         "mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "binary_cross_entropy",
                                         "soft_margin_loss", "hinge_embedding_loss", "kl_div", "poisson_nll_loss",
                                         "gaussian_nll_loss", "binary_cross_entropy_with_logits",
                                         "multilabel_soft_margin_loss", "cosine_embedding_loss", "margin_ranking_loss",
                                         "triplet_margin_loss", "triplet_margin_with_distance_loss"),
                         [](const auto& row) { return std::string(row.param); });

// The seed that was met first.
TEST(Losses, OfTheSeedThatBroke) { EXPECT_TRUE(generate(104287, {.operators = 20}).ok()); }

}  // namespace
}  // namespace jp::seedgen
