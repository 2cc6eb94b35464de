"""Samples of torch.nn: modules and functions by a table of their arguments; optimizers, schedulers, distributions, initialisers."""
import inspect

import torch
import torch.nn as nn
import torch.nn.functional as F

from draw import STYLES, tensor

# Module: constructor arguments, shapes of inputs ('i' before a shape: indices below 3; 'b': 0 or 1; 'p': positive; 'u': in 0..1).
MODULES = '''
Linear|3, 4;3, 2, bias=False|2x3;3;2x2x3;2x4;0x3
Bilinear|2, 3, 2;2, 3, 2, bias=False|2x2 2x3;2x2 2x2
Identity||2x3
Conv1d|2, 3, 2;2, 4, 3, stride=2, padding=1;2, 2, 3, dilation=2, bias=False;2, 4, 1, groups=2;2, 2, 3, padding='same';2, 2, 3, padding=1, padding_mode='circular';2, 2, 2, padding='valid';2, 2, 3, padding=2, padding_mode='reflect'|1x2x6;2x6;2x2x5;1x3x5;1x2x1
Conv2d|1, 2, 2;2, 2, 3, padding=1;2, 4, (2, 1), groups=2;1, 2, 3, stride=2, padding=(1, 0);2, 2, 2, dilation=2;1, 2, 3, padding='same';1, 1, 3, padding=1, padding_mode='replicate';1, 2, 2, bias=False|1x1x4x4;1x2x4x4;2x1x3x5;1x4x4;1x2x1x1
Conv3d|1, 2, 2;1, 1, (1, 2, 2), padding=1|1x1x3x3x3;1x2x2x3
ConvTranspose1d|2, 3, 2;2, 2, 3, stride=2, padding=1, output_padding=1;2, 4, 2, groups=2, bias=False;2, 2, 2, dilation=2|1x2x4;2x3
ConvTranspose2d|1, 2, 2;2, 2, 3, stride=2, padding=1, output_padding=1;1, 2, (2, 1), bias=False|1x1x3x3;1x2x2x2
ConvTranspose3d|1, 1, 2|1x1x2x2x2
MaxPool1d|2;3, stride=1;2, padding=1;2, return_indices=True;2, ceil_mode=True;2, dilation=2|1x2x5;2x6
MaxPool2d|2;(2, 1);3, stride=1, padding=1;2, return_indices=True;2, ceil_mode=True;2, dilation=2, stride=1|1x1x4x5;1x4x4;2x2x3x3
MaxPool3d|2|1x1x2x4x2
AvgPool1d|2;3, stride=1, padding=1;2, ceil_mode=True;3, padding=1, count_include_pad=False|1x2x5;2x6
AvgPool2d|2;3, stride=1, padding=1;2, ceil_mode=True;2, divisor_override=3;3, padding=1, count_include_pad=False|1x1x4x5;1x4x4
AvgPool3d|2|1x1x2x4x2
AdaptiveAvgPool1d|2;3;1|1x2x5;2x6
AdaptiveAvgPool2d|2;(1, 3);(None, 2);1|1x1x4x5;1x3x3
AdaptiveMaxPool1d|2;3;2, return_indices=True|1x2x5;2x6
AdaptiveMaxPool2d|2;(1, 3);2, return_indices=True|1x1x4x5;1x3x3
LPPool1d|2, 2;1, 3, stride=1|1x2x5
LPPool2d|2, 2;3, (1, 2)|1x1x4x4
FractionalMaxPool2d|2, output_size=2|1x1x4x4
MaxUnpool1d|2|1x1x2 i1x1x2
MaxUnpool2d|2|1x1x2x2 i1x1x2x2
ReflectionPad1d|1;(2, 1)|1x2x4;2x3
ReflectionPad2d|1;(1, 0, 2, 1)|1x1x3x3;1x3x4
ReplicationPad1d|1;(2, 0)|1x2x3
ReplicationPad2d|1;(1, 0, 2, 1)|1x1x3x3
ReplicationPad3d|1|1x1x2x2x2
ZeroPad1d|1|1x2x3
ZeroPad2d|1;(1, -1, 2, 0)|1x1x3x3
ConstantPad1d|1, 2.5;(2, 0), -1|1x2x3
ConstantPad2d|1, 0.5|1x1x2x2
ConstantPad3d|1, 3|1x1x1x2x2
CircularPad1d|1|1x2x3
CircularPad2d|1|1x1x3x3
ELU|;0.5;inplace=True|2x3
Hardshrink|;0.1|2x3
Hardsigmoid||2x3
Hardtanh|;-2, 2;0, 1;min_val=1, max_val=0|2x3
Hardswish||2x3
LeakyReLU|;0.2;-0.5|2x3
LogSigmoid||2x3
PReLU|;3;init=0.5|2x3;2x3x2;3
ReLU|;True|2x3
ReLU6||2x3
RReLU|;0.1, 0.3|2x3
SELU||2x3
CELU|;0.5|2x3
GELU|;approximate='tanh';'nonsense'|2x3
Sigmoid||2x3
SiLU||2x3
Mish||2x3
Softplus|;2;1, 0.5|2x3
Softshrink|;0.1;-1|2x3
Softsign||2x3
Tanh||2x3
Tanhshrink||2x3
Threshold|0.1, 20;0, 0|2x3
GLU|;0;1|2x4;4x3
Softmin|0;-1|2x3
Softmax|0;1;-1;|2x3;3
Softmax2d||1x3x2x2;2x3
LogSoftmax|0;1;|2x3
BatchNorm1d|3;3, eps=0.1;3, momentum=0.5;3, affine=False;3, track_running_stats=False;3, momentum=None|2x3;2x3x4;1x3;2x4
BatchNorm2d|2;2, affine=False;2, momentum=None|2x2x3x3;1x2x2x2;2x2
BatchNorm3d|2|1x2x2x2x2
InstanceNorm1d|2;2, affine=True;2, track_running_stats=True|1x2x4;2x4
InstanceNorm2d|2;2, affine=True, track_running_stats=True|2x2x3x3
LayerNorm|3;(2, 3);3, eps=0.1;3, elementwise_affine=False;3, bias=False|2x3;3;2x2x3;2x4
GroupNorm|1, 2;2, 4;2, 4, affine=False;3, 4|2x4x3;2x2;1x4x2x2
RMSNorm|3;(2, 3);3, eps=0.1;3, elementwise_affine=False|2x3;2x2x3
LocalResponseNorm|2;3, alpha=0.1, beta=0.5, k=2|1x4x3;1x3x2x2
Embedding|5, 3;5, 3, padding_idx=1;5, 3, max_norm=1.0;5, 3, scale_grad_by_freq=True;5, 3, padding_idx=-1;5, 3, sparse=True;5, 3, padding_idx=9|i4;i2x3;i
EmbeddingBag|5, 3;5, 3, mode='sum';5, 3, mode='max';5, 3, padding_idx=1|i2x3;i4 o
Dropout|0.5;0;1;0.3, inplace=True;1.5|2x3
Dropout1d|0.5|2x3x2
Dropout2d|0.5|1x3x2x2
Dropout3d|0.5|1x2x1x2x2
AlphaDropout|0.5|2x3
FeatureAlphaDropout|0.5|2x3x2
Flatten|;0;1, 2;-2|2x3x2;2x3
Unflatten|1, (3, 2);1, (-1, 2);0, (2, 2)|2x6;4x6
PixelShuffle|2|1x4x2x2
PixelUnshuffle|2|1x1x4x4
ChannelShuffle|2|1x4x2x2
Upsample|scale_factor=2;size=5;scale_factor=2, mode='linear';scale_factor=1.5;size=4, mode='linear', align_corners=True|1x2x3
Upsample|scale_factor=2;size=(3, 5), mode='bilinear';scale_factor=2, mode='bilinear', align_corners=True;scale_factor=2, mode='bicubic';scale_factor=(2, 1.5)|1x1x2x3
UpsamplingNearest2d|scale_factor=2;size=3|1x1x2x2
UpsamplingBilinear2d|scale_factor=2;size=(3, 4)|1x1x2x2
Fold|(3, 3), 2;(4, 4), (2, 2), stride=2|1x4x4
Unfold|2;2, stride=2, padding=1;(1, 2), dilation=2|1x1x4x4;1x2x3x3
CosineSimilarity|;dim=0;eps=0.1|2x3 2x3
PairwiseDistance|;p=1;p=inf;keepdim=True;eps=0.1|2x3 2x3;3 3
L1Loss|;reduction='none';reduction='sum';reduction='x'|2x3 2x3;2x3 3;0 0
MSELoss|;reduction='none';reduction='sum'|2x3 2x3;3 2x3
SmoothL1Loss|;beta=0.5;beta=0;reduction='none'|2x3 2x3
HuberLoss|;delta=0.5;delta=0;reduction='sum'|2x3 2x3
BCELoss|;reduction='sum';weight=T([0.5, 1.0, 2.0]);reduction='none'|u2x3 u2x3;u3 b3;2x3 b2x3
BCEWithLogitsLoss|;reduction='none';pos_weight=T([2.0, 0.5, 1.0]);weight=T([0.5, 1.0, 2.0])|2x3 u2x3;2x3 b2x3
CrossEntropyLoss|;reduction='none';reduction='sum';label_smoothing=0.1;ignore_index=1;weight=T([0.5, 1.0, 2.0]);weight=T([0.5, 1.0, 2.0]), label_smoothing=0.2;ignore_index=0, reduction='sum'|4x3 i4;3 i;2x3x2 i2x2;2x3 u2x3;0x3 i0;2x2 i2
NLLLoss|;reduction='none';ignore_index=1;weight=T([0.5, 1.0, 2.0]);reduction='sum'|4x3 i4;2x3x2 i2x2;3 i;0x3 i0
KLDivLoss|;reduction='batchmean';log_target=True;reduction='sum'|2x3 u2x3;2x3 2x3
PoissonNLLLoss|;log_input=False;full=True;reduction='none', eps=0.1|2x3 p2x3
GaussianNLLLoss|;full=True;reduction='none', eps=0.1|2x3 2x3 p2x3;2x3 2x3 p2x1
HingeEmbeddingLoss|;margin=0.5;reduction='none'|2x3 s2x3
MarginRankingLoss|;margin=0.5;reduction='sum'|3 3 s3
SoftMarginLoss|;reduction='none'|2x3 s2x3
MultiLabelMarginLoss|;reduction='sum'|2x3 i2x3
MultiLabelSoftMarginLoss|;reduction='none'|2x3 b2x3
MultiMarginLoss|;p=2;margin=0.5;reduction='none'|2x3 i2
CosineEmbeddingLoss|;margin=0.2;reduction='none'|2x3 2x3 s2
TripletMarginLoss|;margin=0.5;p=1;swap=True;reduction='none'|2x3 2x3 2x3
TripletMarginWithDistanceLoss|;swap=True;margin=0.2|2x3 2x3 2x3
CTCLoss|;blank=1;zero_infinity=True;reduction='none'|x
RNN|3, 2;3, 2, nonlinearity='relu';3, 2, num_layers=2;3, 2, batch_first=True;3, 2, bidirectional=True;3, 2, bias=False|4x2x3;4x3;2x2x4
LSTM|3, 2;3, 2, num_layers=2;3, 2, batch_first=True;3, 2, bidirectional=True;3, 2, proj_size=1;3, 2, bias=False|4x2x3;4x3
GRU|3, 2;3, 2, num_layers=2, batch_first=True;3, 2, bidirectional=True|4x2x3;4x3
RNNCell|3, 2;3, 2, nonlinearity='relu'|2x3;3
LSTMCell|3, 2;3, 2, bias=False|2x3;3
GRUCell|3, 2|2x3;2x3 2x2
MultiheadAttention|4, 2;4, 1, batch_first=True;4, 2, bias=False;4, 2, add_zero_attn=True;4, 2, kdim=3, vdim=4;4, 3;4, 2, add_bias_kv=True|3x2x4 3x2x4 3x2x4;3x4 3x4 3x4
TransformerEncoderLayer|4, 2, 8, 0.0;4, 2, 8, dropout=0.0, activation='gelu', norm_first=True;4, 2, 8, 0.0, batch_first=True|3x2x4;3x4
TransformerDecoderLayer|4, 2, 8, 0.0;4, 2, 8, dropout=0.0, norm_first=True|3x2x4 2x2x4
Sequential|nn.Linear(3, 2), nn.ReLU();nn.Flatten(), nn.Tanh()|2x3
ModuleList|[nn.Linear(2, 2)]|
ParameterList|[nn.Parameter(torch.ones(2))]|
'''
# Functions: inputs and other arguments.
FUNCTIONS = '''
linear|2x3 4x3;2x3 4x3 4;3 3;2x3 2x4|
conv1d|1x2x5 3x2x2;1x2x5 3x2x2 3|;stride=2;padding=1;dilation=2;padding='same'
conv2d|1x1x4x4 2x1x2x2;1x1x4x4 2x1x2x2 2|;stride=(2, 1);padding=1;dilation=2
conv_transpose1d|1x2x3 2x2x2|;stride=2;padding=1
max_pool1d|1x2x6|2;3, 1;2, padding=1;2, ceil_mode=True, return_indices=True
max_pool2d|1x1x4x4|2;3, 1, 1;2, return_indices=True
avg_pool2d|1x1x4x4|2;3, 1, 1;2, count_include_pad=False
relu|2x3|;inplace=True
relu6|2x3|
elu|2x3|;0.5;alpha=-1.0
selu|2x3|
celu|2x3|;0.5
leaky_relu|2x3|;0.2
prelu|2x3 1;2x3 3;2x3 2|
rrelu|2x3|;training=True
gelu|2x3|;approximate='tanh'
silu|2x3|
mish|2x3|
softplus|2x3|;beta=2;1, 0.1
softshrink|2x3|;0.2
hardshrink|2x3|;0.2
hardtanh|2x3|;-0.5, 0.5
hardsigmoid|2x3|
hardswish|2x3|
tanhshrink|2x3|
softsign|2x3|
logsigmoid|2x3|
threshold|2x3|0.1, 5
glu|2x4|;0
softmax|2x3;3|0;-1;dim=1, dtype=torch.float64;
log_softmax|2x3;3|0;-1;
softmin|2x3|0;1
gumbel_softmax|2x3|;hard=True;tau=0.5
dropout|2x3|0.5;0.5, False;p=1.0;p=-1
normalize|2x3;3|;p=1;dim=0;p=inf;eps=1.0
layer_norm|2x3|(3,);(2, 3);[3], T([1.0, 2.0, 3.0]), T([0.5, 0.0, 1.0]);(4,)
group_norm|2x4x2|2;4, eps=0.1;3
batch_norm|2x3 3 p3;2x3x2 3 p3|;training=True;training=True, momentum=0.5;eps=1.0
instance_norm|1x2x4|;eps=0.5
rms_norm|2x3|(3,);(3,), T([1.0, 2.0, 0.5]);(3,), eps=0.5
local_response_norm|1x4x3|2
embedding|i4 5x3;i2x2 5x3|;padding_idx=1;max_norm=1.0;padding_idx=-9
one_hot|i4;i2x2;i|;4;num_classes=2
pad|2x3;1x2x3;1x1x3x3|(1, 2);(1, 1), value=2.0;(1, -1);(1, 0), mode='reflect';(1, 1), 'circular';(0, 1, 2, 0);(1, 1, 1, 1), 'replicate';(1,);(5, 5), 'reflect'
interpolate|1x2x4|scale_factor=2;size=3;scale_factor=0.5, mode='area';size=6, mode='linear';scale_factor=2, mode='linear', align_corners=True;scale_factor=1.7
interpolate|1x1x3x3|scale_factor=2;size=(2, 5), mode='bilinear';size=2, mode='area';scale_factor=2, mode='bicubic', align_corners=True;scale_factor=(0.5, 2);size=4, mode='bilinear', antialias=True;mode='nearest';size=5, mode='nearest-exact'
fold|1x4x4|(3, 3), 2
unfold|1x1x3x3|2;2, padding=1
grid_sample|1x1x3x3 u1x2x2x2|;align_corners=True;mode='nearest';padding_mode='border'
affine_grid|1x2x3|(1, 1, 2, 3);[1, 1, 2, 2], align_corners=True
pixel_shuffle|1x4x1x2|2;3
cosine_similarity|2x3 2x3;2x3 3|;dim=0;eps=2.0
pairwise_distance|2x3 2x3|;p=1;keepdim=True
pdist|3x2|;p=1
cross_entropy|4x3 i4;3 i;2x3 u2x3;2x3x2 i2x2|;reduction='none';label_smoothing=0.2;ignore_index=0;weight=T([0.5, 1.0, 2.0]);label_smoothing=2.0
nll_loss|4x3 i4;2x3x2 i2x2|;reduction='sum';ignore_index=2;weight=T([0.5, 1.0, 2.0])
mse_loss|2x3 2x3;2x3 3|;reduction='none'
l1_loss|2x3 2x3|;reduction='sum'
smooth_l1_loss|2x3 2x3|;beta=0.0;beta=2.0;beta=-1.0
huber_loss|2x3 2x3|;delta=0.3
binary_cross_entropy|u2x3 u2x3;u3 b3|;reduction='none'
binary_cross_entropy_with_logits|2x3 u2x3|;reduction='none';pos_weight=T([2.0, 1.0, 0.5])
kl_div|2x3 u2x3|;reduction='batchmean';log_target=True
poisson_nll_loss|2x3 p2x3|;full=True
gaussian_nll_loss|2x3 2x3 p2x3|
hinge_embedding_loss|2x3 s2x3|
margin_ranking_loss|3 3 s3|;margin=0.5
soft_margin_loss|2x3 s2x3|
multilabel_margin_loss|2x3 i2x3|
multilabel_soft_margin_loss|2x3 b2x3|
multi_margin_loss|2x3 i2|;p=2
cosine_embedding_loss|2x3 2x3 s2|;margin=0.1
triplet_margin_loss|2x3 2x3 2x3|;swap=True
scaled_dot_product_attention|2x3x4 2x3x4 2x3x4;1x2x3x4 1x2x5x4 1x2x5x4|;is_causal=True;scale=0.5;attn_mask=torch.tensor([[True, False, True]]);attn_mask=torch.zeros(3, 3, dtype=torch.bool);attn_mask=T([[0.0, -inf, 1.0]] * 3)
adaptive_avg_pool2d|1x1x4x5|2;(1, None)
adaptive_max_pool1d|1x2x5|2
lp_pool1d|1x2x5|2, 2
bilinear|2x2 2x3 2x2x3|
embedding_bag|i2x3 5x3|;mode='sum';mode='max'
'''


