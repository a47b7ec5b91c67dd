# gpytorch: the exact marginal log-likelihood of a small Gaussian process.
import gpytorch
import torch

torch.manual_seed(0)
x = torch.linspace(0, 1, 9)


class Model(gpytorch.models.ExactGP):
    def __init__(self):
        super().__init__(x, torch.sin(6 * x), gpytorch.likelihoods.GaussianLikelihood())
        self.mean = gpytorch.means.ConstantMean()
        self.kernel = gpytorch.kernels.ScaleKernel(gpytorch.kernels.MaternKernel(nu=2.5))

    def forward(self, points):
        return gpytorch.distributions.MultivariateNormal(self.mean(points), self.kernel(points))


model = Model()
likelihood = gpytorch.mlls.ExactMarginalLogLikelihood(model.likelihood, model)


def make_inputs():
    return (torch.sin(6 * x).requires_grad_(),)


def program(y):
    return likelihood(model(x), y)
