"""The application: assembles all parts, and starts and stops them in order."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Route

from riverstones import __version__
from riverstones.server.errors import REFUSALS, RefusedError, ServerError, ServerErrorCode, error_to_json, status_of
from riverstones.server.http.languages import language_of
from riverstones.server.http.middleware import Middleware
from riverstones.server.http.routes import PREFIX, ROUTERS, ROUTES
from riverstones.server.http.static_files import page
from riverstones.server.metrics import Metrics
from riverstones.server.services import Services
from riverstones.server.settings import Settings
from riverstones.server.storage import UNAVAILABLE, reason
from riverstones.server.workers import WorkerFailed
from riverstones.study.refusals import StudyRefused

log = logging.getLogger("riverstones.server")
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")


def create_app(settings: Settings | None = None, *, warm_up: bool = False) -> FastAPI:
    """The application for these settings. `warm_up` compiles the engine in the background at startup."""
    services = Services.of(settings or Settings())

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        services.store.nodes.announce(services.settings.node)
        await services.store.database.open(serving=True)
        await services.accounts.open()
        await services.bans.start()
        services.all_workers.start()
        await services.tables.start()
        if warm_up:
            services.workers.warm_up()
        yield
        await services.bans.stop()
        await services.tables.stop()
        await services.accounts.close()
        await services.limits.close()
        await services.reviews.stop()
        await services.all_workers.close()
        await services.store.database.close()

    app = FastAPI(
        title="Riverstones",
        version=__version__,
        description="The digital home of the Kakuro board game. docs/protocol.md describes the protocol.",
        lifespan=lifespan,
        openapi_url=f"{PREFIX}/openapi.json",
        docs_url=None,
        redoc_url=None,
        routes=list(ROUTES),
    )
    app.state.services = services

    _serve_pages(app)
    _answer_errors(app, services.metrics)
    app.add_middleware(
        Middleware,
        settings=services.settings,
        limits=services.limits,
        bans=services.bans,
        metrics=services.metrics,
        log=services.security_log,
    )
    return app


def _serve_pages(app: FastAPI) -> None:
    """Answer every request that no other route takes: with a file of the web app, or 404, or 405."""

    async def pages(request: Request, path: str) -> Response:
        is_file = not path.startswith("api/")
        allowed = {"GET", "HEAD"} if is_file else _methods_for(request.url.path)
        if allowed and request.method not in allowed:
            raise HTTPException(405, headers={"allow": ", ".join(sorted(allowed))})
        found = page(request, path) if is_file else None
        if found is None:
            raise ServerError(ServerErrorCode.NOT_FOUND)
        return found

    app.add_api_route("/{path:path}", pages, methods=list(METHODS), include_in_schema=False)


def _methods_for(path: str) -> set[str]:
    """The methods that the API has for a path; none if it does not have the path."""
    found: set[str] = set()
    for route in (route for router in ROUTERS for route in router.routes):
        if isinstance(route, Route) and route.path_regex.match(path.removeprefix(PREFIX)):
            found |= route.methods or set()
    return found


def _answer_errors(app: FastAPI, metrics: Metrics) -> None:
    def answer(request: Request, error: RefusedError) -> JSONResponse:
        headers = {"retry-after": "10"} if status_of(error) == 429 else None
        if isinstance(error, ServerError | StudyRefused):
            metrics.refused.labels(str(error.code)).inc()
        language = language_of(request.headers.get("accept-language"))
        return JSONResponse({"error": error_to_json(error, language)}, status_of(error), headers)

    async def refused(request: Request, error: Any) -> JSONResponse:
        return answer(request, error)

    async def malformed(request: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        if first["type"] == "json_invalid":
            return answer(request, ServerError(ServerErrorCode.BAD_JSON))
        return answer(request, ServerError(ServerErrorCode.BAD_MESSAGE, where=".".join(map(str, first["loc"]))[:80]))

    async def plain(request: Request, error: HTTPException) -> JSONResponse:
        if isinstance(error.__cause__, ServerError):
            return answer(request, error.__cause__)
        codes = {404: ServerErrorCode.NOT_FOUND, 405: ServerErrorCode.METHOD_NOT_ALLOWED}
        refusal = ServerError(codes.get(error.status_code, ServerErrorCode.BAD_REQUEST), where="request")
        answered = answer(request, refusal)
        answered.headers.update(error.headers or {})
        return answered

    async def broken(request: Request, error: Exception) -> JSONResponse:
        log.error("A request failed", exc_info=error)
        return answer(request, ServerError(ServerErrorCode.INTERNAL))

    async def without_database(request: Request, error: Exception) -> JSONResponse:
        log.error("Database unavailable for a request: %s", reason(error))
        return answer(request, ServerError(ServerErrorCode.TRY_AGAIN))

    async def without_worker(request: Request, error: Exception) -> JSONResponse:
        log.error("Engine worker unavailable: %s", error)
        return answer(request, ServerError(ServerErrorCode.TRY_AGAIN))

    for unavailable in UNAVAILABLE:
        app.add_exception_handler(unavailable, without_database)
    app.add_exception_handler(WorkerFailed, without_worker)
    for kind in REFUSALS:
        app.add_exception_handler(kind, refused)
    app.add_exception_handler(RequestValidationError, malformed)  # type: ignore[arg-type]  # takes this type only
    app.add_exception_handler(HTTPException, plain)  # type: ignore[arg-type]  # takes this type only
    app.add_exception_handler(Exception, broken)
