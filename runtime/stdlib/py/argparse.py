"""Command line parsing. The help text is laid out in `_argparse_help`."""

import os
import sys

from _argparse_help import (SUPPRESS, ArgumentDefaultsHelpFormatter, HelpFormatter, MetavarTypeHelpFormatter,
                            RawDescriptionHelpFormatter, RawTextHelpFormatter)

__all__ = ["ArgumentParser", "ArgumentError", "ArgumentTypeError", "BooleanOptionalAction", "FileType",
           "HelpFormatter", "ArgumentDefaultsHelpFormatter", "RawDescriptionHelpFormatter",
           "RawTextHelpFormatter", "MetavarTypeHelpFormatter", "Namespace", "Action", "ONE_OR_MORE",
           "OPTIONAL", "PARSER", "REMAINDER", "SUPPRESS", "ZERO_OR_MORE"]

OPTIONAL = "?"
ZERO_OR_MORE = "*"
ONE_OR_MORE = "+"
PARSER = "A..."
REMAINDER = "..."


class ArgumentError(Exception):
    def __init__(self, argument, message):
        self.argument_name = _action_name(argument)
        self.message = message

    def __str__(self):
        if self.argument_name is None:
            return self.message
        return f"argument {self.argument_name}: {self.message}"


class ArgumentTypeError(Exception):
    pass


def _action_name(action):
    if action is None:
        return None
    if action.option_strings:
        return "/".join(action.option_strings)
    if action.metavar not in (None, SUPPRESS):
        return action.metavar if isinstance(action.metavar, str) else "/".join(action.metavar)
    if action.dest not in (None, SUPPRESS):
        return action.dest
    if action.choices:
        return "{" + ",".join(map(str, action.choices)) + "}"
    return None


class Namespace:
    def __init__(self, **kwargs):
        for name in kwargs:
            setattr(self, name, kwargs[name])

    def __repr__(self):
        shown = []
        starred = {}
        for name, value in self.__dict__.items():
            if name.isidentifier():
                shown.append(f"{name}={value!r}")
            else:
                starred[name] = value
        if starred:
            shown.append(f"**{starred!r}")
        return f"{type(self).__name__}({', '.join(shown)})"

    def __eq__(self, other):
        if not isinstance(other, Namespace):
            return NotImplemented
        return vars(self) == vars(other)

    def __contains__(self, key):
        return key in self.__dict__


class Action:
    def __init__(self, option_strings, dest, nargs=None, const=None, default=None, type=None,
                 choices=None, required=False, help=None, metavar=None):
        self.option_strings = option_strings
        self.dest = dest
        self.nargs = nargs
        self.const = const
        self.default = default
        self.type = type
        self.choices = choices
        self.required = required
        self.help = help
        self.metavar = metavar

    def __repr__(self):
        names = ["option_strings", "dest", "nargs", "const", "default", "type", "choices",
                 "required", "help", "metavar"]
        return f"{type(self).__name__}({', '.join(f'{n}={getattr(self, n)!r}' for n in names)})"

    def format_usage(self):
        return self.option_strings[0]

    def __call__(self, parser, namespace, values, option_string=None):
        raise NotImplementedError(".__call__() not defined")


class _StoreAction(Action):
    def __init__(self, option_strings, dest, nargs=None, const=None, **kwargs):
        if nargs == 0:
            raise ValueError("nargs for store actions must be != 0; if you have nothing to store, "
                             "actions such as store true or store const may be more appropriate")
        if const is not None and nargs != OPTIONAL:
            raise ValueError(f"nargs must be {OPTIONAL!r} to supply const")
        super().__init__(option_strings, dest, nargs=nargs, const=const, **kwargs)

    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, values)


class _StoreConstAction(Action):
    def __init__(self, option_strings, dest, const=None, default=None, required=False, help=None,
                 metavar=None):
        super().__init__(option_strings, dest, nargs=0, const=const, default=default,
                         required=required, help=help)

    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, self.const)


