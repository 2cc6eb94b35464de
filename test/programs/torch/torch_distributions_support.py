"""What lies outside of the support of a distribution is refused where its density is asked for."""
import torch
D=torch.distributions; nan=float('nan')
ds=[D.Beta(2.,3.),D.Dirichlet(torch.ones(3)),D.OneHotCategorical(torch.tensor([.2,.3,.5])),D.Poisson(2.),D.Gumbel(0.,1.),D.MultivariateNormal(torch.zeros(2),torch.eye(2)),D.Normal(0.,1.),D.Uniform(0.,1.),D.Exponential(1.),D.Gamma(1.,1.),D.Laplace(0.,1.),D.Categorical(torch.tensor([.5,.5])),D.Independent(D.Normal(torch.zeros(2),1.),1)]
vs=[torch.tensor(-1.),torch.tensor(.5),torch.tensor(nan),torch.tensor(2.),torch.tensor([.2,.3,.5]),torch.tensor([.2,.3,.6]),torch.tensor([0.,1.,0.]),torch.tensor([1.,1.,0.]),torch.tensor([.1,nan]),torch.tensor([1.,2.]),torch.tensor(1.),torch.tensor([[0.,1.,0.]])]
for d in ds:
    for v in vs:
        try: r=d.log_prob(v); print(type(d).__name__,tuple(r.shape),[round(x,3) for x in r.reshape(-1).tolist()])
        except Exception as e: print(type(d).__name__,type(e).__name__, str(e).split("\n")[0][:150])
