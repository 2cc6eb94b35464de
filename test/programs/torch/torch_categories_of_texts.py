# Texts in arrays on the way to a model: encoders, groups, folds.
import numpy as np, torch, torch.nn as nn
from sys import intern
rng = np.random.default_rng(7); n = 200
city = rng.choice(['NYC', 'LA', 'SF', 'Boston'], n, p=[.4, .3, .2, .1]); grade = np.array(list('ABC'))[rng.integers(0, 3, n)]; names = np.array([f'user_{i:03d}' for i in range(n)]); age = rng.integers(18, 70, n)
class LabelEncoder:
    def fit(self, y): self.classes_ = np.unique(y); return self
    def transform(self, y):
        d = set(y) - set(self.classes_)
        if d: raise ValueError(f"y contains previously unseen labels: {sorted(d)}")
        return np.searchsorted(self.classes_, y)
    def fit_transform(self, y): self.classes_, r = np.unique(y, return_inverse=True); return r
    def inverse_transform(self, y): return self.classes_[y]
class OneHot:
    def fit(self, X): self.cats = [np.unique(X[:, j]) for j in range(X.shape[1])]; return self
    def transform(self, X): return np.hstack([(X[:, j][:, None] == c[None]).astype(np.float32) for j, c in enumerate(self.cats)])
le = LabelEncoder(); yc = le.fit_transform(city); print(le.classes_, yc[:10], le.inverse_transform(yc[:4]), le.transform(['SF', 'LA']))
try: le.transform(np.array(['Tokyo']))
except ValueError as e: print(e)
X = np.column_stack([city, grade]); print(X[:3], X.shape, X.dtype); oh = OneHot().fit(X); F = oh.transform(X); print(F.shape, F.sum(0), [c.tolist() for c in oh.cats])
vals, cnts = np.unique(city, return_counts=True); o = np.argsort(-cnts); print(dict(zip(vals[o], cnts[o])), {str(k): int(v) for k, v in zip(vals, cnts)})
groups = {c: age[city == c].mean().round(2) for c in np.unique(city)}; print(groups); print(np.char.add(np.char.upper(names[:3]), '@x.com'), np.char.startswith(names, 'user_00').sum(), names[np.argmax(age)], np.where(age > 60, 'old', np.where(age > 30, 'mid', 'young'))[:6])
mask = np.isin(city, ['NYC', 'SF']) & (grade != 'C'); print(mask.sum(), names[mask][:3], np.array_equal(np.unique(city[mask]), ['NYC', 'SF']))
rows = np.array([(nm, int(a), c) for nm, a, c in zip(names[:3], age, city)], dtype=object); print(rows, rows[:, 1].astype(int).sum(), rows.shape)
p = rng.permutation(n); tr, te = p[:150], p[150:]; torch.manual_seed(0); m = nn.Sequential(nn.Linear(F.shape[1] + 1, 16), nn.ReLU(), nn.Linear(16, 3)); lab = LabelEncoder(); y = lab.fit_transform(np.where(age > 50, 'old', np.where(age > 30, 'mid', 'young'))); D = torch.from_numpy(np.c_[F, (age - age.mean()) / age.std()].astype('float32')); Y = torch.as_tensor(y); opt = torch.optim.Adam(m.parameters(), .02)
for e in range(20): opt.zero_grad(); l = nn.functional.cross_entropy(m(D[tr]), Y[tr]); l.backward(); opt.step()
pred = m(D[te]).argmax(1).numpy(); print('%.4f' % l.item(), lab.classes_[pred][:5], (lab.classes_[pred] == lab.classes_[y[te]]).mean())
print('\n'.join(f'{lab.classes_[i]:>8s} {((pred == i) & (y[te] == i)).sum():4d} {(pred == i).sum():4d}' for i in range(3)))
words = np.array("the cat sat on the mat the end".split()); v, inv = np.unique(words, return_inverse=True); print(v, inv, np.bincount(inv), words[np.sort(np.unique(words, return_index=True)[1])])
stop = np.array(['the', 'on']); print(words[~np.isin(words, stop)], ' '.join(words[::-1]), np.vectorize(len)(words), max(words, key=len), sorted(set(words)), words.tolist().count('the'))
lut = np.empty(256, dtype=object); lut[:] = None; lut[65] = 'A'; print((lut != None).sum(), lut[65])
imgs = np.array([f'img_{i}.png' for i in range(6)]); folds = np.array_split(imgs, 3); print([f.tolist() for f in folds], np.concatenate(folds)[-1], imgs.reshape(2, 3)[:, 1], np.char.replace(imgs, '.png', '.jpg')[0], [f.split('_')[1] for f in imgs])
