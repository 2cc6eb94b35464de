"""Further logging handlers."""

import logging
import os


class RotatingFileHandler(logging.FileHandler):
    def __init__(self, filename, mode="a", maxBytes=0, backupCount=0, encoding=None, delay=False, errors=None):
        super().__init__(filename, mode, encoding, delay, errors)
        self.maxBytes, self.backupCount = maxBytes, backupCount

    def emit(self, record):
        if self.maxBytes > 0 and self.stream is not None:
            if self.stream.tell() + len(self.format(record)) + 1 >= self.maxBytes:
                self.doRollover()
        super().emit(record)

    def doRollover(self):
        self.close()
        for i in range(self.backupCount - 1, 0, -1):
            if os.path.exists(f"{self.baseFilename}.{i}"):
                os.replace(f"{self.baseFilename}.{i}", f"{self.baseFilename}.{i + 1}")
        if self.backupCount > 0:
            os.replace(self.baseFilename, self.baseFilename + ".1")
        else:
            os.remove(self.baseFilename)
        self.stream = self._open()


class TimedRotatingFileHandler(logging.FileHandler):
    def __init__(self, filename, when="h", interval=1, backupCount=0, encoding=None, delay=False, utc=False,
                 atTime=None, errors=None):
        super().__init__(filename, "a", encoding, delay, errors)
