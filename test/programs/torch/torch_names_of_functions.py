# What PyTorch calls the functions that made a result, in its grad_fn, of whatever they are composed here.
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
x = (torch.rand(4, 4) + 0.5).requires_grad_()
z = (torch.rand(4, 4) + 0.5).requires_grad_()
v = (torch.rand(4) + 0.5).requires_grad_()
w = (torch.rand(4) + 0.5).requires_grad_()
s = torch.tensor(2.0, requires_grad=True)
x3, z3 = torch.rand(2, 4, 4, requires_grad=True), torch.rand(2, 4, 4, requires_grad=True)
im = torch.rand(2, 4, 8, 8, requires_grad=True)
sig = torch.rand(2, 4, 8, requires_grad=True)
vol = torch.rand(1, 2, 4, 4, 4, requires_grad=True)
t = torch.tensor([0, 1, 2, 3])
tf = torch.rand(4, 4)
y1 = torch.tensor([1.0, -1.0, 1.0, -1.0])
y44 = torch.sign(torch.rand(4, 4) - 0.5)
mask = torch.rand(4, 4) > 0.5
c = torch.tensor([1 + 2j, 3 - 1j], requires_grad=True)


def name(y):
    if isinstance(y, (tuple, list)):
        return " ".join([name(i) for i in y])
    return type(y.grad_fn).__name__ if isinstance(y, torch.Tensor) else "-"


def show(*results):
    print(*[name(y) for y in results])


