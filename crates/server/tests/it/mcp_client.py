"""A real MCP client: joins the plane, takes a lock, does a job, reads its inbox.

Usage: mcp_client.py http URL TOKEN | mcp_client.py stdio COMMAND ARGUMENT...
"""

import asyncio
import json
import sys
from contextlib import AsyncExitStack

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client


async def connect(stack):
    if sys.argv[1] == "stdio":
        params = StdioServerParameters(command=sys.argv[2], args=sys.argv[3:], env=None)
        streams = await stack.enter_async_context(stdio_client(params))
    else:
        import httpx2 as httpx

        client = httpx.AsyncClient(headers={"Authorization": f"Bearer {sys.argv[3]}"})
        streams = await stack.enter_async_context(streamable_http_client(sys.argv[2], http_client=client))
    session = await stack.enter_async_context(ClientSession(streams[0], streams[1]))
    await session.initialize()
    return session


async def main():
    async with AsyncExitStack() as stack:
        session = await connect(stack)
        tools = (await session.list_tools()).tools
        names = [tool.name for tool in tools]
        assert all(tool.description for tool in tools), names
        assert "agents_register" in names and "agents_revoke" not in names, names
        assert len(names) < 45, len(names)

        async def call(name, **arguments):
            result = await session.call_tool(name, arguments)
            document = json.loads(result.content[0].text)
            return document, bool(getattr(result, "is_error", getattr(result, "isError", False)))

        registered, bad = await call("agents_register", agent="mcp-1", type="helper")
        assert not bad and registered["epoch"] > 0, registered
        lock, bad = await call("locks_acquire", lock="name:deploy", agent="mcp-1", ttl="30s")
        assert not bad and lock["outcome"] == "granted" and lock["token"] > 0, lock
        held, bad = await call("locks_acquire", lock="name:deploy", agent="mcp-1x", ttl="30s")
        assert bad and held["code"] == "unregistered" and held["next"], held
        pushed, _ = await call("queues_push", queue="normal", payload="work")
        claimed, bad = await call("queues_claim", queue="normal", agent="mcp-1")
        assert not bad and claimed["items"][0]["id"] == pushed["id"], claimed
        done, bad = await call("queues_ack", token=claimed["items"][0]["token"], agent="mcp-1")
        assert not bad and done["outcome"] == "acked", done
        await call("messages_send", to="mcp-1", text="hello", **{"from": "mcp-1"})
        inbox, bad = await call("messages_inbox", agent="mcp-1")
        assert not bad and len(inbox["messages"]) == 1, inbox
        freed, bad = await call("locks_release", lock="name:deploy", agent="mcp-1", token=lock["token"])
        assert not bad, freed
        wrong, bad = await call("queues_claim", queue="no such queue", agent="mcp-1")
        assert bad and wrong["code"] == "bad_input", wrong
        unknown, bad = await call("queues_claim", queue="low", agent="mcp-1", nonsense=1)
        assert bad and unknown["field"] == "nonsense", unknown
        print("ok", len(names))


asyncio.run(main())
