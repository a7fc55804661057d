"""What goes over the wire: requests, answers, and the messages of a stream, with their schemas."""

# No `from __future__ import annotations`: these annotations are read at run time.
from typing import Annotated, Any, Literal
from unicodedata import bidirectional, category

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    TypeAdapter,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
    model_validator,
)
from pydantic_core import PydanticCustomError

__all__ = [
    "Answer",
    "Counts",
    "Create",
    "Created",
    "Drop",
    "ErrorAnswer",
    "EventAnswer",
    "Events",
    "Expecting",
    "Health",
    "Picture",
    "StrikeRequest",
    "TowerAnswer",
    "stream_schema",
]

LARGEST_SEED = 2**53 - 1  # what JavaScript's numbers hold exactly

_BREAKS = {"Cc", "Zl", "Zp"}  # control characters, and what ends a line or paragraph
_REORDER = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


def _one_line(name: str) -> str:
    """Let a name through that is seen, and leaves alone what stands around it."""
    if not any(letter.isprintable() and not letter.isspace() for letter in name):
        raise PydanticCustomError("name", "give a name that can be seen, or none")
    if any(category(letter) in _BREAKS or bidirectional(letter) in _REORDER for letter in name):
        raise PydanticCustomError(
            "name", "give one line, without characters that control or reorder text"
        )
    return name


def _strength(value: Any, check: ValidatorFunctionWrapHandler) -> Any:
    """Say all that a strength may be: a union says only what its first member may be."""
    try:
        return check(value)
    except ValidationError:
        raise PydanticCustomError(
            "strength", "give gentle, normal, firm, or a number from 0 to 1"
        ) from None


Share = Annotated[float, Field(ge=0.0, le=1.0)]
Strength = Annotated[Literal["gentle", "normal", "firm"] | Share, WrapValidator(_strength)]
Count = Annotated[int, Field(ge=0, le=200)]
Hash = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
Pose = tuple[int, int, int]


class Request(BaseModel):
    """A request: nothing in it is guessed or passed over."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Answer(BaseModel):
    """An answer."""

    model_config = ConfigDict(extra="forbid")


class Expecting(Request):
    """A request of somebody who may have missed what others do."""

    expected_n: Annotated[int, Field(ge=0, le=2**31 - 1)] | None = Field(
        None, description="The tower's n that the player knows of: if it is another, nothing is "
        "done and the answer is a conflict.",
    )  # fmt: skip


class Counts(Request):
    """Boulders by color."""

    red: Count = 0
    blue: Count = 0
    yellow: Count = 0
    white: Count = 0


class Drop(Counts, Expecting):
    """Boulders to drop back in; at least one."""

    @property
    def boulders(self) -> dict[str, int]:
        """How many of each color."""
        return self.model_dump(exclude={"expected_n"})


class Create(Request):
    """A tower to be created; everything may be left out."""

    name: Annotated[str, StringConstraints(max_length=60), AfterValidator(_one_line)] = Field(
        "Rock Tower", description="Shown to all; one line, not blank."
    )
    boulders: Counts | None = Field(
        None, description="What is in the tower at first; all of its boulders if not given."
    )
    model: Annotated[str, StringConstraints(pattern=r"^[^\x00]*$")] | None = Field(
        None, description="A tower model (the text of a TOML file) instead of the packaged one."
    )
    seed: Annotated[int, Field(ge=0, le=LARGEST_SEED)] | None = Field(
        None, description="A seed of your own; the server still mixes a secret of its own in."
    )
    reproducible: bool = Field(
        default=False,
        description="The given seed alone decides: whoever knows it knows every hit in advance.",
    )

    @model_validator(mode="after")
    def _seed_is_given(self) -> "Create":
        if self.reproducible and self.seed is None:
            raise ValueError("reproducible needs a seed")
        return self


class StrikeRequest(Expecting):
    """A strike as it is aimed; the hand's spread decides how it lands."""

    side: Literal["left", "right"]
    height: Share = Field(description="Share of the tower's height.")
    strength: Strength = Field(
        description="A packaged striker, or 0 to 1 between the gentle and the firm one."
    )


