# roma: rotation vectors to quaternions and back, near the angle of zero too.
import roma
import torch


def make_inputs():
    vectors = torch.randn(6, 3, generator=torch.Generator().manual_seed(1))
    vectors[1] *= 1e-5
    return (vectors.requires_grad_(),)


def program(vectors):
    quaternions = roma.rotvec_to_unitquat(vectors)
    matrices = roma.unitquat_to_rotmat(quaternions)
    return quaternions, roma.rotmat_to_rotvec(matrices), roma.rotmat_geodesic_distance(matrices[:-1], matrices[1:])
