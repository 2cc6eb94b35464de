# Distributions of RandomState that few scripts draw from.
import numpy as np
np.random.seed(3)
for nm, a in (('binomial', (1000, .3)), ('binomial', (100, .9)), ('noncentral_chisquare', (3, 1.5)), ('noncentral_chisquare', (.5, 1.5)), ('noncentral_f', (3, 4, 1.)), ('vonmises', (1, 2)), ('vonmises', (0, 1e-6)), ('zipf', (2.5,)), ('logseries', (.6,)), ('hypergeometric', (5, 5, 3)), ('hypergeometric', (50, 70, 30)), ('hypergeometric', (500, 70, 400))):
    x = getattr(np.random, nm)(*a, size=1000); y = getattr(np.random, nm)(*a); print(nm, a, x.dtype, '%.9g %.9g %.9g' % (x.mean(), x.std(), x[-1]), type(y).__name__)
print(np.random.multinomial(500, [.2, .3, .5], 2), np.random.binomial([100, 2], .4), np.random.hypergeometric([10, 20], 5, 3))
for bad in ('zipf(1)', 'hypergeometric(1, 1, 5)', 'logseries(1)', 'gamma([1., 2.], size=3)', 'normal([0, 1], size=(2, 3))', 'vonmises(0, -1)', 'noncentral_chisquare(0, 1)'):
    try: print(bad, eval('np.random.' + bad))
    except Exception as e: print(bad, type(e).__name__, str(e)[:150])
