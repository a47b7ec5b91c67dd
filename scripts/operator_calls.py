"""Calls of operators of which the operator database has no samples, and the rows of which nothing can be asked here: for
operators.py and the tests of the table.

FURTHER   name -> [(operands, keywords)], made anew at each call, for the function or method, or for the form in place where
          there is no other
WRITES    name -> the column `writes`, where the schemas keep quiet about it
UNASKED   names, and beginnings that end in "_" -> why nothing is asked of eager
"""

import torch

from operator_samples import storages, tried


def x(*shape, dtype=torch.float32):
    count = int(torch.tensor(shape).prod()) if shape else 1
    return (torch.arange(count, dtype=torch.float64) / 7 - 0.9).to(dtype).reshape(shape)


def positive(*shape):
    return x(*shape).abs() + 0.25


def compressed(layout):
    return torch.eye(4).to_sparse(layout=layout, **({"blocksize": (2, 2)} if "bs" in str(layout) else {}))


def recurrent(gates, state):
    """Operands of a network of one layer, with weights for that many gates."""
    params = [x(gates * 3, 2), x(gates * 3, 3), x(gates * 3), x(gates * 3)]
    return [x(4, 1, 2), state, params, True, 1, 0.0, False, False, False]


def cell(gates, state):
    return [x(2, 4), state, x(gates * 3, 4), x(gates * 3, 3), x(gates * 3), x(gates * 3)]


