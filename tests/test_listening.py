"""The socket that the program listens on."""

from __future__ import annotations

import asyncio
import socket

from local_rag.cli.serve import _listen


def test_a_reply_in_two_writes_does_not_wait_for_the_first_ones_receipt():
    async def accepted_without_delay() -> int:
        seen: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        def on_connect(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            accepted = writer.get_extra_info("socket")
            seen.set_result(accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        with _listen("127.0.0.1", 0) as listener:
            async with await asyncio.start_server(on_connect, sock=listener):
                _, client = await asyncio.open_connection(*listener.getsockname())
                client.close()
                return await asyncio.wait_for(seen, 10)

    assert asyncio.run(accepted_without_delay()) == 1
