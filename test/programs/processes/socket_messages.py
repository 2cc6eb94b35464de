import array
import os
import socket

a, b = socket.socketpair()
print(a.sendmsg([b"one ", b"two"]))
print(b.recvmsg(100)[0:3])
r, w = os.pipe()
fds = array.array("i", [r, w])
print(a.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, fds)]))
data, ancillary, flags, address = b.recvmsg(10, socket.CMSG_SPACE(2 * fds.itemsize))
level, kind, content = ancillary[0]
print(data, len(ancillary), level == socket.SOL_SOCKET, kind == socket.SCM_RIGHTS, len(content), flags)
got = array.array("i")
got.frombytes(content)
os.write(got[1], b"through the copy")
print(os.read(r, 100), list(got) != list(fds))
print(socket.CMSG_LEN(4), socket.CMSG_SPACE(4), socket.CMSG_LEN(0), socket.CMSG_SPACE(9))
socket.send_fds(a, [b"again"], [r])
message, found, flags, address = socket.recv_fds(b, 20, 4)
print(message, len(found))
# Too little room for what comes.
a.sendmsg([b"y"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [r, w, r]))])
data, ancillary, flags, address = b.recvmsg(10, socket.CMSG_LEN(4))
print(data, [(len(c), t == socket.SCM_RIGHTS) for l, t, c in ancillary], bool(flags & socket.MSG_CTRUNC))
a.sendmsg([b"z"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, fds)])
print(b.recvmsg(10)[:2])
room = [bytearray(3), bytearray(10)]
a.sendmsg([b"scattered"])
print(b.recvmsg_into(room), room)
for bad in (lambda: a.recvmsg(-1), lambda: a.recvmsg(1, -1), lambda: a.recvmsg(1, 2**40), lambda: a.recv(2**62),
            lambda: a.recvmsg(2**62),
            lambda: socket.CMSG_LEN(-1)):
    try:
        bad()
    except Exception as e:
        print(type(e).__name__, e)
b.settimeout(0.05)
try:
    b.recvmsg(1)
except TimeoutError as e:
    print("TimeoutError", e)
