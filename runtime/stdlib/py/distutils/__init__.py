"""What is left of distutils: `util.strtobool`, `version.LooseVersion`, `dir_util`."""
