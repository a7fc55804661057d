"""How a request is refused: a status, a code for programs, one line for people."""

from __future__ import annotations

__all__ = ["Refusal"]


class Refusal(Exception):  # noqa: N818 - nothing went wrong with the server
    """A request that is not granted.

    Parameters
    ----------
    status
        Of HTTP.
    code
        What is wrong, for programs.
    message
        The same in one line for people.
    retry_after
        When it may be tried again, s.
    """

    def __init__(
        self, status: int, code: str, message: str, retry_after: float | None = None
    ) -> None:
        super().__init__(message)
        self.status, self.code, self.retry_after = status, code, retry_after
        self.message = " ".join(message.splitlines())

    def as_dict(self) -> dict[str, dict[str, str]]:
        """Return what is answered, as JSON values."""
        return {"error": {"code": self.code, "message": self.message}}
