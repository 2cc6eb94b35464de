# Arrays of records.
import copy
import pickle
import numpy as np

dt = np.dtype([('name', 'U10'), ('age', 'i4'), ('w', 'f8')])
a = np.array([('Rex', 9, 81.0), ('Fido', 3, 27.5), ('Bo', 12, 5.0)], dtype=dt)
print(a, repr(a), a.dtype, dt, dt.names, dt['age'], dt.itemsize, dt.fields['w'], a.shape, len(a), a.ndim, a.size, a.itemsize, a.nbytes, dt.kind, sep='\n')
print(a['age'], a['name'], a['w'].mean(), a[0], repr(a[0]), a[0]['w'], a[0][1], a[1:], a[a['age'] > 5], a[[0, 2]]['name'], a[['name', 'age']], a[-1]['name'])
a['age'][0] = 10; a[1]['w'] = 1.5; a['w'] *= 2; a[2] = ('New', 1, 2.0); print(a, a.tolist(), [r['name'] for r in a], a[0].item(), tuple(a[0]), len(a[0]))
print(np.sort(a, order='age'), np.sort(a, order=['w', 'age'])['name'], np.argsort(a, order='name'), a.argsort(order='age'))
z = np.zeros(3, dtype=[('s', 'f4', (2,)), ('r', 'i8'), ('d', '?')]); z['s'][1] = [1, 2]; z[2] = ([3, 4], 5, True); print(z, z['s'].shape, z.dtype, z['r'].sum(), z[1]['s'], repr(z))
z['r'] = np.arange(3); z['s'] = 7; print(z)
b = a.copy(); b['age'] += 100; print(a['age'], b['age'], np.concatenate([a, b])['age'], a == b, a == a, (a != b).all())
v = a[:2]; v['age'] = 0; print(a['age'])
q = np.empty(2, dtype={'names': ['x', 'y'], 'formats': ['f8', 'i4']}); q['x'] = [1, 2]; q['y'] = 3; print(q, np.zeros(2, 'i4,f8'), np.array((1, 2.5), dtype='i4,f8'), np.zeros((2, 2), dtype=[('a', 'i4')]))
for row in a: print(row['name'], int(row['age']), float(row['w']))
for name, age, w in a: print(name, age, w)
r = a.view(np.recarray); print(r.age, r[0].name, r.name[1]); r.age = 4; print(a['age'], np.rec.fromrecords([(1, 'a'), (2, 'b')], names='k,v').v, np.rec.fromarrays([[1, 2], [3., 4]], names='p,q'))
print(pickle.loads(pickle.dumps(a)), copy.deepcopy(a)['w'], dict(zip(a.dtype.names, a[0])), a.reshape(3, 1).shape, a.astype([('n', 'U3'), ('a', 'f4'), ('w', 'i4')]))
X = np.column_stack([a['age'], a['w']]); print(X, X.dtype, np.array([tuple(x) for x in X], dtype=[('u', float), ('v', float)]))
mem = np.zeros(4, dtype=[('obs', np.float32, (3,)), ('act', np.int64), ('rew', np.float32), ('done', bool)])
for i in range(4): mem[i] = (np.full(3, i), i, i / 2, i == 3)
ix = np.array([0, 3]); print(mem[ix]['obs'].sum(1), mem['rew'][ix], mem[ix]['done'], mem['obs'].dtype, mem.dtype.names)
for bad in ("a['zz']", "np.array([(1, 2)], dtype=dt)", "a + 1", "np.dtype([('a', 'i4'), ('a', 'f4')])", "a[5]", "a[0]['q']"):
    try: print(bad, eval(bad))
    except Exception as e: print(bad, type(e).__name__, str(e)[:60])