show(1/x, 2/v, x/z, x/2)
show(x*2, 2*x, x+z, x-1)
show(1-x, x-z, -x, x**2)
show(2**x, x**z, x@z, x@v)
show(v@w, x.mm(z), x3@z3, torch.bmm(x3,z3))
show(torch.baddbmm(x3,x3,z3), torch.addmm(x,x,z), torch.addmv(v,x,v), torch.addr(x,v,w))
show(torch.mv(x,v), torch.dot(v,w), torch.outer(v,w), torch.ger(v,w))
show(torch.matmul(x3,v), torch.matmul(x3,x), torch.matmul(x,x3), torch.matmul(v,x3))
show(
    torch.einsum('ij,jk->ik',x,z),
    torch.einsum('bij,bjk->bik',x3,z3),
    torch.einsum('ij->ji',x),
    torch.einsum('ij->',x),
)
show(torch.tensordot(x,z,1), torch.kron(x,z), torch.cross(torch.rand(3,requires_grad=True),torch.rand(3),dim=0))
show(torch.reciprocal(x), torch.rsqrt(x), x.sqrt(), x.exp())
show(x.exp2(), x.expm1(), x.log(), x.log2())
show(x.log10(), x.log1p(), x.sin(), x.cos())
show(x.tan(), x.asin(), x.acos(), x.atan())
show(torch.atan2(x,z), x.sinh(), x.cosh(), x.tanh())
show(x.asinh(), torch.acosh(x+1), torch.atanh(x/3), torch.sigmoid(x))
show(torch.logit(x/3), torch.erf(x), torch.erfc(x), torch.erfinv(x/3))
show(torch.lgamma(x), torch.digamma(x), torch.sinc(x), torch.hypot(x,z))
show(torch.abs(x), torch.sign(x), torch.sgn(x), torch.floor(x))
show(torch.ceil(x), torch.round(x), torch.trunc(x), torch.frac(x))
show(torch.fmod(x,2), torch.remainder(x,2), torch.remainder(x,z), x%2)
show(x//2, torch.clamp(x,0,1), torch.clamp(x,min=0), torch.clamp(x,max=0))
show(torch.clip(x,0,1), torch.clamp(x,min=z), torch.max(x), torch.min(x))
show(torch.max(x,1), torch.max(x,z), torch.maximum(x,z), torch.minimum(x,z))
show(torch.fmax(x,z), torch.amax(x,1), torch.amin(x,1), torch.aminmax(x))
show(torch.sum(x), torch.sum(x,1), torch.mean(x), torch.mean(x,1))
show(torch.prod(x), torch.prod(x,1), torch.std(x), torch.std(x,1))
show(torch.var(x), torch.var_mean(x), torch.std_mean(x,1), torch.norm(x))
show(torch.norm(x,dim=1), torch.norm(x,p=1), x.norm(2,1), torch.linalg.norm(x))
show(torch.linalg.norm(x,dim=1), torch.linalg.vector_norm(x), torch.linalg.matrix_norm(x), torch.logsumexp(x,1))
show(torch.cumsum(x,1), torch.cumprod(x,1), torch.cummax(x,1), torch.logcumsumexp(x,1))
show(torch.median(x), torch.median(x,1), torch.nanmedian(x), torch.mode(x,1))
show(torch.kthvalue(x,1), torch.nansum(x), torch.nanmean(x), torch.sort(x))
show(torch.topk(x,2), torch.trace(x), torch.diag(x), torch.diag(v))
show(torch.diagonal(x), torch.diag_embed(v), torch.tril(x), torch.triu(x))
show(torch.flip(x,[0]), torch.fliplr(x), torch.roll(x,1,0), torch.rot90(x))
show(torch.cat([x,z]), torch.stack([x,z]), torch.hstack([x,z]), torch.vstack([x,z]))
show(torch.split(x,2), torch.split(x,[1,3]), torch.chunk(x,2), torch.unbind(x))
show(torch.reshape(x,(16,)), x.reshape(2,8), x.view(16), x.view(-1))
show(x.flatten(), torch.flatten(im,1), x.unflatten(0,(2,2)), x.unsqueeze(0))
show(x.unsqueeze(0).squeeze(0), x.unsqueeze(0).squeeze(), x.t(), x.T)
show(x.mT, x3.mT, x.transpose(0,1), x3.permute(2,0,1))
show(x.swapaxes(0,1), torch.movedim(x3,0,1), v.expand(3,4), v.expand_as(x))
show(torch.broadcast_to(v,(3,4)), v.repeat(2,2), torch.tile(v,(2,2)), x.contiguous())
show(x.t().contiguous(), x.clone(), x.double(), x.half())
show(x.to(torch.float64), x.type(torch.float64), x.float(), x.cpu())
show(x[0], x[0,1], x[0:2], x[:,1])
show(x[...,0], x[None], x[:], x[t])
show(x[mask], x[t,t], x[[0,1]], x.masked_select(mask))
show(x.masked_fill(mask,0), torch.where(mask,x,z), torch.where(mask,x,0.), torch.gather(x,1,t.unsqueeze(1)))
show(
    torch.index_select(x,0,t),
    torch.take(x,t),
    torch.take_along_dim(x,t.unsqueeze(1),1),
    x.scatter(1,t.unsqueeze(1),0.),
)
show(x.scatter(1,t.unsqueeze(1),z), x.scatter_add(1,t.unsqueeze(1),z), x.index_add(0,t,z), x.index_fill(0,t,0))
show(x.index_copy(0,t,z), torch.narrow(x,0,0,2), x.unfold(0,2,1), x.select(0,1))
show(torch.lerp(x,z,0.5), torch.addcmul(x,x,z), torch.addcdiv(x,x,z), torch.cdist(x,z))
show(torch.dist(x,z), F.pdist(x), F.pairwise_distance(x,z), nn.PairwiseDistance(p=1)(x,z))
show(F.cosine_similarity(x,z), F.cosine_similarity(v,w,dim=0), F.normalize(x), F.relu(x))
show(F.relu6(x), F.leaky_relu(x), F.elu(x), F.selu(x))
show(F.celu(x), F.gelu(x), F.gelu(x,approximate='tanh'), F.silu(x))
show(F.mish(x), F.softplus(x), F.softsign(x), F.softshrink(x))
show(F.hardshrink(x), F.tanhshrink(x), F.hardtanh(x), F.hardsigmoid(x))
show(F.hardswish(x), F.logsigmoid(x), F.threshold(x,0.1,0), F.glu(x))
show(F.prelu(x,torch.tensor([.2],requires_grad=True)), F.softmax(x,1), F.log_softmax(x,1), F.softmin(x,1))
show(F.gumbel_softmax(x), F.dropout(x), F.dropout(x,training=False), F.alpha_dropout(x))
show(F.dropout2d(im), F.linear(x,z), F.linear(x,z,v), F.linear(x3,z,v))
show(F.linear(x3,z), F.linear(v,z,w), F.bilinear(x,z,torch.rand(2,4,4,requires_grad=True)), F.mse_loss(x,z))
show(F.mse_loss(x,z,reduction='none'), F.mse_loss(x,z,reduction='sum'), F.l1_loss(x,z), F.smooth_l1_loss(x,z))
show(
    F.huber_loss(x,z),
    F.cross_entropy(x,t),
    F.cross_entropy(x,F.softmax(tf,1)),
    F.cross_entropy(x,F.softmax(tf,1),reduction='none'),
)
show(
    F.cross_entropy(x,t,label_smoothing=.1),
    F.cross_entropy(x,t,weight=torch.rand(4)),
    F.cross_entropy(im,torch.zeros(2,8,8,dtype=torch.long)),
)
show(F.cross_entropy(im,torch.rand(2,4,8,8)), F.cross_entropy(sig,torch.zeros(2,8,dtype=torch.long)))
show(F.nll_loss(F.log_softmax(x,1),t), F.nll_loss(F.log_softmax(im,1),torch.zeros(2,8,8,dtype=torch.long)))
show(
    F.binary_cross_entropy(torch.sigmoid(x),tf),
    F.binary_cross_entropy_with_logits(x,tf),
    F.kl_div(F.log_softmax(x,1),tf),
)
show(F.kl_div(F.log_softmax(x,1),tf,reduction='batchmean'), F.kl_div(F.log_softmax(x,1),tf.log(),log_target=True))
show(F.poisson_nll_loss(x,tf), F.gaussian_nll_loss(x,tf,torch.ones(4,4)), F.hinge_embedding_loss(x,y44))
show(
    F.margin_ranking_loss(v,w,y1),
    F.soft_margin_loss(x,y44),
    F.multi_margin_loss(x,t),
    F.multilabel_margin_loss(x,torch.tensor([[0,1,-1,-1]]*4)),
)
show(F.multilabel_soft_margin_loss(x,tf), F.cosine_embedding_loss(x,z,y1), F.triplet_margin_loss(x,z,tf))
show(
    F.triplet_margin_with_distance_loss(x,z,tf),
    F.ctc_loss(F.log_softmax(torch.rand(6,2,5,requires_grad=True),2),torch.tensor([[1,2],[2,3]]),torch.tensor([6,6]),torch.tensor([2,2])),
)
show(F.conv1d(sig,torch.rand(3,4,3,requires_grad=True)), F.conv2d(im,torch.rand(3,4,3,3,requires_grad=True)))
show(
    F.conv3d(vol,torch.rand(3,2,3,3,3,requires_grad=True)),
    F.conv_transpose2d(im,torch.rand(4,3,3,3,requires_grad=True)),
)
show(F.max_pool1d(sig,2), F.max_pool2d(im,2), F.max_pool3d(vol,2), F.max_pool2d(im,2,return_indices=True))
show(F.avg_pool1d(sig,2), F.avg_pool2d(im,2), F.avg_pool3d(vol,2), F.adaptive_avg_pool1d(sig,1))
show(
    F.adaptive_avg_pool1d(sig,2),
    F.adaptive_avg_pool2d(im,1),
    F.adaptive_avg_pool2d(im,2),
    F.adaptive_avg_pool2d(im,(1,2)),
)
show(
    F.adaptive_avg_pool3d(vol,1),
    F.adaptive_avg_pool3d(vol,2),
    F.adaptive_max_pool1d(sig,1),
    F.adaptive_max_pool2d(im,1),
)
show(
    F.adaptive_max_pool2d(im,2),
    F.fractional_max_pool2d(im,2,output_size=3),
    F.lp_pool2d(im,2,2),
    F.lp_pool1d(sig,2,2),
)
show(F.max_unpool2d(*F.max_pool2d(im,2,return_indices=True),2), F.pad(x,(1,1)), F.pad(im,(1,1,1,1),mode='reflect'))
show(
    F.pad(im,(1,1,1,1),mode='replicate'),
    F.interpolate(im,scale_factor=2),
    F.interpolate(im,scale_factor=2,mode='bilinear'),
)
show(
    F.interpolate(im,size=5,mode='bicubic'),
    F.interpolate(sig,size=5,mode='linear'),
    F.interpolate(vol,size=5,mode='trilinear'),
)
show(F.interpolate(im,size=4,mode='area'), F.interpolate(sig,scale_factor=2), F.upsample(im,scale_factor=2))
show(F.grid_sample(im,torch.rand(2,3,3,2)), F.affine_grid(torch.rand(1,2,3,requires_grad=True),(1,1,3,3)))
show(F.pixel_shuffle(im,2), F.pixel_unshuffle(im,2), F.channel_shuffle(im,2), F.unfold(im,2))
show(
    F.fold(torch.rand(1,12,4,requires_grad=True),(3,3),2),
    F.batch_norm(im,torch.zeros(4),torch.ones(4),training=True),
)
show(F.batch_norm(im,torch.zeros(4),torch.ones(4)), F.layer_norm(x,(4,)), F.group_norm(im,2), F.instance_norm(im))
show(F.rms_norm(x,(4,)), F.local_response_norm(im,2), F.embedding(t,x), F.embedding_bag(t,x,torch.tensor([0,2])))
show(F.one_hot(t), F.scaled_dot_product_attention(x3.unsqueeze(0),z3.unsqueeze(0),z3.unsqueeze(0)))
show(F.scaled_dot_product_attention(x3.unsqueeze(0),z3.unsqueeze(0),z3.unsqueeze(0),is_causal=True))
show(
    F.scaled_dot_product_attention(x3,z3,z3),
    F.scaled_dot_product_attention(x3.unsqueeze(0),z3.unsqueeze(0),z3.unsqueeze(0),attn_mask=mask),
)
show(F.scaled_dot_product_attention(x3.unsqueeze(0),z3.unsqueeze(0),z3.unsqueeze(0),dropout_p=.1))
show(nn.Linear(4,3)(x), nn.Linear(4,3)(v), nn.Linear(4,3,bias=False)(x3), nn.Bilinear(4,4,2)(x,z))
show(nn.Conv2d(4,2,3)(im), nn.Conv2d(4,2,3,padding='same')(im), nn.Conv2d(4,2,3,padding=1,padding_mode='reflect')(im))
show(nn.Conv2d(4,2,3)(im[0]), nn.ConvTranspose2d(4,2,3)(im), nn.BatchNorm1d(4)(x), nn.BatchNorm2d(4)(im))
show(nn.BatchNorm2d(4).eval()(im), nn.LayerNorm(4)(x), nn.GroupNorm(2,4)(im), nn.InstanceNorm2d(4)(im))
show(nn.RNN(4,3)(x3), nn.RNN(4,3,batch_first=True)(x3), nn.RNN(4,3)(x), nn.RNN(4,3,2,bidirectional=True)(x3))
show(nn.RNN(4,3,nonlinearity='relu')(x3), nn.LSTM(4,3)(x3), nn.LSTM(4,3,batch_first=True)(x3), nn.LSTM(4,3,2)(x3))
show(nn.LSTM(4,3,bidirectional=True)(x3), nn.LSTM(4,3)(x), nn.LSTM(4,3,proj_size=2)(x3), nn.GRU(4,3)(x3))
show(nn.GRU(4,3,batch_first=True)(x3), nn.GRU(4,3,2,bidirectional=True)(x3), nn.utils.rnn.pad_sequence([x,z[:2]]))
show(nn.RNNCell(4,3)(x), nn.LSTMCell(4,3)(x), nn.GRUCell(4,3)(x), nn.Embedding(4,3)(t))
show(
    nn.EmbeddingBag(4,3)(t,torch.tensor([0])),
    nn.MultiheadAttention(4,2)(x3,x3,x3),
    nn.MultiheadAttention(4,2,batch_first=True)(x3,x3,x3,need_weights=False),
)
show(nn.TransformerEncoderLayer(4,2,8)(x3), nn.TransformerDecoderLayer(4,2,8)(x3,x3), nn.Softmax2d()(im))
show(nn.PReLU()(x), nn.Softmax(1)(x), nn.CosineSimilarity()(x,z), nn.AdaptiveAvgPool2d(1)(im))
show(nn.ReflectionPad2d(1)(im), nn.ZeroPad2d(1)(im), nn.ConstantPad1d(1,0)(sig), nn.Upsample(scale_factor=2)(im))
show(nn.Flatten()(im), nn.Unflatten(1,(2,2))(x), nn.Identity()(x), nn.utils.weight_norm(nn.Linear(4,4)).weight)
show(nn.utils.parametrizations.weight_norm(nn.Linear(4,4)).weight, nn.utils.spectral_norm(nn.Linear(4,4))(x))
show(torch.linalg.inv(x), torch.inverse(x), torch.det(x), torch.linalg.det(x))
show(torch.logdet(x@x.T), torch.slogdet(x), torch.linalg.solve(x,z), torch.linalg.solve(x,v))
show(torch.linalg.cholesky(x@x.T+torch.eye(4)), torch.cholesky(x@x.T+torch.eye(4)), torch.linalg.qr(x))
show(torch.linalg.svd(x), torch.svd(x), torch.linalg.eigh(x+x.T), torch.linalg.eigvalsh(x+x.T))
show(torch.linalg.pinv(x), torch.linalg.matrix_power(x,2), torch.fft.fft(x), torch.fft.rfft(x))
show(
    torch.fft.fft2(x),
    torch.fft.ifft(torch.fft.fft(x)),
    torch.fft.ifft(torch.fft.fft(x)).real,
    torch.fft.irfft(torch.fft.rfft(x)),
)
show(torch.real(c), torch.imag(c), torch.abs(c), torch.angle(c))
show(torch.conj(c), c*c, torch.view_as_real(c), torch.complex(v,w))
show(torch.polar(v,w), torch.nan_to_num(x), torch.heaviside(x,z), torch.copysign(x,z))
show(torch.xlogy(x,z), torch.logaddexp(x,z), torch.float_power(x,2), torch.square(x))
show(torch.pow(x,3), torch.pow(2,x), torch.pow(x,0.5), torch.rsub(x,1))
show(torch.true_divide(x,z), torch.floor_divide(x,z), torch.div(x,z,rounding_mode='floor'), torch.sub(x,z,alpha=2))
show(torch.add(x,z,alpha=2), torch.mul(x,s), x*s, s*2)
show(torch.cov(x), torch.corrcoef(x), torch.cartesian_prod(v,w), torch.combinations(v))
show(torch.block_diag(x,z), torch.diff(x), torch.histc(x), torch.bernoulli(x/3))
show(
    torch.normal(x,1.0),
    torch.renorm(x,2,0,1.),
    torch.nn.functional.kl_div(x,z),
    torch.distributions.Normal(x,z).log_prob(tf),
)
show(
    torch.distributions.Normal(x,z).rsample(),
    torch.distributions.Normal(x,z).entropy(),
    torch.distributions.Categorical(logits=x).log_prob(t),
)
show(torch.distributions.Categorical(logits=x).entropy(), torch.distributions.Categorical(F.softmax(x,1)).log_prob(t))
show(
    torch.distributions.Bernoulli(logits=x).log_prob((tf>.5).float()),
    torch.distributions.kl_divergence(torch.distributions.Normal(x,z),torch.distributions.Normal(0.,1.)),
)
show(torch.distributions.Beta(x,z).log_prob(tf), torch.distributions.MultivariateNormal(v,torch.eye(4)).log_prob(w))
show(
    torch.distributions.Laplace(x,z).rsample(),
    torch.utils.checkpoint.checkpoint(lambda a: a*2, x, use_reentrant=False),
)
show(x.clone().add_(1), x.clone().mul_(z), x.clone().zero_(), x.clone().fill_(2))
show(x.clone().copy_(z), x.clone().relu_(), x.clone().clamp_(0), x.clone().exp_())
show(x.clone().sub_(1), x.clone().div_(2), x.clone().pow_(2), x.clone().masked_fill_(mask,0))
show(x.clone().t_(), x.clone().unsqueeze_(0), x.clone().index_fill_(0,t,0), F.relu(x.clone(),inplace=True))
show(F.dropout(x.clone(),inplace=True), torch.sigmoid_(x.clone()), torch.argmax(x), torch.tensor_split(x,2))
show(torch.dsplit(vol[0],2), torch.atleast_2d(v), torch.ravel(x), torch.squeeze(x))
show(torch.constant_pad_nd(x,(1,1)), torch.dropout(x,.5,True), x.sum().item(), x.mean().sqrt())
show(x.sum()/4, (x*z).sum(dim=1,keepdim=True), x.mul(z).mean(), x.data)
show(x.detach(), x.var(unbiased=False), x.std(0,keepdim=True), x.mean((0,1)))
show(x.sum((0,1)), x.argsort(), x.cumsum(0), x.matmul(z).trace())
show(x.unique(), x.view_as(z), x.reshape_as(z), x.type_as(tf))
show(x.to(tf), x.int(), x.bfloat16(), x.addmm(x,z))
show(
    x.inner(z),
    torch.inner(v,w),
    torch.vdot(v,w),
    torch.linalg.cross(torch.rand(2,3,requires_grad=True),torch.rand(2,3)),
)
show(torch.linalg.matrix_norm(x,2), torch.linalg.svdvals(x), torch.linalg.norm(x,1), torch.nuclear_norm(x))
show(
    torch.norm(x,'fro'),
    torch.norm(x,float('inf')),
    torch.linalg.solve_triangular(x,z,upper=True),
    torch.cholesky_solve(x,z),
)
show(torch.lu(x), torch.special.expit(x), torch.special.erf(x), torch.special.log_softmax(x,1))
show(torch.special.entr(x), torch.special.xlog1py(x,z), torch.special.gammaln(x), torch.special.logsumexp(x,1))
show(torch.mean(x,dtype=torch.float64), torch.sum(x,dtype=torch.float64), torch.softmax(x,1,dtype=torch.float64))
show(torch.logical_and(x,z), torch.isclose(x,z), x>0, x.bool())
show(torch.masked_scatter(x,mask,z), torch.select_scatter(x,v,0,1), torch.slice_scatter(x,z[:2],0,0,2))
show(torch.diagonal_scatter(x,v), torch.scatter_reduce(x,1,t.unsqueeze(1),z,'sum'), torch.bucketize(x,v))
show(
    torch.autograd.functional.jacobian(lambda a:a*2,x,create_graph=True),
    torch.autograd.grad(x.exp().sum(),x,create_graph=True)[0],
)
show(x.t().reshape(16))