def _shape(text):
    return tuple(int(n) for n in text.split('x')) if text else ()


def literal(d, text, dtype, style, grad):
    """A tensor for one item of the tables."""
    kind = text[:1] if text[:1].isalpha() else ''
    shape = _shape(text[1:] if kind else text)
    if kind == 'i':
        values = ['0', '1', '2']
        if d.chance(6):
            values.append(d.of(['-1', '7', '-100']))

        def nest(rest):
            return '[' + ', '.join(nest(rest[1:]) for _ in range(rest[0])) + ']' if rest else d.of(values)
        return 'T(%s, %r)' % (nest(shape), 'int64' if d.chance(95) else 'int32')
    if kind == 'b' or kind == 's':
        choices = ['0.0', '1.0'] if kind == 'b' else ['-1.0', '1.0']

        def nest_b(rest):
            return '[' + ', '.join(nest_b(rest[1:]) for _ in range(rest[0])) + ']' if rest else d.of(choices)
        return 'T(%s, %r)' % (nest_b(shape), dtype)
    if kind == 'u':
        def nest_u(rest):
            return '[' + ', '.join(nest_u(rest[1:]) for _ in range(rest[0])) + ']' if rest else d.of(['0.0', '1.0', '0.5', '0.25', '0.9', '0.1'])
        return 'T(%s, %r%s)' % (nest_u(shape), dtype, ', True' if grad else '')
    if kind == 'o':
        return "T([0, 2], 'int64')"
    return tensor(d, shape, dtype, 'positive' if kind == 'p' else style, grad)


