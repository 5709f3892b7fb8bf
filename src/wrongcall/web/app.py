"""The application: the page's files, the API's requests, and the guard before them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from wrongcall.web.api import Api
from wrongcall.web.assets import INDEX, NONCE_MARK, Asset
from wrongcall.web.guard import NONCE, Guard
from wrongcall.web.worker import Worker


def application(worker: Worker, assets: dict[str, Asset], token: str) -> Guard:
    """Return the application for one trace."""

    async def asset(request: Request) -> Response:
        name = request.path_params.get("name") or INDEX
        found = assets.get(name)
        if found is None:
            return PlainTextResponse("There is no such page.\n", 404)
        content = found.content.replace(NONCE_MARK, request.scope[NONCE].encode())
        return Response(content, media_type=found.type)

    async def nothing(request: Request) -> Response:
        return JSONResponse({"error": "there is no such request", "contradicts": []}, 404)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        watching = asyncio.create_task(worker.watch())
        yield
        watching.cancel()
        with suppress(asyncio.CancelledError):
            await watching
        worker.close()

    routes = [
        *Api(worker).routes(),
        Route("/api/{rest:path}", nothing, methods=["GET", "POST"]),
        Route("/{name:path}", asset),
    ]
    return Guard(Starlette(routes=routes, lifespan=lifespan), token)
