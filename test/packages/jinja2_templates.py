# needs: jinja2
from jinja2 import DictLoader, Environment, StrictUndefined, UndefinedError

env = Environment(loader=DictLoader({
    "base": "<{% block b %}base{% endblock %}>{% macro m(x, y=2) %}{{ x }}-{{ y }}{% endmacro %}{{ m(1) }}",
    "child": "{% extends 'base' %}{% block b %}{{ super() }} {{ name|upper|default('?') }}{% endblock %}",
}), autoescape=True, trim_blocks=True)
print(env.get_template("child").render(name="<a>"))
t = env.from_string("{% for k, v in d|dictsort %}{{ loop.index }}{{ k }}={{ v|round(1) }}{% if not loop.last %}, {% endif %}"
                    "{% else %}none{% endfor %} {{ [3, 1, 2]|sort|join('+') }} {{ '%05.2f'|format(3.14159) }} "
                    "{% set ns = namespace(n=0) %}{% for i in range(4) %}{% set ns.n = ns.n + i %}{% endfor %}{{ ns.n }} "
                    "{{ items|selectattr('x', 'gt', 1)|map(attribute='x')|list }} {{ 'a b'|urlencode }} {{ none is none }}")
print(t.render(d={"b": 2.25, "a": 1.0}, items=[{"x": 1}, {"x": 3}]))
try:
    Environment(undefined=StrictUndefined).from_string("{{ missing.x }}").render()
except UndefinedError as e:
    print(e)
try:
    env.from_string("{% if %}")
except Exception as e:
    print(type(e).__name__, e)