def inputs(d, line, dtype, style, grad):
    texts = [literal(d, item, dtype, style, grad and (k == 0 or d.chance(60)) and item[:1] not in ('i', 'b', 's', 'o')) for k, item in enumerate(line.split(' ')) if item]
    return texts


def modules(samples, scale):
    for line in MODULES.strip().split('\n'):
        name, constructors, shapes = line.split('|')
        key = 'torch.nn.' + name
        if not samples.knows(key):
            continue
        if name == 'CTCLoss':
            def draw_ctc(d):
                options = d.of(constructors.split(';'))
                return 'back(nn.CTCLoss(%s)(a, b, c, d), a)' % options, [tensor(d, (4, 2, 3), 'float32', 'plain', True), "T([[1, 2], [2, 2]], 'int64')", "T([4, %d], 'int64')" % (2 + d.below(3)), "T([%d, 2], 'int64')" % d.below(3)]
            samples.keep('nn', key, draw_ctc, 8 * scale, 2 * scale, 60 * scale)
            continue

        def draw(d):
            constructor = d.of(constructors.split(';'))
            if not shapes:
                return d.of(['nn.%s(%s)', 'len(nn.%s(%s))', 'list(nn.%s(%s).parameters())', 'nn.%s(%s)[0]', 'nn.%s(%s)[5]', 'nn.%s(%s)[0:1]', 'nn.%s(%s).state_dict()']) % (name, constructor), []
            form = d.below(12)
            if form == 0:
                return d.of(['nn.%s(%s)', 'nn.%s(%s).state_dict()', 'nn.%s(%s).training', 'filled(nn.%s(%s)).eval().state_dict()', '[n for n, _ in nn.%s(%s).named_parameters()]', 'nn.%s(%s).double()', 'nn.%s(%s).extra_repr()', 'nn.%s(%s).bfloat16().state_dict()']) % (name, constructor), []
            if form == 1:
                words = d.of(['nonsense=1', '1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12', "'x'", '-1', 'None', '2.5', 'dtype=torch.float64', 'device="cpu"', '0'])
                return 'nn.%s(%s)' % (name, words), []
            dtype = d.weighted([(12, 'float32'), (2, 'float64'), (1, 'bfloat16'), (1, 'int64')])
            made = 'filled(nn.%s(%s))' % (name, constructor)
            if dtype in ('float64', 'bfloat16') and d.chance(85):
                made += '.to(torch.%s)' % dtype
            if d.chance(30):
                made += '.eval()'
            style = d.weighted([(10, 'plain')] + STYLES)
            grad = dtype != 'int64' and d.chance(60)
            given = inputs(d, d.of(shapes.split(';')), dtype, style, grad)
            names = list('abcd'[:len(given)])
            if grad or d.chance(20):
                return 'module_back(%s)' % ', '.join([made] + names), given
            return '%s(%s)' % (made, ', '.join(names)), given
        samples.keep('nn', key, draw, 14 * scale, 4 * scale, 110 * scale)


