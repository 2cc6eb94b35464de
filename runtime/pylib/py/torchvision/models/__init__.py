"""Models, by what they are called."""

from torch import _C

from torchvision.models._api import (
    get_model, get_model_builder, get_model_weights, get_weight, list_models, Weights, WeightsEnum,
)
from torchvision.models.alexnet import AlexNet, alexnet, AlexNet_Weights
from torchvision.models.convnext import (
    ConvNeXt, convnext_base, ConvNeXt_Base_Weights, convnext_large, ConvNeXt_Large_Weights, convnext_small,
    ConvNeXt_Small_Weights, convnext_tiny, ConvNeXt_Tiny_Weights,
)
from torchvision.models.densenet import (
    DenseNet, densenet121, DenseNet121_Weights, densenet161, DenseNet161_Weights, densenet169, DenseNet169_Weights,
    densenet201, DenseNet201_Weights,
)
from torchvision.models.efficientnet import (
    EfficientNet, efficientnet_b0, EfficientNet_B0_Weights, efficientnet_b1, EfficientNet_B1_Weights,
    efficientnet_b2, EfficientNet_B2_Weights, efficientnet_b3, EfficientNet_B3_Weights, efficientnet_b4,
    EfficientNet_B4_Weights, efficientnet_b5, EfficientNet_B5_Weights, efficientnet_b6, EfficientNet_B6_Weights,
    efficientnet_b7, EfficientNet_B7_Weights, efficientnet_v2_l, EfficientNet_V2_L_Weights, efficientnet_v2_m,
    EfficientNet_V2_M_Weights, efficientnet_v2_s, EfficientNet_V2_S_Weights,
)
from torchvision.models.googlenet import _GoogLeNetOutputs, GoogLeNet, googlenet, GoogLeNet_Weights, GoogLeNetOutputs
from torchvision.models.inception import (
    _InceptionOutputs, Inception3, inception_v3, Inception_V3_Weights, InceptionOutputs,
)
from torchvision.models.mnasnet import (
    MNASNet, mnasnet0_5, MNASNet0_5_Weights, mnasnet0_75, MNASNet0_75_Weights, mnasnet1_0, MNASNet1_0_Weights,
    mnasnet1_3, MNASNet1_3_Weights,
)
from torchvision.models.mobilenetv2 import mobilenet_v2, MobileNet_V2_Weights, MobileNetV2
from torchvision.models.mobilenetv3 import (
    mobilenet_v3_large, MobileNet_V3_Large_Weights, mobilenet_v3_small, MobileNet_V3_Small_Weights, MobileNetV3,
)
from torchvision.models.resnet import (
    ResNet, resnet101, ResNet101_Weights, resnet152, ResNet152_Weights, resnet18, ResNet18_Weights, resnet34,
    ResNet34_Weights, resnet50, ResNet50_Weights, resnext101_32x8d, ResNeXt101_32X8D_Weights, resnext101_64x4d,
    ResNeXt101_64X4D_Weights, resnext50_32x4d, ResNeXt50_32X4D_Weights, wide_resnet101_2, Wide_ResNet101_2_Weights,
    wide_resnet50_2, Wide_ResNet50_2_Weights,
)
from torchvision.models.shufflenetv2 import (
    shufflenet_v2_x0_5, ShuffleNet_V2_X0_5_Weights, shufflenet_v2_x1_0, ShuffleNet_V2_X1_0_Weights,
    shufflenet_v2_x1_5, ShuffleNet_V2_X1_5_Weights, shufflenet_v2_x2_0, ShuffleNet_V2_X2_0_Weights, ShuffleNetV2,
)
from torchvision.models.squeezenet import (
    SqueezeNet, squeezenet1_0, SqueezeNet1_0_Weights, squeezenet1_1, SqueezeNet1_1_Weights,
)
from torchvision.models.swin_transformer import (
    swin_b, Swin_B_Weights, swin_s, Swin_S_Weights, swin_t, Swin_T_Weights, swin_v2_b, Swin_V2_B_Weights, swin_v2_s,
    Swin_V2_S_Weights, swin_v2_t, Swin_V2_T_Weights, SwinTransformer,
)
from torchvision.models.vgg import (
    VGG, vgg11, vgg11_bn, VGG11_BN_Weights, VGG11_Weights, vgg13, vgg13_bn, VGG13_BN_Weights, VGG13_Weights, vgg16,
    vgg16_bn, VGG16_BN_Weights, VGG16_Weights, vgg19, vgg19_bn, VGG19_BN_Weights, VGG19_Weights,
)
from torchvision.models.vision_transformer import (
    VisionTransformer, vit_b_16, ViT_B_16_Weights, vit_b_32, ViT_B_32_Weights, vit_h_14, ViT_H_14_Weights, vit_l_16,
    ViT_L_16_Weights, vit_l_32, ViT_L_32_Weights,
)


def __getattr__(name):
    if name == "_utils":
        return _C._import_module("torchvision.models._utils")
    return _C._missing_name("torchvision.models", name)
