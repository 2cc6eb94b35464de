"""hashlib's algorithms whose digests have a length of the caller's choice."""
import hashlib
for h in [hashlib.blake2b(b"abc"), hashlib.blake2s(b"abc"), hashlib.blake2b(b"x", digest_size=16, key=b"k" * 20, salt=b"s", person=b"p"), hashlib.blake2s(b"x", digest_size=5, fanout=2, depth=3, leaf_size=10, node_offset=4, node_depth=1, inner_size=6, last_node=True), hashlib.new("blake2b", b"q", digest_size=3)]:
    h.update(b"more")
    twin = h.copy()
    twin.update(b"z")
    print(h.name, h.digest_size, h.block_size, h.hexdigest(), twin.hexdigest() != h.hexdigest())
s = hashlib.shake_128(b"abc")
print(s.name, s.digest_size, s.block_size, s.hexdigest(5), s.digest(length=3), hashlib.new("shake_256", b"").hexdigest(8))
for bad in ["hashlib.blake2b(digest_size=65)", "hashlib.blake2s(key=b'k' * 33)", "hashlib.blake2b(salt=b's' * 17)", "hashlib.shake_128().digest()", "hashlib.blake2b(person=b'p' * 17)", "hashlib.blake2b(fanout=256)"]:
    try:
        eval(bad)
        print("no error")
    except (ValueError, TypeError) as e:
        print(type(e).__name__)
print(hashlib.sha256(b"a").hexdigest()[:16], {"blake2b", "shake_128"} <= hashlib.algorithms_available, hashlib.blake2b.MAX_KEY_SIZE)
