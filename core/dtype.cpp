#include "core/dtype.h"

#include <array>

namespace jp {
namespace {

struct Row {
  std::string_view name;
  int size;
  double epsilon;
};

// torch.finfo(dtype).eps of each.
constexpr std::array<Row, 12> kRows = {{{"bool", 1, 0},
                                        {"uint8", 1, 0},
                                        {"int8", 1, 0},
                                        {"int16", 2, 0},
                                        {"int32", 4, 0},
                                        {"int64", 8, 0},
                                        {"float16", 2, 0x1p-10},
                                        {"bfloat16", 2, 0x1p-7},
                                        {"float32", 4, 0x1p-23},
                                        {"float64", 8, 0x1p-52},
                                        {"complex64", 8, 0x1p-23},
                                        {"complex128", 16, 0x1p-52}}};

const Row& row(Dtype dtype) { return kRows[static_cast<std::size_t>(dtype)]; }

}  // namespace

const std::vector<Dtype>& all_dtypes() {
  static const std::vector<Dtype> all = [] {
    std::vector<Dtype> dtypes;
    for (std::size_t i = 0; i < kRows.size(); ++i) dtypes.push_back(static_cast<Dtype>(i));
    return dtypes;
  }();
  return all;
}

std::string_view dtype_name(Dtype dtype) { return row(dtype).name; }

std::optional<Dtype> parse_dtype(std::string_view name) {
  if (name.starts_with("torch.")) name.remove_prefix(6);
  for (Dtype dtype : all_dtypes())
    if (dtype_name(dtype) == name) return dtype;
  return std::nullopt;
}

int dtype_size(Dtype dtype) { return row(dtype).size; }
double epsilon(Dtype dtype) { return row(dtype).epsilon; }

}  // namespace jp
