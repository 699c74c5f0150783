#!/usr/bin/env python3
"""Attacks `realm-cli serve`: floods, slow and huge requests, clients that leave, signals; schemathesis where it is installed.

usage: walls.py PROGRAM [ROWS]   ROWS (1000000): of the realm whose sort is left in the middle
"""
from urllib.parse import quote
import glob, http.client, json, os, pathlib, re, resource, shutil, signal, socket, subprocess, sys, tempfile, time

root = pathlib.Path(__file__).resolve().parents[2]
program = sys.argv[1] if len(sys.argv) > 1 else str(root / ".build/release/realm-cli")
row_count = int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000
patience = 15 + 5
failures = []


def expect(what, is_so):
    print(("ok    " if is_so else "FAIL  ") + what, flush=True)
    if not is_so:
        failures.append(what)


class Server:
    def __init__(self, *words, **environment):
        self.process = subprocess.Popen(
            [program, "serve", *map(str, words)], stdout=subprocess.PIPE, text=True, env={**os.environ, **environment})
        self.port, token = re.search(r":(\d+)/\?token=(\w+)", self.process.stdout.readline()).groups()
        self.port = int(self.port)
        self.cookie = ""
        self.cookie = self.ask("/?token=" + token).getheader("Set-Cookie").split(";")[0]

    def ask(self, path, method="GET", body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        origin = {"Origin": f"http://127.0.0.1:{self.port}", "Content-Type": "application/json"} if method == "POST" else {}
        connection.request(method, path, body, {"Cookie": self.cookie, **origin})
        answer = connection.getresponse()
        answer.body = answer.read()
        return answer

    def connect(self, text=""):
        connection = socket.create_connection(("127.0.0.1", self.port), 10)
        connection.sendall(text.encode())
        return connection

    def get(self, path):
        return self.connect(f"GET /api/v1/{path} HTTP/1.1\r\nHost: localhost\r\nCookie: {self.cookie}\r\n\r\n")

    def is_alive(self):
        return self.process.poll() is None and self.ask("/api/v1/realms").status == 200

    def memory(self):
        """Of its own, in MB."""
        text = pathlib.Path(f"/proc/{self.process.pid}/smaps_rollup").read_text()
        return int(re.search(r"Anonymous:\s+(\d+)", text)[1]) // 1024

    def milliseconds(self):
        """Of processor time, of all threads that there are."""
        total = 0
        for path in glob.glob(f"/proc/{self.process.pid}/task/*/schedstat"):
            try:
                total += int(open(path).read().split()[0])
            except OSError:
                pass  # it has ended meanwhile
        return total / 1e6

    def end(self):
        self.process.terminate()
        self.process.wait(10)


def seconds_until_closed(connection, piece):
    """Sends a piece again and again; how long the server bears it."""
    start = time.time()
    connection.settimeout(0.5)
    try:
        while time.time() - start < 60:
            connection.sendall(piece)
            try:
                if connection.recv(4096) == b"":
                    break
            except socket.timeout:
                pass
    except OSError:
        pass
    return time.time() - start


def floods(server):
    connections = [server.connect() for _ in range(10_000)]
    start = time.time()
    expect("behind 10,000 connections an answer comes within a second", server.is_alive() and time.time() - start < 1)
    expect("and they take no more than 300 descriptors", len(os.listdir(f"/proc/{server.process.pid}/fd")) < 300)
    for connection in connections:
        connection.close()
    for head in ["Content-Length: 1073741824", "Transfer-Encoding: chunked"]:
        connection = server.connect(f"POST /api/v1/realms/0/changes HTTP/1.1\r\nHost: localhost\r\n{head}\r\n\r\n")
        piece = b"x" * 65536 if "Length" in head else b"10000\r\n" + b"x" * 65536 + b"\r\n"
        sent = 0
        try:
            while sent < 1 << 30:
                connection.sendall(piece)
                sent += 65536
        except OSError:
            pass
        expect(f"a body of 1 GB ends early ({head.split(':')[0]})", sent < 1 << 26 and server.is_alive())
    expect("no memory is kept of it", server.memory() < 64)


def slowness(server):
    for what, begin, piece in [
        ("first line", "G", b"x"), ("header", "GET / HTTP/1.1\r\nHost: localhost\r\n", b"X: y\r\n"),
        ("body", "POST /api/v1/realms/0/changes HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n", b"x"),
    ]:
        took = seconds_until_closed(server.connect(begin), piece)
        expect(f"a {what} a byte at a time is borne for {took:.0f} s", took < patience)
    half = server.get("realms")
    half.shutdown(socket.SHUT_WR)
    half.settimeout(5)
    expect("who closes his half gets an answer or the end", half.recv(100)[:15] in [b"HTTP/1.1 200 OK", b""])


def leaving(server):
    for path in ["rows?class=Row&sort=name,score&count=10", "summary?class=Row&property=name", "check", "file?format=sqlite",
                 "query?text=select+name,count(*)+from+Row+group+by+name,score"]:
        connection = server.get(f"realms/0/{path}")
        time.sleep(0.1)
        connection.close()
        left = last = time.time()
        before = server.milliseconds()
        while time.time() - left < 1:
            time.sleep(0.005)
            now = server.milliseconds()
            # Less than this is the server's own.
            if now - before > 2:
                last = time.time()
            before = now
        expect(f"{path.split('?')[0]} ends {(last - left) * 1000:.0f} ms after its page has left", last - left < 0.1)


def memory(large):
    server = Server(large)
    for sort in ["name", "score desc", "name, score", "score"]:
        for place in [row_count // 2, row_count - 100]:
            server.ask(f"/api/v1/realms/0/rows?class=Row&sort={quote(sort)}&from={place}&count=100")
    most = 64 + 8 * row_count // 1_000_000
    expect(f"four orders take {server.memory()} MB, at most {most}", server.memory() <= most)
    time.sleep(patience + 15)
    expect(f"{server.memory()} MB are kept when everybody has gone", server.memory() <= 16)
    server.end()


def progress(server):
    for job, path in [("check", "check"), ("copy", "file?format=realm")]:
        connection = server.get(f"realms/0/{path}")
        told = []
        for _ in range(200):
            time.sleep(0.005)
            told.append(json.loads(server.ask("/api/v1/realms/0/progress").body))
            if told[-1] and 0 < told[-1]["done"] <= told[-1]["expected"]:
                break
        refused = server.ask("/api/v1/realms/0/check").status
        connection.close()
        expect(f"how far a {job} is can be asked, and another job waits", told[-1] and told[-1]["job"] == job and told[-1]["expected"] > 0 and refused == 409)
        time.sleep(0.3)


def endings(large):
    for number in [signal.SIGINT, signal.SIGTERM, signal.SIGKILL]:
        for path in ["", "check", "file?format=realm", "file?format=sqlite"]:
            folder = pathlib.Path(tempfile.mkdtemp(prefix="realm-walls-"))
            (folder / "tmp").mkdir()
            shutil.copy(root / "fixtures/zoo.realm", folder)
            (folder / "large.realm").symlink_to(large)
            server = Server("-w", folder / "zoo.realm", folder / "large.realm", TMPDIR=str(folder / "tmp"))
            change = {"op": "set", "class": "Dog", "key": "1", "path": ["age"], "value": 5}
            server.ask("/api/v1/realms/0/changes", "POST", json.dumps({"changes": [change]}))
            if path:
                server.get(f"realms/1/{path}")
                time.sleep(0.2)
            server.process.send_signal(number)
            server.process.wait(5)
            left = {name.name for name in folder.iterdir()} - {"tmp", "zoo.realm", "large.realm"} | {name.name for name in (folder / "tmp").iterdir()}
            expect(f"{signal.Signals(number).name} during '{path}' leaves nothing", not left)
            shutil.rmtree(folder)


def described(work):
    tool = pathlib.Path(sys.executable).with_name("schemathesis")
    if not tool.exists():
        return print("walls: schemathesis is not installed")
    server = Server("-w", work / "zoo.realm")
    address = f"http://127.0.0.1:{server.port}"
    checks = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"
    result = subprocess.run(
        [tool, "run", address + "/api/v1/openapi.json", "-H", f"Cookie: {server.cookie}", "-H", f"Origin: {address}",
         "--exclude-path", "/events", "--max-examples", "50", "--checks", checks], capture_output=True, text=True)
    if result.returncode:
        print(result.stdout[-3000:])
    expect("nothing but documented answers", result.returncode == 0 and server.is_alive())
    server.end()
    expect("the file is sound", subprocess.run([program, "check", work / "zoo.realm"], capture_output=True).returncode == 0)


def main():
    resource.setrlimit(resource.RLIMIT_NOFILE, (12_000, max(12_000, resource.getrlimit(resource.RLIMIT_NOFILE)[1])))
    work = pathlib.Path(tempfile.mkdtemp(prefix="realm-walls-"))
    shutil.copy(root / "fixtures/zoo.realm", work)
    with open(work / "rows.csv", "w") as rows:
        rows.write("name,score\n")
        rows.writelines(f"name-{row * 7919 % row_count},{row * 104729 % 1_000_003}.5\n" for row in range(row_count))
    large = work / "large.realm"
    subprocess.run([program, "import", "-w", "--yes", "--create", large, "Row", work / "rows.csv"], check=True, stdout=subprocess.DEVNULL)
    described(work)
    endings(large)
    memory(large)
    server = Server(large)
    leaving(server)
    progress(server)
    floods(server)
    slowness(server)
    server.end()
    shutil.rmtree(work)
    sys.exit(1 if failures else 0)


main()