class _StoreTrueAction(_StoreConstAction):
    def __init__(self, option_strings, dest, default=False, required=False, help=None):
        super().__init__(option_strings, dest, const=True, default=default, required=required, help=help)


class _StoreFalseAction(_StoreConstAction):
    def __init__(self, option_strings, dest, default=True, required=False, help=None):
        super().__init__(option_strings, dest, const=False, default=default, required=required, help=help)


class BooleanOptionalAction(Action):
    def __init__(self, option_strings, dest, default=None, type=None, choices=None, required=False,
                 help=None, metavar=None):
        names = []
        for option in option_strings:
            names.append(option)
            if option.startswith("--"):
                names.append("--no-" + option[2:])
        if help is not None and default is not None and default is not SUPPRESS:
            help += " (default: %(default)s)"
        super().__init__(names, dest, nargs=0, default=default, type=type, choices=choices,
                         required=required, help=help, metavar=metavar)

    def __call__(self, parser, namespace, values, option_string=None):
        if option_string in self.option_strings:
            setattr(namespace, self.dest, not option_string.startswith("--no-"))

    def format_usage(self):
        return " | ".join(self.option_strings)


def _extended(namespace, dest):
    """A copy of the list collected so far: the default must not be changed."""
    items = getattr(namespace, dest, None)
    return [] if items is None else list(items)


class _AppendAction(_StoreAction):
    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, _extended(namespace, self.dest) + [values])


class _ExtendAction(_StoreAction):
    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, _extended(namespace, self.dest) + list(values))


class _AppendConstAction(_StoreConstAction):
    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, _extended(namespace, self.dest) + [self.const])


class _CountAction(Action):
    def __init__(self, option_strings, dest, default=None, required=False, help=None):
        super().__init__(option_strings, dest, nargs=0, default=default, required=required, help=help)

    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, (getattr(namespace, self.dest, None) or 0) + 1)


class _HelpAction(Action):
    def __init__(self, option_strings, dest=SUPPRESS, default=SUPPRESS, help=None):
        super().__init__(option_strings, dest, nargs=0, default=default, help=help)

    def __call__(self, parser, namespace, values, option_string=None):
        parser.print_help()
        parser.exit()


class _VersionAction(Action):
    def __init__(self, option_strings, version=None, dest=SUPPRESS, default=SUPPRESS,
                 help="show program's version number and exit"):
        super().__init__(option_strings, dest, nargs=0, default=default, help=help)
        self.version = version

    def __call__(self, parser, namespace, values, option_string=None):
        version = parser.version if self.version is None else self.version
        formatter = parser._get_formatter()
        formatter.add_text(version)
        parser._print_message(formatter.format_help(), sys.stdout)
        parser.exit()


class _ChoicePseudoAction(Action):
    def __init__(self, name, aliases, help):
        metavar = name + (f" ({', '.join(aliases)})" if aliases else "")
        super().__init__([], name, help=help, metavar=metavar)


class _SubParsersAction(Action):
    def __init__(self, option_strings, prog, parser_class, dest=SUPPRESS, required=False, help=None,
                 metavar=None):
        self._prog_prefix = prog
        self._parser_class = parser_class
        self._name_parser_map = {}
        self._choices_actions = []
        super().__init__(option_strings, dest, nargs=PARSER, choices=self._name_parser_map,
                         required=required, help=help, metavar=metavar)

    def add_parser(self, name, *, aliases=(), **kwargs):
        if kwargs.get("prog") is None:
            kwargs["prog"] = f"{self._prog_prefix} {name}"
        if name in self._name_parser_map:
            raise ArgumentError(self, f"conflicting subparser: {name}")
        if "help" in kwargs:
            self._choices_actions.append(_ChoicePseudoAction(name, aliases, kwargs.pop("help")))
        parser = self._parser_class(**kwargs)
        self._name_parser_map[name] = parser
        for alias in aliases:
            self._name_parser_map[alias] = parser
        return parser

    def _get_subactions(self):
        return self._choices_actions

    def __call__(self, parser, namespace, values, option_string=None):
        name, rest = values[0], values[1:]
        if self.dest is not SUPPRESS:
            setattr(namespace, self.dest, name)
        try:
            chosen = self._name_parser_map[name]
        except KeyError:
            known = ", ".join(self._name_parser_map)
            raise ArgumentError(self, f"unknown parser {name!r} (choices: {known})") from None
        inner, unrecognized = chosen.parse_known_args(rest, None)
        for key, value in vars(inner).items():
            setattr(namespace, key, value)
        if unrecognized:
            vars(namespace).setdefault(_UNRECOGNIZED, [])
            getattr(namespace, _UNRECOGNIZED).extend(unrecognized)


