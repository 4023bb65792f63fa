"""Port to the adapters that settings of the deployment control."""

from typing import Protocol

from graph.operations.settings.models import ConnectionTrial, DeploymentSettings


class Adapters(Protocol):
    """Rebuilds the adapters of this process when a setting of the deployment changes."""

    @property
    def own(self) -> DeploymentSettings:
        """Return the settings from the environment of this process."""
        ...

    def check(self, chosen: DeploymentSettings) -> None:
        """Check that this process could follow.

        Raises:
            InvalidInput: It could not; the error names the field and the missing part.
        """
        ...

    async def try_out(self, chosen: DeploymentSettings) -> None:
        """Load the model that is wanted, where it is another one than before and lies on this machine or a hub.

        Raises:
            InvalidInput: It cannot be loaded; the error has the reason.
        """
        ...

    async def test_embedder(self, chosen: DeploymentSettings) -> ConnectionTrial:
        """Embed one text with the model that is wanted, and change nothing.

        Raises:
            InvalidInput: No model is wanted.
        """
        ...

    async def use(self, chosen: DeploymentSettings) -> None:
        """Follow: new vectors fill a second index while the old ones serve; another reranker serves at once."""
        ...
