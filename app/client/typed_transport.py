"""The base class of the generated client; ariadne-codegen copies this file beside it."""

from app.client.calls import Calls
from app.client.generated.base_model import UNSET


class TypedTransport(Calls):
    """Leaves out of a request what its caller left out."""

    unset = UNSET
