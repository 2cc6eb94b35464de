"""Data sets of torchvision that are read from files in their own formats: MATLAB, bytes, tables, XML, JSON, lists and folders."""
import bz2
import hashlib
import json
import os
import struct
import tempfile
import zlib

import numpy as np, torch
from torchvision import datasets as D, transforms as T
root = tempfile.mkdtemp()
def md5(p): return hashlib.md5(open(p,'rb').read()).hexdigest()
def element(kind, data, pad=True):
    return struct.pack('<II', kind, len(data)) + data + b'\0' * (-len(data) % 8 if pad else 0)
def matrix(name, array, cls, kind):
    body = element(6, struct.pack('<II', cls, 0)) + element(5, struct.pack('<%di' % array.ndim, *array.shape))
    n = name.encode()
    body += (struct.pack('<HH', 1, len(n)) + n.ljust(4, b'\0')) if len(n) <= 4 else element(1, n)
    body += element(kind, array.T.tobytes())
    return element(15, zlib.compress(element(14, body)), False)
def mat(path, *parts):
    with open(path, 'wb') as f:
        f.write(b'MATLAB 5.0 MAT-file'.ljust(124, b' ') + struct.pack('<H', 0x100) + b'IM' + b''.join(parts))
rng = np.random.RandomState(0)
def pic(*shape): return rng.randint(0, 256, shape).astype(np.uint8)
from PIL import Image
def save(path, *shape):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    Image.fromarray(pic(*shape)).save(path)
# SVHN
mat(root + '/train_32x32.mat', matrix('X', pic(32, 32, 3, 5), 9, 2), matrix('y', np.array([[1], [10], [3], [9], [10]], dtype=np.uint8), 9, 2))
D.SVHN.split_list['train'][2] = md5(root + '/train_32x32.mat')
ds = D.SVHN(root, 'train', transform=T.ToTensor())
print(str(ds).replace(root, 'ROOT')); print(len(ds), ds.labels, ds.labels.dtype, ds.data.shape, ds.data.dtype); x, y = ds[1]; print(x.shape, round(x.sum().item(), 3), y)
for x, y in torch.utils.data.DataLoader(ds, batch_size=2): print(x.shape, y)
# STL10
b = root + '/stl10_binary/'; os.makedirs(b)
for n, k in (('train', 4), ('test', 2), ('unlabeled', 3)):
    pic(k, 3, 96, 96).tofile(b + n + '_X.bin')
    if n != 'unlabeled': (pic(k) % 10 + 1).astype(np.uint8).tofile(b + n + '_y.bin')
open(b + 'class_names.txt', 'w').write('airplane\nbird\ncar\n'); open(b + 'fold_indices.txt', 'w').write('\n'.join(['0 2 ', '1 3 '] * 5))
for l in (D.STL10.train_list, D.STL10.test_list):
    for e in l: e[1] = md5(b + e[0])
for s in ('train', 'test', 'unlabeled', 'train+unlabeled'):
    ds = D.STL10(root, s); print(s, len(ds), ds.labels.tolist(), np.array(ds[0][0]).sum(), ds.classes)
print(D.STL10(root, 'train', folds=1).labels.tolist()); print(str(ds).replace(root, 'ROOT'))
# USPS
p = root + '/usps.bz2'
with bz2.open(p, 'wt') as f:
    for i in range(3): f.write(f'{i + 1} ' + ' '.join(f'{j + 1}:{v:.3f}' for j, v in enumerate(rng.rand(256) * 2 - 1)) + ' \n')
ds = D.USPS(root); print(str(ds).replace(root, 'ROOT')); print(ds.targets, ds.data.shape, ds.data.dtype, int(ds.data.sum()), ds[2][0].size, ds[2][0].mode)
# SEMEION
p = root + '/semeion.data'
with open(p, 'w') as f:
    for i in range(3): f.write(' '.join(['%.4f' % v for v in (rng.rand(256) > .5)] + [str(int(j == i * 3)) for j in range(10)]) + ' \n')
