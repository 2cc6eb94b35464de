# sqlite3: connections, cursors, rows, types, transactions, functions of the script, dumps, errors.
import datetime
import os
import sqlite3
import tempfile
import threading


def attempt(f, *args, **kwargs):
    try:
        print(f(*args, **kwargs))
    except Exception as e:
        print(type(e).__name__, e, getattr(e, "sqlite_errorname", ""))


con = sqlite3.connect(":memory:")
cur = con.cursor()
print(cur.execute("create table t(id integer primary key, name text, score real, data blob)") is cur, cur.description, cur.rowcount)
cur.execute("insert into t(name, score, data) values (?, ?, ?)", ("a", 1.5, b"\x00\x01"))
print(cur.lastrowid, cur.rowcount, con.in_transaction, con.total_changes)
cur.executemany("insert into t(name, score) values (?, ?)", [("b", 2), ("c", None), ("d", -3.25)])
print(cur.rowcount, cur.lastrowid)
cur.execute("insert into t(name) values (:n)", {"n": "é\U0001f600"})
con.commit()
print(con.in_transaction, cur.execute("select * from t order by id").fetchall())
print(cur.description)
print(cur.fetchone(), cur.fetchmany(3))
cur.execute("select name from t order by id")
print(cur.fetchone(), cur.fetchmany(2), cur.fetchmany(), list(cur), cur.fetchone())
print([row for row in con.execute("select id, score * 2 as twice from t where score is not null")])
cur.execute("update t set score = 0 where score is null")
print(cur.rowcount, con.total_changes)
con.rollback()
print(con.execute("select count(*) from t where score is null").fetchone())
print(con.execute("delete from t where id > 3").rowcount, con.in_transaction)
con.commit()
print(con.execute("select ?, ?, ?, ?, ?", (1 << 62, -0.5, "x\0y", None, bytearray(b"ba"))).fetchone())
print(con.execute("insert into t(name) values ('r') returning id, name").fetchall())

# Rows
con.row_factory = sqlite3.Row
row = con.execute("select id, name, score from t").fetchone()
print(row["name"], row[0], row["ID"], row.keys(), tuple(row), len(row), row[1:], isinstance(row, sqlite3.Row))
print(dict(row), row == con.execute("select id, name, score from t").fetchone(), hash(row) == hash(row), "a" in row)
attempt(lambda: row["nothing"])
attempt(lambda: row[9])
con.row_factory = lambda cursor, values: {d[0]: v for d, v in zip(cursor.description, values)}
print(con.execute("select id, name from t limit 1").fetchone())
con.row_factory = None
con.text_factory = bytes
print(con.execute("select name from t limit 1").fetchone())
con.text_factory = lambda data: data.decode().upper()
print(con.execute("select name from t limit 1").fetchone())
con.text_factory = str

# Errors
attempt(con.execute, "select * from nowhere")
attempt(con.execute, "selec")
attempt(con.execute, "insert into t(id) values (1)")
attempt(con.execute, "select ?", ())
attempt(con.execute, "select ?", (1, 2))
attempt(con.execute, "select :a", {"b": 1})
attempt(con.execute, "select ?", (1 << 64,))
attempt(con.execute, 3)
attempt(con.executemany, "select 1", [()])
print(con.execute("select 1; -- more\n").fetchone())
con.execute("create table u(a unique, b not null, check (a > 0))")
attempt(con.execute, "insert into u values (1, null)")
attempt(con.execute, "insert into u values (-1, 1)")
con.execute("insert into u values (1, 1)")
attempt(con.execute, "insert into u values (1, 2)")
print(issubclass(sqlite3.IntegrityError, sqlite3.DatabaseError), con.IntegrityError is sqlite3.IntegrityError)
con.rollback()

# Scripts, context managers, levels
con.executescript("create table v(x); insert into v values (1); insert into v values (2);")
with con:
    con.execute("insert into v values (3)")
try:
    with con:
        con.execute("insert into v values (4)")
        raise KeyError
except KeyError:
    pass
print([x for (x,) in con.execute("select x from v")], repr(con.isolation_level))
con.isolation_level = None
con.execute("insert into v values (5)")
print(con.in_transaction)
con.execute("begin")
print(con.in_transaction)
con.execute("rollback")
con.isolation_level = "IMMEDIATE"
attempt(setattr, con, "isolation_level", "NEVER")

# Functions
con.create_function("twice", 1, lambda x: x * 2)
con.create_function("everything", -1, lambda *a: repr(a), deterministic=True)
print(con.execute("select twice(21), twice('ab'), everything(1, null, 2.5, x'00ff', 'é')").fetchone())
con.create_function("bad", 0, lambda: 1 / 0)
attempt(con.execute, "select bad()")
con.create_function("odd", 0, lambda: object())
attempt(con.execute, "select odd()")


class Product:
    def __init__(self):
        self.value = 1

    def step(self, x):
        self.value *= x

    def finalize(self):
        return self.value


con.create_aggregate("product", 1, Product)
print(con.execute("select product(x) from v").fetchone(), con.execute("select product(x) from v where x > 99").fetchone())


