"""What CPython's parser of regular expressions asks of the engine."""

MAXREPEAT = 4294967295
MAXGROUPS = 1073741823
MAGIC = 20220615
CODESIZE = 4


def ascii_iscased(character):
    return character < 128 and chr(character).isalpha()


def ascii_tolower(character):
    return ord(chr(character).lower()) if character < 128 else character


def unicode_iscased(character):
    return chr(character).lower() != chr(character) or chr(character).upper() != chr(character)


def unicode_tolower(character):
    lower = chr(character).lower()
    return ord(lower) if len(lower) == 1 else character