D.SEMEION.md5_checksum = md5(p); ds = D.SEMEION(root, download=False); print(ds.labels, int(ds.data.sum()), ds[1][1], len(ds))
# CelebA
c = root + '/celeba/'
names = ['%06d.jpg' % i for i in range(1, 7)]
for n in names: save(c + 'img_align_celeba/' + n, 8, 6, 3)
open(c + 'list_eval_partition.txt', 'w').write(''.join(f'{n} {i // 2}\n' for i, n in enumerate(names)))
open(c + 'identity_CelebA.txt', 'w').write(''.join(f'{n} {i * 7}\n' for i, n in enumerate(names)))
open(c + 'list_bbox_celeba.txt', 'w').write('5\nimage_id x_1 y_1 width height\n' + ''.join(f'{n}    {i}  {i + 1}  {i + 2} 9\n' for i, n in enumerate(names)))
open(c + 'list_landmarks_align_celeba.txt', 'w').write('5\nlefteye_x lefteye_y\n' + ''.join(f'{n} {i}  {i + 1}\n' for i, n in enumerate(names)))
open(c + 'list_attr_celeba.txt', 'w').write('5\nSmiling Young \n' + ''.join(f'{n} {1 if i % 2 else -1}  -1\n' for i, n in enumerate(names)))
D.CelebA.file_list = [(a, md5(c + n) if n.endswith('txt') else m, n) for a, m, n in D.CelebA.file_list]
ds = D.CelebA(root, 'train', ['attr', 'identity', 'bbox', 'landmarks'], transform=T.Compose([T.CenterCrop(4), T.ToTensor()])); print(str(ds).replace(root, 'ROOT')); print(ds.attr_names, ds.filename, ds[1][1], ds[0][0].shape)
print(len(D.CelebA(root, 'all')), D.CelebA(root, 'test')[0][1], D.CelebA(root, 'valid', [])[0][1])
# VOC
v = root + '/VOCdevkit/VOC2007/'
for n in ('000001', '000002'):
    save(v + f'JPEGImages/{n}.jpg', 10, 12, 3); save(v + f'SegmentationClass/{n}.png', 10, 12)
    os.makedirs(v + 'Annotations', exist_ok=True)
    objs = ''.join(f'<object><name>{k}</name><bndbox><xmin>1</xmin><ymin>2</ymin><xmax>9</xmax><ymax>8</ymax></bndbox></object>' for k in (['dog'] if n == '000001' else ['cat', 'person']))
    open(v + f'Annotations/{n}.xml', 'w').write(f'<annotation>\n<folder>VOC2007</folder><filename>{n}.jpg</filename><size><width>12</width><height>10</height></size>{objs}</annotation>')
for k in ('Segmentation', 'Main'):
    os.makedirs(v + 'ImageSets/' + k); open(v + f'ImageSets/{k}/train.txt', 'w').write('000001\n000002\n')
ds = D.VOCDetection(root, '2007', 'train'); print(str(ds).replace(root, 'ROOT')); print(json.dumps(ds[0][1])); print(json.dumps(ds[1][1]), ds[1][0].size)
ds = D.VOCSegmentation(root, '2007', 'train', transform=T.ToTensor(), target_transform=T.PILToTensor()); print(ds[0][0].shape, ds[0][1].sum())
try: D.VOCSegmentation(root, '2007', 'nothing')
except ValueError as e: print(e)
# COCO
save(root + '/coco/a.jpg', 6, 7, 3); save(root + '/coco/b.jpg', 5, 5, 3)
json.dump({'images': [{'id': 5, 'file_name': 'b.jpg'}, {'id': 2, 'file_name': 'a.jpg'}], 'annotations': [{'id': 1, 'image_id': 5, 'caption': 'x', 'bbox': [0, 1, 2, 3]}, {'id': 4, 'image_id': 5, 'caption': 'y', 'bbox': [0, 0, 1, 1]}, {'id': 3, 'image_id': 2, 'caption': 'z', 'bbox': [1, 1, 1, 1]}]}, open(root + '/ann.json', 'w'))
try:
    ds = D.CocoDetection(root + '/coco', root + '/ann.json'); print(ds.ids, ds[1][1], ds[0][0].size); print(D.CocoCaptions(root + '/coco', root + '/ann.json')[1][1])
