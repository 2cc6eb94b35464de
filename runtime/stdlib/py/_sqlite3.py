"""What CPython's `sqlite3` has in C, over SQLite itself: connections, cursors, rows, blobs."""

import _sqlite_library as _library
import sys
import weakref

sqlite_version = _library.version
version = _deprecated_version = "2.6.0"
threadsafety = 3
PARSE_DECLTYPES, PARSE_COLNAMES = 1, 2


class Warning(Exception):
    __module__ = "sqlite3"


class Error(Exception):
    __module__ = "sqlite3"


class InterfaceError(Error):
    __module__ = "sqlite3"


class DatabaseError(Error):
    __module__ = "sqlite3"


class InternalError(DatabaseError):
    __module__ = "sqlite3"


class OperationalError(DatabaseError):
    __module__ = "sqlite3"


class ProgrammingError(DatabaseError):
    __module__ = "sqlite3"


class IntegrityError(DatabaseError):
    __module__ = "sqlite3"


class DataError(DatabaseError):
    __module__ = "sqlite3"


class NotSupportedError(DatabaseError):
    __module__ = "sqlite3"


_CODES = {
    "OK": 0, "ERROR": 1, "INTERNAL": 2, "PERM": 3, "ABORT": 4, "BUSY": 5, "LOCKED": 6, "NOMEM": 7, "READONLY": 8,
    "INTERRUPT": 9, "IOERR": 10, "CORRUPT": 11, "NOTFOUND": 12, "FULL": 13, "CANTOPEN": 14, "PROTOCOL": 15, "EMPTY": 16,
    "SCHEMA": 17, "TOOBIG": 18, "CONSTRAINT": 19, "MISMATCH": 20, "MISUSE": 21, "NOLFS": 22, "AUTH": 23, "FORMAT": 24,
    "RANGE": 25, "NOTADB": 26, "NOTICE": 27, "WARNING": 28, "ROW": 100, "DONE": 101,
}
# The extended ones, in the order of their numbers from 1 on.
_EXTENDED = {
    "ERROR": "MISSING_COLLSEQ RETRY SNAPSHOT", "ABORT": " ROLLBACK", "BUSY": "RECOVERY SNAPSHOT TIMEOUT",
    "LOCKED": "SHAREDCACHE VTAB", "READONLY": "RECOVERY CANTLOCK ROLLBACK DBMOVED CANTINIT DIRECTORY",
    "IOERR": "READ SHORT_READ WRITE FSYNC DIR_FSYNC TRUNCATE FSTAT UNLOCK RDLOCK DELETE BLOCKED NOMEM ACCESS "
             "CHECKRESERVEDLOCK LOCK CLOSE DIR_CLOSE SHMOPEN SHMSIZE SHMLOCK SHMMAP SEEK DELETE_NOENT MMAP GETTEMPPATH "
             "CONVPATH VNODE AUTH BEGIN_ATOMIC COMMIT_ATOMIC ROLLBACK_ATOMIC DATA CORRUPTFS",
    "CORRUPT": "VTAB SEQUENCE INDEX", "CANTOPEN": "NOTEMPDIR ISDIR FULLPATH CONVPATH DIRTYWAL SYMLINK",
    "CONSTRAINT": "CHECK COMMITHOOK FOREIGNKEY FUNCTION NOTNULL PRIMARYKEY TRIGGER UNIQUE VTAB ROWID PINNED",
    "AUTH": "USER", "NOTICE": "RECOVER_WAL RECOVER_ROLLBACK", "WARNING": "AUTOINDEX", "OK": "LOAD_PERMANENTLY SYMLINK",
}
_ACTIONS = (
    "CREATE_INDEX CREATE_TABLE CREATE_TEMP_INDEX CREATE_TEMP_TABLE CREATE_TEMP_TRIGGER CREATE_TEMP_VIEW CREATE_TRIGGER "
    "CREATE_VIEW DELETE DROP_INDEX DROP_TABLE DROP_TEMP_INDEX DROP_TEMP_TABLE DROP_TEMP_TRIGGER DROP_TEMP_VIEW "
    "DROP_TRIGGER DROP_VIEW INSERT PRAGMA READ SELECT TRANSACTION UPDATE ATTACH DETACH ALTER_TABLE REINDEX ANALYZE "
    "CREATE_VTABLE DROP_VTABLE FUNCTION SAVEPOINT"
)
_LIMITS = ("LENGTH SQL_LENGTH COLUMN EXPR_DEPTH COMPOUND_SELECT VDBE_OP FUNCTION_ARG ATTACHED LIKE_PATTERN_LENGTH "
           "VARIABLE_NUMBER TRIGGER_DEPTH WORKER_THREADS")
