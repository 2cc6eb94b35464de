class Thing:
    def __init__(self):
        self.bluch = 1

t = Thing()
e = ValueError("with notes")
e.add_note("first note")
e.add_note("second\nnote")
try:
    raise e
except ValueError:
    t.blech
