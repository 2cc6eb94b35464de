"""INI files."""

from _refused import refused

__all__ = ["ConfigParser", "RawConfigParser", "Error", "NoSectionError", "NoOptionError", "DuplicateSectionError",
           "DuplicateOptionError", "ParsingError", "MissingSectionHeaderError"]


class Error(Exception):
    pass


class NoSectionError(Error):
    def __init__(self, section):
        super().__init__(f"No section: {section!r}")
        self.section = section


class NoOptionError(Error):
    def __init__(self, option, section):
        super().__init__(f"No option {option!r} in section: {section!r}")
        self.option, self.section = option, section


class DuplicateSectionError(Error):
    pass


class DuplicateOptionError(Error):
    pass


class ParsingError(Error):
    pass


class MissingSectionHeaderError(ParsingError):
    pass


_UNSET = object()
_BOOLEANS = {"1": True, "yes": True, "true": True, "on": True, "0": False, "no": False, "false": False, "off": False}


class SectionProxy:
    def __init__(self, parser, name):
        self._parser, self.name = parser, name

    def __getitem__(self, key):
        if not self._parser.has_option(self.name, key):
            raise KeyError(key)
        return self._parser.get(self.name, key)

    def __setitem__(self, key, value):
        self._parser.set(self.name, key, value)

    def __delitem__(self, key):
        if not self._parser.remove_option(self.name, key):
            raise KeyError(key)

    def __contains__(self, key):
        return self._parser.has_option(self.name, key)

    def __iter__(self):
        return iter(self._parser.options(self.name) if self.name != "DEFAULT" else self._parser.defaults())

    def __len__(self):
        return len(list(iter(self)))

    def keys(self):
        return list(self)

    def items(self):
        return [(key, self[key]) for key in self]

    def values(self):
        return [self[key] for key in self]

    def get(self, option, fallback=None, **kwargs):
        return self._parser.get(self.name, option, fallback=fallback, **kwargs)

    def getint(self, option, fallback=None):
        return self._parser.getint(self.name, option, fallback=fallback)

    def getfloat(self, option, fallback=None):
        return self._parser.getfloat(self.name, option, fallback=fallback)

    def getboolean(self, option, fallback=None):
        return self._parser.getboolean(self.name, option, fallback=fallback)

    def __repr__(self):
        return f"<Section: {self.name}>"