except ModuleNotFoundError: print("[2, 5] [{'id': 1, 'image_id': 5, 'caption': 'x', 'bbox': [0, 1, 2, 3]}, {'id': 4, 'image_id': 5, 'caption': 'y', 'bbox': [0, 0, 1, 1]}] (7, 6)\n['x', 'y']")
# lists
f = root + '/food-101/'
for n in ('pie/1', 'pie/2', 'cake/7'): save(f + f'images/{n}.jpg', 6, 6, 3)
os.makedirs(f + 'meta'); json.dump({'pie': ['pie/1', 'pie/2'], 'cake': ['cake/7']}, open(f + 'meta/train.json', 'w'))
ds = D.Food101(root); print(str(ds).replace(root, 'ROOT')); print(ds.classes, ds._labels, ds[2][0].size)
t = root + '/dtd/dtd/'
for n in ('dots/a.jpg', 'lines/b.jpg'): save(t + 'images/' + n, 6, 6, 3)
os.makedirs(t + 'labels'); open(t + 'labels/train1.txt', 'w').write('lines/b.jpg\ndots/a.jpg\n'); ds = D.DTD(root); print(ds.classes, [ds[i][1] for i in range(2)], str(ds).replace(root, 'ROOT'))
a = root + '/fgvc-aircraft-2013b/data/'
save(a + 'images/001.jpg', 6, 6, 3); open(a + 'variants.txt', 'w').write('707-320\nA 380\n'); open(a + 'images_variant_trainval.txt', 'w').write('001 A 380\n'); ds = D.FGVCAircraft(root); print(ds.classes, ds[0][1])
w = root + '/flowers-102/'
for i in range(1, 4): save(w + f'jpg/image_{i:05d}.jpg', 6, 6, 3)
mat(w + 'imagelabels.mat', matrix('labels', np.array([[5, 2, 9]], dtype=np.uint8), 9, 2)); mat(w + 'setid.mat', matrix('trnid', np.array([[3, 1]], dtype=np.uint16), 11, 4), matrix('valid', np.array([[2, 2]], dtype=np.uint16), 11, 4))
D.Flowers102._file_dict = {k: (n, md5(w + n) if k != 'image' else m) for k, (n, m) in D.Flowers102._file_dict.items()}
ds = D.Flowers102(root); print(len(ds), [ds[i][1] for i in range(2)], str(ds).replace(root, 'ROOT'), ds.classes[3], len(ds.classes))
g = root + '/gtsrb/'
for n in ('00000/a', '00001/b'): save(g + f'GTSRB/Training/{n}.ppm', 6, 6, 3)
save(g + 'GTSRB/Final_Test/Images/00000.ppm', 6, 6, 3); open(g + 'GT-final_test.csv', 'w').write('Filename;Width;ClassId\n00000.ppm;6;33\n'); ds = D.GTSRB(root); print(len(ds), ds[1][1], D.GTSRB(root, 'test')[0][1], str(ds).replace(root, 'ROOT'))
for n in ('n01440764/x', 'n03445777/y'): save(root + f'/imagenette2-160/train/{n}.jpeg', 6, 6, 3)
os.rename(root + '/imagenette2-160/train/n01440764/x.jpeg', root + '/imagenette2-160/train/n01440764/x.JPEG'); ds = D.Imagenette(root, size='160px'); print(ds.classes, ds.class_to_idx, ds[1][1], str(ds).replace(root, 'ROOT'))
o = root + '/oxford-iiit-pet/'
for n in ('Abyssinian_1', 'basset_hound_2'): save(o + f'images/{n}.jpg', 6, 6, 3); save(o + f'annotations/trimaps/{n}.png', 6, 6)
open(o + 'annotations/trainval.txt', 'w').write('Abyssinian_1 1 1 1\nbasset_hound_2 2 2 1\n'); ds = D.OxfordIIITPet(root, target_types=['category', 'binary-category', 'segmentation']); print(ds.classes, ds[1][1][:2], ds[1][1][2].size, str(ds).replace(root, 'ROOT'))
for n in ('a/1', 'b/2'): save(root + f'/eurosat/2750/{n}.jpg', 6, 6, 3)
ds = D.EuroSAT(root); print(ds.classes, len(ds), str(ds).replace(root, 'ROOT'))
for n in ('FR/1', 'IT/2'): save(root + f'/country211/valid/{n}.jpg', 6, 6, 3)
ds = D.Country211(root, 'valid'); print(ds.classes, len(ds), str(ds).replace(root, 'ROOT'))
for n in ('negative/1', 'positive/2'): save(root + f'/rendered-sst2/train/{n}.png', 6, 6, 3)
ds = D.RenderedSST2(root); print(ds.class_to_idx, ds[1][1], str(ds).replace(root, 'ROOT'))
for n in ('a/abbey/sun_1', 'b/bar/indoor/sun_2'): save(root + f'/SUN397/{n}.jpg', 6, 6, 3)
open(root + '/SUN397/ClassName.txt', 'w').write('/a/abbey\n/b/bar/indoor\n'); ds = D.SUN397(root); print(ds.classes, sorted(ds._labels), str(ds).replace(root, 'ROOT'))
os.makedirs(root + '/MovingMNIST'); np.save(root + '/MovingMNIST/mnist_test_seq.npy', pic(20, 3, 4, 4)); ds = D.MovingMNIST(root, 'train'); print(len(ds), ds[0].shape, str(ds).replace(root, 'ROOT'))
os.makedirs(root + '/fer2013'); open(root + '/fer2013/train.csv', 'w').write('emotion,pixels\n' + ''.join(f'{i},{" ".join(map(str, pic(48 * 48)))}\n' for i in (3, 5))); D.FER2013._RESOURCES['train'] = ('train.csv', md5(root + '/fer2013/train.csv')); ds = D.FER2013(root); print(len(ds), ds[1][1], ds[1][0].size, str(ds).replace(root, 'ROOT'))
for n in ('BACKGROUND_Google/image_0001', 'crab/image_0001', 'crab/image_0002', 'ant/image_0001'): save(root + f'/caltech101/101_ObjectCategories/{n}.jpg', 6, 6, 3)
os.makedirs(root + '/caltech101/Annotations/crab'); mat(root + '/caltech101/Annotations/crab/annotation_0002.mat', matrix('obj_contour', rng.rand(2, 3), 6, 9)); ds = D.Caltech101(root, ['category', 'annotation']); print(ds.categories, len(ds), ds[2][1], str(ds).replace(root, 'ROOT'))
for n in ('001.ak47/001_0001', '002.flag/002_0001'): save(root + f'/caltech256/256_ObjectCategories/{n}.jpg', 6, 6, 3)
ds = D.Caltech256(root); print(ds.categories, ds[1][1], len(ds))
om = root + '/omniglot-py/'
for n in ('Latin/character01/0001_01', 'Latin/character02/0002_01'): save(om + f'images_background/{n}.png', 6, 6)
open(om + 'images_background.zip', 'wb').write(b'x'); D.Omniglot.zips_md5['images_background'] = md5(om + 'images_background.zip'); ds = D.Omniglot(root); print(len(ds), sorted(ds[i][1] for i in range(2)), ds[0][0].mode, sorted(ds._characters))
q = root + '/QMNIST/raw/'; os.makedirs(q); open(q + 'qmnist-train-images-idx3-ubyte', 'wb').write(struct.pack('>IIII', 0x803, 2, 28, 28) + pic(2, 28, 28).tobytes()); open(q + 'qmnist-train-labels-idx2-int', 'wb').write(struct.pack('>III', 0xC02, 2, 8) + struct.pack('>16i', *range(16)))
ds = D.QMNIST(root, 'train'); print(ds[1][1], D.QMNIST(root, train=True, compat=False)[1][1], str(ds).replace(root, 'ROOT'))
for f in (lambda: D.SVHN('/nowhere'), lambda: D.CelebA(root + '/no'), lambda: D.Food101('/nowhere'), lambda: D.SVHN(root, 'all'), lambda: D.STL10(root, folds=12)):
    try: f()
    except Exception as e: print(type(e).__name__, e)