_UNRECOGNIZED = "_unrecognized_args"


class FileType:
    def __init__(self, mode="r", bufsize=-1, encoding=None, errors=None):
        self._mode, self._encoding, self._errors = mode, encoding, errors

    def __call__(self, string):
        if string == "-":
            return sys.stdin if "r" in self._mode else sys.stdout
        try:
            return open(string, self._mode, encoding=self._encoding, errors=self._errors)
        except OSError as e:
            raise ArgumentTypeError(f"can't open '{string}': {e}")

    def __repr__(self):
        return f"{type(self).__name__}({self._mode!r})"


_ACTIONS = {
    None: _StoreAction, "store": _StoreAction, "store_const": _StoreConstAction,
    "store_true": _StoreTrueAction, "store_false": _StoreFalseAction, "append": _AppendAction,
    "append_const": _AppendConstAction, "count": _CountAction, "help": _HelpAction,
    "version": _VersionAction, "extend": _ExtendAction, "parsers": _SubParsersAction,
}


class _ActionsContainer:
    """What parsers and argument groups have in common: arguments are added to it."""

    def __init__(self, description, prefix_chars, argument_default, conflict_handler):
        self.description = description
        self.prefix_chars = prefix_chars
        self.argument_default = argument_default
        self.conflict_handler = conflict_handler
        self._registries = {"action": dict(_ACTIONS), "type": {None: lambda string: string}}
        self._actions = []
        self._option_string_actions = {}
        self._action_groups = []
        self._mutually_exclusive_groups = []
        self._defaults = {}
        # Not empty once an option looks like a negative number.
        self._has_negative_number_optionals = []

    def register(self, registry_name, value, object):
        self._registries[registry_name][value] = object

    def _registry_get(self, registry_name, value, default=None):
        try:
            return self._registries[registry_name].get(value, default)
        except TypeError:
            return default

    def set_defaults(self, **kwargs):
        self._defaults.update(kwargs)
        for action in self._actions:
            if action.dest in kwargs:
                action.default = kwargs[action.dest]

    def get_default(self, dest):
        for action in self._actions:
            if action.dest == dest and action.default is not None:
                return action.default
        return self._defaults.get(dest)

    def add_argument(self, *args, **kwargs):
        chars = self.prefix_chars
        if not args or len(args) == 1 and args[0][0] not in chars:
            if args and "dest" in kwargs:
                raise ValueError("dest supplied twice for positional argument")
            kwargs = self._get_positional_kwargs(*args, **kwargs)
        else:
            kwargs = self._get_optional_kwargs(*args, **kwargs)
        if "default" not in kwargs:
            dest = kwargs["dest"]
            if dest in self._defaults:
                kwargs["default"] = self._defaults[dest]
            elif self.argument_default is not None:
                kwargs["default"] = self.argument_default
        action_class = kwargs.pop("action", None)
        action_class = self._registry_get("action", action_class, action_class)
        if not callable(action_class):
            raise ValueError(f'unknown action "{action_class}"')
        action = action_class(**kwargs)
        type_func = self._registry_get("type", action.type, action.type)
        if not callable(type_func):
            raise ValueError(f"{type_func!r} is not callable")
        if type_func is FileType:
            raise ValueError(f"{type_func!r} is a FileType class object, instance of it must be passed")
        if isinstance(action.metavar, tuple):
            expected = action.nargs if isinstance(action.nargs, int) else {None: 1, OPTIONAL: 1, ONE_OR_MORE: 2}.get(action.nargs)
            if expected is not None and len(action.metavar) != expected:
                raise ValueError("length of metavar tuple does not match nargs")
        return self._add_action(action)

    def add_argument_group(self, *args, **kwargs):
        group = _ArgumentGroup(self, *args, **kwargs)
        self._action_groups.append(group)
        return group

    def add_mutually_exclusive_group(self, **kwargs):
        group = _MutuallyExclusiveGroup(self, **kwargs)
        self._mutually_exclusive_groups.append(group)
        return group

    def _add_action(self, action):
        self._check_conflict(action)
        self._actions.append(action)
        action.container = self
        for option_string in action.option_strings:
            self._option_string_actions[option_string] = action
            if _is_negative_number(option_string):
                if not self._has_negative_number_optionals:
                    self._has_negative_number_optionals.append(True)
        return action

    def _remove_action(self, action):
        self._actions.remove(action)

    def _get_positional_kwargs(self, dest=None, **kwargs):
        if dest is None:
            dest = kwargs.pop("dest")
        if "required" in kwargs:
            raise TypeError("'required' is an invalid argument for positionals")
        nargs = kwargs.get("nargs")
        if nargs not in (OPTIONAL, ZERO_OR_MORE, REMAINDER, SUPPRESS, 0):
            kwargs["required"] = True
        if nargs == ZERO_OR_MORE and "default" not in kwargs:
            kwargs["required"] = True
        return dict(kwargs, dest=dest, option_strings=[])

    def _get_optional_kwargs(self, *args, **kwargs):
        long_options = []
        for option in args:
            if option[0] not in self.prefix_chars:
                raise ValueError(f"invalid option string {option!r}: must start with a character "
                                 f"{self.prefix_chars!r}")
            if len(option) > 1 and option[1] in self.prefix_chars:
                long_options.append(option)
        dest = kwargs.pop("dest", None)
        if dest is None:
            dest = (long_options or args)[0].lstrip(self.prefix_chars)
            if not dest:
                raise ValueError(f"dest= is required for options like {args[0]!r}")
            dest = dest.replace("-", "_")
        return dict(kwargs, dest=dest, option_strings=list(args))

    def _check_conflict(self, action):
        conflicts = [(option, self._option_string_actions[option]) for option in action.option_strings
                     if option in self._option_string_actions]
        if not conflicts:
            return
        if self.conflict_handler == "resolve":
            for option, known in conflicts:
                known.option_strings.remove(option)
                self._option_string_actions.pop(option, None)
                if not known.option_strings:
                    known.container._remove_action(known)
            return
        names = ", ".join(option for option, _ in conflicts)
        plural = "s" if len(conflicts) > 1 else ""
        raise ArgumentError(action, f"conflicting option string{plural}: {names}")


