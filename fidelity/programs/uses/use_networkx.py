"""Some algorithms on small graphs."""

import networkx as nx

graph = nx.grid_2d_graph(4, 5)
print(nx.shortest_path_length(graph, (0, 0), (3, 4)), nx.is_connected(graph))
print(len(list(nx.bfs_edges(graph, (0, 0)))), len(list(nx.dfs_preorder_nodes(graph, (0, 0)))))
network = nx.DiGraph()
for i in range(8):
    network.add_edge(i, (i * 3 + 1) % 8, weight=i, capacity=i + 1)
    network.add_edge(i, (i * 5 + 2) % 8, weight=8 - i, capacity=2)
print(nx.dijkstra_path(network, 0, 6), nx.maximum_flow_value(network, 0, 6))
print(sorted(map(sorted, nx.strongly_connected_components(network))))
print(sorted(nx.minimum_spanning_tree(graph).edges())[:4])
try:
    nx.shortest_path(nx.path_graph(3), 0, 9)
except nx.NetworkXException as error:
    print(error)