_NAMES = {}
for _name, _code in _CODES.items():
    _NAMES[_code] = "SQLITE_" + _name
    for _at, _more in enumerate(_EXTENDED.get(_name, "").split(), 2 if _name == "ABORT" else 1):
        _NAMES[_code | _at << 8] = f"SQLITE_{_name}_{_more}"
globals().update({name: code for code, name in _NAMES.items()})
globals().update({"SQLITE_" + name: at for at, name in enumerate(_ACTIONS.split(), 1)})
globals().update({"SQLITE_LIMIT_" + name: at for at, name in enumerate(_LIMITS.split())})
SQLITE_DENY, SQLITE_IGNORE, SQLITE_RECURSIVE = 1, 2, 33

_KINDS = {
    2: InternalError, 12: InternalError, 7: MemoryError, 11: DatabaseError, 18: DataError, 19: IntegrityError,
    20: IntegrityError, 21: InterfaceError, 25: InterfaceError,
}
for _code in (1, 3, 4, 5, 6, 8, 9, 10, 13, 14, 15, 16, 17):
    _KINDS[_code] = OperationalError


def _failure(code, message):
    kind = _KINDS.get(code & 0xFF, DatabaseError)
    if kind is MemoryError:
        return MemoryError()
    error = kind(message)
    error.sqlite_errorcode = code
    error.sqlite_errorname = _NAMES.get(code, "unknown")
    return error


_library.set_failure(_failure)
del _name, _code, _at, _more


# Adapters and converters

adapters, converters = {}, {}


class PrepareProtocol:
    __module__ = "sqlite3"


def register_adapter(type, adapter, /):
    adapters[type, PrepareProtocol] = adapter


def register_converter(typename, converter, /):
    converters[typename.upper()] = converter


def adapt(obj, proto=PrepareProtocol, *alternative):
    adapter = adapters.get((type(obj), proto))
    if adapter is not None:
        return adapter(obj)
    for found, other in ((getattr(proto, "__adapt__", None), obj), (getattr(obj, "__conform__", None), proto)):
        if found is not None:
            try:
                adapted = found(other)
            except TypeError:
                continue  # It does not take this.
            if adapted is not None:
                return adapted
    if alternative:
        return alternative[0]
    raise ProgrammingError("can't adapt")


def complete_statement(statement):
    return _library.complete(statement)


def enable_callback_tracebacks(enable, /):
    _library.set_tracebacks(enable)


def connect(database, *args, factory=None, **kwargs):
    if len(args) > 4:
        factory = args[4]
    return (Connection if factory is None else factory)(
        database, *args, **({} if factory is None or len(args) > 4 else {"factory": factory}), **kwargs)


class Row:
    """A row whose columns have names, too."""

    __module__ = "sqlite3"
    __slots__ = ("_values", "_description")

    def __new__(cls, cursor, data, /):
        if not isinstance(cursor, Cursor):
            raise TypeError(f"Row() argument 1 must be sqlite3.Cursor, not {type(cursor).__name__}")
        if not isinstance(data, tuple):
            raise TypeError(f"Row() argument 2 must be tuple, not {type(data).__name__}")
        row = object.__new__(cls)
        row._values, row._description = data, cursor.description
        return row

    def __getitem__(self, key):
        if isinstance(key, str):
            wanted = key.lower() if key.isascii() else key
            for column, value in zip(self._description or (), self._values):
                if column[0] == key or column[0].lower() == wanted:
                    return value
            raise IndexError("No item with that key")
        if isinstance(key, (int, slice)):
            try:
                return self._values[key]
            except IndexError:
                raise IndexError("Index out of range" if isinstance(key, int) and abs(key) > sys.maxsize
                                 else "tuple index out of range") from None
        raise IndexError("Index must be int or string")

    def keys(self):
        return [column[0] for column in self._description or ()]

    def __len__(self):
        return len(self._values)

    def __iter__(self):
        return iter(self._values)

    def __hash__(self):
        return hash(self._description) ^ hash(self._values)

    def __eq__(self, other):
        if isinstance(other, Row):
            return self._description == other._description and self._values == other._values
        return NotImplemented