def functions(samples, scale):
    for line in FUNCTIONS.strip().split('\n'):
        name, shapes, options = line.split('|')
        key = 'torch.nn.functional.' + name
        if not samples.knows(key):
            continue

        def draw(d):
            dtype = d.weighted([(12, 'float32'), (4, 'float64'), (2, 'bfloat16'), (2, 'float16'), (1, 'int64'), (1, 'complex64')])
            grad = dtype in ('float32', 'float64') and d.chance(50)
            given = inputs(d, d.of(shapes.split(';')), dtype, d.weighted(STYLES), grad)
            names = list('abcd'[:len(given)])
            option = d.of(options.split(';'))
            if d.chance(8):
                option = d.of(['nonsense=1', "'x'", 'None', '1, 2, 3, 4, 5, 6, 7, 8, 9', 'dim=7', "reduction='mean'", "reduction='nonsense'", '[]'])
            call = 'F.%s(%s)' % (name, ', '.join(names + ([option] if option else [])))
            leaves = [n for n, text in zip(names, given) if text.endswith(', True)')]
            if leaves:
                call = '%s(%s, %s)' % ('back_twice' if d.chance(30) else 'back', call, ', '.join(leaves))
            return call, given
        samples.keep('nn', key, draw, 14 * scale, 4 * scale, 120 * scale)


OPTIMIZERS = {
    'SGD': ['lr=0.1', 'lr=0.1, momentum=0.9', 'lr=0.1, momentum=0.9, nesterov=True', 'lr=0.1, momentum=0.9, dampening=0.5', 'lr=0.1, weight_decay=0.1', 'lr=0.1, maximize=True', 'lr=-1', 'lr=0.1, nesterov=True', 'lr=0.1, momentum=0.5, weight_decay=0.01, maximize=True', 'lr=torch.tensor(0.1)', 'lr=0.1, foreach=True', 'lr=0.1, fused=True', 'lr=0.1, differentiable=True'],
    'Adam': ['', 'lr=0.1', 'lr=0.1, betas=(0.5, 0.9)', 'lr=0.1, weight_decay=0.1', 'lr=0.1, amsgrad=True', 'lr=0.1, eps=0.1', 'lr=0.1, maximize=True', 'betas=(1.0, 0.9)', 'lr=0.1, decoupled_weight_decay=True, weight_decay=0.1', 'lr=0.1, foreach=True', 'lr=0.1, capturable=True', 'eps=-1.0', 'weight_decay=-0.1', 'lr=torch.tensor(0.1)', 'lr=0.1, fused=True'],
    'AdamW': ['', 'lr=0.1', 'lr=0.1, weight_decay=0.5', 'lr=0.1, amsgrad=True', 'lr=0.1, maximize=True', 'lr=0.1, betas=(0.0, 0.0)', 'lr=0.1, foreach=False'],
    'Adamax': ['', 'lr=0.1', 'lr=0.1, weight_decay=0.1', 'lr=0.1, maximize=True', 'lr=0.1, betas=(0.5, 0.5), eps=0.1'],
    'NAdam': ['', 'lr=0.1', 'lr=0.1, momentum_decay=0.1', 'lr=0.1, weight_decay=0.1', 'lr=0.1, decoupled_weight_decay=True, weight_decay=0.1', 'lr=0.1, maximize=True'],
    'RAdam': ['', 'lr=0.1', 'lr=0.1, weight_decay=0.1', 'lr=0.1, decoupled_weight_decay=True, weight_decay=0.1', 'lr=0.1, betas=(0.5, 0.6)', 'lr=0.1, maximize=True'],
    'Adagrad': ['', 'lr=0.1, lr_decay=0.1', 'lr=0.1, weight_decay=0.1', 'lr=0.1, initial_accumulator_value=0.5', 'lr=0.1, maximize=True', 'lr=0.1, eps=0.1'],
    'Adadelta': ['', 'lr=0.5, rho=0.5', 'weight_decay=0.1', 'maximize=True', 'rho=2.0'],
    'RMSprop': ['', 'lr=0.1, alpha=0.5', 'lr=0.1, momentum=0.5', 'lr=0.1, centered=True', 'lr=0.1, weight_decay=0.1', 'lr=0.1, centered=True, momentum=0.9, maximize=True'],
    'Rprop': ['', 'lr=0.1', 'etas=(0.3, 1.5)', 'lr=0.1, step_sizes=(0.01, 0.2)', 'lr=0.1, maximize=True'],
    'ASGD': ['', 'lr=0.1', 'lr=0.1, t0=1, lambd=0.1, alpha=0.5', 'lr=0.1, weight_decay=0.1', 'lr=0.1, maximize=True'],
    'LBFGS': ['', 'lr=0.1, max_iter=3', 'max_iter=2, history_size=1', 'line_search_fn="strong_wolfe", max_iter=3', 'line_search_fn="nonsense"'],
    'Adafactor': ['', 'lr=0.1', 'lr=0.1, weight_decay=0.1', 'lr=0.1, d=0.5', 'lr=0.1, maximize=True'],
    'SparseAdam': ['', 'lr=0.1'],
    'Muon': ['lr=0.1'],
}
SCHEDULERS = ['StepLR(o, 2)', 'StepLR(o, 3, gamma=0.5)', 'MultiStepLR(o, [2, 5])', 'MultiStepLR(o, [2, 2, 4], gamma=0.5)', 'ConstantLR(o)', 'ConstantLR(o, factor=0.5, total_iters=3)', 'LinearLR(o)', 'LinearLR(o, 0.1, 0.8, 4)', 'ExponentialLR(o, 0.9)', 'CosineAnnealingLR(o, 5)',
              'CosineAnnealingLR(o, 3, eta_min=0.1)', 'PolynomialLR(o)', 'PolynomialLR(o, 4, 2.0)', 'CosineAnnealingWarmRestarts(o, 3)', 'CosineAnnealingWarmRestarts(o, 2, T_mult=2, eta_min=0.01)', 'CyclicLR(o, 0.1, 0.9, step_size_up=2)', 'CyclicLR(o, 0.1, 0.9, step_size_up=2, step_size_down=3, mode="triangular2")',
              'CyclicLR(o, 0.1, 0.9, step_size_up=2, mode="exp_range", gamma=0.9)', 'CyclicLR(o, 0.1, 0.9, cycle_momentum=False)', 'OneCycleLR(o, 1.0, total_steps=10)', 'OneCycleLR(o, 1.0, epochs=2, steps_per_epoch=5, anneal_strategy="linear", three_phase=True)', 'OneCycleLR(o, 1.0, total_steps=3)', 'LambdaLR(o, lambda e: 0.9 ** e)',
              'MultiplicativeLR(o, lambda e: 0.5)', 'ReduceLROnPlateau(o, patience=1)', 'ReduceLROnPlateau(o, "max", factor=0.5, patience=0, cooldown=1, threshold=0.1, threshold_mode="abs", min_lr=0.1)', 'SequentialLR(o, [torch.optim.lr_scheduler.ConstantLR(o, 0.1, 2), torch.optim.lr_scheduler.ExponentialLR(o, 0.9)], [3])',
              'ChainedScheduler([torch.optim.lr_scheduler.ConstantLR(o, 0.1, 2), torch.optim.lr_scheduler.ExponentialLR(o, 0.9)])', 'StepLR(o, 0)', 'LinearLR(o, 0.0)', 'ConstantLR(o, factor=2.0)', 'OneCycleLR(o, 1.0)', 'CyclicLR(o, 0.1, 0.9, mode="x")', 'ReduceLROnPlateau(o, factor=2.0)', 'CosineAnnealingWarmRestarts(o, 0)', 'LambdaLR(o, [lambda e: 1, lambda e: 2])',
              'StepLR(o, 2, last_epoch=3)', 'ExponentialLR(o)', 'CosineAnnealingLR(o, 0)']


