"""The layout of `argparse`'s usage and help texts."""

__name__ = "argparse"

SUPPRESS = "==SUPPRESS=="


def _terminal_width():
    import shutil
    return shutil.get_terminal_size().columns


def _wrap(text, width, initial="", subsequent=""):
    import textwrap
    return textwrap.wrap(text, width, initial_indent=initial, subsequent_indent=subsequent)


class HelpFormatter:
    def __init__(self, prog, indent_increment=2, max_help_position=24, width=None):
        if width is None:
            width = _terminal_width() - 2
        self._prog = prog
        self._indent_increment = indent_increment
        self._max_help_position = min(max_help_position, max(width - 20, indent_increment * 2))
        self._width = width
        self._indent = 0
        self._action_max_length = 0
        # Parts of the text: each a function of no arguments, called once everything is known.
        self._parts = []
        self._stack = []

    def start_section(self, heading):
        self._indent += self._indent_increment
        self._stack.append((self._parts, heading))
        self._parts = []

    def end_section(self):
        inner = self._parts
        self._parts, heading = self._stack.pop()
        self._indent -= self._indent_increment
        indent = self._indent
        level = len(self._stack)

        def section():
            text = "".join(part() for part in inner)
            if not text:
                return ""
            title = f"{' ' * indent}{heading}:\n" if heading not in (None, SUPPRESS) else ""
            return f"\n{title}{text}\n"

        self._parts.append(section)

    def add_text(self, text):
        if text is not None and text is not SUPPRESS:
            indent = self._indent
            self._parts.append(lambda: self._format_text(text, indent))

    def add_usage(self, usage, actions, groups, prefix=None):
        if usage is not SUPPRESS:
            actions, groups = list(actions), list(groups)
            self._parts.append(lambda: self._format_usage(usage, actions, groups, prefix))

    def add_argument(self, action):
        if action.help is SUPPRESS:
            return
        indents = [(action, self._indent)]
        subactions = getattr(action, "_get_subactions", None)
        if subactions is not None:
            indents += [(sub, self._indent + self._indent_increment) for sub in subactions()]
        for sub, indent in indents:
            length = len(self._format_action_invocation(sub)) + indent
            self._action_max_length = max(self._action_max_length, length)
        indent = self._indent
        self._parts.append(lambda: self._format_action(action, indent))

    def add_arguments(self, actions):
        for action in actions:
            self.add_argument(action)

    def format_help(self):
        text = "".join(part() for part in self._parts)
        while "\n\n\n" in text:
            text = text.replace("\n\n\n", "\n\n")
        return text.strip("\n") + "\n" if text else text

    def _format_text(self, text, indent):
        if "%(prog)" in text:
            text = text % dict(prog=self._prog)
        width = max(self._width - indent, 11)
        return self._fill_text(text, width, " " * indent) + "\n\n"

    def _fill_text(self, text, width, indent):
        return "\n".join(_wrap(" ".join(text.split()), width, indent, indent))

    def _split_lines(self, text, width):
        return _wrap(" ".join(text.split()), width)

    def _format_usage(self, usage, actions, groups, prefix):
        if prefix is None:
            prefix = "usage: "
        if usage is not None:
            usage = usage % dict(prog=self._prog)
            return f"{prefix}{usage}\n\n"
        prog = self._prog
        if not actions:
            return f"{prefix}{prog}\n\n"
        options = [a for a in actions if a.option_strings]
        positionals = [a for a in actions if not a.option_strings]
        usage = " ".join([prog] + self._usage_parts(options + positionals, groups))
        width = self._width
        if len(prefix) + len(usage) <= width:
            return f"{prefix}{usage}\n\n"
        option_parts = self._usage_parts(options, groups)
        positional_parts = self._usage_parts(positionals, groups)

        def lines_of(parts, indent, start=None):
            lines = []
            line = []
            length = (len(start) if start is not None else len(indent)) - 1
            for part in parts:
                if length + 1 + len(part) > width and line:
                    lines.append(indent + " ".join(line))
                    line = []
                    length = len(indent) - 1
                line.append(part)
                length += len(part) + 1
            if line:
                lines.append(indent + " ".join(line))
            if start is not None:
                lines[0] = lines[0][len(indent):]
            return lines

        if len(prefix) + len(prog) <= 0.75 * width:
            indent = " " * (len(prefix) + len(prog) + 1)
            if option_parts:
                lines = lines_of([prog] + option_parts, indent, prefix)
                lines.extend(lines_of(positional_parts, indent))
            elif positional_parts:
                lines = lines_of([prog] + positional_parts, indent, prefix)
            else:
                lines = [prog]
        else:
            indent = " " * len(prefix)
            parts = option_parts + positional_parts
            lines = lines_of(parts, indent)
            if len(lines) > 1:
                lines = lines_of(option_parts, indent) + lines_of(positional_parts, indent)
            lines = [prog] + lines
        joined = "\n".join(lines)
        return f"{prefix}{joined}\n\n"

    def _usage_parts(self, actions, groups):
        # First and last action of each exclusive group that stands here as a whole.
        opens, closes, inside = {}, {}, set()
        for group in groups:
            members = group._group_actions
            if not members:
                continue
            ids = [id(a) for a in actions]
            if id(members[0]) not in ids:
                continue
            start = ids.index(id(members[0]))
            if ids[start:start + len(members)] != [id(m) for m in members]:
                continue
            shown = [m for m in members if m.help is not SUPPRESS]
            if not shown:
                continue
            opens[id(shown[0])] = "(" if group.required else "["
            closes[id(shown[-1])] = ")" if group.required else "]"
            if len(shown) > 1 or not group.required:
                inside.update(id(m) for m in shown)
            if len(shown) == 1 and group.required:
                opens.pop(id(shown[0]))
                closes.pop(id(shown[0]))
        parts = []
        pending = None
        for action in actions:
            if action.help is SUPPRESS:
                continue
            part = self._usage_part(action, id(action) in inside)
            if id(action) in opens:
                pending = opens[id(action)] + part
            elif pending is not None:
                pending += " | " + part
            else:
                parts.append(part)
                continue
            if id(action) in closes:
                parts.append(pending + closes[id(action)])
                pending = None
        return parts

    def _usage_part(self, action, in_group):
        if not action.option_strings:
            part = self._format_args(action, self._default_metavar_positional(action))
            if in_group and part[0] == "[" and part[-1] == "]":
                part = part[1:-1]
            return part
        if action.nargs == 0:
            part = action.format_usage()
        else:
            part = f"{action.option_strings[0]} {self._format_args(action, self._default_metavar_optional(action))}"
        if not action.required and not in_group:
            part = f"[{part}]"
        return part

    def _format_action(self, action, indent):
        help_position = min(self._action_max_length + 2, self._max_help_position)
        help_width = max(self._width - help_position, 11)
        action_width = help_position - indent - 2
        header = self._format_action_invocation(action)
        pad = " " * indent
        if not action.help:
            text = f"{pad}{header}\n"
            first_indent = None
        elif len(header) <= action_width:
            text = f"{pad}{header:<{action_width}}  "
            first_indent = 0
        else:
            text = f"{pad}{header}\n"
            first_indent = help_position
        parts = [text]
        if action.help and action.help.strip():
            lines = self._split_lines(self._expand_help(action), help_width)
            if lines:
                parts.append(f"{' ' * first_indent}{lines[0]}\n")
                parts += [f"{' ' * help_position}{line}\n" for line in lines[1:]]
        elif not text.endswith("\n"):
            parts.append("\n")
        subactions = getattr(action, "_get_subactions", None)
        if subactions is not None:
            for sub in subactions():
                parts.append(self._format_action(sub, indent + self._indent_increment))
        return "".join(parts)

    def _format_action_invocation(self, action):
        if not action.option_strings:
            default = self._default_metavar_positional(action)
            return " ".join(self._metavars(action, default)(1))
        if action.nargs == 0:
            return ", ".join(action.option_strings)
        args = self._format_args(action, self._default_metavar_optional(action))
        return ", ".join(f"{option} {args}" for option in action.option_strings)

    def _metavars(self, action, default):
        if action.metavar is not None:
            shown = action.metavar
        elif action.choices is not None:
            shown = "{" + ",".join(map(str, action.choices)) + "}"
        else:
            shown = default
        return lambda count: shown if isinstance(shown, tuple) else (shown,) * count

    def _format_args(self, action, default):
        metavars = self._metavars(action, default)
        nargs = action.nargs
        if nargs is None:
            return "%s" % metavars(1)
        if nargs == "?":
            return "[%s]" % metavars(1)
        if nargs == "*":
            metavar = metavars(1)
            if len(metavar) == 2:
                return "[%s [%s ...]]" % metavar
            return "[%s ...]" % metavar
        if nargs == "+":
            return "%s [%s ...]" % metavars(2)
        if nargs == "...":
            return "..."
        if nargs == "A...":
            return "%s ..." % metavars(1)
        if nargs == SUPPRESS:
            return ""
        return " ".join(["%s"] * nargs) % metavars(nargs)

    def _expand_help(self, action):
        params = dict(vars(action), prog=self._prog)
        for name in list(params):
            if params[name] is SUPPRESS:
                del params[name]
            elif hasattr(params[name], "__name__"):
                params[name] = params[name].__name__
        if params.get("choices") is not None:
            params["choices"] = ", ".join(map(str, params["choices"]))
        return self._get_help_string(action) % params

    def _get_help_string(self, action):
        return action.help

    def _default_metavar_optional(self, action):
        return action.dest.upper()

    def _default_metavar_positional(self, action):
        return action.dest


class RawDescriptionHelpFormatter(HelpFormatter):
    def _fill_text(self, text, width, indent):
        return "".join(indent + line for line in text.splitlines(keepends=True))


class RawTextHelpFormatter(RawDescriptionHelpFormatter):
    def _split_lines(self, text, width):
        return text.splitlines()


class ArgumentDefaultsHelpFormatter(HelpFormatter):
    def _get_help_string(self, action):
        help = action.help or ""
        if "%(default)" not in help and action.default is not SUPPRESS:
            if action.option_strings or action.nargs in ("?", "*"):
                help += " (default: %(default)s)"
        return help


class MetavarTypeHelpFormatter(HelpFormatter):
    def _default_metavar_optional(self, action):
        return action.type.__name__

    def _default_metavar_positional(self, action):
        return action.type.__name__