class _ArgumentGroup(_ActionsContainer):
    def __init__(self, container, title=None, description=None, **kwargs):
        super().__init__(description, kwargs.get("prefix_chars", container.prefix_chars),
                         kwargs.get("argument_default", container.argument_default),
                         kwargs.get("conflict_handler", container.conflict_handler))
        self.title = title
        self._container = container
        self._group_actions = []
        # Shared with the parser, which does the parsing.
        self._registries = container._registries
        self._actions = container._actions
        self._option_string_actions = container._option_string_actions
        self._defaults = container._defaults
        self._has_negative_number_optionals = container._has_negative_number_optionals
        self._mutually_exclusive_groups = container._mutually_exclusive_groups

    def _add_action(self, action):
        action = super()._add_action(action)
        self._group_actions.append(action)
        return action

    def _remove_action(self, action):
        super()._remove_action(action)
        self._group_actions.remove(action)


class _MutuallyExclusiveGroup(_ArgumentGroup):
    def __init__(self, container, required=False):
        super().__init__(container)
        self.required = required

    def _add_action(self, action):
        if action.required:
            raise ValueError("mutually exclusive arguments must be optional")
        action = self._container._add_action(action)
        self._group_actions.append(action)
        return action


def _is_negative_number(text):
    """`-1`, `-1.5` or `-.5`."""
    if not text.startswith("-"):
        return False
    whole, dot, fraction = text[1:].partition(".")
    if not dot:
        return whole.isdigit()
    return (whole == "" or whole.isdigit()) and fraction.isdigit()


