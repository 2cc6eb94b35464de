//! numpy, torch.nn, torch.optim, torch.utils.data, PIL and others, in Python.
//!
//! In: nothing. Out: [`SOURCES`], the Python text of each module, embedded in the program, and
//! [`is_public_name`], which tells a name that PyTorch or NumPy has from one that it has not. Always: the
//! text is run and compiled like a user's script, so its hot paths are plain straight code.

/// One embedded Python module.
#[derive(Clone, Copy, Debug)]
pub struct Source {
    /// Its dotted name.
    pub name: &'static str,
    /// Whether it holds submodules.
    pub is_package: bool,
    /// Its text.
    pub text: &'static str,
}

macro_rules! sources {
    ($($name:literal $path:literal $package:literal),* $(,)?) => {
        /// Every embedded module.
        pub const SOURCES: &[Source] = &[$(Source {
            name: $name,
            is_package: $package,
            text: include_str!(concat!("../py/", $path)),
        }),*];
    };
}

sources! {
    "matplotlib" "matplotlib/__init__.py" true,
    "matplotlib._canvas" "matplotlib/_canvas.py" false,
    "matplotlib._kinds" "matplotlib/_kinds.py" false,
    "matplotlib._maps" "matplotlib/_maps.py" false,
    "matplotlib._names" "matplotlib/_names.py" false,
    "matplotlib._plots" "matplotlib/_plots.py" false,
    "matplotlib._rc" "matplotlib/_rc.py" false,
    "matplotlib.animation" "matplotlib/animation.py" false,
    "matplotlib.artist" "matplotlib/artist.py" false,
    "matplotlib.axes" "matplotlib/axes.py" false,
    "matplotlib.axis" "matplotlib/axis.py" false,
    "matplotlib.cm" "matplotlib/cm.py" false,
    "matplotlib.collections" "matplotlib/collections.py" false,
    "matplotlib.colorbar" "matplotlib/colorbar.py" false,
    "matplotlib.colors" "matplotlib/colors.py" false,
    "matplotlib.container" "matplotlib/container.py" false,
    "matplotlib.contour" "matplotlib/contour.py" false,
    "matplotlib.figure" "matplotlib/figure.py" false,
    "matplotlib.gridspec" "matplotlib/gridspec.py" false,
    "matplotlib.image" "matplotlib/image.py" false,
    "matplotlib.legend" "matplotlib/legend.py" false,
    "matplotlib.lines" "matplotlib/lines.py" false,
    "matplotlib.patches" "matplotlib/patches.py" false,
    "matplotlib.pyplot" "matplotlib/pyplot.py" false,
    "matplotlib.style" "matplotlib/style.py" false,
    "matplotlib.text" "matplotlib/text.py" false,
    "matplotlib.ticker" "matplotlib/ticker.py" false,
    "matplotlib.transforms" "matplotlib/transforms.py" false,
    "mpl_toolkits" "mpl_toolkits/__init__.py" true,
    "mpl_toolkits.mplot3d" "mpl_toolkits/mplot3d.py" false,
    "PIL" "PIL/__init__.py" true,
    "PIL._colors" "PIL/_colors.py" false,
    "PIL._files" "PIL/_files.py" false,
    "PIL._image" "PIL/_image.py" false,
    "PIL._util" "PIL/_util.py" false,
    "PIL.Image" "PIL/Image.py" false,
    "PIL.ImageChops" "PIL/ImageChops.py" false,
    "PIL.ImageColor" "PIL/ImageColor.py" false,
    "PIL.ImageDraw" "PIL/ImageDraw.py" false,
    "PIL.ImageEnhance" "PIL/ImageEnhance.py" false,
    "PIL.ImageFile" "PIL/ImageFile.py" false,
    "PIL.ImageFilter" "PIL/ImageFilter.py" false,
    "PIL.ImageMode" "PIL/ImageMode.py" false,
    "PIL.ImageOps" "PIL/ImageOps.py" false,
    "PIL.ImageStat" "PIL/ImageStat.py" false,
    "numpy" "numpy/__init__.py" true,
    "numpy._array" "numpy/_array.py" false,
    "numpy._core" "numpy/_core/__init__.py" true,
    "numpy._core.multiarray" "numpy/_core/multiarray.py" false,
    "numpy.core" "numpy/_core/__init__.py" true,
    "numpy.core.multiarray" "numpy/_core/multiarray.py" false,
    "numpy._creation" "numpy/_creation.py" false,
    "numpy._draws" "numpy/_draws.py" false,
    "numpy._dtypes" "numpy/_dtypes.py" false,
    "numpy._functions" "numpy/_functions.py" false,
    "numpy._generator" "numpy/_generator.py" false,
    "numpy._index" "numpy/_index.py" false,
    "numpy._io" "numpy/_io.py" false,
    "numpy._ops" "numpy/_ops.py" false,
    "numpy._print" "numpy/_print.py" false,
    "numpy._shapes" "numpy/_shapes.py" false,
    "numpy._ufuncs" "numpy/_ufuncs.py" false,
    "numpy._unsigned" "numpy/_unsigned.py" false,
    "numpy.linalg" "numpy/linalg.py" false,
    "numpy.random" "numpy/random.py" false,
    "numpy.testing" "numpy/testing.py" false,
    "numpy.typing" "numpy/typing.py" false,
    "torch" "torch/__init__.py" true,
    "torch._info" "torch/_info.py" false,
    "torch._tensor" "torch/_tensor.py" false,
    "torch._utils" "torch/_utils.py" false,
    "torch.accelerator" "torch/accelerator.py" false,
    "torch.amp" "torch/amp.py" false,
    "torch.autograd" "torch/autograd/__init__.py" true,
    "torch.autograd.function" "torch/autograd/function.py" false,
    "torch.autograd.grad_mode" "torch/autograd/grad_mode.py" false,
    "torch.backends" "torch/backends/__init__.py" true,
    "torch.backends._flags" "torch/backends/_flags.py" false,
    "torch.backends.cuda" "torch/backends/cuda.py" false,
    "torch.backends.cudnn" "torch/backends/cudnn.py" false,
    "torch.backends.mkl" "torch/backends/mkl.py" false,
    "torch.backends.mkldnn" "torch/backends/mkldnn.py" false,
    "torch.backends.mps" "torch/backends/mps.py" false,
    "torch.backends.openmp" "torch/backends/openmp.py" false,
    "torch.backends.opt_einsum" "torch/backends/opt_einsum.py" false,
    "torch.autograd.profiler" "torch/autograd/profiler.py" false,
    "torch.cpu" "torch/cpu/__init__.py" true,
    "torch.cpu.amp" "torch/cpu/amp.py" false,
    "torch.cuda" "torch/cuda/__init__.py" true,
    "torch.cuda.amp" "torch/cuda/amp.py" false,
    "torch.distributed" "torch/distributed/__init__.py" true,
    "torch.distributed._groups" "torch/distributed/_groups.py" false,
    "torch.distributed._objects" "torch/distributed/_objects.py" false,
    "torch.distributed._stores" "torch/distributed/_stores.py" false,
    "torch.distributed.distributed_c10d" "torch/distributed/distributed_c10d.py" false,
    "torch.distributed.elastic" "torch/distributed/elastic/__init__.py" true,
    "torch.distributed.elastic.multiprocessing" "torch/distributed/elastic/multiprocessing/__init__.py" true,
    "torch.distributed.elastic.multiprocessing.errors" "torch/distributed/elastic/multiprocessing/errors.py" false,
    "torch.distributed.rendezvous" "torch/distributed/rendezvous.py" false,
    "torch.distributions" "torch/distributions/__init__.py" true,
    "torch.distributions.categorical" "torch/distributions/categorical.py" false,
    "torch.distributions.continuous" "torch/distributions/continuous.py" false,
    "torch.distributions.distribution" "torch/distributions/distribution.py" false,
    "torch.distributions.mixture" "torch/distributions/mixture.py" false,
    "torch.distributions.normal" "torch/distributions/normal.py" false,
    "torch.distributions.transformed" "torch/distributions/transformed.py" false,
    "torch.distributions.transforms" "torch/distributions/transforms.py" false,
    "torch.func" "torch/func.py" false,
    "torch.hub" "torch/hub.py" false,
    "torch.jit" "torch/jit.py" false,
    "torch.linalg" "torch/linalg.py" false,
    "torch.multiprocessing" "torch/multiprocessing.py" false,
    "torch.nn" "torch/nn/__init__.py" true,
    "torch.nn._antialias" "torch/nn/_antialias.py" false,
    "torch.nn._windows" "torch/nn/_windows.py" false,
    "torch.nn.attention" "torch/nn/attention.py" false,
    "torch.nn.functional" "torch/nn/functional.py" false,
    "torch.nn.init" "torch/nn/init.py" false,
    "torch.nn.modules" "torch/nn/modules/__init__.py" true,
    "torch.nn.modules.activation" "torch/nn/modules/activation.py" false,
    "torch.nn.modules.batchnorm" "torch/nn/modules/batchnorm.py" false,
    "torch.nn.modules._sizes" "torch/nn/modules/_sizes.py" false,
    "torch.nn.modules.conv" "torch/nn/modules/conv.py" false,
    "torch.nn.modules.instancenorm" "torch/nn/modules/instancenorm.py" false,
    "torch.nn.modules.padding" "torch/nn/modules/padding.py" false,
    "torch.nn.modules.pooling" "torch/nn/modules/pooling.py" false,
    "torch.nn.modules.channelshuffle" "torch/nn/modules/channelshuffle.py" false,
    "torch.nn.modules.fold" "torch/nn/modules/fold.py" false,
    "torch.nn.modules.pixelshuffle" "torch/nn/modules/pixelshuffle.py" false,
    "torch.nn.modules.upsampling" "torch/nn/modules/upsampling.py" false,
    "torch.nn.modules.container" "torch/nn/modules/container.py" false,
    "torch.nn.modules.distance" "torch/nn/modules/distance.py" false,
    "torch.nn.modules.dropout" "torch/nn/modules/dropout.py" false,
    "torch.nn.modules.flatten" "torch/nn/modules/flatten.py" false,
    "torch.nn.modules.lazy" "torch/nn/modules/lazy.py" false,
    "torch.nn.modules.linear" "torch/nn/modules/linear.py" false,
    "torch.nn.modules.loss" "torch/nn/modules/loss.py" false,
    "torch.nn.modules.module" "torch/nn/modules/module.py" false,
    "torch.nn.modules.normalization" "torch/nn/modules/normalization.py" false,
    "torch.nn.modules.rnn" "torch/nn/modules/rnn.py" false,
    "torch.nn.modules.sparse" "torch/nn/modules/sparse.py" false,
    "torch.nn.modules.transformer" "torch/nn/modules/transformer.py" false,
    "torch.nn.parallel" "torch/nn/parallel/__init__.py" true,
    "torch.nn.parallel.distributed" "torch/nn/parallel/distributed.py" false,
    "torch.nn.parameter" "torch/nn/parameter.py" false,
    "torch.nn.utils" "torch/nn/utils/__init__.py" true,
    "torch.nn.utils.rnn" "torch/nn/utils/rnn.py" false,
    "torch.nn.utils.stateless" "torch/nn/utils/stateless.py" false,
    "torch.nn.utils.weight_norm" "torch/nn/utils/weight_norm.py" false,
    "torch.onnx" "torch/onnx.py" false,
    "torch.optim" "torch/optim/__init__.py" true,
    "torch.optim.adagrad" "torch/optim/adagrad.py" false,
    "torch.optim.adam" "torch/optim/adam.py" false,
    "torch.optim.asgd" "torch/optim/asgd.py" false,
    "torch.optim.lbfgs" "torch/optim/lbfgs.py" false,
    "torch.optim.lr_scheduler" "torch/optim/lr_scheduler.py" false,
    "torch.optim.optimizer" "torch/optim/optimizer.py" false,
    "torch.optim.rmsprop" "torch/optim/rmsprop.py" false,
    "torch.optim.radam" "torch/optim/radam.py" false,
    "torch.optim.sgd" "torch/optim/sgd.py" false,
    "torch.optim.swa_utils" "torch/optim/swa_utils.py" false,
    "torch.profiler" "torch/profiler.py" false,
    "torch.random" "torch/random.py" false,
    "torch.serialization" "torch/serialization.py" false,
    "torch.special" "torch/special.py" false,
    "torch.storage" "torch/storage.py" false,
    "torch.testing" "torch/testing.py" false,
    "torch.utils" "torch/utils/__init__.py" true,
    "torch.utils._pytree" "torch/utils/_pytree.py" false,
    "torch.utils.checkpoint" "torch/utils/checkpoint.py" false,
    "torch.utils.data" "torch/utils/data/__init__.py" true,
    "torch.utils.data.dataloader" "torch/utils/data/dataloader.py" false,
    "torch.utils.data.distributed" "torch/utils/data/distributed.py" false,
    "torch.utils.data.dataset" "torch/utils/data/dataset.py" false,
    "torch.utils.data._fetch" "torch/utils/data/_fetch.py" false,
    "torch.utils.data._workers" "torch/utils/data/_workers.py" false,
    "torch.utils.data.sampler" "torch/utils/data/sampler.py" false,
    "torch.utils.hooks" "torch/utils/hooks.py" false,
    "torch.utils.tensorboard" "torch/utils/tensorboard/__init__.py" true,
    "torch.utils.tensorboard._records" "torch/utils/tensorboard/_records.py" false,
    "torch.utils.tensorboard.writer" "torch/utils/tensorboard/writer.py" false,
    "torch.version" "torch/version.py" false,
    "torchvision" "torchvision/__init__.py" true,
    "torchvision.datasets" "torchvision/datasets/__init__.py" true,
    "torchvision.datasets.cifar" "torchvision/datasets/cifar.py" false,
    "torchvision.datasets.fakedata" "torchvision/datasets/fakedata.py" false,
    "torchvision.datasets.folder" "torchvision/datasets/folder.py" false,
    "torchvision.datasets.mnist" "torchvision/datasets/mnist.py" false,
    "torchvision.datasets.utils" "torchvision/datasets/utils.py" false,
    "torchvision.datasets.vision" "torchvision/datasets/vision.py" false,
    "torchvision.models" "torchvision/models/__init__.py" true,
    "torchvision.models._api" "torchvision/models/_api.py" false,
    "torchvision.models._table" "torchvision/models/_table.py" false,
    "torchvision.models._utils" "torchvision/models/_utils.py" false,
    "torchvision.models.alexnet" "torchvision/models/alexnet.py" false,
    "torchvision.models.densenet" "torchvision/models/densenet.py" false,
    "torchvision.models.efficientnet" "torchvision/models/efficientnet.py" false,
    "torchvision.models.googlenet" "torchvision/models/googlenet.py" false,
    "torchvision.models.inception" "torchvision/models/inception.py" false,
    "torchvision.models.mobilenetv2" "torchvision/models/mobilenetv2.py" false,
    "torchvision.models.mobilenetv3" "torchvision/models/mobilenetv3.py" false,
    "torchvision.models.resnet" "torchvision/models/resnet.py" false,
    "torchvision.models.squeezenet" "torchvision/models/squeezenet.py" false,
    "torchvision.models.vgg" "torchvision/models/vgg.py" false,
    "torchvision.models.vision_transformer" "torchvision/models/vision_transformer.py" false,
    "torchvision.ops" "torchvision/ops/__init__.py" true,
    "torchvision.ops.boxes" "torchvision/ops/boxes.py" false,
    "torchvision.ops.misc" "torchvision/ops/misc.py" false,
    "torchvision.ops.regions" "torchvision/ops/regions.py" false,
    "torchvision.transforms" "torchvision/transforms/__init__.py" true,
    "torchvision.transforms._base" "torchvision/transforms/_base.py" false,
    "torchvision.transforms._color" "torchvision/transforms/_color.py" false,
    "torchvision.transforms._geometry" "torchvision/transforms/_geometry.py" false,
    "torchvision.transforms._grids" "torchvision/transforms/_grids.py" false,
    "torchvision.transforms._tensors" "torchvision/transforms/_tensors.py" false,
    "torchvision.transforms._types" "torchvision/transforms/_types.py" false,
    "torchvision.transforms.autoaugment" "torchvision/transforms/autoaugment.py" false,
    "torchvision.transforms.functional" "torchvision/transforms/functional.py" false,
    "torchvision.transforms.transforms" "torchvision/transforms/transforms.py" false,
    "torchvision.transforms.v2" "torchvision/transforms/v2/__init__.py" true,
    "torchvision.transforms.v2._classes" "torchvision/transforms/v2/_classes.py" false,
    "torchvision.transforms.v2._containers" "torchvision/transforms/v2/_containers.py" false,
    "torchvision.transforms.v2._transform" "torchvision/transforms/v2/_transform.py" false,
    "torchvision.transforms.v2.functional" "torchvision/transforms/v2/functional.py" false,
    "torchvision.tv_tensors" "torchvision/tv_tensors.py" false,
    "torchvision.utils" "torchvision/utils.py" false,
    "torchvision.version" "torchvision/version.py" false,
}

/// Public names of PyTorch and NumPy, a module a line: `torch.nn: AdaptiveAvgPool1d ...`.
const KNOWN_NAMES: &str = include_str!("../py/known_names.txt");

/// Whether their module (or class) of this name has this public name.
#[must_use]
pub fn is_public_name(owner: &str, name: &str) -> bool {
    KNOWN_NAMES
        .lines()
        .filter_map(|line| line.split_once(": "))
        .any(|(module, names)| module == owner && names.split(' ').any(|known| known == name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_by_module() {
        assert!(is_public_name("torch.nn", "Conv2d"));
        assert!(is_public_name("torch.Tensor", "svd"));
        assert!(!is_public_name("torch", "Conv2d"));
        assert!(!is_public_name("torch", "foo"));
    }

    #[test]
    fn every_module_has_its_package() {
        for source in SOURCES {
            let package = source.name.rsplit_once('.').map_or(source.name, |(p, _)| p);
            assert!(
                SOURCES.iter().any(|s| s.is_package && s.name == package),
                "{}",
                source.name
            );
        }
    }
}
