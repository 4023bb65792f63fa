"""The base classes of the generated clients; ariadne-codegen copies this file beside them."""

from ..calls import Calls
from ..generated.base_model import UNSET
from ..sync_calls import SyncCalls


class TypedTransport(Calls):
    """Leaves out of a request what its caller left out."""

    unset = UNSET


class SyncTypedTransport(SyncCalls):
    """The same for programs without an event loop."""

    calls = TypedTransport
