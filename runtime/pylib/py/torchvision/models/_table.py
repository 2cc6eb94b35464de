"""The files of weights: for each member the file, the crop, the size before it, how it is made."""

TABLE = {
    "ResNet18_Weights": (
        "IMAGENET1K_V1",
        ("IMAGENET1K_V1", "resnet18-f37072fd.pth", 224, 256, "bilinear"),
    ),
    "ResNet34_Weights": (
        "IMAGENET1K_V1",
        ("IMAGENET1K_V1", "resnet34-b627a593.pth", 224, 256, "bilinear"),
    ),
    "ResNet50_Weights": (
        "IMAGENET1K_V2",
        ("IMAGENET1K_V1", "resnet50-0676ba61.pth", 224, 256, "bilinear"),
        ("IMAGENET1K_V2", "resnet50-11ad3fa6.pth", 224, 232, "bilinear"),
    ),
    "ResNet101_Weights": (
        "IMAGENET1K_V2",
        ("IMAGENET1K_V1", "resnet101-63fe2227.pth", 224, 256, "bilinear"),
        ("IMAGENET1K_V2", "resnet101-cd907fc2.pth", 224, 232, "bilinear"),
    ),
    "ResNet152_Weights": (
        "IMAGENET1K_V2",
        ("IMAGENET1K_V1", "resnet152-394f9c45.pth", 224, 256, "bilinear"),
        ("IMAGENET1K_V2", "resnet152-f82ba261.pth", 224, 232, "bilinear"),
    ),
    "ResNeXt50_32X4D_Weights": (
        "IMAGENET1K_V2",
        ("IMAGENET1K_V1", "resnext50_32x4d-7cdf4587.pth", 224, 256, "bilinear"),
        ("IMAGENET1K_V2", "resnext50_32x4d-1a0047aa.pth", 224, 232, "bilinear"),
    ),
    "ResNeXt101_32X8D_Weights": (
        "IMAGENET1K_V2",
        ("IMAGENET1K_V1", "resnext101_32x8d-8ba56ff5.pth", 224, 256, "bilinear"),
        ("IMAGENET1K_V2", "resnext101_32x8d-110c445d.pth", 224, 232, "bilinear"),
    ),
    "ResNeXt101_64X4D_Weights": (
        "IMAGENET1K_V1",
        ("IMAGENET1K_V1", "resnext101_64x4d-173b62eb.pth", 224, 232, "bilinear"),
    ),
    "Wide_ResNet50_2_Weights": (
        "IMAGENET1K_V2",
        ("IMAGENET1K_V1", "wide_resnet50_2-95faca4d.pth", 224, 256, "bilinear"),
        ("IMAGENET1K_V2", "wide_resnet50_2-9ba9bcbe.pth", 224, 232, "bilinear"),
    ),
    "Wide_ResNet101_2_Weights": (
        "IMAGENET1K_V2",
        ("IMAGENET1K_V1", "wide_resnet101_2-32ee1156.pth", 224, 256, "bilinear"),
        ("IMAGENET1K_V2", "wide_resnet101_2-d733dc28.pth", 224, 232, "bilinear"),
    ),
    "VGG11_Weights": (
        "IMAGENET1K_V1",
        ("IMAGENET1K_V1", "vgg11-8a719046.pth", 224, 256, "bilinear"),
    ),
    "VGG11_BN_Weights": (
        "IMAGENET1K_V1",
        ("IMAGENET1K_V1", "vgg11_bn-6002323d.pth", 224, 256, "bilinear"),
    ),
    "VGG13_Weights": (
        "IMAGENET1K_V1",
        ("IMAGENET1K_V1", "vgg13-19584684.pth", 224, 256, "bilinear"),
    ),
    "VGG13_BN_Weights": (
        "IMAGENET1K_V1",
        ("IMAGENET1K_V1", "vgg13_bn-abd245e5.pth", 224, 256, "bilinear"),
    ),
    "VGG16_Weights": (
        "IMAGENET1K_V1",
        ("IMAGENET1K_V1", "vgg16-397923af.pth", 224, 256, "bilinear"),
        ("IMAGENET1K_FEATURES", "vgg16_features-amdegroot-88682ab5.pth", 224, 256, "bilinear", (0.48235, 0.45882, 0.40784)),
    ),
    "VGG16_BN_Weights": (
        "IMAGENET1K_V1",
        ("IMAGENET1K_V1", "vgg16_bn-6c64b313.pth", 224, 256, "bilinear"),
    ),
    "VGG19_Weights": (
        "IMAGENET1K_V1",
        ("IMAGENET1K_V1", "vgg19-dcbb9e9d.pth", 224, 256, "bilinear"),
    ),
    "VGG19_BN_Weights": (
        "IMAGENET1K_V1",
        ("IMAGENET1K_V1", "vgg19_bn-c79401a0.pth", 224, 256, "bilinear"),
    ),
    "AlexNet_Weights": (
        "IMAGENET1K_V1",
        ("IMAGENET1K_V1", "alexnet-owt-7be5be79.pth", 224, 256, "bilinear"),
    ),
    "SqueezeNet1_0_Weights": (
        "IMAGENET1K_V1",
        ("IMAGENET1K_V1", "squeezenet1_0-b66bff10.pth", 224, 256, "bilinear"),
    ),
    "SqueezeNet1_1_Weights": (
        "IMAGENET1K_V1",
        ("IMAGENET1K_V1", "squeezenet1_1-b8a52dc0.pth", 224, 256, "bilinear"),
    ),
    "DenseNet121_Weights": (
        "IMAGENET1K_V1",
        ("IMAGENET1K_V1", "densenet121-a639ec97.pth", 224, 256, "bilinear"),
    ),
    "DenseNet161_Weights": (
        "IMAGENET1K_V1",
        ("IMAGENET1K_V1", "densenet161-8d451a50.pth", 224, 256, "bilinear"),
    ),
    "DenseNet169_Weights": (
        "IMAGENET1K_V1",
        ("IMAGENET1K_V1", "densenet169-b2777c0a.pth", 224, 256, "bilinear"),
    ),
    "DenseNet201_Weights": (
        "IMAGENET1K_V1",
        ("IMAGENET1K_V1", "densenet201-c1103571.pth", 224, 256, "bilinear"),
    ),
    "MobileNet_V2_Weights": (
        "IMAGENET1K_V2",
        ("IMAGENET1K_V1", "mobilenet_v2-b0353104.pth", 224, 256, "bilinear"),
        ("IMAGENET1K_V2", "mobilenet_v2-7ebf99e0.pth", 224, 232, "bilinear"),
    ),
    "MobileNet_V3_Large_Weights": (
        "IMAGENET1K_V2",
        ("IMAGENET1K_V1", "mobilenet_v3_large-8738ca79.pth", 224, 256, "bilinear"),
        ("IMAGENET1K_V2", "mobilenet_v3_large-5c1a4163.pth", 224, 232, "bilinear"),
    ),
    "MobileNet_V3_Small_Weights": (
        "IMAGENET1K_V1",
        ("IMAGENET1K_V1", "mobilenet_v3_small-047dcff4.pth", 224, 256, "bilinear"),
    ),
    "GoogLeNet_Weights": (
        "IMAGENET1K_V1",
        ("IMAGENET1K_V1", "googlenet-1378be20.pth", 224, 256, "bilinear"),
    ),
    "Inception_V3_Weights": (
        "IMAGENET1K_V1",
        ("IMAGENET1K_V1", "inception_v3_google-0cc3c7bd.pth", 299, 342, "bilinear"),
    ),
    "EfficientNet_B0_Weights": (
        "IMAGENET1K_V1",
        ("IMAGENET1K_V1", "efficientnet_b0_rwightman-7f5810bc.pth", 224, 256, "bicubic"),
    ),
    "EfficientNet_B1_Weights": (
        "IMAGENET1K_V2",
        ("IMAGENET1K_V1", "efficientnet_b1_rwightman-bac287d4.pth", 240, 256, "bicubic"),
        ("IMAGENET1K_V2", "efficientnet_b1-c27df63c.pth", 240, 255, "bilinear"),
    ),
    "EfficientNet_B2_Weights": (
        "IMAGENET1K_V1",
        ("IMAGENET1K_V1", "efficientnet_b2_rwightman-c35c1473.pth", 288, 288, "bicubic"),
    ),
    "EfficientNet_B3_Weights": (
        "IMAGENET1K_V1",
        ("IMAGENET1K_V1", "efficientnet_b3_rwightman-b3899882.pth", 300, 320, "bicubic"),
    ),
    "EfficientNet_B4_Weights": (
        "IMAGENET1K_V1",
        ("IMAGENET1K_V1", "efficientnet_b4_rwightman-23ab8bcd.pth", 380, 384, "bicubic"),
    ),
    "EfficientNet_B5_Weights": (
        "IMAGENET1K_V1",
        ("IMAGENET1K_V1", "efficientnet_b5_lukemelas-1a07897c.pth", 456, 456, "bicubic"),
    ),
    "EfficientNet_B6_Weights": (
        "IMAGENET1K_V1",
        ("IMAGENET1K_V1", "efficientnet_b6_lukemelas-24a108a5.pth", 528, 528, "bicubic"),
    ),
    "EfficientNet_B7_Weights": (
        "IMAGENET1K_V1",
        ("IMAGENET1K_V1", "efficientnet_b7_lukemelas-c5b4e57e.pth", 600, 600, "bicubic"),
    ),
    "EfficientNet_V2_S_Weights": (
        "IMAGENET1K_V1",
        ("IMAGENET1K_V1", "efficientnet_v2_s-dd5fe13b.pth", 384, 384, "bilinear"),
    ),
    "EfficientNet_V2_M_Weights": (
        "IMAGENET1K_V1",
        ("IMAGENET1K_V1", "efficientnet_v2_m-dc08266a.pth", 480, 480, "bilinear"),
    ),
    "EfficientNet_V2_L_Weights": (
        "IMAGENET1K_V1",
        ("IMAGENET1K_V1", "efficientnet_v2_l-59c71312.pth", 480, 480, "bicubic", "half"),
    ),
    "ViT_B_16_Weights": (
        "IMAGENET1K_V1",
        ("IMAGENET1K_V1", "vit_b_16-c867db91.pth", 224, 256, "bilinear"),
        ("IMAGENET1K_SWAG_E2E_V1", "vit_b_16_swag-9ac1b537.pth", 384, 384, "bicubic"),
        ("IMAGENET1K_SWAG_LINEAR_V1", "vit_b_16_lc_swag-4e70ced5.pth", 224, 224, "bicubic"),
    ),
    "ViT_B_32_Weights": (
        "IMAGENET1K_V1",
        ("IMAGENET1K_V1", "vit_b_32-d86f8d99.pth", 224, 256, "bilinear"),
    ),
    "ViT_L_16_Weights": (
        "IMAGENET1K_V1",
        ("IMAGENET1K_V1", "vit_l_16-852ce7e3.pth", 224, 242, "bilinear"),
        ("IMAGENET1K_SWAG_E2E_V1", "vit_l_16_swag-4f3808c9.pth", 512, 512, "bicubic"),
        ("IMAGENET1K_SWAG_LINEAR_V1", "vit_l_16_lc_swag-4d563306.pth", 224, 224, "bicubic"),
    ),
    "ViT_L_32_Weights": (
        "IMAGENET1K_V1",
        ("IMAGENET1K_V1", "vit_l_32-c7638314.pth", 224, 256, "bilinear"),
    ),
    "ViT_H_14_Weights": (
        "IMAGENET1K_SWAG_E2E_V1",
        ("IMAGENET1K_SWAG_E2E_V1", "vit_h_14_swag-80465313.pth", 518, 518, "bicubic"),
        ("IMAGENET1K_SWAG_LINEAR_V1", "vit_h_14_lc_swag-c1eb923e.pth", 224, 224, "bicubic"),
    ),
    "ShuffleNet_V2_X0_5_Weights": (
        "IMAGENET1K_V1",
        ("IMAGENET1K_V1", "shufflenetv2_x0.5-f707e7126e.pth", 224, 256, "bilinear"),
    ),
    "ShuffleNet_V2_X1_0_Weights": (
        "IMAGENET1K_V1",
        ("IMAGENET1K_V1", "shufflenetv2_x1-5666bf0f80.pth", 224, 256, "bilinear"),
    ),
    "ShuffleNet_V2_X1_5_Weights": (
        "IMAGENET1K_V1",
        ("IMAGENET1K_V1", "shufflenetv2_x1_5-3c479a10.pth", 224, 232, "bilinear"),
    ),
    "ShuffleNet_V2_X2_0_Weights": (
        "IMAGENET1K_V1",
        ("IMAGENET1K_V1", "shufflenetv2_x2_0-8be3c8ee.pth", 224, 232, "bilinear"),
    ),
    "MNASNet0_5_Weights": (
        "IMAGENET1K_V1",
        ("IMAGENET1K_V1", "mnasnet0.5_top1_67.823-3ffadce67e.pth", 224, 256, "bilinear"),
    ),
    "MNASNet0_75_Weights": (
        "IMAGENET1K_V1",
        ("IMAGENET1K_V1", "mnasnet0_75-7090bc5f.pth", 224, 232, "bilinear"),
    ),
    "MNASNet1_0_Weights": (
        "IMAGENET1K_V1",
        ("IMAGENET1K_V1", "mnasnet1.0_top1_73.512-f206786ef8.pth", 224, 256, "bilinear"),
    ),
    "MNASNet1_3_Weights": (
        "IMAGENET1K_V1",
        ("IMAGENET1K_V1", "mnasnet1_3-a4c69d6f.pth", 224, 232, "bilinear"),
    ),
    "ConvNeXt_Tiny_Weights": (
        "IMAGENET1K_V1",
        ("IMAGENET1K_V1", "convnext_tiny-983f1562.pth", 224, 236, "bilinear"),
    ),
    "ConvNeXt_Small_Weights": (
        "IMAGENET1K_V1",
        ("IMAGENET1K_V1", "convnext_small-0c510722.pth", 224, 230, "bilinear"),
    ),
    "ConvNeXt_Base_Weights": (
        "IMAGENET1K_V1",
        ("IMAGENET1K_V1", "convnext_base-6075fbad.pth", 224, 232, "bilinear"),
    ),
    "ConvNeXt_Large_Weights": (
        "IMAGENET1K_V1",
        ("IMAGENET1K_V1", "convnext_large-ea097f82.pth", 224, 232, "bilinear"),
    ),
    "Swin_T_Weights": (
        "IMAGENET1K_V1",
        ("IMAGENET1K_V1", "swin_t-704ceda3.pth", 224, 232, "bicubic"),
    ),
    "Swin_S_Weights": (
        "IMAGENET1K_V1",
        ("IMAGENET1K_V1", "swin_s-5e29d889.pth", 224, 246, "bicubic"),
    ),
    "Swin_B_Weights": (
        "IMAGENET1K_V1",
        ("IMAGENET1K_V1", "swin_b-68c6b09e.pth", 224, 238, "bicubic"),
    ),
    "Swin_V2_T_Weights": (
        "IMAGENET1K_V1",
        ("IMAGENET1K_V1", "swin_v2_t-b137f0e2.pth", 256, 260, "bicubic"),
    ),
    "Swin_V2_S_Weights": (
        "IMAGENET1K_V1",
        ("IMAGENET1K_V1", "swin_v2_s-637d8ceb.pth", 256, 260, "bicubic"),
    ),
    "Swin_V2_B_Weights": (
        "IMAGENET1K_V1",
        ("IMAGENET1K_V1", "swin_v2_b-781e5279.pth", 256, 272, "bicubic"),
    ),
}
