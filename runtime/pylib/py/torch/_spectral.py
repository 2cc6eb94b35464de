"""Windows, and stft and istft: Fourier transforms of overlapping pieces of a signal."""

import torch
from torch._results import flag


def _made(name, n, periodic, form, dtype, layout, device, requires_grad):
    """A window: of a periodic one the last of one more is left out."""
    dtype = torch.get_default_dtype() if dtype is None else dtype
    if layout is not None and layout is not torch.strided:
        raise RuntimeError(f"{name} is not implemented for sparse types, got: {layout}")
    if not (dtype.is_floating_point or dtype.is_complex):
        raise RuntimeError(f"{name} expects floating point dtypes, got: {dtype}")
    if dtype.is_complex:
        raise NotImplementedError(f"{name}(): argument 'dtype' of complex numbers is not implemented in janus-jit yet")
    if n < 0:
        raise RuntimeError(f"{name} requires non-negative window_length, got window_length={n}")
    if n <= 1:
        made = torch.ones(n, dtype=dtype, device=device)
    else:
        points = n + 1 if periodic else n
        made = form(torch.arange(points, dtype=dtype, device=device), points)[:n].clone()
    return made.requires_grad_() if requires_grad else made


def hamming_window(
    window_length, periodic=True, alpha=0.54, beta=0.46, *, dtype=None, layout=None, device=None, pin_memory=False,
    requires_grad=False,
):
    if pin_memory:
        raise RuntimeError("Need to provide pin_memory allocator to use pin memory.")
    form = lambda i, n: (i * (torch.pi * 2.0 / (n - 1))).cos() * -beta + alpha
    return _made("hamming_window", window_length, periodic, form, dtype, layout, device, requires_grad)


def hann_window(
    window_length, periodic=True, *, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False
):
    if pin_memory:
        raise RuntimeError("Need to provide pin_memory allocator to use pin memory.")
    form = lambda i, n: (i * (torch.pi * 2.0 / (n - 1))).cos() * -0.5 + 0.5
    return _made("hann_window", window_length, periodic, form, dtype, layout, device, requires_grad)


