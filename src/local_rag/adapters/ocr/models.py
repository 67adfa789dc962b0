"""The networks that find and recognise text: PP-OCRv6 small, from the wheel of RapidOCR.

They are Apache-2.0, by the authors of PaddleOCR (https://github.com/PaddlePaddle/PaddleOCR). Only
the files are used. RapidOCR's own package is not imported: it brings code that downloads models,
prints to standard error, and takes 0.7 s.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from local_rag.adapters.minilm_graph import import_onnxruntime

if TYPE_CHECKING:
    from numpy.typing import NDArray

_DETECTOR = "PP-OCRv6_det_small.onnx"
_RECOGNISER = "PP-OCRv6_rec_small.onnx"

ROWS = 48
"""Height in pixels of what the recogniser reads."""

COLUMN = 8
"""The recogniser gives one guess for this many pixels across."""


class Models:
    """The two networks, each on the thread that calls it.

    Attributes:
        alphabet: the character of each class; the first class is none, the last one the space.
    """

    def __init__(self, folder: Path) -> None:
        self._detector = _session(folder / _DETECTOR)
        self._recogniser = _session(folder / _RECOGNISER)
        written = self._recogniser.get_modelmeta().custom_metadata_map["character"]
        self.alphabet = ["", *written.splitlines(), " "]

    def text_map(self, picture: NDArray[np.uint8]) -> NDArray[np.float32]:
        """How likely each pixel is text.

        Args:
            picture: (h, w, 3), blue first, both sides multiples of 32.

        Returns:
            (h, w), from 0 to 1.
        """
        (likely,) = self._detector.run(None, {"x": _normalised(picture)})
        found: NDArray[np.float32] = likely[0, 0]
        return found

    def guesses(self, strip: NDArray[np.uint8]) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
        """The best class of each column and how likely it is.

        One strip at a time: several at once cost as much for each, and need padding.

        Args:
            strip: (``ROWS``, w, 3), blue first, w a multiple of ``COLUMN``.
        """
        (likely,) = self._recogniser.run(None, {"x": _normalised(strip)})
        best = likely[0].argmax(axis=1)
        return best, likely[0][np.arange(len(best)), best]


def _normalised(picture: NDArray[np.uint8]) -> NDArray[np.float32]:
    """As the networks were trained: from -1 to 1, one plane after the other."""
    planes = np.ascontiguousarray(picture.transpose(2, 0, 1)[None], dtype=np.float32)
    planes *= 2 / 255
    planes -= 1
    return planes


def _session(path: Path) -> Any:
    ort = import_onnxruntime()
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 4  # what fails raises; it need not be printed as well
    # Every strip has another width: the arena would keep memory for each.
    options.enable_cpu_mem_arena = False
    return ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


@lru_cache(maxsize=1)
def models() -> Models:
    """Loaded at the first call, 0.2 s, then kept.

    Raises:
        FileNotFoundError: RapidOCR's wheel is not installed or carries other models.
    """
    spec = find_spec("rapidocr")
    if spec is None or not spec.submodule_search_locations:
        raise FileNotFoundError("The package rapidocr, which carries the models, is missing.")
    folder = Path(next(iter(spec.submodule_search_locations))) / "models"
    for name in (_DETECTOR, _RECOGNISER):
        if not (folder / name).is_file():
            raise FileNotFoundError(f"The installed rapidocr carries no model {name}.")
    return Models(folder)
