"""torch.fx: functions and modules as graphs of their torch calls, which scripts look at, change and run."""

from torch.fx import immutable_collections, node, proxy, subgraph_rewriter
from torch.fx._symbolic_trace import ProxyableClassMeta, Tracer, symbolic_trace, wrap
from torch.fx.graph import Graph, PythonCode
from torch.fx.graph_module import GraphModule
from torch.fx.interpreter import Interpreter, Transformer
from torch.fx.node import Node, has_side_effect, map_arg
from torch.fx.proxy import Proxy
from torch.fx.subgraph_rewriter import replace_pattern

__all__ = [
    "symbolic_trace", "Tracer", "wrap", "Graph", "GraphModule", "Interpreter", "Transformer", "Node", "Proxy",
    "replace_pattern", "has_side_effect", "map_arg",
]


def __getattr__(name):
    from torch import _C

    return _C._missing_name("torch.fx", name)