def bartlett_window(
    window_length, periodic=True, *, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False
):
    if pin_memory:
        raise RuntimeError("Need to provide pin_memory allocator to use pin memory.")

    def form(i, n):
        rising = i * (2.0 / (n - 1))
        return torch.where(i <= (n - 1) // 2, rising, 2 - rising)

    return _made("bartlett_window", window_length, periodic, form, dtype, layout, device, requires_grad)


def blackman_window(
    window_length, periodic=True, *, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False
):
    if pin_memory:
        raise RuntimeError("Need to provide pin_memory allocator to use pin memory.")

    def form(i, n):
        angle = i * (torch.pi / (n - 1))
        return (angle * 4).cos() * 0.08 - (angle * 2).cos() * 0.5 + 0.42

    return _made("blackman_window", window_length, periodic, form, dtype, layout, device, requires_grad)


def _window(window, n_fft, win_length, dtype, device):
    """The window, with zeros on both sides up to the length of a piece."""
    if window is None:
        window = torch.ones(win_length, dtype=dtype, device=device)
    if win_length == n_fft:
        return window
    left = (n_fft - win_length) // 2
    return torch.nn.functional.pad(window, (left, n_fft - win_length - left))


def stft(
    input, n_fft, hop_length=None, win_length=None, window=None, center=True, pad_mode="reflect",
    normalized=False, onesided=None, return_complex=None, align_to_window=None,
):
    flag("stft", normalized=normalized)
    for name, option in (("onesided", onesided), ("return_complex", return_complex)):
        if option is not None:
            flag("stft", **{name: option})
    if align_to_window is not None:
        if center:
            raise RuntimeError("stft align_to_window should only be set when center = false.")
        if align_to_window:
            raise NotImplementedError("stft(): argument 'align_to_window' is not implemented in janus-jit yet")
    hop_length = n_fft // 4 if hop_length is None else hop_length
    win_length = n_fft if win_length is None else win_length
    complex_input = input.is_complex() or window is not None and window.is_complex()
    if return_complex is None:
        if not complex_input:
            raise RuntimeError(
                "stft requires the return_complex parameter be given for real inputs, and will further require that return_complex=True in a future PyTorch release."
            )
        return_complex = True
    single = input.dim() == 1
    x = input.unsqueeze(0) if single else input

    def refusal(why):
        def told(option):
            return "None" if option is None else f"{option:d}"

        taps = "None" if window is None else f"{window.type()}{{{list(window.shape)}}}"
        return RuntimeError(
            f"stft({input.type()}{list(x.shape[single:])}, n_fft={n_fft}, hop_length={hop_length}, win_length={win_length}, window={taps}, "
            f"normalized={normalized:d}, onesided={told(onesided)}, return_complex={told(return_complex)}, "
            f"align_to_window={told(align_to_window)}) : {why}"
        )

    if not (input.is_floating_point() or input.is_complex()):
        raise refusal("expected a tensor of floating point or complex values")
    if input.dim() not in (1, 2):
        raise refusal("expected a 1D or 2D tensor")
    if center:
        x = torch.nn.functional.pad(x.unsqueeze(1), (n_fft // 2, n_fft // 2), pad_mode).squeeze(1)
    length = x.size(-1)
    if n_fft <= 0 or n_fft > length:
        raise refusal(f"expected 0 < n_fft < {length}, but got n_fft={n_fft}")
    if hop_length <= 0:
        raise refusal(f"expected hop_length > 0, but got hop_length={hop_length}")
    if win_length <= 0 or win_length > n_fft:
        raise refusal(f"expected 0 < win_length <= n_fft, but got win_length={win_length}")
    if window is not None and tuple(window.shape) != (win_length,):
        raise refusal(
            f"expected a 1D window tensor of size equal to win_length={win_length}, but got window with size {list(window.shape)}"
        )
    onesided = not complex_input if onesided is None else onesided
    pieces = x.unfold(-1, n_fft, hop_length)
    if window is not None or win_length < n_fft:
        pieces = pieces * _window(window, n_fft, win_length, input.dtype, input.device)
    norm = "ortho" if normalized else "backward"
    if complex_input:
        if onesided:
            raise RuntimeError("Cannot have onesided output if window or input is complex")
        spectrum = torch.fft.fft(pieces, norm=norm)
    elif onesided:
        spectrum = torch.fft.rfft(pieces, norm=norm)
    else:
        spectrum = torch.fft.fft(pieces, norm=norm)
    spectrum = spectrum.transpose(1, 2)
    if single:
        spectrum = spectrum.squeeze(0)
    return spectrum if return_complex else torch.view_as_real(spectrum)


def istft(
    input, n_fft, hop_length=None, win_length=None, window=None, center=True, normalized=False,
    onesided=None, length=None, return_complex=False,
):
    hop_length = n_fft // 4 if hop_length is None else hop_length
    win_length = n_fft if win_length is None else win_length
    if not input.is_complex():
        raise RuntimeError(
            "istft requires a complex-valued input tensor matching the output from stft with return_complex=True."
        )
    if input.dim() not in (2, 3):
        raise RuntimeError(f"istft(): expected a tensor with 2 or 3 dimensions, but got {input.dim()}")
    single = input.dim() == 2
    x = input.unsqueeze(0) if single else input
    bins, frames = x.size(1), x.size(2)
    onesided = bins != n_fft if onesided is None else onesided
    if onesided and n_fft // 2 + 1 != bins:
        raise RuntimeError(
            f"istft(): expected the frequency dimension (3rd to the last) of the input tensor to match n_fft / 2 + 1 when onesided=True, but got {bins}"
        )
    if not onesided and n_fft != bins:
        raise RuntimeError(
            f"istft(): expected the frequency dimension (3rd to the last) of the input tensor to match n_fft when onesided=False, but got {bins}"
        )
    if not 0 < hop_length <= win_length:
        raise RuntimeError("istft(): expected 0 < hop_length <= win_length")
    if not 0 < win_length <= n_fft:
        raise RuntimeError("istft(): expected 0 < win_length <= n_fft")
    real = torch.view_as_real(input).dtype
    taps = _window(window, n_fft, win_length, real, input.device)
    norm = "ortho" if normalized else "backward"
    pieces = x.transpose(1, 2)
    if return_complex:
        if onesided:
            raise RuntimeError("cannot have onesided output if window or input is complex")
        pieces = torch.fft.ifft(pieces, norm=norm)
    elif onesided:
        pieces = torch.fft.irfft(pieces, n=n_fft, norm=norm)
    else:
        # The second half is taken to be the first one's conjugate, whatever it says.
        pieces = torch.fft.irfft(pieces[..., : n_fft // 2 + 1], n=n_fft, norm=norm)
    pieces = pieces * taps
    whole = n_fft + hop_length * (frames - 1)
    device = pieces.device
    starts = torch.arange(frames, device=device).unsqueeze(1) * hop_length
    places = (starts + torch.arange(n_fft, device=device)).reshape(-1)
    signal = torch.zeros(x.size(0), whole, dtype=pieces.dtype, device=device)
    signal = signal.index_add(1, places, pieces.reshape(x.size(0), -1))
    weight = torch.zeros(whole, dtype=taps.dtype, device=taps.device).index_add(0, places, (taps * taps).repeat(frames))
    start = n_fft // 2 if center else 0
    end = start + length if length is not None else whole - n_fft // 2 if center else whole
    signal, weight = signal[:, start:end], weight[start:end]
    if weight.numel() == 0 or weight.abs().min() <= 1e-11:
        raise RuntimeError("window overlap add min: 1")
    signal = signal / weight
    if length is not None and signal.size(1) < length:
        signal = torch.nn.functional.pad(signal, (0, length - signal.size(1)))
    return signal.squeeze(0) if single else signal
