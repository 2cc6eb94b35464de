"""zoneinfo: offsets, names and folds before, between and after the changes that a file lists."""
import io
import struct
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo


def zone(moments, kinds, rows, names, rule):
    """A file as the system's are."""
    def block(form, moments):
        head = b"TZif2" + bytes(15) + struct.pack(">6l", 0, 0, 0, len(moments), len(rows), len(names))
        body = struct.pack(f">{len(moments)}{form}", *moments) + bytes(kinds[:len(moments)])
        return head + body + b"".join(struct.pack(">lbb", *row) for row in rows) + names
    data = block("l", []) + block("q", moments) + b"\n" + rule + b"\n"
    return ZoneInfo.from_file(io.BytesIO(data), key="made")


def second(*args):
    return int(datetime(*args, tzinfo=timezone.utc).timestamp())


berlin = zone([second(1980, 4, 6, 1), second(1980, 9, 28, 1), second(1981, 3, 29, 1)], [1, 0, 1],
              [(3600, 0, 4), (7200, 1, 0)], b"CST\0CET\0", b"CET-1CEST,M3.5.0,M10.5.0/3")
odd = zone([second(1990, 1, 1)], [0], [(37800, 0, 0)], b"+1030\0", b"<+1030>-10:30<+11>-11,M10.1.0,M4.1.0")
fixed = zone([], [], [(0, 0, 0)], b"UTC\0", b"UTC0")
julian = zone([], [], [(-10800, 0, 0)], b"AAA\0", b"AAA3BBB,J60/0,300/-1:30")
for z in berlin, odd, fixed, julian:
    for year in 1970, 1980, 1981, 2024, 2100:
        total = 0
        for hours in range(0, 8784, 611):
            local = datetime(year, 1, 1, 0, 30, tzinfo=z) + timedelta(hours=hours)
            for fold in 0, 1:
                t = local.replace(fold=fold)
                total = (total * 31 + sum(map(ord, f"{t} {t.dst()} {t.tzname()}"))) % 1000003
            t = (datetime(year, 1, 1, 0, 30, tzinfo=timezone.utc) + timedelta(hours=hours)).astimezone(z)
            total = (total * 31 + sum(map(ord, f"{t} {t.fold}"))) % 1000003
        print(z, year, total)
for hour in 1, 2, 3:
    t = datetime(2024, 3, 31, hour, 30, tzinfo=berlin)
    print(t, t.astimezone(timezone.utc), t.replace(fold=1).astimezone(timezone.utc))
    t = datetime(2024, 10, 27, hour, 30, tzinfo=berlin)
    print(t, t.astimezone(timezone.utc), t.replace(fold=1).astimezone(timezone.utc))
print(berlin.utcoffset(None), fixed.utcoffset(None), repr(berlin), berlin.key)
for key in "/etc/passwd", "../x":
    try:
        ZoneInfo(key)
    except ValueError:
        print("refused", key)
try:
    ZoneInfo("No/Such")
except KeyError as e:
    print(type(e).__name__, e)
