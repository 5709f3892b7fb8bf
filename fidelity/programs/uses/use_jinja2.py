"""Renders a few templates."""

import jinja2

BASE = """<title>{% block title %}-{% endblock %}</title>{% block body %}{% endblock %}"""
PAGE = """{% extends "base" %}{% block title %}{{ title|upper }}{% endblock %}
{% macro item(x, mark="*") %}{{ mark }} {{ x.name|default("?") }}{% endmacro %}
{% block body %}{% for x in things if x.price > 1 %}{{ loop.index }}: {{ item(x) }}
{%- else %}none{% endfor %}{{ things|map(attribute="price")|sum }}{% endblock %}"""
env = jinja2.Environment(loader=jinja2.DictLoader({"base": BASE, "page": PAGE}), autoescape=True)
things = [{"name": f"<{i}>", "price": i} for i in range(5)]
print(env.get_template("page").render(title="shop", things=things))
print(env.get_template("page").render(title="empty", things=[]))
try:
    env.from_string("{% if %}")
except jinja2.TemplateSyntaxError as error:
    print(error)
