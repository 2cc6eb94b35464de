# torch.fft: transforms of all kinds, lengths, dimensions and norms, with gradients; stft and istft, windows.
import torch

torch.manual_seed(0)

def rounded(t):
    """Without noise, and without negative zeros."""
    if t.is_complex():
        return [complex(round(v.real, 6) + 0.0, round(v.imag, 6) + 0.0) for v in t.flatten().tolist()]
    return [round(v, 6) + 0.0 for v in t.flatten().tolist()]

def show(name, f, *xs):
    xs = [x.clone().requires_grad_() for x in xs]
    y = f(*xs)
    print(name, tuple(y.shape), y.dtype, y.grad_fn.name(), rounded(y.detach())[:6])
    weight = torch.arange(1, y.numel() + 1, dtype=torch.float64).reshape(y.shape)
    loss = (y.abs().square() * weight).sum() if y.is_complex() else (y.square() * weight).sum()
    loss.backward()
    for x in xs:
        print('   ', rounded(x.grad)[:6])

r = torch.randn(2, 3, 8, dtype=torch.float64)
z = torch.randn(2, 3, 8, dtype=torch.complex128)
F = torch.fft
for name in ('fft', 'ifft', 'rfft', 'ihfft'):
    f = getattr(F, name)
    for options in ({}, {'n': 5}, {'n': 11}, {'dim': 1}, {'dim': 0, 'norm': 'ortho'}, {'norm': 'forward'}):
        show(f'{name} {options}', lambda x: f(x, **options), r)
for name in ('fft', 'ifft', 'irfft', 'hfft'):
    f = getattr(F, name)
    for options in ({}, {'n': 5}, {'n': 13}, {'dim': 1}, {'dim': 1, 'n': 4, 'norm': 'ortho'}, {'norm': 'forward'}):
        show(f'{name} {options} complex', lambda x: f(x, **options), z)
for name in ('fft2', 'ifft2', 'fftn', 'ifftn', 'irfft2', 'irfftn', 'hfft2', 'hfftn'):
    f = getattr(F, name)
    for options in ({}, {'s': (2, 5)}, {'dim': (0, 2)}, {'s': (3, 4), 'dim': (2, 1), 'norm': 'ortho'}):
        show(f'{name} {options}', lambda x: f(x, **options), z)
for name in ('rfft2', 'rfftn', 'ihfft2', 'ihfftn'):
    f = getattr(F, name)
    for options in ({}, {'s': (2, 5)}, {'dim': (0, 2)}, {'norm': 'ortho'}):
        show(f'{name} {options}', lambda x: f(x, **options), r)

x = torch.tensor([1., 2, 3, 4])
w = x.to(torch.complex64)
def t(s):
    try: print(s, '->', eval(s))
    except Exception as e: print(s, '!!', type(e).__name__, str(e).split('\n')[0])
for s in '''F.fft(x)
F.fft(torch.tensor([1, 2, 3, 4]))
F.fft(x.half())
F.fft(x, n=0)
F.fft(x, dim=3)
F.fft(x, norm='bad')
F.rfft(w)
F.ihfft(w)
F.fft2(x)
F.fftn(x, s=(2, 2))
F.fftn(x.reshape(2, 2), s=(2,))
F.fftn(x.reshape(2, 2), dim=(0, 0))
F.fftn(x.reshape(2, 2), s=(2, 3), dim=(0,))
F.fftfreq(5)
F.fftfreq(5, d=0.5)
F.rfftfreq(6, 2.0)
F.fftfreq(4, dtype=torch.float64)
F.fftshift(x)
F.fftshift(torch.arange(6).reshape(2, 3))
F.ifftshift(torch.arange(6).reshape(2, 3), dim=1)
F.fft(torch.empty(0))
F.irfft(x[:1])
F.irfft(w, n=4)
F.ifft(F.fft(w)).real
torch.hann_window(8)
torch.hann_window(7, periodic=False)
torch.hamming_window(6)
torch.blackman_window(6, dtype=torch.float64)
torch.bartlett_window(6)
torch.hann_window(1)
torch.hann_window(-1)
torch.stft(torch.arange(16.), 8)
torch.stft(torch.arange(4.), 8, return_complex=True, center=False)'''.split('\n'): t(s)
signal = torch.randn(2, 40, dtype=torch.float64)
window = torch.hann_window(8, dtype=torch.float64)
for options in ({}, {'center': False}, {'normalized': True}, {'onesided': False}, {'hop_length': 4}, {'win_length': 6, 'window': window[:6]}, {'pad_mode': 'constant'}):
    options = {'window': window, **options}
    print(rounded(torch.stft(signal, 8, return_complex=True, **options))[:7])
s = torch.stft(signal, 8, window=window, return_complex=True)
print(s.shape, torch.view_as_real(s).shape)
back = torch.istft(s, 8, window=window, length=40)
print(back.shape, torch.allclose(back, signal))
x = signal.clone().requires_grad_()
torch.stft(x, 8, window=window, return_complex=True).abs().square().sum().backward()
print(rounded(x.grad)[:6])
# A filter by way of its spectrum.
kernel = torch.tensor([0.25, 0.5, 0.25], dtype=torch.float64)
print(rounded(F.irfft(F.rfft(signal[0, :8], n=10) * F.rfft(kernel, n=10), n=10)))
