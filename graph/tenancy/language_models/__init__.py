"""Language models that workspaces bring themselves, in place of the deployment's."""