def calls():
    windows = dict.fromkeys(["bartlett_window", "blackman_window", "hamming_window", "hann_window", "kaiser_window"],
                            [([5], {}), ([6, False], {})])
    drawn = dict.fromkeys(["cauchy", "exponential", "log_normal", "random", "uniform"], [([x(3, 4)], {})])
    pools = {"max_pool1d_with_indices": [([x(1, 2, 6), 2], {})], "max_pool2d_with_indices": [([x(1, 2, 6, 6), 2], {})],
             "max_pool3d_with_indices": [([x(1, 2, 4, 4, 4), 2], {})],
             "adaptive_max_pool1d_with_indices": [([x(1, 2, 6), 3], {})],
             "adaptive_max_pool2d_with_indices": [([x(1, 2, 6, 6), 3], {})],
             "adaptive_max_pool3d_with_indices": [([x(1, 2, 4, 4, 4), 2], {})],
             "lp_pool1d": [([x(1, 2, 6), 2.0, 2], {})], "lp_pool2d": [([x(1, 2, 6, 6), 2.0, 2], {})],
             "lp_pool3d": [([x(1, 2, 4, 4, 4), 2.0, 2], {})]}
    recurring = {"gru": [(recurrent(3, x(1, 1, 3)), {})], "rnn_relu": [(recurrent(1, x(1, 1, 3)), {})],
                 "rnn_tanh": [(recurrent(1, x(1, 1, 3)), {})], "lstm": [(recurrent(4, [x(1, 1, 3), x(1, 1, 3)]), {})],
                 "gru_cell": [(cell(3, x(2, 3)), {})], "rnn_relu_cell": [(cell(1, x(2, 3)), {})],
                 "rnn_tanh_cell": [(cell(1, x(2, 3)), {})], "lstm_cell": [(cell(4, [x(2, 3), x(2, 3)]), {})]}
    copies = {"detach_copy": [([x(3, 4)], {})], "select_copy": [([x(3, 4), 0, 1], {})], "slice_copy": [([x(3, 4), 1, 1, 3], {})],
              "split_copy": [([x(6, 2), 2], {})], "view_as_complex_copy": [([x(3, 2)], {})],
              "view_as_real_copy": [([x(3, dtype=torch.complex64)], {})], "slice_inverse": [([x(3, 4), x(3, 4), 1], {})]}
    sparse = {"ccol_indices": [([compressed(torch.sparse_csc)], {})], "crow_indices": [([compressed(torch.sparse_csr)], {})],
              "col_indices": [([compressed(torch.sparse_csr)], {})], "row_indices": [([compressed(torch.sparse_csc)], {})],
              "values": [([compressed(torch.sparse_csr)], {})], "coalesce": [([torch.eye(3).to_sparse()], {})],
              "indices": [([torch.eye(3).to_sparse()], {})], "to_dense": [([torch.eye(3).to_sparse()], {}), ([x(3)], {})],
              "to_sparse_csr": [([torch.eye(4)], {})], "to_sparse_csc": [([torch.eye(4)], {})],
              "to_sparse_bsr": [([torch.eye(4), (2, 2)], {})], "to_sparse_bsc": [([torch.eye(4), (2, 2)], {})],
              "smm": [([torch.eye(3).to_sparse(), x(3, 3)], {})], "hspmm": [([torch.eye(3).to_sparse(), x(3, 3)], {})],
              "sspaddmm": [([torch.eye(3).to_sparse(), torch.eye(3).to_sparse(), x(3, 3)], {})],
              "sparse_mask": [([x(3, 3), torch.eye(3).to_sparse()], {})],
              "sparse_coo_tensor": [([torch.tensor([[0, 1], [1, 0]]), x(2), (2, 2)], {})],
              "sparse_csr_tensor": [([torch.tensor([0, 1, 2]), torch.tensor([1, 0]), x(2), (2, 2)], {})],
              "sparse_csc_tensor": [([torch.tensor([0, 1, 2]), torch.tensor([1, 0]), x(2), (2, 2)], {})]}
    others = {
        "affine_grid": [([x(1, 2, 3), [1, 1, 2, 2]], {"align_corners": False})],
        "affine_grid_generator": [([x(1, 2, 3), [1, 1, 2, 2], False], {})],
        "as_tensor": [([x(3)], {}), ([[1.0, 2.0]], {})],
        "asarray": [([x(3)], {}), ([[1.0, 2.0]], {})],
        "binomial": [([torch.full((4,), 6.0), torch.full((4,), 0.5)], {})],
        "chain_matmul": [([x(2, 3), x(3, 4)], {})],
        "conv_tbc": [([x(4, 2, 3), x(2, 3, 5), x(5)], {})],
        "convolution": [([x(1, 2, 6), x(3, 2, 2), None, [1], [0], [1], False, [0], 1], {})],
        "copy": [([x(3), x(3) + 1], {})],
        "cpu": [([x(3)], {})],
        "dequantize": [([x(3)], {})],
        "detach": [([x(3, 4)], {}), ([x(3, dtype=torch.int64)], {})],
        "dropout1d": [([x(1, 2, 3), 0.5, False], {})],
        "fake_quantize_per_tensor_affine": [([x(3, 4), 0.1, 0, 0, 255], {})],
        "fake_quantize_per_channel_affine":
            [([x(3, 4), positive(3), torch.zeros(3, dtype=torch.int32), 0, 0, 255], {})],
        "chalf": [([x(3, dtype=torch.complex32)], {})],
        "feature_dropout": [([x(1, 2, 3), 0.5, True], {}), ([x(1, 2, 3), 0.5, False], {})],
        "fill_diagonal": [([x(3, 3), 2.0], {})],
        "fold": [([x(1, 4, 4), (3, 3), (2, 2)], {})],
        "fractional_max_pool2d_with_indices": [([x(1, 1, 6, 6), 2, (3, 3)], {})],
        "fractional_max_pool3d_with_indices": [([x(1, 1, 6, 6, 6), 2, (3, 3, 3)], {})],
        "frobenius_norm": [([x(3, 4), [1]], {})],
        "from_numpy": [([x(3).numpy()], {})],
        "gammainc": [([positive(4), positive(4)], {})],
        "gammaincc": [([positive(4), positive(4)], {})],
        "geometric": [([x(3), 0.5], {})],
        "grid_sampler": [([x(1, 1, 4, 4), x(1, 2, 2, 2), 0, 0, False], {})],
        "gumbel_softmax": [([x(2, 3)], {})],
        "native_channel_shuffle": [([x(1, 4, 2, 2), 2], {})],
        "native_dropout": [([x(3, 4), 0.5, True], {})],
        "native_norm": [([torch.eye(3).to_sparse(), 2.0], {})],
        "norm_except_dim": [([x(3, 4)], {})],
        "nuclear_norm": [([x(3, 4)], {})],
        "numpy": [([x(3)], {})],
        "poisson": [([positive(3, 4)], {})],
        "rand": [([[2, 3]], {})],
        "randperm": [([6], {})],
        "range": [([0, 4], {})],
        "requires_grad": [([x(3)], {})],
        "resize": [([x(3, 4), 3, 4], {})],
        "resize_as": [([x(3, 4), x(3, 4)], {})],
        "segment_reduce": [([positive(4), "sum"], {"lengths": torch.tensor([1, 3])})],
        "set": [([x(3), x(4)], {})],
        "tensor": [([[1.0, 2.0]], {})],
        "tolist": [([x(3)], {})],
        "type": [([x(3), torch.float64], {}), ([x(3), torch.float32], {})],
        "type_as": [([x(3), x(2, dtype=torch.float64)], {}), ([x(3), x(2)], {})],
        "unsafe_split_with_sizes": [([x(4), [1, 3]], {})],
        "zero": [([x(3)], {})],
        "einsum": [(["ij,jk->ik", x(2, 3), x(3, 2)], {}), (["ij->ji", x(2, 3)], {})],
        "embedding": [([x(3, 2), torch.tensor([0, 2])], {})],
        "eye": [([3], {})],
        "pca_lowrank": [([x(4, 3)], {})],
        "svd_lowrank": [([x(4, 3)], {})],
        "polygamma": [([1, positive(3)], {}), ([positive(3), 1], {})],
    }
    # Of the operands behind the input those that the database's samples leave out, as far as gradients matter.
    weighted = {"binary_cross_entropy": [([positive(2, 2) / 2, positive(2, 2) / 2, positive(2, 2)], {})],
                "nll_loss": [([x(2, 3), torch.tensor([0, 2]), positive(3)], {})],
                "cross_entropy": [([x(2, 3), torch.tensor([0, 2]), positive(3)], {})],
                "multi_margin_loss": [([x(2, 3), torch.tensor([0, 2])], {"weight": positive(3)})],
                "mse_loss": [([x(3), x(3), None, None, "mean", positive(3)], {})],
                "fractional_max_pool2d": [([x(1, 1, 6, 6), 2, (3, 3)], {"_random_samples": positive(1, 1, 2) / 2})],
                "fractional_max_pool3d": [([x(1, 1, 6, 6, 6), 2, (3, 3, 3)], {"_random_samples": positive(1, 1, 3) / 2})],
                "huber_loss": [([x(3), x(3), "mean", 1.0, positive(3)], {})]}
    return {**windows, **drawn, **pools, **recurring, **copies, **sparse, **others, **weighted}