class Aimed(Answer):
    """A strike as it was aimed."""

    side: Literal["left", "right"]
    height: Share
    strength: Literal["gentle", "normal", "firm"] | Share


class EventAnswer(Answer):
    """One event: what all at the table see of it."""

    n: int = Field(ge=1)
    type: Literal["hit", "drop", "turn", "close"]
    time: str
    strike: Aimed | None
    boulders: list[str] = Field(description="Colors, in the order in which they fell.")
    ids: list[int] = Field(description="The same boulders' numbers, as in the picture.")
    counts: Counts
    total: int = Field(description="How many boulders that are.")
    inside: Counts
    outside: Counts


class Events(Answer):
    """Events in order."""

    events: list[EventAnswer]


class TurnHit(Answer):
    """A hit of the current turn."""

    n: int
    counts: Counts


class TowerAnswer(Answer):
    """A tower as everybody sees it."""

    id: str
    name: str
    n: int = Field(description="Events so far.")
    status: Literal["open", "busy", "closed"]
    inside: Counts
    outside: Counts
    turn: int
    turn_hits: list[TurnHit]
    turn_counts: Counts
    commitment: Hash
    model_name: str
    model_hash: str
    created: str
    expires: str
    seed_known_to_creator: bool
    reproducible: bool = Field(description="If so, the creator can compute every hit in advance.")
    seed: int | None = Field(description="Revealed when the tower is closed.")
    salt: Hash | None


class Created(Answer):
    """A new tower, and the tokens with which it is struck and watched."""

    tower: TowerAnswer
    player_token: str
    spectator_token: str


class BoulderPicture(Answer):
    """A boulder's number, color and edge."""

    id: int
    color: str
    edge_mm: float


class Picture(Answer):
    """A tower at rest, seen from the front; x from its middle, y from the table."""

    n: int = Field(description="The event after which it looks like this.")
    width_mm: float
    height_mm: float
    inner_width_mm: float
    wall_mm: float
    floor_mm: float
    grip_mm: float = Field(description="Height at which a hand holds the tower.")
    cover: float = Field(description="Share of the open top that a hand covers.")
    walls: list[list[tuple[float, float]]] = Field(description="Outlines, mm.")
    boulder_mm: float
    boulders: list[BoulderPicture]
    poses: list[Pose | None] = Field(
        description="x and y in 0.1 mm and angle in mrad of each boulder; null for one outside."
    )


class Health(Answer):
    """The server is up."""

    status: Literal["ok"]
    version: str


class Error(Answer):
    """What is wrong: a code for programs, one line for people."""

    code: str
    message: str


class ErrorAnswer(Answer):
    """A refusal."""

    error: Error


class Hello(Request):
    """The client's first and only message."""

    token: str


class TowerMessage(TowerAnswer):
    """The server's first message: the tower as it is."""

    type: Literal["tower"]


class FramesMessage(Answer):
    """How a hit looked; evenly spaced frames, of which the last is the tower at rest."""

    type: Literal["frames"]
    n: int = Field(ge=1, description="The hit's number.")
    frame_s: float = Field(gt=0.0, description="Time between two frames, s.")
    walls: list[Pose] = Field(
        description="The tower in each frame: x and y of the middle of its base in 0.1 mm, and its "
        "tilt in mrad, counter-clockwise."
    )
    poses: list[list[Pose | None]] = Field(
        description="The boulders in each frame, in the picture's order: x and y in 0.1 mm from "
        "where the middle of the base stands at rest, angle in mrad; null for one outside."
    )


class ErrorMessage(ErrorAnswer):
    """The server's last message, if it ends the stream."""

    type: Literal["error"]


def stream_schema() -> dict[str, Any]:
    """Return the JSON Schema of the messages that a stream's server and client send."""
    union: TypeAdapter[Any] = TypeAdapter(
        Hello | TowerMessage | EventAnswer | FramesMessage | ErrorMessage
    )
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Messages of a tower's stream",
        **union.json_schema(mode="serialization"),
    }