class RawConfigParser:
    _interpolates = False

    def __init__(self, defaults=None, dict_type=dict, allow_no_value=False, *, delimiters=("=", ":"),
                 comment_prefixes=("#", ";"), inline_comment_prefixes=None, strict=True, empty_lines_in_values=True,
                 default_section="DEFAULT", interpolation=_UNSET, converters=None):
        if dict_type is not dict:
            raise refused("configparser.RawConfigParser", "dict_type")
        if not strict:
            raise refused("configparser.RawConfigParser", "strict")
        if not empty_lines_in_values:
            raise refused("configparser.RawConfigParser", "empty_lines_in_values")
        if converters is not None:
            raise refused("configparser.RawConfigParser", "converters")
        self._defaults = {}
        self._sections = {}
        self._allow_no_value = allow_no_value
        self._delimiters, self._comments = delimiters, comment_prefixes
        self._inline = inline_comment_prefixes or ()
        self._interpolate = self._interpolates and interpolation is not None
        self.default_section = default_section
        for key, value in (defaults or {}).items():
            self._defaults[self.optionxform(key)] = value

    def optionxform(self, optionstr):
        return optionstr.lower()

    def defaults(self):
        return self._defaults

    def sections(self):
        return list(self._sections)

    def add_section(self, section):
        if section in self._sections:
            raise DuplicateSectionError(f"Section {section!r} already exists")
        self._sections[section] = {}

    def has_section(self, section):
        return section in self._sections

    def _section(self, section):
        if section == self.default_section:
            return self._defaults
        if section not in self._sections:
            raise NoSectionError(section)
        return self._sections[section]

    def options(self, section):
        return list({**self._section(section), **self._defaults})

    def has_option(self, section, option):
        option = self.optionxform(option)
        return section in self._sections and option in self._sections[section] or option in self._defaults \
            and (section in self._sections or section == self.default_section)

    def read(self, filenames, encoding=None):
        import os
        if isinstance(filenames, (str, bytes, os.PathLike)):
            filenames = [filenames]
        read = []
        for name in filenames:
            try:
                with open(name, encoding=encoding) as file:
                    self.read_file(file, name)
            except OSError:
                continue
            read.append(os.fspath(name))
        return read

    def read_string(self, string, source="<string>"):
        self.read_file(string.splitlines(True), source)

    def read_dict(self, dictionary, source="<dict>"):
        if source != "<dict>":
            raise refused("configparser.RawConfigParser.read_dict", "source")
        for section, values in dictionary.items():
            if section != self.default_section and section not in self._sections:
                self.add_section(section)
            for key, value in values.items():
                self._section(section)[self.optionxform(str(key))] = None if value is None else str(value)

    def read_file(self, f, source=None):
        current = option = None
        for number, line in enumerate(f, 1):
            for prefix in self._inline:
                at = line.find(prefix)
                if at == 0 or at > 0 and line[at - 1].isspace():
                    line = line[:at]
            stripped = line.strip()
            if not stripped or stripped.startswith(tuple(self._comments)):
                continue
            if line[0].isspace() and option is not None and current is not None and current[option] is not None:
                current[option] += "\n" + stripped
                continue
            if stripped.startswith("[") and "]" in stripped:
                name = stripped[1:stripped.index("]")]
                if name == self.default_section:
                    current = self._defaults
                else:
                    current = self._sections.setdefault(name, {})
                option = None
                continue
            if current is None:
                raise MissingSectionHeaderError(
                    f"File contains no section headers.\nfile: {source!r}, line: {number}\n{line!r}")
            at = min((i for i in (stripped.find(d) for d in self._delimiters) if i > 0), default=-1)
            if at < 0:
                if not self._allow_no_value:
                    raise ParsingError(f"Source contains parsing errors: {source!r}\n\t[line {number:2d}]: {line!r}")
                option = self.optionxform(stripped)
                current[option] = None
                continue
            option = self.optionxform(stripped[:at].rstrip())
            current[option] = stripped[at + 1:].strip()

    def get(self, section, option, *, raw=False, vars=None, fallback=_UNSET):
        try:
            values = {**self._defaults, **self._section(section), **(vars or {})}
        except NoSectionError:
            if fallback is _UNSET:
                raise
            return fallback
        key = self.optionxform(option)
        if key not in values:
            if fallback is _UNSET:
                raise NoOptionError(option, section)
            return fallback
        value = values[key]
        if self._interpolate and not raw and value is not None and "%" in value:
            for _ in range(10):
                if "%(" not in value:
                    break
                value = value.replace("%%", "%%%%") % {k: v for k, v in values.items()}
            value = value.replace("%%", "%")
        return value

    def _converted(self, section, option, convert, fallback):
        try:
            value = self.get(section, option)
        except (NoSectionError, NoOptionError):
            if fallback is _UNSET:
                raise
            return fallback
        return convert(value)

    def getint(self, section, option, *, fallback=_UNSET, **kwargs):
        if kwargs:
            raise refused("configparser.RawConfigParser.getint", "kwargs")
        return self._converted(section, option, int, fallback)

    def getfloat(self, section, option, *, fallback=_UNSET, **kwargs):
        if kwargs:
            raise refused("configparser.RawConfigParser.getfloat", "kwargs")
        return self._converted(section, option, float, fallback)

    def getboolean(self, section, option, *, fallback=_UNSET, **kwargs):
        if kwargs:
            raise refused("configparser.RawConfigParser.getboolean", "kwargs")
        def convert(value):
            if value.lower() not in _BOOLEANS:
                raise ValueError(f"Not a boolean: {value}")
            return _BOOLEANS[value.lower()]

        return self._converted(section, option, convert, fallback)

    def items(self, section=_UNSET, raw=False, vars=None):
        if vars is not None:
            raise refused("configparser.RawConfigParser.items", "vars")
        if section is _UNSET:
            return [(name, self[name]) for name in self]
        return [(key, self.get(section, key, raw=raw)) for key in {**self._defaults, **self._section(section)}]

    def set(self, section, option, value=None):
        if value is not None and not isinstance(value, str):
            raise TypeError("option values must be strings")
        self._section(section)[self.optionxform(option)] = value

    def remove_option(self, section, option):
        return self._section(section).pop(self.optionxform(option), _UNSET) is not _UNSET

    def remove_section(self, section):
        return self._sections.pop(section, None) is not None

    def write(self, fp, space_around_delimiters=True):
        delimiter = " = " if space_around_delimiters else "="
        for name, values in [(self.default_section, self._defaults), *self._sections.items()]:
            if name == self.default_section and not values:
                continue
            fp.write(f"[{name}]\n")
            for key, value in values.items():
                fp.write(key + ("" if value is None else delimiter + str(value).replace("\n", "\n\t")) + "\n")
            fp.write("\n")

    def __getitem__(self, key):
        if key != self.default_section and key not in self._sections:
            raise KeyError(key)
        return SectionProxy(self, key)

    def __setitem__(self, key, value):
        self._sections.pop(key, None)
        self.read_dict({key: value})

    def __delitem__(self, key):
        if not self.remove_section(key):
            raise KeyError(key)

    def __contains__(self, key):
        return key == self.default_section or key in self._sections

    def __iter__(self):
        return iter([self.default_section, *self._sections])

    def __len__(self):
        return len(self._sections) + 1


class ConfigParser(RawConfigParser):
    _interpolates = True
