"""Parts of a graph that look like a pattern are replaced."""

from typing import NamedTuple

import torch
from torch.fx.graph import Graph
from torch.fx.graph_module import GraphModule
from torch.fx._symbolic_trace import symbolic_trace
from torch.fx.node import Node

__all__ = ["Match", "replace_pattern"]


class Match(NamedTuple):
    # The last node of what was found.
    anchor: Node
    # The nodes that stand for those of the pattern.
    nodes_map: dict


def _graph_of(pattern):
    if isinstance(pattern, GraphModule):
        return pattern.graph
    if isinstance(pattern, Graph):
        return pattern
    return symbolic_trace(pattern).graph


def _same_target(gm, pattern, pn, gn):
    if pn.op == "call_module" and isinstance(pattern, torch.nn.Module):
        return type(pattern.get_submodule(pn.target)) is type(gm.get_submodule(gn.target))
    if pn.op == "get_attr":
        return True
    return pn.target == gn.target


def _matches(gm, pattern, pn, gn, found):
    """Whether a node is what a node of the pattern stands for, and all that it is made of."""
    if not isinstance(pn, Node):
        if isinstance(pn, (list, tuple)) and isinstance(gn, (list, tuple)):
            return len(pn) == len(gn) and all([_matches(gm, pattern, p, g, found) for p, g in zip(pn, gn)])
        if isinstance(pn, dict) and isinstance(gn, dict):
            return list(pn) == list(gn) and all([_matches(gm, pattern, pn[k], gn[k], found) for k in pn])
        return not isinstance(gn, Node) and type(pn) is type(gn) and pn == gn
    if pn in found:
        return found[pn] is gn
    if pn.op == "placeholder":
        found[pn] = gn
        return True
    if not isinstance(gn, Node) or pn.op != gn.op or not _same_target(gm, pattern, pn, gn):
        return False
    found[pn] = gn
    return _matches(gm, pattern, pn.args, gn.args, found) and _matches(gm, pattern, dict(pn.kwargs), dict(gn.kwargs), found)


def _is_contained(pattern, found, results):
    """Whether nothing outside uses what the replacement does away with."""
    inner = {gn for pn, gn in found.items() if pn.op != "placeholder" and isinstance(gn, Node)}
    for pn, gn in found.items():
        if pn.op in ("placeholder", "get_attr") or pn in results:
            continue
        if any([user not in inner for user in gn.users]):
            return False
    return True


def replace_pattern(gm, pattern, replacement):
    """Replaces what does not overlap, and gives what was found."""
    graph, pattern_graph, new = gm.graph, _graph_of(pattern), _graph_of(replacement)
    output = pattern_graph.output_node()
    results = output.all_input_nodes
    if len(results) != 1:
        raise NotImplementedError("replace_pattern: patterns with several results are not implemented in janus-jit yet")
    (anchor,) = results
    matched, used = [], set()
    for node in list(reversed(graph.nodes)):
        found = {}
        if node in used or node.op == "output" or not _matches(gm, pattern, anchor, node, found):
            continue
        inner = [gn for pn, gn in found.items() if pn.op != "placeholder"]
        if any([gn in used for gn in inner]) or not _is_contained(pattern_graph, found, results):
            continue
        used.update(inner)
        matched.append((node, found))
    matches = []
    # A node that was found first may since have been replaced itself.
    replaced = {}
    for node, found in reversed(matched):
        values = {}
        pattern_places = [n for n in pattern_graph.nodes if n.op == "placeholder"]
        for mine, theirs in zip([n for n in new.nodes if n.op == "placeholder"], pattern_places):
            value = found.get(theirs)
            while isinstance(value, Node) and value in replaced:
                value = replaced[value]
            values[mine] = value
        # Where the result is used first.
        first = next((n for n in graph.nodes if n in node.users), node)
        with graph.inserting_before(first):
            result = graph.graph_copy(new, values)
        if isinstance(result, (tuple, list)) and len(result) == 1:
            (result,) = result
        node.replace_all_uses_with(result)
        replaced[node] = result
        for gn in sorted(used & set(found.values()), key=lambda n: -list(graph.nodes).index(n)):
            if not gn.users:
                graph.erase_node(gn)
        matches.append(Match(anchor=node, nodes_map=dict(found)))
    gm.recompile()
    return matches
