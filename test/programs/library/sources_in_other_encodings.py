"""Sources in encodings that their first two lines declare (PEP 263): compiled, imported, run."""
import os
import subprocess
import sys
import tempfile

TEXTS = {"cp1252": "é€", "koi8-r": "жук", "iso8859-15": "é€", "shift_jis": "日本", "gbk": "汉字", "euc-kr": "한국", "big5": "漢字", "cp1251": "жук",
         "mac-roman": "é", "latin-1": "é", "utf-8": "é日"}

with tempfile.TemporaryDirectory() as folder:
    sys.path.insert(0, folder)
    for number, (encoding, text) in enumerate(TEXTS.items()):
        line = [f"# -*- coding: {encoding} -*-", f"# vim: set fileencoding={encoding} :", f"# coding={encoding}"][number % 3]
        first = "#!/usr/bin/env python\n" if number % 2 else ""
        source = f"{first}{line}\ntext = '{text}'\n".encode(encoding)
        names = {}
        exec(compile(source, "given", "exec"), names)
        path = os.path.join(folder, f"module_{number}.py")
        with open(path, "wb") as file:
            file.write(source + b"print(ascii(text))\n")
        print(encoding, names["text"] == text, end=" ", flush=True)
        __import__(f"module_{number}")
        ran = subprocess.run([sys.executable, path], capture_output=True, text=True)
        print(" ", ran.returncode, ran.stdout.strip(), ran.stderr)

for wrong in (b"# coding: nonsense\nx = 1\n", b"x = '\xe9'\n", b"# coding: ascii\nx = '\xe9'\n", b"# coding: cp932\nx = '\x81'\n"):
    try:
        compile(wrong, "given", "exec")
    except SyntaxError as error:
        print(type(error).__name__)
print(eval(b"# coding: koi8-r\n'\xd6'") == "ж", eval("'ж'".encode()) == "ж")
