"""What a page's stream says, frame by frame."""

import json
from collections.abc import AsyncIterator
from typing import Any

from aiohttp import ClientResponse


async def shown(stream: ClientResponse) -> AsyncIterator[Any]:
    """What a stream shows."""
    async for line in stream.content:
        if line.startswith(b"data: "):
            yield json.loads(line[6:])
