# needs: networkx
import networkx as nx

g = nx.Graph([(1, 2), (2, 3), (3, 4), (4, 1), (2, 4)])
g.add_edge(4, 5, weight=2.5)
print(g, sorted(g.degree), nx.shortest_path(g, 1, 5), nx.is_bipartite(g), list(nx.connected_components(g)))
print({k: round(v, 4) for k, v in nx.betweenness_centrality(g).items()}, nx.diameter(g), nx.density(g))
print(sorted(nx.minimum_spanning_tree(g).edges(data="weight", default=1)), list(nx.bfs_edges(g, 1)), list(nx.dfs_preorder_nodes(g, 1)))
d = nx.DiGraph([("a", "b"), ("b", "c"), ("a", "c"), ("c", "d")])
print(list(nx.topological_sort(d)), list(nx.all_simple_paths(d, "a", "d")), nx.dag_longest_path(d), nx.ancestors(d, "d"))
print(nx.dijkstra_path_length(g, 1, 5), sorted(map(sorted, nx.find_cliques(g))), nx.clustering(g, 2))
print(sorted(map(sorted, nx.community.greedy_modularity_communities(nx.karate_club_graph())))[0][:5])
f = nx.DiGraph()
for u, v, c in (("s", "a", 3), ("s", "b", 2), ("a", "t", 2), ("b", "t", 3), ("a", "b", 1)):
    f.add_edge(u, v, capacity=c)
print(nx.maximum_flow_value(f, "s", "t"), nx.node_link_data(d)["edges"][:2], list(nx.generate_adjlist(d)))
r = nx.gnp_random_graph(10, 0.3, seed=4)
print(sorted(r.edges)[:5], nx.number_connected_components(r), nx.coloring.greedy_color(g))
try:
    nx.shortest_path(d, "d", "a")
except nx.NetworkXNoPath as e:
    print(e)