def _first_word(sql):
    """The first word of a statement, behind comments."""
    at, size = 0, len(sql)
    while at < size:
        if sql[at] in " \t\r\n;":
            at += 1
        elif sql.startswith("--", at):
            at = sql.find("\n", at)
            if at < 0:
                return ""
        elif sql.startswith("/*", at):
            at = sql.find("*/", at)
            if at < 0:
                return ""
            at += 2
        else:
            end = at
            while end < size and sql[end].isalpha():
                end += 1
            return sql[at:end].upper() or sql[at]
    return ""


class Cursor:
    __module__ = "sqlite3"

    def __init__(self, connection, /):
        if not isinstance(connection, Connection):
            raise TypeError(f"Cursor() argument 1 must be sqlite3.Connection, not {type(connection).__name__}")
        self.connection = connection
        self.arraysize, self.row_factory = 1, None
        self._description, self._lastrowid, self._rowcount = None, None, -1
        self._statement = self._next = None
        self._closed = self._busy = False
        connection._check()
        connection._cursors.add(self)

    description = property(lambda self: self._description)
    lastrowid = property(lambda self: self._lastrowid)
    rowcount = property(lambda self: self._rowcount)

    def _check(self):
        if not hasattr(self, "_closed"):
            raise ProgrammingError("Base Cursor.__init__ not called.")
        if self._closed:
            raise ProgrammingError("Cannot operate on a closed cursor.")
        self.connection._check()
        if self._busy:
            raise ProgrammingError("Recursive use of cursors not allowed.")

    def _end(self):
        statement, self._statement, self._next = self._statement, None, None
        if statement is not None:
            self.connection._give_back(statement)

    def _bind(self, statement, names, parameters):
        if isinstance(parameters, dict) or not isinstance(parameters, (tuple, list)) and not hasattr(parameters, "__len__"):
            if not hasattr(parameters, "__getitem__"):
                raise ProgrammingError("parameters are of unsupported type")
        by_position = isinstance(parameters, (tuple, list)) or not isinstance(parameters, dict) and hasattr(
            parameters, "__len__") and not hasattr(parameters, "keys")
        if by_position:
            if len(parameters) != len(names):
                raise ProgrammingError(
                    f"Incorrect number of bindings supplied. The current statement uses {len(names)}, and there are "
                    f"{len(parameters)} supplied.")
        elif not hasattr(parameters, "__getitem__"):
            raise ProgrammingError("parameters are of unsupported type")
        for at, name in enumerate(names, 1):
            if by_position:
                value, shown = parameters[at - 1], at
            else:
                if name is None:
                    raise ProgrammingError(f"Binding {at} has no name, but you supplied a dictionary (which has only names).")
                name = name[1:]
                shown = ":" + name
                try:
                    value = parameters[name]
                except LookupError:
                    raise ProgrammingError(f"You did not supply a value for binding parameter :{name}.") from None
            kind = type(value)
            if kind not in (int, float, str, bytearray) and value is not None:
                value = adapt(value, PrepareProtocol, value)
            if not statement.bind(at, value):
                raise ProgrammingError(
                    f"Error binding parameter {shown}: type '{type(value).__name__}' is not supported")

    def execute(self, sql, parameters=(), /):
        self._run(sql, (parameters,), False)
        return self

    def executemany(self, sql, seq_of_parameters, /):
        self._run(sql, seq_of_parameters, True)
        return self

    def _run(self, sql, sets, many):
        self._check()
        if not isinstance(sql, str):
            raise TypeError(f"execute{'many' if many else ''}() argument 1 must be str, not {type(sql).__name__}")
        connection, library = self.connection, self.connection._library
        self._end()
        self._rowcount = -1
        self._description = None
        self._busy = True
        try:
            statement = connection._prepare(sql)
            if statement is None:
                return
            word, changes = statement.word, statement.changes
            if many and not changes:
                connection._give_back(statement)
                raise ProgrammingError("executemany() can only execute DML statements.")
            raw = statement.raw
            try:
                if changes and connection._isolation is not None and not library.in_transaction:
                    connection._plain("BEGIN " + connection._isolation)
                total = 0
                for parameters in sets:
                    self._bind(raw, statement.names, parameters)
                    found = raw.step()
                    if changes and not found:
                        total += library.changes
                    if many and found:
                        raise ProgrammingError("executemany() can only execute DML statements.")
                    if not many:
                        columns = raw.columns
                        if columns:
                            self._describe(columns)
                        if found:
                            self._statement, self._next = statement, self._row(raw)
                            statement = None
                            break
                    raw.reset()
                if changes:
                    self._rowcount = total
                if word in ("INSERT", "REPLACE") and not many:
                    self._lastrowid = library.last_row
            finally:
                if statement is not None:
                    connection._give_back(statement)
        finally:
            self._busy = False

    def _describe(self, columns):
        parse = self.connection._detect & PARSE_COLNAMES
        shown = []
        for name, _ in columns:
            if parse and "[" in name:
                name = name[: name.index("[")].rstrip(" ")
            shown.append((name, None, None, None, None, None, None))
        self._description = tuple(shown)

    def executescript(self, sql_script, /):
        self._check()
        if not isinstance(sql_script, str):
            raise TypeError(f"executescript() argument must be str, not {type(sql_script).__name__}")
        if "\0" in sql_script:
            raise ValueError("embedded null character")
        connection = self.connection
        if connection.in_transaction:
            connection._plain("COMMIT")
        rest = sql_script
        while rest:
            raw, rest = connection._library.prepare(rest)
            if raw is None:
                continue
            while raw.step():
                pass
            raw.finalize()
        return self

    def _converter(self, column):
        """What makes a value of a column's bytes."""
        name, declared = column
        if self.connection._detect & PARSE_COLNAMES and "[" in name:
            kind = name[name.index("[") + 1 :].split("]")[0]
            found = converters.get(kind.upper())
            if found is not None:
                return found
        if self.connection._detect & PARSE_DECLTYPES and declared is not None:
            return converters.get(declared.split("(")[0].split(" ")[0].upper())
        return None

    def _row(self, raw):
        factory = self.connection.text_factory
        values = raw.row(None if factory is str else factory)
        if self.connection._detect:
            columns, found = raw.columns, list(values)
            for at, column in enumerate(columns):
                converter = self._converter(column)
                if converter is not None:
                    data = raw.raw(at)
                    found[at] = None if data is None else converter(data)
            values = tuple(found)
        return values

    def __iter__(self):
        return self

    def __next__(self):
        self._check()
        if self._statement is None:
            raise StopIteration
        values, statement = self._next, self._statement
        self._busy = True
        try:
            try:
                more = statement.raw.step()
                self._next = self._row(statement.raw) if more else None
            except BaseException:
                self._busy = False
                self._end()
                raise
        finally:
            self._busy = False
        if not more:
            if statement.changes:
                self._rowcount = self.connection._library.changes
            self._end()
        factory = self.row_factory
        if factory is None:
            return values
        return factory(self, values)

    def fetchone(self):
        return next(self, None)

    def fetchmany(self, size=None):
        size = self.arraysize if size is None else size
        rows = []
        while size != len(rows):
            row = next(self, rows)
            if row is rows:
                break
            rows.append(row)
        return rows

    def fetchall(self):
        return list(self)

    def setinputsizes(self, sizes, /):
        """Nothing: SQLite needs no sizes."""

    def setoutputsize(self, size, column=None, /):
        """Nothing: SQLite needs no sizes."""

    def close(self):
        if not hasattr(self, "_closed"):
            raise ProgrammingError("Base Cursor.__init__ not called.")
        if self._busy:
            raise ProgrammingError("Recursive use of cursors not allowed.")
        self.connection._check_thread()
        if not self._closed and self.connection._library is not None:
            self._end()
        self._closed = True


