"""Rebuilds the graph of all-MiniLM-L6-v2 for speed, from the very integers that it ships with.

The shipped graph stores its weights as int8, casts them to float at load and computes in float.
Here the same integers and scales feed ONNX Runtime's own transformer operators, so that nothing is
quantised a second time. Only the activations are, at run time, to uint8 with one range for each
operand. What that costs and brings, in milliseconds of CPU for a text of 200 tokens on one thread
(as shipped: 43, prepared: 13; ``evaluation/bench_embedding.py`` measures the whole):

* The int8 products (``DynamicQuantizeMatMul``) take 7 instead of 29.
* ``LayerNormalization`` and ``SkipLayerNormalization`` sum element by element in ONNX Runtime
  1.32, 4.5 in all. ``MeanVarianceNormalization`` is vectorised and takes 1.
* The first token, ``[CLS]``, holds activations ten times those of the others (known from most
  transformers, https://arxiv.org/abs/2402.17762), which coarsens everybody's range. It goes
  through the products apart: 1.4 more, and the cosine to the shipped graph rises from 0.994 to
  0.999.
* One text a run needs no padding and no mask. A text in a batch of 32 costs 1.5 times as much.

The word embeddings stay int8, gathered before they are scaled: a quarter of the memory.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from local_rag.adapters.quiet import silence_vendors

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

logger = logging.getLogger(__name__)

PREPARATION = "1"
"""Raise this when the graph made here changes, so that no cached one of before is used."""

LAYERS = 6
HEADS = 12
WIDTH = 384
WINDOW = 256
"""Tokens that the model reads at once, the two special ones included: its card's limit,
https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2."""

_MICROSOFT = "com.microsoft"
_PREFIX = "inner.encoder.layer."
_EMBEDDINGS = "inner.embeddings."

_MATMUL_INTEGER = (
    b'\x08\n:b\n\x18\n\x01a\n\x01b\x12\x01y"\rMatMulInteger\x12\x01pZ\x15\n\x01a\x12\x10\n\x0e\x08'
    b"\x02\x12\n\n\x03\x12\x01m\n\x03\x12\x01kZ\x15\n\x01b\x12\x10\n\x0e\x08\x03\x12\n\n\x03\x12"
    b"\x01k\n\x03\x12\x01nb\x15\n\x01y\x12\x10\n\x0e\x08\x06\x12\n\n\x03\x12\x01m\n\x03\x12\x01nB"
    b"\x04\n\x00\x10\x12"
)
"""An ONNX model of one node, ``y = MatMulInteger(a: uint8, b: int8)``. Kept as bytes, because
importing ``onnx`` to write it would cost each start 0.1 s and 70 MB."""


def import_onnxruntime() -> Any:
    """The module, imported so that it neither reports to its maker nor writes a device id.

    Official builds since 1.29 do both by default, Linux and macOS included; the variable counts
    only if it is set before the first import in the process (``onnxruntime/Privacy.md``).
    """
    silence_vendors()
    import onnxruntime

    return onnxruntime


def open_session(graph: bytes) -> Any:
    """An ``InferenceSession`` that runs on the thread that calls it and starts none.

    Texts run side by side instead: two runs on two threads finish 1.5 times as many as one run
    on both, and threads that wait for nothing need not spin.
    """
    ort = import_onnxruntime()
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 4  # what fails raises; it need not be printed as well
    return ort.InferenceSession(graph, options, providers=["CPUExecutionProvider"])


def prepared_graph(shipped: bytes, cache_dir: Path) -> bytes:
    """The prepared graph: input ``ids (1, n) int32``, n from 2, output ``mean (1, 384) float32``.

    It is made once and kept in ``cache_dir`` as ``minilm-<inputs>-<sha256>.onnx``. The name holds
    the hash of the file's own bytes, so that one rename publishes both, and a file that does not
    match its name is made again. A folder that cannot be written costs a warning and the time.

    Args:
        shipped: the bytes of the model as shipped.
    """
    ort = import_onnxruntime()
    unsigned = not multiplies_exactly()
    inputs = f"{_sha256(shipped)} {PREPARATION} {ort.__version__} {unsigned}"
    prefix = f"minilm-{_sha256(inputs.encode())[:16]}-"
    for path in cache_dir.glob(f"{prefix}*.onnx"):
        with contextlib.suppress(OSError):
            graph = path.read_bytes()
            if path.name == f"{prefix}{_sha256(graph)}.onnx":
                return graph
    graph = build(shipped, unsigned=unsigned)
    try:
        _replace_cached(graph, cache_dir, f"{prefix}{_sha256(graph)}.onnx")
    except OSError as exc:
        logger.warning("The prepared model cannot be kept (%s).", type(exc).__name__)
    return graph


def _replace_cached(graph: bytes, cache_dir: Path, name: str) -> None:
    """Writes ``graph`` under ``name`` in one step and removes graphs of other names."""
    cache_dir.mkdir(parents=True, exist_ok=True)
    handle, path = tempfile.mkstemp(dir=cache_dir, prefix="minilm-", suffix=".tmp")
    temporary = Path(path)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(graph)
        temporary.replace(cache_dir / name)
    finally:
        temporary.unlink(missing_ok=True)
    for other in cache_dir.glob("minilm-*.onnx"):
        if other.name != name:
            other.unlink(missing_ok=True)


def multiplies_exactly() -> bool:
    """Whether this processor's product of uint8 and int8 does not saturate.

    Without VNNI, ONNX Runtime uses an x86 instruction that adds two products in 16 bits and clips
    the sum (https://onnxruntime.ai/docs/performance/model-optimizations/quantization.html). There
    the weights are stored as uint8 with a zero point of 128: the same numbers, so the same
    vectors, by a kernel that is exact everywhere and slower where the other one is.
    """
    import numpy as np

    rows, inner = 8, 64
    largest = {
        "a": np.full((rows, inner), 255, np.uint8),
        "b": np.full((inner, inner), 127, np.int8),
    }
    (product,) = open_session(_MATMUL_INTEGER).run(None, largest)
    return bool((product == 255 * 127 * inner).all())


def build(shipped: bytes, *, unsigned: bool) -> bytes:
    """Writes the prepared graph.

    Args:
        unsigned: whether to store weights as uint8; see ``multiplies_exactly``.

    Raises:
        Exception: of any kind, if ``shipped`` is not the expected model.
    """
    import numpy as np
    import onnx

    weights = _Weights(onnx.load_model_from_string(shipped))
    graph = _Graph(unsigned=unsigned)
    array, linear = weights.array, weights.linear

    words = f"{_EMBEDDINGS}word_embeddings.weight"
    positions = f"{_EMBEDDINGS}position_embeddings.weight"
    graph.node("Gather", [graph.constant("words", array(f"{words}_q")), "ids"], "word_q")
    graph.node("Cast", ["word_q"], "word_f", to=onnx.TensorProto.FLOAT)
    graph.node("Gather", [graph.constant("word_scales", array(f"{words}_scale")), "ids"], "word_s")
    graph.node("Mul", ["word_f", "word_s"], "word")
    # All tokens are of type 0, so that its embedding joins the positions'.
    places = array(f"{positions}_q").astype(np.float32) * array(f"{positions}_scale")
    places += array(f"{_EMBEDDINGS}token_type_embeddings.weight")[0]
    graph.constant("places", places[None, :WINDOW])
    graph.constant("zero", np.array([0]))
    graph.constant("one", np.array([1]))
    # A Slice, because positions made by a Range node fail in ONNX Runtime 1.32.
    graph.node("Shape", ["ids"], "tokens", start=1, end=2)
    graph.node("Slice", ["places", "zero", "tokens", "one"], "place")
    graph.node("Sub", ["tokens", "one"], "others")
    graph.node("Concat", ["one", "others"], "parts", axis=0)

    norm = weights.norm(f"{_EMBEDDINGS}LayerNorm")
    state = graph.normalised(graph.apart("word"), graph.apart("place"), norm, "embedding")
    for index in range(LAYERS):
        layer, name = f"{_PREFIX}{index}.", f"layer{index}."
        heads = [
            graph.together(
                graph.linear(state, linear(f"{layer}attention.self.{part}"), name + part)
            )
            for part in ("query", "key", "value")
        ]
        attended = f"{name}attended"
        graph.node("MultiHeadAttention", heads, attended, domain=_MICROSOFT, num_heads=HEADS)
        output = linear(f"{layer}attention.output.dense")
        merged = graph.linear(graph.apart(attended), output, f"{name}output")
        norm = weights.norm(f"{layer}attention.output.LayerNorm")
        middle = graph.normalised(merged, state, norm, f"{name}middle")
        wide = graph.linear(middle, linear(f"{layer}intermediate.dense"), f"{name}wide")
        bent = graph.gelu(wide)
        narrow = graph.linear(bent, linear(f"{layer}output.dense"), f"{name}narrow")
        norm = weights.norm(f"{layer}output.LayerNorm")
        state = graph.normalised(narrow, middle, norm, f"{name}state")

    graph.node("ReduceMean", [graph.together(state), "one"], "mean", keepdims=0)
    return graph.serialised()


@dataclass(frozen=True, slots=True)
class _Linear:
    """``y = x @ (weight * scale) + bias``.

    Attributes:
        weight: ``(in, out) int8``, symmetric.
        scale: ``(out,) float32``.
        bias: ``(out,) float32``.
    """

    weight: NDArray[np.int8]
    scale: NDArray[np.float32]
    bias: NDArray[np.float32]


class _Weights:
    """The arrays of the shipped model by the names that its author gave the parameters.

    The exporter kept the names of the biases and not those of the matrices, so that a matrix is
    found as the one whose product the bias is added to.
    """

    def __init__(self, model: Any) -> None:
        self._tensors = {tensor.name: tensor for tensor in model.graph.initializer}
        products = {node.output[0]: node for node in model.graph.node if node.op_type == "MatMul"}
        self._matrices = {
            node.input[1]: products[node.input[0]].input[1]
            for node in model.graph.node
            if node.op_type == "Add" and node.input[0] in products
        }

    def array(self, name: str) -> NDArray[Any]:
        from onnx import numpy_helper

        array: NDArray[Any] = numpy_helper.to_array(self._tensors[name])
        return array

    def linear(self, name: str) -> _Linear:
        matrix, bias = self._matrices[f"{name}.bias"], self.array(f"{name}.bias")
        return _Linear(self.array(f"{matrix}_q"), self.array(f"{matrix}_scale").reshape(-1), bias)

    def norm(self, name: str) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Gain and bias of a layer normalisation, each ``(384,)``."""
        return self.array(f"{name}.weight"), self.array(f"{name}.bias")


_Parts = tuple[str, str]
"""Names of the states ``(1, 1, d)`` of the first token and ``(1, n - 1, d)`` of the others."""


class _Graph:
    """Collects nodes and constants; a method that adds nodes returns the name of what they give."""

    def __init__(self, *, unsigned: bool) -> None:
        self._unsigned = unsigned
        self._nodes: list[Any] = []
        self._constants: list[Any] = []

    def constant(self, name: str, array: NDArray[Any]) -> str:
        import numpy as np
        from onnx import numpy_helper

        self._constants.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def node(
        self, operator: str, inputs: Sequence[str], *outputs: str, domain: str = "", **fields: Any
    ) -> str:
        from onnx import helper

        node = helper.make_node(operator, list(inputs), list(outputs), domain=domain, **fields)
        self._nodes.append(node)
        return outputs[0]

    def apart(self, state: str) -> _Parts:
        parts = f"{state}.first", f"{state}.others"
        self.node("Split", [state, "parts"], *parts, axis=1)
        return parts

    def together(self, parts: _Parts) -> str:
        return self.node("Concat", parts, f"{parts[0]}.all", axis=1)

    def linear(self, source: _Parts, linear: _Linear, name: str) -> _Parts:
        import numpy as np

        weight: NDArray[Any] = linear.weight
        zero = ""
        if self._unsigned:
            weight = (weight.astype(np.int16) + 128).astype(np.uint8)
            zero = self.constant(f"{name}.zero", np.full(weight.shape[1], 128, np.uint8))
        constants = [
            self.constant(f"{name}.weight", weight),
            self.constant(f"{name}.scale", linear.scale),
            zero,
            self.constant(f"{name}.bias", linear.bias),
        ]

        def product(part: str, of: str) -> str:
            inputs = [of, *constants]
            return self.node("DynamicQuantizeMatMul", inputs, f"{name}.{part}", domain=_MICROSOFT)

        return product("first", source[0]), product("others", source[1])

    def gelu(self, source: _Parts) -> _Parts:
        first, others = (
            self.node("Gelu", [part], f"{part}.gelu", domain=_MICROSOFT) for part in source
        )
        return first, others

    def normalised(
        self, left: _Parts, right: _Parts, norm: tuple[NDArray[Any], NDArray[Any]], name: str
    ) -> _Parts:
        """The layer normalisation of ``left + right``.

        Its epsilon is fixed at 1e-9 instead of 1e-12, which the variances here never feel.
        """
        gain, bias = self.constant(f"{name}.gain", norm[0]), self.constant(f"{name}.bias", norm[1])

        def one(part: str, a: str, b: str) -> str:
            prefix = f"{name}.{part}"
            self.node("Add", [a, b], f"{prefix}.sum")
            self.node("MeanVarianceNormalization", [f"{prefix}.sum"], f"{prefix}.unit", axes=[2])
            self.node("Mul", [f"{prefix}.unit", gain], f"{prefix}.scaled")
            return self.node("Add", [f"{prefix}.scaled", bias], prefix)

        return one("first", left[0], right[0]), one("others", left[1], right[1])

    def serialised(self) -> bytes:
        from onnx import TensorProto, helper

        ids = helper.make_tensor_value_info("ids", TensorProto.INT32, [1, "tokens"])
        mean = helper.make_tensor_value_info("mean", TensorProto.FLOAT, [1, WIDTH])
        graph = helper.make_graph(self._nodes, "minilm", [ids], [mean], self._constants)
        domains = [helper.make_opsetid("", 18), helper.make_opsetid(_MICROSOFT, 1)]
        model = helper.make_model(graph, opset_imports=domains, ir_version=10)
        serialised: bytes = model.SerializeToString(deterministic=True)
        return serialised


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
