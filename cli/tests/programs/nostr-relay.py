"""A Nostr relay for tests, that of rust-nostr: nostr-relay.py PORT. It listens on 127.0.0.1 and prints its address."""

import asyncio
import sys

from nostr_sdk import LocalRelayBuilder


async def main():
    relay = LocalRelayBuilder().addr("127.0.0.1").port(int(sys.argv[1])).build()
    await relay.run()
    print(await relay.url(), flush=True)
    await asyncio.Event().wait()


asyncio.run(main())