class _Statement:
    """A prepared statement, and what is known of its text."""

    def __init__(self, sql, raw):
        self.sql, self.raw = sql, raw
        self.word = _first_word(sql)
        self.changes = self.word in ("INSERT", "UPDATE", "DELETE", "REPLACE") and not raw.readonly
        self.names = raw.parameters


class Blob:
    __module__ = "sqlite3"

    def __init__(self, connection, raw):
        self._connection, self._raw, self._at = connection, raw, 0

    def _check(self):
        self._connection._check()
        if self._raw is None:
            raise ProgrammingError("Cannot operate on a closed blob.")

    def close(self):
        self._connection._check()
        if self._raw is not None:
            self._raw.close()
            self._raw = None

    def __len__(self):
        self._check()
        return self._raw.size

    def read(self, length=-1, /):
        self._check()
        left = self._raw.size - self._at
        length = left if length < 0 or length > left else length
        data = self._raw.read(self._at, length) if length else b""
        self._at += length
        return data

    def write(self, data, /):
        self._check()
        if len(data) > self._raw.size - self._at:
            raise ValueError("data longer than blob length")
        self._raw.write(self._at, data)
        self._at += len(data)

    def seek(self, offset, origin=0, /):
        self._check()
        if origin not in (0, 1, 2):
            raise ValueError("'origin' should be os.SEEK_SET, os.SEEK_CUR, or os.SEEK_END")
        offset += (0, self._at, self._raw.size)[origin]
        if not 0 <= offset <= self._raw.size:
            raise ValueError("offset out of blob range")
        self._at = offset

    def tell(self):
        self._check()
        return self._at

    def __enter__(self):
        self._check()
        return self

    def __exit__(self, type, val, tb):
        self._check()
        self.close()

    def _place(self, key):
        if not isinstance(key, int):
            raise TypeError("Blob indices must be integers")
        at = key + self._raw.size if key < 0 else key
        if not 0 <= at < self._raw.size:
            raise IndexError("Blob index out of range")
        return at

    def __getitem__(self, key):
        self._check()
        if isinstance(key, slice):
            return self._raw.read(0, self._raw.size)[key]
        return self._raw.read(self._place(key), 1)[0]

    def __setitem__(self, key, value):
        self._check()
        if isinstance(key, slice):
            data = bytearray(self._raw.read(0, self._raw.size))
            if len(data[key]) != len(value):
                raise IndexError("Blob slice assignment is wrong size")
            data[key] = value
            self._raw.write(0, data)
            return
        at = self._place(key)
        if not isinstance(value, int):
            raise TypeError(f"'{type(value).__name__}' object cannot be interpreted as an integer")
        if not 0 <= value < 256:
            raise ValueError("byte must be in range(0, 256)")
        self._raw.write(at, bytes((value,)))

    def __delitem__(self, key):
        raise TypeError("Blob doesn't support item deletion" if isinstance(key, int)
                        else "Blob doesn't support slice deletion")


