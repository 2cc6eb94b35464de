"""unittest, unittest.mock, doctest."""

import contextlib
import doctest
import io
import sys
import unittest
import warnings
from unittest import mock


def mean(values):
    """The mean of numbers.

    >>> mean([1, 2, 3])
    2.0
    >>> mean([])
    Traceback (most recent call last):
        ...
    ZeroDivisionError: division by zero
    >>> print("a\\n\\nb")
    a
    <BLANKLINE>
    b
    >>> list(range(30))  # doctest: +ELLIPSIS
    [0, 1, ..., 29]
    """
    return sum(values) / len(values)


def wrong():
    """
    >>> 1 + 1
    3
    """


class Case(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        print("class set up")

    def setUp(self):
        self.addCleanup(print, "cleaned")

    def test_asserts(self):
        self.assertEqual(mean([1, 3]), 2)
        self.assertAlmostEqual(0.1 + 0.2, 0.3)
        self.assertIn(1, [1])
        self.assertIsNone(None)
        self.assertRegex("abc", "b")
        self.assertCountEqual([1, 2], [2, 1])
        with self.assertRaisesRegex(ValueError, "bad"):
            raise ValueError("bad value")
        with self.assertWarns(UserWarning):
            warnings.warn("careful")
        with self.assertLogs("x", "INFO") as logs:
            import logging
            logging.getLogger("x").warning("look")
        self.assertEqual(logs.output, ["WARNING:x:look"])

    def test_fails(self):
        self.assertEqual([1, 2, 3], [1, 2, 4])

    def test_multiline(self):
        self.assertEqual("one\ntwo\n", "one\nthree\n", "texts differ")

    def test_errors(self):
        raise KeyError("missing")

    def test_dict(self):
        self.assertDictEqual({"a": 1}, {"a": 2})

    @unittest.skip("not today")
    def test_skipped(self):
        pass

    @unittest.expectedFailure
    def test_expected(self):
        self.fail()

    def test_subtests(self):
        for i in range(3):
            with self.subTest(i=i):
                self.assertNotEqual(i, 1)


stream = io.StringIO()
suite = unittest.defaultTestLoader.loadTestsFromTestCase(Case)
result = unittest.TextTestRunner(stream, verbosity=2).run(suite)
shown = [line for line in stream.getvalue().splitlines()
         if not line.lstrip().startswith(("File", "Ran", "raise", "self.", "~", "^"))]
print("\n".join(shown))
print(result.testsRun, len(result.failures), len(result.errors), len(result.skipped), len(result.expectedFailures), result.wasSuccessful())

out = io.StringIO()
with contextlib.redirect_stdout(out):
    tested = doctest.testmod(sys.modules[__name__])
print(tested, "Expected:\n    3\nGot:\n    2" in out.getvalue())
print(doctest.DocTestParser().get_examples(mean.__doc__)[0].source.strip(), doctest.script_from_examples(wrong.__doc__).splitlines())

# mock
thing = mock.Mock(return_value=3, name="thing")
print(thing(1, key=2), thing.call_count, thing.call_args, thing.mock_calls)
thing.method.side_effect = [1, 2, ValueError("done")]
print(thing.method(), thing.method())
try:
    thing.method()
except ValueError as e:
    print(e)
thing.assert_called_once_with(1, key=2)
try:
    thing.assert_called_with(5)
except AssertionError as e:
    print(str(e).splitlines()[0])
magic = mock.MagicMock()
magic.__len__.return_value = 7
magic.__getitem__.side_effect = lambda key: key * 2
print(len(magic), magic["ab"], bool(magic), magic.__len__.called, int(magic))


class Service:
    limit = 10

    def fetch(self, name, size=1):
        return "real"


with mock.patch.object(Service, "fetch", autospec=True, return_value="fake") as fetch, mock.patch.object(Service, "limit", 3):
    print(Service().fetch("x"), Service.limit, fetch.call_args[0][1:])
    try:
        Service().fetch()
    except TypeError as e:
        print(e)
print(Service().fetch("x"), Service.limit)
with mock.patch("sys.argv", ["prog"]), mock.patch.dict("os.environ", {"JANUS_T": "1"}):
    import os
    print(sys.argv, os.environ["JANUS_T"])
print("JANUS_T" in os.environ, mock.call(1, a=2) == ((1,), {"a": 2}), mock.ANY == 5, mock.sentinel.x)
spec = mock.create_autospec(Service)
print(hasattr(spec, "nope"), isinstance(spec(), mock.NonCallableMagicMock))
opener = mock.mock_open(read_data="line one\nline two\n")
with mock.patch("builtins.open", opener):
    with open("any") as file:
        print(file.read().split())
prop = mock.PropertyMock(return_value=5)
with mock.patch.object(Service, "limit", new_callable=mock.PropertyMock, return_value=8):
    print(Service().limit)
