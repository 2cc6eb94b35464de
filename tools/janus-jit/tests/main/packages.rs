//! Packages: what is installed is found, what is built in comes first, numpy and PyTorch know each other's dtypes.

use crate::support::{Dir, Ran, repository};

#[test]
fn what_an_environment_holds_can_be_imported() {
    let dir = Dir::new();
    let site = "env/lib/python3.11/site-packages";
    dir.file(
        &format!("{site}/steps/__init__.py"),
        "def double(x):\n    return x * 2\n",
    );
    dir.file(&format!("{site}/numpy.py"), "array = None\n");
    dir.file(&format!("{site}/own.pth"), "../../../../source\n");
    dir.file("source/edited.py", "from steps import double\n");
    dir.file("more/extra.py", "number = 5\n");
    let script = dir.file(
        "script.py",
        "import torch, numpy, steps, edited\nx = torch.ones(2)\n\
         for i in range(40):\n    x = edited.double(x) / 2\n\
         print(x, numpy.array([1]), steps.__file__[-32:])\n\
         try:\n    import extra\n    print(extra.number)\nexcept ImportError as e:\n    print(e)\n",
    );
    let run = |name: &str, value: std::path::PathBuf| {
        let mut command = dir.janus(&["run", "--compile", "sync", script.to_str().unwrap()]);
        Ran::from(
            command
                .env("VIRTUAL_ENV", dir.path().join("env"))
                .env(name, value)
                .output()
                .unwrap(),
        )
    };
    let shown = "tensor([1., 1.]) [1] /site-packages/steps/__init__.py\n";
    let ran = run("UNUSED", dir.path().join("more"));
    let without = format!("{shown}No module named 'extra'\n");
    assert_eq!((ran.stdout, ran.stderr.as_str()), (without, ""));
    let ran = run("PYTHONPATH", dir.path().join("more"));
    assert_eq!((ran.stdout, ran.code), (format!("{shown}5\n"), Some(0)));
}

#[test]
fn dtypes_that_tensors_cannot_have_can_be_named() {
    let dir = Dir::new();
    let script = dir.file(
        "script.py",
        "import torch
print(torch.float16, torch.half is torch.float16, torch.bfloat16.itemsize, torch.complex32.is_complex, torch.uint16.is_signed)
print(torch.ones(2).dtype in (torch.float16, torch.float32), torch.finfo(torch.bfloat16).max, torch.float16.is_floating_point)
for what in (lambda: torch.zeros(2, dtype=torch.complex32), lambda: torch.ones(2).to(torch.float8_e4m3fn), lambda: torch.set_default_dtype(torch.float8_e5m2)):
    try:
        print(what())
    except NotImplementedError as e:
        print(e)
",
    );
    let ran = dir.output(&["run", script.to_str().unwrap()]);
    assert_eq!(
        ran.stdout,
        "torch.float16 True 2 True False\n\
         True 3.3895313892515355e+38 True\n\
         tensors of torch.complex32 are not implemented in janus-jit yet\n\
         tensors of torch.float8_e4m3fn are not implemented in janus-jit yet\n\
         tensors of torch.float8_e5m2 are not implemented in janus-jit yet\n",
        "{}",
        ran.stderr
    );
}

#[test]
fn a_file_with_complex_tensors_is_read() {
    let dir = Dir::new();
    let file = repository("test/files/complex.pt");
    let script = dir.file(
        "script.py",
        format!("import torch\nprint(torch.load({file:?}))\n"),
    );
    let ran = dir.output(&["run", script.to_str().unwrap()]);
    assert_eq!(
        ran.stdout, "{'complex': tensor([1.+0.j, 1.+0.j])}\n",
        "{}",
        ran.stderr
    );
}
