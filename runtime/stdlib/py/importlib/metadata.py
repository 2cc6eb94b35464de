"""Installed distributions: there are none."""


class PackageNotFoundError(ModuleNotFoundError):
    def __str__(self):
        return f"No package metadata was found for {self.args[0]}"


def version(distribution_name):
    raise PackageNotFoundError(distribution_name)


def distributions(**kwargs):
    return iter(())


def entry_points(**params):
    return []