def optimizers(samples, scale):
    for name, options in OPTIMIZERS.items():
        if not samples.knows('torch.optim.' + name):
            continue

        def draw(d):
            option = d.of(options)
            if d.chance(10):
                option = d.of(['nonsense=1', 'lr="x"', 'lr=None', '-0.5', 'lr=0.1, lr=0.2', 'params=1'])
            if d.chance(12):
                return 'torch.optim.%s([torch.ones(2, requires_grad=True)]%s)' % (name, ', ' + option if option else ''), []
            if d.chance(6):
                return 'torch.optim.%s(%s)' % (name, d.of(['[]', 'torch.ones(2)', '[1]', '{}', '[torch.ones(2, requires_grad=True).exp()]', '[{"params": []}]', '[{"lr": 1}]'])), []
            return 'descent(lambda p: torch.optim.%s(p%s), %d)' % (name, ', ' + option if option else '', 2 + d.below(6)), []
        samples.keep('optim', 'torch.optim.' + name, draw, (len(options) + 8) * scale, 6 * scale, 120 * scale)
    for text in SCHEDULERS:
        name = text.split('(')[0]
        if not samples.knows('torch.optim.lr_scheduler.' + name):
            continue

        def draw(d):
            extra = ', metric=[1.0, 0.9, 0.95, 0.97, 0.99, nan]' if name == 'ReduceLROnPlateau' else ''
            return 'schedule(lambda o: torch.optim.lr_scheduler.%s, %d%s)' % (text, 3 + d.below(10), extra), []
        samples.keep('optim', 'torch.optim.lr_scheduler.' + name, draw, 3 * scale, 2 * scale, 12 * scale)


DISTRIBUTIONS = {
    'Normal': ['0.0, 1.0', 'a, b', 'a, -b'], 'Bernoulli': ['0.3', 'u', 'logits=a', '1.5'], 'Categorical': ['p', 'logits=a', 'probs=p'], 'Beta': ['2.0, 3.0', 'b, b'], 'Gamma': ['2.0, 3.0', 'b, b', '-1.0, 1.0'], 'Exponential': ['2.0', 'b'], 'Poisson': ['2.0', 'b'],
    'Uniform': ['0.0, 2.0', 'a, a + b', '1.0, 0.0'], 'Laplace': ['0.0, 1.0', 'a, b'], 'Cauchy': ['0.0, 1.0', 'a, b'], 'Gumbel': ['0.0, 1.0', 'a, b'], 'HalfNormal': ['1.0', 'b'], 'HalfCauchy': ['1.0'], 'LogNormal': ['0.0, 1.0', 'a, b'], 'Geometric': ['0.3', 'u'], 'StudentT': ['3.0', 'b, a, b'],
    'Chi2': ['3.0', 'b'], 'Dirichlet': ['b', 'torch.ones(3)'], 'Multinomial': ['3, p', '4, logits=a'], 'MultivariateNormal': ['a, torch.eye(3)', 'torch.zeros(2), torch.tensor([[2.0, 0.5], [0.5, 1.0]])', 'torch.zeros(2), scale_tril=torch.eye(2)'], 'Independent': ['torch.distributions.Normal(a, b), 1'],
    'OneHotCategorical': ['p', 'logits=a'], 'Binomial': ['4, u', '3, logits=a'], 'NegativeBinomial': ['4, u'], 'Weibull': ['1.0, 2.0', 'b, b'], 'Pareto': ['1.0, 2.0', 'b, b'], 'Kumaraswamy': ['2.0, 3.0'], 'VonMises': ['0.0, 2.0'], 'ContinuousBernoulli': ['u'], 'FisherSnedecor': ['3.0, 4.0'], 'RelaxedBernoulli': ['T(0.5), u'],
    'TransformedDistribution': ['torch.distributions.Normal(a, b), torch.distributions.ExpTransform()', 'torch.distributions.Normal(0.0, 1.0), [torch.distributions.AffineTransform(1.0, 2.0), torch.distributions.SigmoidTransform()]'], 'MixtureSameFamily': ['torch.distributions.Categorical(p), torch.distributions.Normal(a, b)'],
    'InverseGamma': ['2.0, 3.0'], 'LogisticNormal': ['a, b'], 'LowRankMultivariateNormal': ['torch.zeros(2), torch.ones(2, 1), torch.ones(2)'],
}
QUERIES = ['.mean', '.variance', '.stddev', '.mode', '.entropy()', '.log_prob(v)', '.cdf(v)', '.icdf(T(0.3))', '.sample()', '.sample((2,))', '.rsample()', '.rsample((2, 2))', '.batch_shape', '.event_shape', '.support', '.expand((2, 3)).mean', '.enumerate_support()', '.perplexity()', '', '.arg_constraints', '.has_rsample', '.log_prob(T([-5.0, 0.5, nan]))', '.sample(3)', '.param_shape']


