"""The part of the package tokenizers that is in Rust behind CPython's interface: `AddedToken`, which packages make when they
are imported, is there; what would tokenize is refused where it is made."""

import importlib.metadata
import types

from _refused import Absent

try:
    __version__ = importlib.metadata.version("tokenizers")
except importlib.metadata.PackageNotFoundError:
    __version__ = "0"


class AddedToken:
    """A token, and how it is found in a text."""

    __module__ = "tokenizers"
    __slots__ = ("content", "single_word", "lstrip", "rstrip", "normalized", "special")

    def __init__(self, content="", single_word=False, lstrip=False, rstrip=False, normalized=None, special=False):
        self.content, self.single_word, self.lstrip, self.rstrip = content, single_word, lstrip, rstrip
        self.normalized, self.special = not special if normalized is None else normalized, special

    def _key(self):
        return tuple(getattr(self, name) for name in self.__slots__)

    def __eq__(self, other):
        return isinstance(other, AddedToken) and self._key() == other._key()

    def __hash__(self):
        return hash(self.content)

    def __str__(self):
        return self.content

    def __repr__(self):
        shown = ", ".join(f"{name}={getattr(self, name)}" for name in self.__slots__[1:])
        return f'AddedToken("{self.content}", {shown})'

    def __getstate__(self):
        return {name: getattr(self, name) for name in self.__slots__}

    def __setstate__(self, state):
        for name in self.__slots__:
            if name in state:
                setattr(self, name, state[name])


_WHY = "the package tokenizers is in Rust behind CPython's interface"


def _define(module, names):
    base = None
    for name in names.split():
        made = Absent(name, () if base is None else (base,), {"__module__": module, "_why": _WHY})
        # The first one is what the others derive from.
        base = made if base is None else base
        yield name, made


def _module(name, names):
    made = types.ModuleType(f"tokenizers.{name}")
    vars(made).update(_define(made.__name__, names))
    return made


for _name in "Encoding NormalizedString PreTokenizedString Regex Token Tokenizer".split():
    globals().update(_define("tokenizers", _name))
decoders = _module("decoders", "Decoder ByteLevel Replace WordPiece ByteFallback Fuse Strip Metaspace BPEDecoder CTC Sequence "
                               "DecodeStream")
models = _module("models", "Model BPE Unigram WordLevel WordPiece")
normalizers = _module("normalizers", "Normalizer BertNormalizer NFD NFKD NFC NFKC Sequence Lowercase Prepend Strip "
                                     "StripAccents Nmt Precompiled Replace ByteLevel")
pre_tokenizers = _module("pre_tokenizers", "PreTokenizer BertPreTokenizer ByteLevel CharDelimiterSplit Digits FixedLength "
                                           "Metaspace Punctuation Sequence Split UnicodeScripts Whitespace WhitespaceSplit")
processors = _module("processors", "PostProcessor BertProcessing ByteLevel RobertaProcessing Sequence TemplateProcessing")
trainers = _module("trainers", "Trainer BpeTrainer ParityBpeTrainer UnigramTrainer WordLevelTrainer WordPieceTrainer")
