"""email, mimetypes, http.cookies, urllib.robotparser, xml.etree, minidom, sax, expat, netrc."""

import email
import email.policy
import email.utils
import http
import http.cookies
import io
import mimetypes
import netrc
import os
import tempfile
import urllib.robotparser
import xml.dom.minidom
import xml.etree.ElementTree as ET
import xml.sax
import xml.sax.saxutils
from email.header import Header, decode_header
from email.message import EmailMessage
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText
from xml.parsers import expat

message = EmailMessage()
message["Subject"] = "Grüße"
message["From"] = "Ann Lee <ann@example.com>"
message["To"] = "bob@example.com, Carl <c@example.org>"
message.set_content("Hello wörld\nbye\n", cte="quoted-printable")
message.add_alternative("<p>Hello</p>", subtype="html")
message.add_attachment(b"\x00\x01data", maintype="application", subtype="octet-stream", filename="d.bin")
message.set_boundary("=====bound")
for at, part in enumerate(message.walk()):
    if part.is_multipart():
        part.set_boundary(f"bound{at}")
print(message.as_string())
back = email.message_from_bytes(message.as_bytes(), policy=email.policy.default)
print(back["subject"], back["to"].addresses[1].domain, [p.get_content_type() for p in back.walk()], back.get_body(("plain",)).get_content())
print([a.get_filename() for a in back.iter_attachments()], next(back.iter_attachments()).get_content())
old = MIMEMultipart(boundary="b")
old.attach(MIMEText("plain text", "plain", "utf-8"))
print(old.as_string())
print(email.utils.parseaddr("A B <a@b.c>"), email.utils.formataddr(("Ä", "a@b.c")), email.utils.parsedate_to_datetime("Mon, 20 Nov 1995 19:12:08 -0500"))
print(Header("Grüße", "utf-8").encode(), decode_header("=?utf-8?b?R3LDvMOfZQ==?="), email.utils.getaddresses(["a@b, C <d@e>"]))
print(mimetypes.guess_type("a.tar.gz"), mimetypes.guess_extension("text/html"), http.HTTPStatus.NOT_FOUND.phrase, http.HTTPStatus(200))
cookie = http.cookies.SimpleCookie('a=1; b="x y"')
cookie["a"]["path"] = "/"
cookie["a"]["httponly"] = True
print(cookie.output(), cookie["b"].value)
robots = urllib.robotparser.RobotFileParser()
robots.parse(["User-agent: *", "Disallow: /private", "Crawl-delay: 3"])
print(robots.can_fetch("x", "/private/a"), robots.can_fetch("x", "/b"), robots.crawl_delay("x"))
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "netrc")
    with open(path, "w") as file:
        file.write("machine host login me password secret\n")
    print(netrc.netrc(path).authenticators("host"))

# XML
DOCUMENT = """<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE shop [<!ENTITY who "you &amp; me"><!ATTLIST item kind CDATA "plain">]>
<shop xmlns="urn:shop" xmlns:x="urn:x" x:id="7">
  <!-- wares --><item price='1.50'>tea &lt; &who; &#233;</item>
  <item price="2"><![CDATA[<raw>]]><sub/>tail</item><?go now?>
</shop>
"""
root = ET.fromstring(DOCUMENT)
print(root.tag, root.attrib, [(e.tag, e.text, e.get("kind"), e.tail) for e in root.iter()])
names = {"s": "urn:shop"}
print([e.get("price") for e in root.findall("s:item", names)], root.find(".//s:sub", names).tail, root.findall("s:item[@price='2']", names)[0].text)
ET.register_namespace("shop", "urn:shop")
print(ET.tostring(root, encoding="unicode"))
tree = ET.Element("a", {"k": "<&\">"})
ET.SubElement(tree, "b").text = "x & y"
ET.SubElement(tree, "c").tail = "t"
ET.indent(tree)
print(ET.tostring(tree), ET.tostring(tree, "utf-8", xml_declaration=True, short_empty_elements=False))
print([(event, getattr(e, "tag", e)) for event, e in ET.iterparse(io.StringIO(DOCUMENT), ("start", "end", "start-ns"))])
print(ET.canonicalize("<b z='1' a='2'/>"))
for bad in ("<a><b></a>", "<a", "", "<a x='1' x='2'/>", "<a>&no;</a>", "<a/>b", "<a b=1/>", "<x:a/>", "<a>\x01</a>"):
    try:
        ET.fromstring(bad)
    except ET.ParseError as e:
        print(e, e.code, e.position)
dom = xml.dom.minidom.parseString(DOCUMENT)
print(dom.documentElement.tagName, len(dom.getElementsByTagName("item")), dom.getElementsByTagName("item")[0].getAttribute("price"))
print(xml.dom.minidom.parseString("<a><b c='1'>t</b><d/></a>").toprettyxml(indent=" "), dom.documentElement.toxml())


class Counter(xml.sax.ContentHandler):
    def __init__(self):
        self.events = []

    def startElement(self, name, attrs):
        self.events.append(("start", name, dict(attrs.items())))

    def endElement(self, name):
        self.events.append(("end", name))

    def characters(self, content):
        if content.strip():
            self.events.append(("text", content))


counter = Counter()
xml.sax.parseString(DOCUMENT.encode(), counter)
print(counter.events)
out = io.StringIO()
generator = xml.sax.saxutils.XMLGenerator(out)
xml.sax.parseString(b"<a b='1'>x&amp;<c/></a>", generator)
print(out.getvalue(), xml.sax.saxutils.quoteattr('a"b'))
try:
    xml.sax.parseString(b"<a>", Counter())
except xml.sax.SAXParseException as e:
    print(e.getMessage(), e.getLineNumber(), e.getColumnNumber())
parser = expat.ParserCreate(namespace_separator=" ")
parser.StartElementHandler = lambda name, attrs: print("start", name, attrs, parser.CurrentLineNumber, parser.CurrentColumnNumber)
parser.CharacterDataHandler = lambda data: print("data", repr(data))
parser.ProcessingInstructionHandler = lambda target, data: print("pi", target, data)
parser.EntityDeclHandler = lambda *a: print("entity", a)
for at in range(0, len(DOCUMENT), 7):
    parser.Parse(DOCUMENT[at:at + 7])
parser.Parse("", True)