def distributions(samples, scale):
    for name, forms in DISTRIBUTIONS.items():
        if not samples.knows('torch.distributions.' + name):
            continue

        def draw(d):
            form = d.of(forms)
            parts = {'a': 'T([0.5, -1.0, 2.0], "float32", True)', 'b': 'T([0.5, 1.0, 2.0], "float32", True)', 'c': 'T([0.2, 0.5, 0.3])', 'd': d.of(['T(0.5)', 'T(1.0)', 'T([0.0, 1.0, 2.0])', 'T(2.0)', 'T([1.0, 0.0, 0.0])', 'T([0.2, 0.3, 0.5])', 'T(-1.0)', 'T([[1.0, 0.0, 2.0]])'])}
            text = form.replace('logits=', 'LOGITS=').replace('probs=', 'PROBS=')
            words = {'p': 'c', 'u': 'c'}
            import re
            text = re.sub(r'(?<![\w.])([pu])(?!\w)', lambda m: words[m.group(1)], text).replace('LOGITS', 'logits').replace('PROBS', 'probs')
            extra = d.of(['', '', '', ', validate_args=False', ', validate_args=True']) if name not in ('Independent', 'TransformedDistribution') else ''
            query = d.of(QUERIES).replace('log_prob(v)', 'log_prob(d)').replace('cdf(v)', 'cdf(d)')
            made = 'torch.distributions.%s(%s%s)%s' % (name, text, extra, query)
            if d.chance(30) and ('log_prob' in query or 'entropy' in query or 'rsample' in query):
                leaves = [n for n in ('a', 'b') if re.search(r'(?<![\w.])%s(?!\w)' % n, text)]
                if leaves:
                    made = 'back(%s, %s)' % (made, ', '.join(leaves))
            return made, [parts[k] for k in 'abcd']
        samples.keep('distributions', 'torch.distributions.' + name, draw, 24 * scale, 6 * scale, 160 * scale)
    names = [n for n in DISTRIBUTIONS if samples.knows('torch.distributions.' + n)]
    simple = {'Normal': ['0.0, 1.0', '1.0, 2.0'], 'Bernoulli': ['0.3', '0.6'], 'Categorical': ['T([0.2, 0.8])', 'T([0.5, 0.5])'], 'Beta': ['2.0, 3.0', '1.0, 1.5'], 'Gamma': ['2.0, 3.0', '1.0, 1.0'], 'Exponential': ['1.0', '2.0'], 'Poisson': ['1.0', '2.0'], 'Uniform': ['0.0, 1.0', '-1.0, 2.0'],
              'Laplace': ['0.0, 1.0', '0.5, 2.0'], 'Dirichlet': ['T([1.0, 2.0])', 'T([0.5, 1.5])'], 'Geometric': ['0.3', '0.5'], 'HalfNormal': ['1.0', '2.0'], 'Gumbel': ['0.0, 1.0', '1.0, 2.0'], 'MultivariateNormal': ['torch.zeros(2), torch.eye(2)', 'torch.ones(2), torch.eye(2) * 2'], 'Independent': ['torch.distributions.Normal(torch.zeros(2), torch.ones(2)), 1'], 'Cauchy': ['0.0, 1.0', '1.0, 2.0'], 'LogNormal': ['0.0, 1.0', '0.5, 2.0'], 'Pareto': ['1.0, 2.0']}

    def pair(d):
        a, b = d.of([n for n in simple if n in names]), d.of([n for n in simple if n in names])
        if d.chance(75):
            b = a
        return 'torch.distributions.kl_divergence(torch.distributions.%s(%s), torch.distributions.%s(%s))' % (a, d.of(simple[a]), b, d.of(simple[b])), []
    samples.keep('distributions', 'torch.distributions.kl_divergence', pair, 40 * scale, 5 * scale, 300 * scale)
    transforms = ['ExpTransform()', 'AffineTransform(1.0, 2.0)', 'SigmoidTransform()', 'TanhTransform()', 'AbsTransform()', 'PowerTransform(T(2.0))', 'SoftmaxTransform()', 'SoftplusTransform()', 'StickBreakingTransform()', 'LowerCholeskyTransform()', 'ReshapeTransform((3,), (3, 1))', 'ExpTransform().inv', 'AffineTransform(T([1.0]), T([-2.0]))']

    def transform(d):
        t = d.of(transforms)
        if not samples.knows('torch.distributions.' + t.split('(')[0]):
            return None
        return 'torch.distributions.%s%s' % (t, d.of(['(a)', '.inv(a)', '.log_abs_det_jacobian(a, a)', '', '.sign', '.domain', '.codomain', '.bijective', '.inv(a + 2)'])), ['T([0.5, -1.0, 2.0])']
    samples.keep('distributions', 'torch.distributions.transforms', transform, 50 * scale, 6 * scale, 300 * scale)


def initialisers(samples, scale):
    for name in sorted(dir(nn.init)):
        if not name.endswith('_') or name.startswith('_') or not samples.knows('torch.nn.init.' + name):
            continue

        def draw(d):
            return 'nn.init.%s(a%s)' % (name, d.of(['', ', 0.5', ', 0.1, 0.9', ", gain=2.0", ", mode='fan_out'", ", nonlinearity='relu'", ", a=1, nonlinearity='tanh'", ', std=0.5', ", 'x'", ', sparsity=0.5', ', 1', ', a=-1.0, b=1.0', ', groups=2', ', mean=1.0'])), [d.of(['torch.empty(2, 3)', 'torch.empty(3, 3)', 'torch.empty(3, 2, 2)', 'torch.empty(4)', 'torch.empty(2, 1, 3, 3)', 'torch.empty(0, 2)', 'torch.empty(2, 2, dtype=torch.float64)'])]
        samples.keep('nn', 'torch.nn.init.' + name, draw, 9 * scale, 3 * scale, 90 * scale)
    forms = ['nn.init.calculate_gain(%r)' % n for n in ['linear', 'relu', 'tanh', 'leaky_relu', 'selu', 'x', 'sigmoid', 'conv2d']] + ["nn.init.calculate_gain('leaky_relu', 0.5)", "nn.init.calculate_gain('leaky_relu', 'x')"]

    def gain(d):
        return d.of(forms), []
    samples.keep('nn', 'torch.nn.init.calculate_gain', gain, 8 * scale, 3 * scale, 60 * scale)


