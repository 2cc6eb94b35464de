# needs: requests
import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import requests


class Handler(BaseHTTPRequestHandler):
    def reply(self):
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        data = json.dumps({"path": self.path, "method": self.command, "body": body.decode()}).encode()
        self.send_response(404 if "missing" in self.path else 200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Set-Cookie", "c=1")
        self.end_headers()
        self.wfile.write(data)

    do_GET = do_POST = do_PUT = reply

    def log_message(self, *args):
        pass


server = HTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
url = f"http://127.0.0.1:{server.server_port}"
with requests.Session() as session:
    session.headers["X-A"] = "b"
    r = session.get(url + "/a", params={"q": "é x", "l": [1, 2]})
    print(r.status_code, r.json(), r.headers["content-type"], dict(session.cookies), r.ok, r.encoding)
    print(session.post(url + "/b", json={"k": 1}).json(), session.put(url + "/c", data={"k": "v w"}).json())
    try:
        session.get(url + "/missing").raise_for_status()
    except requests.HTTPError as e:
        print(str(e).split(" for url")[0])
server.shutdown()
p = requests.Request("GET", "https://u:p@h.example/x y?a=1#f", params={"b": "2"}, headers={"A": "1"}).prepare()
print(p.url, p.method, dict(p.headers))
for bad in ("nope", "http://", "ftp://x/"):
    try:
        requests.get(bad)
    except requests.RequestException as e:
        print(type(e).__name__, str(e)[:60])
print(requests.utils.quote("a b"), requests.utils.get_encoding_from_headers({"content-type": "text/html; charset=utf-8"}))