FURTHER = calls()
_STATISTICS = "running_mean:training:5 running_var:training:5"
# Without statistics instance_norm writes none. In torch.nn.functional they stand behind the input, in torch behind weight and
# bias.
WRITES = {**dict.fromkeys(["batch_norm", "native_batch_norm", "cudnn_batch_norm", "miopen_batch_norm"], _STATISTICS),
          **dict.fromkeys(["batch_norm_gather_stats", "batch_norm_gather_stats_with_counts", "batch_norm_update_stats"],
                          "running_mean running_var"),
          **dict.fromkeys(["embedding", "embedding_bag"], "weight:max_norm:3"),
          "instance_norm": "running_mean:running_mean:1 running_mean:running_mean:3 running_var:running_var:2 "
                           "running_var:running_var:4"}
UNASKED = {
    "batch_norm_": "parts of the normalisation over several CUDA devices",
    "cuda": "another device",
    "cudnn_": "another device",
    "miopen_": "another device",
    "pin_memory": "another device",
    "mkldnn_": "a layout that torch keeps to itself",
    "to_mkldnn": "a layout that torch keeps to itself",
    "quantize_": "quantized tensors",
    "quantized_": "quantized tensors",
    "q_per_channel_": "quantized tensors",
    "int_repr": "quantized tensors",
    "empty_quantized": "quantized tensors",
    "choose_qparams_optimized": "quantized tensors",
    "fbgemm_": "packed weights of one library",
    "from_file": "reads a file",
    "grouped_mm": "types of eight bits",
    "scaled_mm": "types of eight bits",
    "scaled_grouped_mm": "types of eight bits",
    "to_padded_tensor": "nested tensors",
    "index": "dimensions of functorch",
    "broadcast_shapes": "takes and gives sizes",
    "sparse_bsc_tensor": "compressed tensors of blocks",
    "sparse_bsr_tensor": "compressed tensors of blocks",
    "sparse_compressed_tensor": "compressed tensors of any layout",
    "sparse_resize": "changes a sparse tensor's size",
    "sparse_resize_and_clear": "changes a sparse tensor's size",
    "resize_as_sparse": "changes a sparse tensor's size",
    "ccol_indices_copy": "parts of sparse tensors, which no kernel copies here",
    "col_indices_copy": "parts of sparse tensors, which no kernel copies here",
    "crow_indices_copy": "parts of sparse tensors, which no kernel copies here",
    "row_indices_copy": "parts of sparse tensors, which no kernel copies here",
    "indices_copy": "parts of sparse tensors, which no kernel copies here",
    "values_copy": "parts of sparse tensors, which no kernel copies here",
}


def shares_memory(name, functions):
    """Some call of it, as one of these functions, gives a tensor that lies in an operand's memory."""
    return any(storages(tried(function, given, keywords)) & storages(given)
               for given, keywords in FURTHER.get(name, []) for function in functions)


def why_unasked(name):
    """Why nothing is asked of the row, or ""."""
    prefixes = (why for beginning, why in UNASKED.items() if beginning.endswith("_") and name.startswith(beginning))
    return UNASKED.get(name) or next(prefixes, "")