class Sum:
    def __init__(self):
        self.total = 0

    def step(self, x):
        self.total += x

    def inverse(self, x):
        self.total -= x

    def value(self):
        return self.total

    finalize = value


con.create_window_function("wsum", 1, Sum)
print(con.execute("select x, wsum(x) over (order by x rows between 1 preceding and 1 following) from v").fetchall())
con.create_collation("backwards", lambda a, b: (a < b) - (a > b))
con.execute("create table w(s)")
con.executemany("insert into w values (?)", [("a",), ("c",), ("b",)])
print([s for (s,) in con.execute("select s from w order by s collate backwards")])
con.create_function("twice", 1, None)
traced = []
con.set_trace_callback(traced.append)
con.execute("select x from v where x = ?", (1,)).fetchall()
con.set_trace_callback(None)
print(traced)
con.set_authorizer(lambda action, a, b, *rest: sqlite3.SQLITE_DENY if b == "x" and a == "v" else sqlite3.SQLITE_OK)
attempt(con.execute, "select x from v")
con.set_authorizer(None)
con.set_progress_handler(lambda: 1, 1)
attempt(con.execute, "select count(*) from v, v, v, v")
con.set_progress_handler(None, 0)
con.commit()

# Types
con = sqlite3.connect(":memory:", detect_types=sqlite3.PARSE_DECLTYPES | sqlite3.PARSE_COLNAMES)


class Point:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __repr__(self):
        return f"Point({self.x}, {self.y})"

    def __conform__(self, protocol):
        if protocol is sqlite3.PrepareProtocol:
            return f"{self.x};{self.y}"


sqlite3.register_converter("point", lambda b: Point(*map(float, b.split(b";"))))
con.execute("create table p(p point, d date, t timestamp)")
con.execute("insert into p values (?, ?, ?)", (Point(1, 2), datetime.date(2024, 2, 29), datetime.datetime(2024, 1, 2, 3, 4, 5, 6)))
print(con.execute("select p, d, t from p").fetchone())
cur = con.execute('select p as "q [point]", d as "d [nothing]" from p')
print(cur.fetchone(), [d[0] for d in cur.description])


class Other:
    pass


attempt(con.execute, "select ?", (Other(),))
sqlite3.register_adapter(Other, lambda o: "adapted")
print(con.execute("select ?", (Other(),)).fetchone())
print(con.execute("select ?, ?", (True, memoryview(b"mv"))).fetchone())

# Dumps, copies, blobs
con = sqlite3.connect(":memory:")
con.executescript("create table a(x integer, y text default 'q''s'); create index i on a(x); create view b as select x from a;")
con.executemany("insert into a values (?, ?)", [(1, "it's"), (2, None)])
con.commit()
print("\n".join(con.iterdump()))
other = sqlite3.connect(":memory:")
steps = []
con.backup(other, pages=1, progress=lambda status, left, total: steps.append((left, total)))
print(other.execute("select * from b").fetchall(), steps[-1][0])
data = con.serialize()
third = sqlite3.connect(":memory:")
third.deserialize(data)
print(third.execute("select count(*) from a").fetchone(), data[:15])
con.execute("create table z(b blob)")
con.execute("insert into z values (zeroblob(10))")
with con.blobopen("z", "b", 1) as blob:
    blob.write(b"hello")
    blob.seek(0)
    print(len(blob), blob.read(3), blob.tell(), blob[4], blob[0:5])
    blob[0] = 72
    attempt(blob.write, b"x" * 20)
print(con.execute("select b from z").fetchone())
print(con.getlimit(sqlite3.SQLITE_LIMIT_ATTACHED), sqlite3.complete_statement("select 1;"), sqlite3.complete_statement("select 1"))

# Files, locks, threads, the end
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "x.db")
    first, second = sqlite3.connect(path, timeout=0.05), sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    first.execute("create table t(x)")
    first.execute("insert into t values (1)")
    first.commit()
    print(second.execute("select * from t").fetchall())
    attempt(second.execute, "insert into t values (2)")
    locker = sqlite3.connect(path, isolation_level=None)
    locker.execute("begin exclusive")
    attempt(first.execute, "insert into t values (3)")
    locker.execute("commit")
    for c in first, second, locker:
        c.close()
    attempt(sqlite3.connect, os.path.join(folder, "no", "file"))
    attempt(first.execute, "select 1")
failed = []


def use():
    try:
        con.execute("select 1")
    except sqlite3.ProgrammingError as e:
        failed.append(str(e)[:60])


thread = threading.Thread(target=use)
thread.start()
thread.join()
print(failed)
cur = con.cursor()
cur.close()
attempt(cur.fetchone)
con.close()
attempt(con.cursor)
attempt(sqlite3.adapt, Point)
print(sqlite3.apilevel, sqlite3.paramstyle, sqlite3.threadsafety, sqlite3.SQLITE_CONSTRAINT_UNIQUE, sqlite3.SQLITE_IOERR_READ)
