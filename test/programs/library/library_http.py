"""HTTP: a client and a server over pairs of sockets, then over a port."""
import io, socket, http.client, http.server
# One thread: the client's request goes through a socket pair.
a, b = socket.socketpair()
class C(http.client.HTTPConnection):
    def connect(self): self.sock = a
c = C('localhost')
c.request('POST', '/x?y=1', body=b'hello', headers={'X-A': 'é'.encode('latin-1')})
print(b.recv(1000))
b.sendall(b'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n')
r = c.getresponse()
print(r.status, r.reason, r.getheader('content-type'), r.read(3), r.read(), r.read())
class H(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200); self.send_header('X-P', self.path); self.end_headers(); self.wfile.write(b'body ' + self.headers['A'].encode())
    def do_POST(self):
        data = self.rfile.read(int(self.headers['Content-Length']))
        self.send_response(201); self.end_headers(); self.wfile.write(data[::-1])
    def log_message(self, *a): print('log', a[0] % a[1:])
    def date_time_string(self, t=None): return 'now'
    def version_string(self): return 'v'
for req in (b"GET /p HTTP/1.0\r\nA: b\r\n\r\n", b"POST /q HTTP/1.0\r\nContent-Length: 4\r\n\r\nabcd"):
    x, y = socket.socketpair()
    y.sendall(req); y.shutdown(socket.SHUT_WR)
    H(x, ('h', 1), None)
    x.close()
    got = b''
    while True:
        d = y.recv(65536)
        if not d: break
        got += d
    print(got)
x, y = socket.socketpair()
f = x.makefile('rwb'); f.write(b'line1\nline2\n'); f.flush()
g = y.makefile('r', encoding='utf-8'); print(g.readline(), g.readline())
import threading
s = http.server.HTTPServer(('127.0.0.1', 0), H)
t = threading.Thread(target=s.handle_request); t.start()
c = http.client.HTTPConnection('127.0.0.1', s.server_port, timeout=10)
c.request('GET', '/real', headers={'A': 'z'})
r = c.getresponse(); print(r.status, r.headers['X-P'], r.read())
t.join()
import urllib.request
t = threading.Thread(target=s.handle_request); t.start()
q = urllib.request.Request(f'http://127.0.0.1:{s.server_port}/u', headers={'A': 'w'})
try:
    with urllib.request.urlopen(q, timeout=10) as r: print(r.status, r.read())
except Exception as e: print(type(e).__name__, e)
t.join(); s.server_close()