OTHERS = {
    'hooks of tensors': ['(lambda x, seen: (x.register_hook(lambda g: seen.append(g.clone())), (x * 2).sum().backward(), x.grad, seen))(a, [])',
                         '(lambda x: (x.register_hook(lambda g: g * 3), (x * x).sum().backward(), x.grad))(a)',
                         '(lambda x: (x.register_hook(lambda g: None), x.exp().sum().backward(), x.grad)[2])(a)',
                         '(lambda x: (x.register_hook(lambda g: 1), x.exp().sum().backward()))(a)',
                         '(lambda x, y: (y.register_hook(lambda g: g + 1), y.sum().backward(), x.grad)[2])(a, a * 2)',
                         '(lambda x, y: (y.retain_grad(), y.sum().backward(), y.grad)[2])(a, a * 2)',
                         '(lambda x, h: (h.remove(), x.sum().backward(), x.grad)[2])(a, a.register_hook(lambda g: g * 5))',
                         '(lambda x, seen: (x.register_post_accumulate_grad_hook(lambda p: seen.append(p.grad.sum())), x.sum().backward(), seen)[2])(a, [])',
                         'torch.ones(2).register_hook(lambda g: g)', 'a.detach().register_hook(lambda g: g)',
                         '(lambda x, seen: (x.register_hook(lambda g: seen.append(1)), x.register_hook(lambda g: seen.append(2)), x.sum().backward(), seen)[3])(a, [])',
                         '(lambda x: (x.register_hook(lambda g: g[:1]), x.sum().backward()))(a)'],
    'hooks of modules': ['(lambda m, seen: (m.register_forward_hook(lambda s, i, o: seen.append(o.sum())), m(b), seen)[2])(filled(nn.Linear(3, 2)), [])',
                         '(lambda m: (m.register_forward_hook(lambda s, i, o: o * 2), m(b))[1])(filled(nn.Linear(3, 2)))',
                         '(lambda m: (m.register_forward_pre_hook(lambda s, i: (i[0] + 1,)), m(b))[1])(filled(nn.Linear(3, 2)))',
                         '(lambda m: (m.register_forward_pre_hook(lambda s, i: i[0] + 1), m(b))[1])(filled(nn.Linear(3, 2)))',
                         '(lambda m, seen: (m.register_full_backward_hook(lambda s, gi, go: seen.append((gi, go))), m(b).sum().backward(), seen)[2])(filled(nn.Linear(3, 2)), [])',
                         '(lambda m, seen: (m.register_full_backward_hook(lambda s, gi, go: (gi[0] * 2,)), m(b).sum().backward(), b.grad)[2])(filled(nn.Linear(3, 2)), [])',
                         '(lambda m, seen: (m.register_full_backward_pre_hook(lambda s, go: (go[0] * 2,)), m(b).sum().backward(), b.grad)[2])(filled(nn.Linear(3, 2)), [])',
                         '(lambda m, seen: (m.register_forward_hook(lambda s, i, k, o: seen.append(k), with_kwargs=True), m(b), m(input=b), seen)[3])(filled(nn.Linear(3, 2)), [])',
                         '(lambda m, seen: (m.register_forward_hook(lambda s, i, o: seen.append(1)), m.register_forward_hook(lambda s, i, o: seen.append(2), prepend=True), m(b), seen)[3])(filled(nn.ReLU()), [])',
                         '(lambda m, h: (h.remove(), m(b))[1])(m := filled(nn.Linear(3, 2)), m.register_forward_hook(lambda s, i, o: o * 0))',
                         '(lambda m, seen: (m.register_state_dict_post_hook(lambda s, d, p, l: seen.append(sorted(d))), m.state_dict(), seen)[2])(filled(nn.Linear(3, 2)), [])'],
    'saved state of modules': ['nn.Sequential(filled(nn.Linear(3, 2)), nn.ReLU()).state_dict()', 'nn.Linear(3, 2).load_state_dict({})', 'nn.Linear(3, 2).load_state_dict({"weight": torch.ones(2, 3), "bias": torch.ones(2), "x": torch.ones(1)})', 'nn.Linear(3, 2).load_state_dict({"weight": torch.ones(3, 3), "bias": torch.ones(2)})',
                               'nn.Linear(3, 2).load_state_dict({}, strict=False)', '(lambda m: (m.load_state_dict({"weight": torch.ones(2, 3), "bias": torch.zeros(2)}), m.weight))(nn.Linear(3, 2))', 'list(dict(nn.Sequential(nn.Linear(3, 2), nn.BatchNorm1d(2)).named_buffers()))', 'nn.BatchNorm1d(2).state_dict()', '[n for n, _ in nn.Sequential(nn.Linear(1, 1), nn.Sequential(nn.ReLU())).named_modules()]',
                               'nn.Linear(3, 2).get_parameter("weight").shape', 'nn.Linear(3, 2).get_parameter("x")', 'nn.Linear(3, 2).get_submodule("x")', 'nn.Linear(3, 2).requires_grad_(False).weight.requires_grad', 'nn.Linear(3, 2).foo', 'nn.Linear(3, 2).half().weight.dtype', 'nn.Linear(3, 2).apply(lambda m: None)', 'nn.Module()(1)', 'sum(p.numel() for p in nn.LSTM(3, 2).parameters())',
                               'nn.Sequential(nn.Linear(3, 2), nn.ReLU())[-1]', 'nn.Sequential(nn.Linear(3, 2), nn.ReLU())[5]', 'nn.ModuleDict({"a": nn.ReLU()})', 'nn.ModuleDict({"a": nn.ReLU()})["b"]', 'nn.ParameterDict({"a": nn.Parameter(torch.ones(2))})', 'nn.Sequential(nn.ReLU(), nn.Tanh()).append(nn.ELU())', 'nn.Linear(3, 2).zero_grad()', 'nn.Linear(3, 2).train(False).training', 'nn.Linear(3, 2).register_buffer("weight", None)', 'nn.Linear(3, 2).register_parameter("a.b", None)', 'setattr(nn.Linear(3, 2), "weight", torch.ones(2, 3))', 'nn.Linear(3, 2).type(torch.float64).weight.dtype'],
    'clipping': ['(lambda p: (p.backward(torch.tensor([3.0, 4.0, 0.0])), nn.utils.clip_grad_norm_([a], %s), a.grad))(a * 1)' % x for x in ['1.0', '2.0, norm_type=1', '1.0, norm_type=inf', '100.0', '1.0, 0', '1.0, error_if_nonfinite=True']] +
                ['(lambda p: (p.backward(torch.tensor([3.0, -4.0, 0.0])), nn.utils.clip_grad_value_([a], 1.5), a.grad))(a * 1)', 'nn.utils.clip_grad_norm_([], 1.0)', 'nn.utils.parameters_to_vector([a, b])', 'nn.utils.vector_to_parameters(torch.ones(3), [a])', 'nn.utils.parametrizations.weight_norm(filled(nn.Linear(3, 2)))(b)', 'nn.utils.weight_norm(filled(nn.Linear(3, 2)))(b)', 'nn.utils.get_total_norm([a, b])'],
    'padded sequences': ['nn.utils.rnn.pad_sequence([torch.ones(2), torch.zeros(3)])', 'nn.utils.rnn.pad_sequence([torch.ones(2), torch.zeros(3)], batch_first=True, padding_value=-1.0)', 'nn.utils.rnn.pack_padded_sequence(torch.arange(6.0).reshape(3, 2), [3, 2])', 'nn.utils.rnn.pad_packed_sequence(nn.utils.rnn.pack_padded_sequence(torch.arange(6.0).reshape(3, 2), [3, 2]))',
                         'nn.utils.rnn.pack_padded_sequence(torch.arange(6.0).reshape(3, 2), [2, 3])', 'nn.utils.rnn.pack_padded_sequence(torch.arange(6.0).reshape(3, 2), [2, 3], enforce_sorted=False)', 'nn.utils.rnn.pack_sequence([torch.ones(2), torch.zeros(1)])', 'nn.utils.rnn.pad_sequence([torch.ones(2), torch.zeros(3)], padding_side="left")', 'nn.utils.rnn.unpad_sequence(torch.ones(3, 2), torch.tensor([3, 1]))', 'nn.utils.rnn.pad_sequence([])',
                         'filled(nn.LSTM(1, 2))(nn.utils.rnn.pack_padded_sequence(torch.arange(6.0).reshape(3, 2, 1), [3, 2]))'],
    'autograd': ['torch.autograd.grad(a.sum(), a)', 'torch.autograd.grad(a.sum(), [a, b])', 'torch.autograd.grad(a.sum(), [a, b], allow_unused=True)', 'torch.autograd.grad(a.sum(), [a, b], materialize_grads=True)', 'torch.autograd.grad(a * 2, a)', 'torch.autograd.grad(a * 2, a, torch.ones(2))', '(a * 2).backward()', '(a.detach() * 2).sum().backward()', '(lambda y: (y.backward(), y.backward()))(a.exp().sum())',
                 'torch.autograd.functional.jacobian(lambda x: x * x, a)', 'torch.autograd.functional.hessian(lambda x: (x ** 3).sum(), a)', 'torch.autograd.functional.vjp(lambda x: x * 2, a, torch.ones(3))', 'a.grad', '(a * 2).grad_fn is None', 'a.is_leaf', '(a * 2).is_leaf', '(lambda: a.add_(1))()', '(lambda: a.data.add_(1))()', '(lambda y: (y.add_(1), y.sum().backward()))(a.exp())', '(a * 2).requires_grad_(False)', 'torch.ones(2, dtype=torch.int64, requires_grad=True)',
                 'a.detach().requires_grad', '(a[0] * b).sum().backward(), a.grad, b.grad', 'torch.autograd.backward([a.sum(), b.sum()]), a.grad, b.grad', 'torch.autograd.backward(a)', 'a.numpy()', 'torch.autograd.gradcheck(lambda x: x * x, a.double().detach().requires_grad_())', '(a * 2).retain_grad()', 'torch.func.grad(lambda x: (x * x).sum())(a.detach())', 'torch.func.vmap(lambda x: x * 2)(b.detach())', 'torch.autograd.grad(a.exp().sum(), a, create_graph=True)[0].requires_grad', '(a.sum() * 2).item()', 'a.tolist()', 'float(a[0])', 'a * b.detach().numpy()'],
    'tensor subscripts': ['b[0]', 'b[-1]', 'b[5]', 'b[:, 1]', 'b[..., 0]', 'b[None]', 'b[[0, 1]]', 'b[[1, 0], [2, 1]]', 'b[b > 0]', 'b[torch.tensor([0, 0])]', 'b[True]', 'b[False]', 'b[::2]', 'b[::-1]', 'b[0, 1, 2]', "b['x']", 'b[1.0]', 'b[torch.tensor([True, False])]', 'b[torch.tensor(1)]', 'b[:, [True, False, True]]', 'b[slice(0, 1)]', 'b[()]', 'b[[]]', 'b[torch.tensor([[0, 1]])]', 'b[0:0]', 'b[5:]', 'b[:, None, :]', 'b[[True, False]]', 'b[torch.tensor([9])]', 'b[np.array([0, 1])]', 'b[np.int64(0)]', 'b[:, -1:]', 'b[(0, 1)]', 'b[torch.tensor([0, 1], dtype=torch.uint8)]', 'b[torch.tensor([0.0])]', 'b[..., None]', 'b[0][1]'] +
                         ['(lambda x: (x.__setitem__(%s), x))(b.detach().clone())' % x for x in ['0, 5', '(0, 1), 7.5', '(slice(None), 1), torch.tensor([1.0, 2.0])', 'b > 0, 0', '[0], torch.ones(1, 3)', '5, 1', '(..., 0), 3', '0, torch.ones(2)', '0, [1, 2, 3]', '[0, 0], 9', 'None, 1', '0, nan', "0, 'x'", 'torch.tensor([0, 1]), 4', '(slice(None), [True, False, True]), 8', 'b > 0, torch.ones(2)', '0, 1j', '0, 2**70', '(slice(0, 0),), 1', '(slice(None, None, 2), slice(1, None)), -1']] +
                         ['back((lambda x: (x.__setitem__(%s), x)[1])(b * 1), b)' % x for x in ['0, 5', '(slice(None), 1), 2.0', 'b > 0, 0', '[0, 0], 9']],
    'tensor operators': ['%s %s %s' % (x, op, y) for op in ['+', '-', '*', '/', '//', '%', '**', '<', '==', '!=', '>=', '&', '|', '^', '<<', '>>', '@'] for x, y in [('a', 'b'), ('a', '2'), ('2', 'a'), ('c', '3'), ('c', 'a'), ('c', 'c'), ('True', 'c'), ('c', '0.5'), ('a', 'None'), ('a', "'x'"), ('a', '[1, 2, 3]'), ('c', '2**40'), ('c', '1j'), ('c', '0'), ('c', '-3'), ('d', 'c'), ('d', 'd'), ('d', '2'), ('a', '0.0'), ('np.float64(2)', 'a'), ('a', 'np.arange(3)'), ('d', 'True')]] +
                        ['bool(a)', 'int(a[0])', 'float(c)', 'len(b)', 'abs(a)', '-c', '~c', '~d', '-d', '~a', 'list(a)', 'iter(a[0])', 'round(a)', 'a.item()', 'hash(a) == id(a)', '1 in c', '2.0 in a', 'None in a', 'repr(a)', 'str(b)', 'repr(c)', 'repr(d)', 'f"{a[0]:.2f}"', 'f"{c}"', '"%d" % c[0]', 'divmod(c, 2)', 'a.dtype', 'a.shape', 'max(c)', 'sum(c)', 'sorted(c)', 'reversed(c)', 'not a[0]', 'a and b', 'complex(a[0])', 'pow(c, 2)', 'a.__index__()', 'range(c[0])', '[1, 2, 3][c[0]]', 'math.sqrt(a[0])', 'a == None', 'a is None', 'repr(torch.tensor([]))', 'repr(b.double())', 'repr(b.to(torch.int8))', 'repr(torch.zeros(2, 0))', 'repr(torch.tensor([1e10, 1.0]))', 'repr(torch.tensor([nan, inf]))', 'repr(torch.tensor(1+2j))', 'repr(torch.arange(2000))', 'repr(b.half())'],
}


def others(samples, scale):
    leaf = ['T([0.5, -1.0, 2.0], "float32", True)', 'T([[0.5, -1.0, 2.0], [1.5, 0.0, -0.5]], "float32", True)', "T([1, -2, 3], 'int64')", "T([True, False, True], 'bool')"]
    for key, forms in OTHERS.items():
        given = leaf
        if key == 'tensor operators':
            given = ['T([0.5, -1.0, 2.0])', 'T([[0.5, -1.0, 2.0], [1.5, 0.0, -0.5]])'] + leaf[2:]

        def draw(d):
            return d.of(forms), given
        samples.keep('more', key, draw, 4 * len(forms), 4 * len(forms), 12 * len(forms))


def make(samples, scale):
    functions(samples, scale)
    modules(samples, scale)
    optimizers(samples, scale)
    distributions(samples, scale)
    initialisers(samples, scale)
    others(samples, scale)
