"""Taking the books for a moment, for a command that changes them while no meter runs."""

from meter.store.base import InUse, OpenStore
from meter.store.standby import Shared


def own(store: OpenStore) -> None:
    """Makes the books ours alone until the store is closed; raises InUse if a meter has them.

    A SQLite file is ours from the moment it is open; a database belongs to whoever holds its lock.
    """
    if isinstance(store, Shared) and not store.became_active(0.0):
        raise InUse("a meter has these books; stop it, or tell it by its control_port")
