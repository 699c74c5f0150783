#!/usr/bin/env python3
"""A Spark cluster of two workers on this machine turns a thousand realms into one data set, while one of them is killed.

usage: spark.py PROGRAM REALM [COUNT]
"""

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import uuid

from pyspark.sql import SparkSession

PROGRAM, REALM = (os.path.abspath(word) for word in sys.argv[1:3])
COUNT = int(sys.argv[3]) if len(sys.argv) > 3 else 1000


def convert(program, lake):
    """A task: its files become a directory of its own, so that one that is done again leaves nothing twice."""

    def run(paths):
        names = "\n".join(paths).encode()
        if names:
            target = f"{lake}/{uuid.uuid4()}"
            subprocess.run(
                [program, "each", "-", "--export", "parquet", "-o", target], input=names, check=True,
                stdout=subprocess.DEVNULL,
            )
            time.sleep(0.2)
            yield target

    return run


def kill_a_worker(after):
    """Ends one of the processes that run executors, as a machine that goes away would."""
    time.sleep(after)
    listed = subprocess.run(["pgrep", "-f", "CoarseGrainedExecutorBackend"], capture_output=True, text=True)
    own = [int(word) for word in listed.stdout.split() if is_descendant(int(word))]
    if own:
        os.kill(own[0], signal.SIGKILL)
        print("killed an executor")


def is_descendant(process):
    while process > 1:
        if process == os.getpid():
            return True
        try:
            with open(f"/proc/{process}/stat") as file:
                process = int(file.read().rsplit(")", 1)[1].split()[1])
        except OSError:
            return False
    return False


with tempfile.TemporaryDirectory() as folder:
    with open(REALM, "rb") as file:
        content = file.read()
    paths = []
    for number in range(COUNT):
        paths.append(os.path.join(folder, f"n{number}.realm"))
        with open(paths[-1], "wb") as file:
            file.write(content)
    count = int(subprocess.run([PROGRAM, REALM, "count Dog"], capture_output=True, check=True).stdout)
    spark = (
        SparkSession.builder.master("local-cluster[2,1,700]")
        .config("spark.executor.memory", "600m")
        .config("spark.ui.enabled", "false")
        .config("spark.task.maxFailures", "8")
        .config("spark.sql.shuffle.partitions", "4")
        .getOrCreate()
    )
    spark.sparkContext.setLogLevel("ERROR")
    lake = os.path.join(folder, "lake")
    os.mkdir(lake)
    killer = threading.Thread(target=kill_a_worker, args=(1.5,))
    killer.start()
    parts = spark.sparkContext.parallelize(paths, 40).mapPartitions(convert(PROGRAM, lake)).collect()
    killer.join()
    dogs = spark.read.option("mergeSchema", "true").parquet(*[f"{part}/Dog" for part in parts])
    rows, files = dogs.count(), dogs.select("file").distinct().count()
    # Nested columns come through Spark's own reader.
    people = spark.read.option("mergeSchema", "true").parquet(*[f"{part}/Person" for part in parts])
    nested = people.selectExpr("sum(size(tags))", "count(address.city)", "sum(size(attrs))").first()
    spark.stop()
    if (rows, files) != (COUNT * count, COUNT):
        raise SystemExit(f"FAILED: {rows} rows of {files} files, {COUNT * count} of {COUNT} expected")
    print(f"{COUNT} realms, {rows} rows, {nested[0]} tags, {nested[1]} cities")