def _bounds(nargs):
    """The fewest and the most arguments that `nargs` takes."""
    if nargs is None:
        return 1, 1
    if nargs == OPTIONAL:
        return 0, 1
    if nargs in (ZERO_OR_MORE, REMAINDER):
        return 0, sys.maxsize
    if nargs in (ONE_OR_MORE, PARSER):
        return 1, sys.maxsize
    if nargs == SUPPRESS:
        return 0, 0
    try:
        return int(nargs), int(nargs)
    except (TypeError, ValueError):
        raise ValueError("invalid nargs value") from None


class ArgumentParser(_ActionsContainer):
    def __init__(self, prog=None, usage=None, description=None, epilog=None, parents=(),
                 formatter_class=HelpFormatter, prefix_chars="-", fromfile_prefix_chars=None,
                 argument_default=None, conflict_handler="error", add_help=True, allow_abbrev=True,
                 exit_on_error=True):
        super().__init__(description, prefix_chars, argument_default, conflict_handler)
        self.prog = os.path.basename(sys.argv[0]) if prog is None else prog
        self.usage = usage
        self.epilog = epilog
        self.formatter_class = formatter_class
        self.fromfile_prefix_chars = fromfile_prefix_chars
        self.add_help = add_help
        self.allow_abbrev = allow_abbrev
        self.exit_on_error = exit_on_error
        self._positionals = self.add_argument_group("positional arguments")
        self._optionals = self.add_argument_group("options")
        self._subparsers = None
        if add_help:
            dash = "-" if "-" in prefix_chars else prefix_chars[0]
            self.add_argument(dash + "h", dash * 2 + "help", action="help", default=SUPPRESS,
                              help="show this help message and exit")
        for parent in parents:
            self._take_over(parent)

    def __repr__(self):
        names = ["prog", "usage", "description", "formatter_class", "conflict_handler", "add_help"]
        return f"{type(self).__name__}({', '.join(f'{n}={getattr(self, n)!r}' for n in names)})"

    def _take_over(self, parent):
        """Adds the arguments of a parent parser, group by group."""
        groups = {}
        for group in parent._action_groups:
            if not group._group_actions:
                continue
            mine = next((g for g in self._action_groups if g.title == group.title), None)
            if mine is None:
                mine = self.add_argument_group(group.title, group.description)
            for action in group._group_actions:
                groups[id(action)] = mine
        exclusive = {}
        for group in parent._mutually_exclusive_groups:
            mine = self.add_mutually_exclusive_group(required=group.required)
            for action in group._group_actions:
                exclusive[id(action)] = mine
        for action in parent._actions:
            target = groups.get(id(action), self)
            target._add_action(action)
            if id(action) in exclusive:
                exclusive[id(action)]._group_actions.append(action)
        self._defaults.update(parent._defaults)

    def add_subparsers(self, **kwargs):
        if self._subparsers is not None:
            self.error("cannot have multiple subparser arguments")
        kwargs.setdefault("parser_class", type(self))
        if "title" in kwargs or "description" in kwargs:
            self._subparsers = self.add_argument_group(kwargs.pop("title", "subcommands"),
                                                       kwargs.pop("description", None))
        else:
            self._subparsers = self._positionals
        if kwargs.get("prog") is None:
            formatter = self._get_formatter()
            formatter.add_usage(self.usage, self._get_positional_actions(),
                                self._mutually_exclusive_groups, "")
            kwargs["prog"] = formatter.format_help().strip()
        kwargs.pop("action", None)
        action = _SubParsersAction(option_strings=[], **kwargs)
        self._subparsers._add_action(action)
        return action

    def _add_action(self, action):
        if action.option_strings:
            self._optionals._add_action(action)
        else:
            self._positionals._add_action(action)
        return action

    def _get_optional_actions(self):
        return [action for action in self._actions if action.option_strings]

    def _get_positional_actions(self):
        return [action for action in self._actions if not action.option_strings]

    def parse_args(self, args=None, namespace=None):
        namespace, extra = self.parse_known_args(args, namespace)
        if extra:
            self.error(f"unrecognized arguments: {' '.join(extra)}")
        return namespace

    def parse_known_args(self, args=None, namespace=None):
        args = sys.argv[1:] if args is None else list(args)
        if namespace is None:
            namespace = Namespace()
        for action in self._actions:
            if action.dest is not SUPPRESS and action.default is not SUPPRESS and not hasattr(namespace, action.dest):
                setattr(namespace, action.dest, action.default)
        for dest in self._defaults:
            if not hasattr(namespace, dest):
                setattr(namespace, dest, self._defaults[dest])
        if self.exit_on_error:
            try:
                namespace, extra = self._parse(args, namespace)
            except ArgumentError as err:
                self.error(str(err))
        else:
            namespace, extra = self._parse(args, namespace)
        if hasattr(namespace, _UNRECOGNIZED):
            extra = extra + getattr(namespace, _UNRECOGNIZED)
            delattr(namespace, _UNRECOGNIZED)
        return namespace, extra

    parse_intermixed_args = parse_args
    parse_known_intermixed_args = parse_known_args

    def _parse(self, strings, namespace):
        if self.fromfile_prefix_chars is not None:
            strings = self._read_args_from_files(strings)
        conflicts = {}
        for group in self._mutually_exclusive_groups:
            for action in group._group_actions:
                others = conflicts.setdefault(id(action), [])
                others.extend(a for a in group._group_actions if a is not action)

        # One letter per argument: O for an option, A for anything else, - for `--`.
        options = {}
        pattern = ""
        for i, string in enumerate(strings):
            if string == "--":
                pattern += "-" + "A" * (len(strings) - i - 1)
                break
            option = self._parse_optional(string)
            if option is None:
                pattern += "A"
            else:
                options[i] = option
                pattern += "O"

        seen = set()
        seen_non_default = set()
        extras = []
        positionals = self._get_positional_actions()

        def take(action, argument_strings, option_string=None):
            seen.add(id(action))
            values = self._get_values(action, argument_strings)
            if values is not action.default:
                seen_non_default.add(id(action))
                for other in conflicts.get(id(action), ()):
                    if id(other) in seen_non_default:
                        raise ArgumentError(action, f"not allowed with argument {_action_name(other)}")
            if values is not SUPPRESS:
                action(self, namespace, values, option_string)

        def consume_optional(start):
            action, option_string, explicit = options[start]
            taken = []
            while True:
                if action is None:
                    extras.append(strings[start])
                    return start + 1
                if explicit is not None:
                    count = 1 if _bounds(action.nargs)[0] <= 1 <= _bounds(action.nargs)[1] and action.nargs != 0 else 0
                    if count == 0 and option_string[1] not in self.prefix_chars and explicit != "":
                        # Single-dash options that take nothing can be written together: -abc.
                        taken.append((action, [], option_string))
                        option_string = option_string[0] + explicit[0]
                        explicit = explicit[1:] or None
                        if option_string not in self._option_string_actions:
                            raise ArgumentError(action, f"ignored explicit argument {option_string[1:] + (explicit or '')!r}")
                        action = self._option_string_actions[option_string]
                        if explicit is not None and explicit[0] == "=" and action.nargs != 0:
                            explicit = explicit[1:]
                        continue
                    if count == 1:
                        stop = start + 1
                        taken.append((action, [explicit], option_string))
                        break
                    raise ArgumentError(action, f"ignored explicit argument {explicit!r}")
                begin = start + 1
                count = self._match_argument(action, pattern[begin:])
                stop = begin + count
                taken.append((action, strings[begin:stop], option_string))
                break
            for action, argument_strings, option_string in taken:
                take(action, argument_strings, option_string)
            return stop

        def consume_positionals(start):
            nonlocal positionals
            counts = self._match_partial(positionals, pattern[start:])
            for action, count in zip(positionals, counts):
                argument_strings = strings[start:start + count]
                start += count
                if action.nargs not in (PARSER, REMAINDER) and "--" in argument_strings:
                    argument_strings.remove("--")
                take(action, argument_strings)
            positionals = positionals[len(counts):]
            return start

        index = 0
        last_option = max(options) if options else -1
        while index <= last_option:
            next_option = min(i for i in options if i >= index)
            if index != next_option:
                stop = consume_positionals(index)
                if stop > index:
                    index = stop
                    continue
            if index not in options:
                extras.extend(strings[index:next_option])
                index = next_option
            index = consume_optional(index)
        stop = consume_positionals(index)
        extras.extend(strings[stop:])

        missing = []
        for action in self._actions:
            if id(action) in seen:
                continue
            if action.required:
                missing.append(_action_name(action))
            elif action.default is not None and isinstance(action.default, str) \
                    and hasattr(namespace, action.dest) and action.default is getattr(namespace, action.dest):
                setattr(namespace, action.dest, self._get_value(action, action.default))
        if missing:
            self.error(f"the following arguments are required: {', '.join(missing)}")
        for group in self._mutually_exclusive_groups:
            if group.required and not any(id(action) in seen_non_default for action in group._group_actions):
                names = [_action_name(action) for action in group._group_actions if action.help is not SUPPRESS]
                self.error(f"one of the arguments {' '.join(names)} is required")
        return namespace, extras

    def _read_args_from_files(self, strings):
        read = []
        for string in strings:
            if not string or string[0] not in self.fromfile_prefix_chars:
                read.append(string)
                continue
            try:
                with open(string[1:]) as file:
                    lines = file.read().splitlines()
            except OSError as err:
                self.error(str(err))
            inner = []
            for line in lines:
                inner.extend(self.convert_arg_line_to_args(line))
            read.extend(self._read_args_from_files(inner))
        return read

    def convert_arg_line_to_args(self, arg_line):
        return [arg_line]

    def _match_argument(self, action, pattern):
        """How many of the coming arguments an option takes."""
        low, high = _bounds(action.nargs)
        if action.nargs in (PARSER, REMAINDER):
            available = len(pattern)
        else:
            available = 0
            while available < len(pattern) and pattern[available] == "A":
                available += 1
        if available < low:
            if action.nargs is None:
                raise ArgumentError(action, "expected one argument")
            if action.nargs == OPTIONAL:
                raise ArgumentError(action, "expected at most one argument")
            if action.nargs == ONE_OR_MORE:
                raise ArgumentError(action, "expected at least one argument")
            raise ArgumentError(action, f"expected {action.nargs} argument{'' if action.nargs == 1 else 's'}")
        return min(high, available)

    def _match_partial(self, actions, pattern):
        """How many arguments each of the first positionals takes: as many positionals as can be
        served, each as much as it can get."""
        for stop in range(len(actions), 0, -1):
            counts = self._match_all(actions[:stop], pattern)
            if counts is not None:
                return counts
        return []

    def _match_all(self, actions, pattern):
        if not actions:
            return []
        action, rest = actions[0], actions[1:]
        low, high = _bounds(action.nargs)
        greedy = action.nargs in (PARSER, REMAINDER)
        # Positions after each number of arguments taken; `--` is passed over and not counted.
        ends = [0]
        at = 0
        while len(ends) <= high:
            if not greedy and at < len(pattern) and pattern[at] == "-":
                at += 1
            if at >= len(pattern) or (pattern[at] != "A" and not (greedy and ends != [0]) and action.nargs != REMAINDER):
                break
            at += 1
            ends.append(at)
        if not greedy and high > 0 and ends == [0] and pattern[:1] == "-" and low == 0 and len(pattern) == 1:
            ends = [1]
        for taken in range(len(ends) - 1, low - 1, -1):
            following = self._match_all(rest, pattern[ends[taken]:])
            if following is not None:
                return [ends[taken], *following]
        return None

    def _parse_optional(self, string):
        """(action, option, explicit argument) of an argument that is an option, else None."""
        if not string or string[0] not in self.prefix_chars:
            return None
        if string in self._option_string_actions:
            return self._option_string_actions[string], string, None
        if len(string) == 1:
            return None
        if "=" in string:
            option, explicit = string.split("=", 1)
            if option in self._option_string_actions:
                return self._option_string_actions[option], option, explicit
        matches = self._get_option_tuples(string)
        if len(matches) > 1:
            options = ", ".join(option for _, option, _ in matches)
            self.error(f"ambiguous option: {string} could match {options}")
        if len(matches) == 1:
            return matches[0]
        if _is_negative_number(string) and not self._has_negative_number_optionals:
            return None
        if " " in string:
            return None
        return None, string, None

    def _get_option_tuples(self, string):
        result = []
        chars = self.prefix_chars
        if string[0] in chars and string[1] in chars:
            if self.allow_abbrev:
                prefix, equals, explicit = string.partition("=")
                for option in self._option_string_actions:
                    if option.startswith(prefix):
                        result.append((self._option_string_actions[option], option, explicit if equals else None))
        else:
            short, rest = string[:2], string[2:]
            for option in self._option_string_actions:
                if option == short:
                    result.append((self._option_string_actions[option], option, rest))
                elif option.startswith(string):
                    result.append((self._option_string_actions[option], option, None))
        return result

    def _get_values(self, action, strings):
        nargs = action.nargs
        if not strings and nargs == OPTIONAL:
            value = action.const if action.option_strings else action.default
            if isinstance(value, str):
                value = self._get_value(action, value)
                self._check_value(action, value)
            return value
        if not strings and nargs == ZERO_OR_MORE and not action.option_strings:
            if action.default is not None:
                self._check_value(action, action.default)
                return action.default
            return []
        if nargs in (None, OPTIONAL):
            value = self._get_value(action, strings[0])
            self._check_value(action, value)
            return value
        if nargs == SUPPRESS:
            return SUPPRESS
        values = [self._get_value(action, string) for string in strings]
        if nargs == PARSER:
            self._check_value(action, values[0])
        elif nargs != REMAINDER:
            for value in values:
                self._check_value(action, value)
        return values

    def _get_value(self, action, string):
        type_func = self._registry_get("type", action.type, action.type)
        if not callable(type_func):
            raise ArgumentError(action, f"{type_func!r} is not callable")
        try:
            return type_func(string)
        except ArgumentTypeError as err:
            raise ArgumentError(action, str(err))
        except (TypeError, ValueError):
            name = getattr(action.type, "__name__", repr(action.type))
            raise ArgumentError(action, f"invalid {name} value: {string!r}")

    def _check_value(self, action, value):
        if action.choices is not None and value not in action.choices:
            choices = ", ".join(map(repr, action.choices))
            raise ArgumentError(action, f"invalid choice: {value!r} (choose from {choices})")

    def format_usage(self):
        formatter = self._get_formatter()
        formatter.add_usage(self.usage, self._actions, self._mutually_exclusive_groups)
        return formatter.format_help()

    def format_help(self):
        formatter = self._get_formatter()
        formatter.add_usage(self.usage, self._actions, self._mutually_exclusive_groups)
        formatter.add_text(self.description)
        for group in self._action_groups:
            formatter.start_section(group.title)
            formatter.add_text(group.description)
            formatter.add_arguments(group._group_actions)
            formatter.end_section()
        formatter.add_text(self.epilog)
        return formatter.format_help()

    def _get_formatter(self):
        return self.formatter_class(prog=self.prog)

    def print_usage(self, file=None):
        self._print_message(self.format_usage(), sys.stdout if file is None else file)

    def print_help(self, file=None):
        self._print_message(self.format_help(), sys.stdout if file is None else file)

    def _print_message(self, message, file=None):
        if message:
            (sys.stderr if file is None else file).write(message)

    def exit(self, status=0, message=None):
        if message:
            self._print_message(message, sys.stderr)
        sys.exit(status)

    def error(self, message):
        self.print_usage(sys.stderr)
        self.exit(2, f"{self.prog}: error: {message}\n")
