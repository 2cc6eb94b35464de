//! The names of CPython's library.
//!
//! In: a module's name. Out: whether CPython has it in a file. Always: sorted, so that they can be looked up.

/// What is part of CPython's program, and so comes before a script's own modules.
pub const BUILT_IN: &[&str] = &[
    "_abc", "_ast", "_codecs", "_collections", "_collections_abc", "_frozen_importlib", "_frozen_importlib_external",
    "_functools", "_imp", "_io", "_locale", "_operator", "_signal", "_sitebuiltins", "_sre", "_stat", "_string",
    "_symtable", "_thread", "_tracemalloc", "_warnings", "_weakref", "abc", "atexit", "builtins", "codecs", "errno",
    "faulthandler", "gc", "genericpath", "importlib", "io", "itertools", "marshal", "ntpath", "os", "posix",
    "posixpath", "pwd", "runpy", "site", "stat", "sys", "time", "zipimport",
];

/// What CPython has in files: a script's own modules of these names come first.
pub const IN_FILES: &[&str] = &[
    "__future__", "_aix_support", "_asyncio", "_bisect", "_blake2", "_bootsubprocess", "_bz2", "_codecs_cn",
    "_codecs_hk", "_codecs_iso2022", "_codecs_jp", "_codecs_kr", "_codecs_tw", "_compat_pickle", "_compression",
    "_contextvars", "_crypt", "_csv", "_ctypes", "_curses", "_curses_panel", "_datetime", "_dbm", "_decimal",
    "_elementtree", "_gdbm", "_hashlib", "_heapq", "_json", "_lsprof", "_lzma", "_markupbase", "_md5", "_msi",
    "_multibytecodec", "_multiprocessing", "_opcode", "_osx_support", "_overlapped", "_pickle", "_posixshmem",
    "_posixsubprocess", "_py_abc", "_pydecimal", "_pyio", "_queue", "_random", "_scproxy", "_sha1", "_sha256",
    "_sha3", "_sha512", "_socket", "_sqlite3", "_ssl", "_statistics", "_strptime", "_struct", "_threading_local",
    "_tkinter", "_tokenize", "_typing", "_uuid", "_weakrefset", "_winapi", "_zoneinfo", "aifc", "antigravity",
    "argparse", "array", "ast", "asynchat", "asyncio", "asyncore", "audioop", "base64", "bdb", "binascii", "bisect",
    "bz2", "cProfile", "calendar", "cgi", "cgitb", "chunk", "cmath", "cmd", "code", "codeop", "collections",
    "colorsys", "compileall", "concurrent", "configparser", "contextlib", "contextvars", "copy", "copyreg", "crypt",
    "csv", "ctypes", "curses", "dataclasses", "datetime", "dbm", "decimal", "difflib", "dis", "distutils", "doctest",
    "email", "encodings", "ensurepip", "enum", "fcntl", "filecmp", "fileinput", "fnmatch", "fractions", "ftplib",
    "functools", "getopt", "getpass", "gettext", "glob", "graphlib", "grp", "gzip", "hashlib", "heapq", "hmac",
    "html", "http", "idlelib", "imaplib", "imghdr", "imp", "inspect", "ipaddress", "json", "keyword", "lib2to3",
    "linecache", "locale", "logging", "lzma", "mailbox", "mailcap", "math", "mimetypes", "mmap", "modulefinder",
    "msilib", "msvcrt", "multiprocessing", "netrc", "nis", "nntplib", "nt", "nturl2path", "numbers", "opcode",
    "operator", "optparse", "ossaudiodev", "pathlib", "pdb", "pickle", "pickletools", "pipes", "pkgutil", "platform",
    "plistlib", "poplib", "pprint", "profile", "pstats", "pty", "py_compile", "pyclbr", "pydoc", "pydoc_data",
    "pyexpat", "queue", "quopri", "random", "re", "readline", "reprlib", "resource", "rlcompleter", "sched",
    "secrets", "select", "selectors", "shelve", "shlex", "shutil", "signal", "smtpd", "smtplib", "sndhdr", "socket",
    "socketserver", "spwd", "sqlite3", "sre_compile", "sre_constants", "sre_parse", "ssl", "statistics", "string",
    "stringprep", "struct", "subprocess", "sunau", "symtable", "sysconfig", "syslog", "tabnanny", "tarfile",
    "telnetlib", "tempfile", "termios", "textwrap", "this", "threading", "timeit", "tkinter", "token", "tokenize",
    "tomllib", "trace", "traceback", "tracemalloc", "tty", "turtle", "turtledemo", "types", "typing", "unicodedata",
    "unittest", "urllib", "uu", "uuid", "venv", "warnings", "wave", "weakref", "webbrowser", "winreg", "winsound",
    "wsgiref", "xdrlib", "xml", "xmlrpc", "zipapp", "zipfile", "zlib", "zoneinfo",
];

/// Whether CPython has this module in a file of its library.
pub(crate) fn is_in_file(module: &str) -> bool {
    IN_FILES.binary_search(&module).is_ok()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_names_are_sorted() {
        assert!(super::IN_FILES.is_sorted() && super::BUILT_IN.is_sorted());
    }
}
