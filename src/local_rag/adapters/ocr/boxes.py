"""Where text stands in a picture: from the detector's map to boxes that may lie oblique."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from local_rag.adapters.ocr.models import Models

# The post-processing that the detector was trained for (DB, https://arxiv.org/abs/1911.08947),
# with the values of RapidOCR's config.yaml.
_LIKELY = 0.3
_MEAN_LIKELY = 0.5
_UNCLIP = 1.6
_SMALLEST_PX = 3
_MOST_BOXES = 1500
_STRIDE = 32
# Longest side of the picture that the detector sees. Seven dense pages: words found 0.956 at 960
# (0.8 CPU-s), 0.972 at 1216 (1.4), 0.972 at 1600 (2.3).
_LONG_SIDE_PX = 1216
_LONG_SIDE_FINE_PX = 1600
_SMALL_TEXT_PX = 14  # usual boxes are 16 to 18 high, those of a table in 6 points 13
_SHORT_SIDE_PX = 64
_MOST_ENLARGED = 1.5


class Box(NamedTuple):
    """A rectangle around a stretch of text.

    Attributes:
        x, y: its centre in pixels.
        length: along the direction of reading.
        height: across.
        angle: of the direction of reading, in degrees clockwise from rightward, -180 to 180.
    """

    x: float
    y: float
    length: float
    height: float
    angle: float

    def turned(self, degrees: float) -> Box:
        """The same rectangle, read in a direction that many degrees further clockwise.

        Quarters swap length and height.
        """
        length, height = self.length, self.height
        if round(degrees / 90) % 2:
            length, height = height, length
        return Box(self.x, self.y, length, height, (self.angle + degrees + 180) % 360 - 180)


def find_boxes(picture: NDArray[np.uint8], models: Models) -> list[Box]:
    """Boxes of text, their longer side along ``angle`` (-45 to 135), in no order.

    Args:
        picture: (h, w, 3).
    """
    longest = max(picture.shape[:2])
    scale = min(_LONG_SIDE_PX / longest, _MOST_ENLARGED)
    found = boxes_at(scale, picture, models)
    if found and np.median([b.height for b in found]) * scale < _SMALL_TEXT_PX:
        # So small that neighbouring lines run together, which the boxes' sides then follow.
        finer = min(_LONG_SIDE_FINE_PX / longest, 1.0)
        if finer > scale:
            return boxes_at(finer, picture, models)
    return found


def boxes_at(scale: float, picture: NDArray[np.uint8], models: Models) -> list[Box]:
    """The boxes as found in the picture reduced or enlarged by ``scale``, in its own pixels."""
    import cv2

    height, width = picture.shape[:2]
    scaled_w, scaled_h = max(1, round(width * scale)), max(1, round(height * scale))
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    scaled = cv2.resize(picture, (scaled_w, scaled_h), interpolation=way)
    # Filled up, not stretched, to the multiple that the network needs.
    full = np.full((_up(scaled_h), _up(scaled_w), 3), _paper(scaled), np.uint8)
    full[:scaled_h, :scaled_w] = scaled
    likely = models.text_map(full)[:scaled_h, :scaled_w]
    return [
        Box(b.x / scale, b.y / scale, b.length / scale, b.height / scale, b.angle)
        for b in _boxes(likely)
    ]


def _up(size: int) -> int:
    return -(-max(size, _SHORT_SIDE_PX) // _STRIDE) * _STRIDE


def _paper(picture: NDArray[Any]) -> NDArray[Any]:
    """The usual colour of the borders."""
    rim = [picture[0], picture[-1], picture[:, 0], picture[:, -1]]
    return np.asarray(np.median(np.concatenate(rim), axis=0))


def _boxes(likely: NDArray[np.float32]) -> list[Box]:
    import cv2

    # Closed by a pixel as RapidOCR does, so that touching parts become one.
    mask = cv2.dilate((likely > _LIKELY).astype(np.uint8), np.ones((2, 2), np.uint8))
    contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    found = []
    for contour in contours[:_MOST_BOXES]:
        (x, y), (w, h), angle = cv2.minAreaRect(contour)
        if min(w, h) < _SMALLEST_PX or _mean_inside(likely, contour) < _MEAN_LIKELY:
            continue
        # Grown on all sides by what training had shrunk it.
        grown = 2 * w * h * _UNCLIP / (2 * (w + h))
        found.append(_lengthwise(x, y, w + grown, h + grown, angle))
    return found


def _mean_inside(likely: NDArray[np.float32], contour: Any) -> float:
    import cv2

    x, y, w, h = cv2.boundingRect(contour)
    x1, y1 = min(x + w, likely.shape[1]), min(y + h, likely.shape[0])
    part = likely[y:y1, x:x1]
    mask = np.zeros(part.shape, np.uint8)
    cv2.drawContours(mask, [contour - np.array([[x, y]])], -1, 1, cv2.FILLED)
    return float(cv2.mean(part, mask)[0])


def _lengthwise(x: float, y: float, w: float, h: float, angle: float) -> Box:
    """The longer side along the angle; a square lies as it is nearest to level."""
    if h > w * 1.2 or (h > w and abs((angle + 45) % 90 - 45) > 1):
        w, h, angle = h, w, angle + 90
    angle = (angle + 45) % 180 - 45
    if w < 1.2 * h and angle > 45:  # no elongation worth a direction
        w, h, angle = h, w, angle - 90
    return Box(x, y, w, h, angle)


def corners(box: Box) -> NDArray[np.float64]:
    """(4, 2): where reading begins above, where it ends above, then below."""
    turn = math.radians(box.angle)
    along = np.array([math.cos(turn), math.sin(turn)]) * box.length / 2
    down = np.array([-math.sin(turn), math.cos(turn)]) * box.height / 2
    centre = np.array([box.x, box.y])
    return np.array(
        [centre - along - down, centre + along - down, centre + along + down, centre - along + down]
    )