class Connection:
    __module__ = "sqlite3"
    Warning, Error, InterfaceError, DatabaseError = Warning, Error, InterfaceError, DatabaseError
    InternalError, OperationalError, ProgrammingError = InternalError, OperationalError, ProgrammingError
    IntegrityError, DataError, NotSupportedError = IntegrityError, DataError, NotSupportedError

    def __init__(self, database, timeout=5.0, detect_types=0, isolation_level="", check_same_thread=True, factory=None,
                 cached_statements=128, uri=False):
        import os

        self._library = None
        path = os.fsdecode(database)
        self.isolation_level = isolation_level
        self._detect = detect_types
        self._thread = _ident() if check_same_thread else None
        self._cached, self._statements = cached_statements, {}
        self._cursors, self._blobs = weakref.WeakSet(), weakref.WeakSet()
        self.row_factory, self.text_factory = None, str
        self._library = _library.open(path, uri, int(timeout * 1000))

    def _check_thread(self):
        if self._thread is not None and self._thread != _ident():
            raise ProgrammingError(
                "SQLite objects created in a thread can only be used in that same thread. The object was created in "
                f"thread id {self._thread} and this is thread id {_ident()}.")

    def _check(self):
        if not hasattr(self, "_library"):
            raise ProgrammingError("Base Connection.__init__ not called.")
        self._check_thread()
        if self._library is None:
            raise ProgrammingError("Cannot operate on a closed database.")

    # Statements

    def _prepare(self, sql):
        found = self._statements.get(sql)
        if found:
            return found.pop()
        if "\0" in sql:
            raise ProgrammingError("the query contains a null character")
        raw, rest = self._library.prepare(sql)
        if raw is None:
            return None
        if _first_word(rest):
            raise ProgrammingError("You can only execute one statement at a time.")
        return _Statement(sql, raw)

    def _give_back(self, statement):
        """Keeps a statement for the next time."""
        if self._library is None:
            statement.raw.finalize()
            return
        statement.raw.reset()
        kept = self._statements
        if self._cached > 0:
            if statement.sql not in kept and len(kept) >= self._cached:
                del kept[next(iter(kept))]
            waiting = kept.setdefault(statement.sql, [])
            if not waiting:
                waiting.append(statement)

    def _plain(self, sql):
        raw, _ = self._library.prepare(sql)
        raw.step()
        raw.finalize()

    def cursor(self, factory=None):
        self._check()
        cursor = (Cursor if factory is None else factory)(self)
        if not isinstance(cursor, Cursor):
            raise TypeError(f"factory must return a cursor, not {type(cursor).__name__}")
        if self.row_factory is not None:
            cursor.row_factory = self.row_factory
        return cursor

    def __call__(self, sql, /):
        self._check()
        return self._prepare(sql)

    def execute(self, sql, parameters=(), /):
        return self.cursor().execute(sql, parameters)

    def executemany(self, sql, parameters, /):
        return self.cursor().executemany(sql, parameters)

    def executescript(self, sql_script, /):
        return self.cursor().executescript(sql_script)

    # Transactions

    @property
    def isolation_level(self):
        return self._isolation

    @isolation_level.setter
    def isolation_level(self, level):
        if level is None:
            if getattr(self, "_library", None) is not None and self._library.in_transaction:
                self.commit()
            self._isolation = None
            return
        if not isinstance(level, str):
            raise TypeError("isolation_level must be str or None")
        if level.upper() not in ("", "DEFERRED", "IMMEDIATE", "EXCLUSIVE"):
            raise ValueError("isolation_level string must be '', 'DEFERRED', 'IMMEDIATE', or 'EXCLUSIVE'")
        self._isolation = level

    @property
    def in_transaction(self):
        self._check()
        return self._library.in_transaction

    @property
    def total_changes(self):
        self._check()
        return self._library.total_changes

    def commit(self):
        self._check()
        if self._library.in_transaction:
            self._plain("COMMIT")

    def rollback(self):
        self._check()
        if self._library.in_transaction:
            self._plain("ROLLBACK")

    def close(self):
        self._check_thread()
        if not hasattr(self, "_library"):
            raise ProgrammingError("Base Connection.__init__ not called.")
        library = self._library
        if library is None:
            return
        for cursor in list(self._cursors):
            if cursor._statement is not None:
                cursor._statement.raw.finalize()
                cursor._statement = None
        for blob in list(self._blobs):
            if blob._raw is not None:
                blob._raw.close()
        self._statements.clear()
        self._library = None
        library.close()

    def __enter__(self):
        self._check()
        return self

    def __exit__(self, type, value, traceback):
        if type is None and value is None and traceback is None:
            try:
                self.commit()
            except BaseException:
                self.rollback()
                raise
        else:
            self.rollback()
        return False

    # Functions of the script

    def create_function(self, name, narg, func, /, *, deterministic=False):
        self._check()
        self._library.create_function(name, narg, func, deterministic)

    def create_aggregate(self, name, n_arg, aggregate_class):
        self._check()
        self._library.create_aggregate(name, n_arg, aggregate_class, False)

    def create_window_function(self, name, num_params, aggregate_class, /):
        self._check()
        self._library.create_aggregate(name, num_params, aggregate_class, True)

    def create_collation(self, name, callback, /):
        self._check()
        if callback is not None and not callable(callback):
            raise TypeError("parameter must be callable")
        self._library.create_collation(name, callback)

    def set_authorizer(self, authorizer_callback):
        self._check()
        self._library.set_authorizer(authorizer_callback)

    def set_progress_handler(self, progress_handler, n):
        self._check()
        self._library.set_progress(progress_handler, n)

    def set_trace_callback(self, trace_callback):
        self._check()
        self._library.set_trace(trace_callback)

    # The rest

    def interrupt(self):
        self._check()
        self._library.interrupt()

    def iterdump(self):
        self._check()
        from sqlite3.dump import _iterdump

        return _iterdump(self)

    def backup(self, target, *, pages=-1, progress=None, name="main", sleep=0.250):
        self._check()
        if not isinstance(target, Connection):
            raise TypeError(f"backup() argument 1 must be sqlite3.Connection, not {type(target).__name__}")
        target._check()
        if target is self:
            raise ValueError("target cannot be the same connection instance")
        if progress is not None and not callable(progress):
            raise TypeError("progress argument must be a callable")
        if target.in_transaction:
            raise OperationalError("target is in transaction")
        self._library.backup(target._library, pages or -1, progress, name, sleep)

    def serialize(self, *, name="main"):
        self._check()
        return self._library.serialize(name)

    def deserialize(self, data, /, *, name="main"):
        self._check()
        self._statements.clear()
        self._library.deserialize(data, name)

    def blobopen(self, table, column, row, /, *, readonly=False, name="main"):
        self._check()
        blob = Blob(self, self._library.open_blob(name, table, column, row, not readonly))
        self._blobs.add(blob)
        return blob

    def getlimit(self, category, /):
        return self.setlimit(category, -1)

    def setlimit(self, category, limit, /):
        self._check()
        found = self._library.limit(category, limit)
        if found < 0:
            raise ProgrammingError("'category' is out of bounds")
        return found


def _ident():
    import _thread

    return _thread.get_ident()
