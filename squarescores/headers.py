"""Headers that every page of ours has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from django.http import HttpRequest, HttpResponse

# Pages keep the screen on, copy and share. No script of theirs, and no frame, may do more.
PERMISSIONS: Final = ", ".join(
    [
        *(
            f"{feature}=()"
            for feature in (
                "camera",
                "display-capture",
                "geolocation",
                "hid",
                "microphone",
                "midi",
                "payment",
                "serial",
                "usb",
            )
        ),
        "screen-wake-lock=(self)",
    ]
)


class HeadersMiddleware:
    """Say what pages may do, and who may keep those that say nothing of it: nobody in between."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.setdefault("Permissions-Policy", PERMISSIONS)
        response.setdefault("Cache-Control", "private, no-cache")
        return response
