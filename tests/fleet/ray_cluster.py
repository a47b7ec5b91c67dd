"""A Ray cluster of so many nodes on this machine, for tests, with one core each. Prints its address; a line on standard input
kills the raylet of the node with that number; ends at the end of its input. Run with the Python of Ray's venv."""

import os
import sys

# Ray gives its workers what other processes leave, which is little on a machine that is tested on.
os.environ |= {"RAY_USAGE_STATS_ENABLED": "0", "RAY_memory_monitor_refresh_ms": "0", "RAY_worker_niceness": "0"}

from ray.cluster_utils import Cluster


def main():
    # Ray takes 127.0.0.1 for the machine's own address, so that its nodes could not be told apart.
    address = [f"127.0.0.{number + 2}" for number in range(int(sys.argv[1]))]
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "node_ip_address": address[0]})
    nodes = [cluster.head_node] + [cluster.add_node(num_cpus=1, node_ip_address=one) for one in address[1:]]
    print(cluster.address, flush=True)
    for line in sys.stdin:
        nodes[int(line)].kill_raylet()
        print("killed", flush=True)
    cluster.shutdown()


if __name__ == "__main__":
    main()
