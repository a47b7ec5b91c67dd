# gpytorch: kernel matrices and a Cholesky factor of their sum with a small diagonal: nearly singular.
import gpytorch
import torch

torch.manual_seed(0)
kernels = torch.nn.ModuleList([gpytorch.kernels.RBFKernel(), gpytorch.kernels.PeriodicKernel(),
                               gpytorch.kernels.RQKernel()])


def make_inputs():
    return (torch.linspace(0, 1, 8).unsqueeze(1).requires_grad_(),)


def program(points):
    total = sum(kernel(points).to_dense() for kernel in kernels)
    factor = torch.linalg.cholesky(total + 1e-4 * torch.eye(8))
    return total, factor, torch.cholesky_solve(points, factor)
