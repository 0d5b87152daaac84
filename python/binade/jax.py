"""binade as a device of JAX: JAX's programs, evaluated by binade, with the arithmetic of other hardware where asked.

    import jax, binade.jax

    @binade.jax.jit(arith="dot_general=bf16:f32")
    def loss(weights, x, y): ...

JAX finds the plugin by itself where this package is installed (the entry-point group `jax_plugins`); `JAX_PLATFORMS=binade`
makes it the platform of everything. Options for all programs come from the environment: BINADE_ARITH (rules between
semicolons), BINADE_SEMANTICS (wide or reference), BINADE_SEED, BINADE_THREADS, BINADE_DEVICES, BINADE_MEMORY_LIMIT,
BINADE_ASYNC_DISPATCH (0: a call returns when its program has run); after
`jax.distributed.initialize` each process has so many devices of its own (BINADE_ADDRESS, BINADE_TIMEOUT).
"""

import collections.abc
import functools
import inspect
import itertools
import os
import traceback
import uuid
import weakref

PLATFORM = "binade"


def library():
    """The path of the library that has the plugin: BINADE_PJRT_LIBRARY, or this package's extension module."""
    path = os.environ.get("BINADE_PJRT_LIBRARY")
    if path:
        return path
    try:
        from binade import _binade
    except ImportError as error:
        raise ImportError("binade's extension module is missing; BINADE_PJRT_LIBRARY can name libbinade_pjrt.so") from error
    return _binade.__file__


class _Options(collections.abc.Mapping[str, str | int]):
    """The options of a client, found when JAX makes it: before JAX 0.6 it took no function for that."""

    def __init__(self, said):
        self._said = said

    def _found(self):
        from jax._src import distributed

        # Processes find each other by the address that they have towards the one that all know.
        coordinator = getattr(distributed.global_state, "coordinator_address", None)
        found = {"coordinator": coordinator} if coordinator else {}
        return {**found, **self._said, "callback": _callback_address()}

    def __getitem__(self, name):
        return self._found()[name]

    def __iter__(self):
        return iter(self._found())

    def __len__(self):
        return len(self._found())


def initialize(**options):
    """Registers the platform `binade`; JAX calls this when it looks for plugins. A second call does nothing.

    Options for all programs go before the environment's: `initialize(devices=8, arith="dot_general=bf16:f32")`."""
    from jax._src import xla_bridge
    from jax._src.interpreters import mlir

    if PLATFORM in xla_bridge._backend_factories:
        return
    # Of lower rank than GPUs and TPUs, and than the CPU: who wants binade says so.
    said = _Options({name: str(value) for name, value in options.items()})
    xla_bridge.register_plugin(PLATFORM, priority=-100, library_path=library(), options=said)
    # Of lists of platforms that can use up inputs there is only this one.
    if PLATFORM not in mlir._platforms_with_donation:
        mlir._platforms_with_donation.append(PLATFORM)
    _register_lowerings()
    _register_callbacks()


def jit(function=None, *, arith=None, semantics=None, seed=None, **options):
    """`jax.jit`, where this function's arithmetic is said: a rule or several (`"dot_general=bf16:f32"`), `"wide"` or
    `"reference"` semantics, and the seed of `rng`. Under grad, vmap and scan the function keeps them."""
    import jax

    if function is None:
        return functools.partial(jit, arith=arith, semantics=semantics, seed=seed, **options)
    if arith is not None and not isinstance(arith, str):
        arith = ";".join(arith)
    said = {"binade_arith": arith, "binade_semantics": semantics, "binade_seed": None if seed is None else str(seed)}
    said = {name: value for name, value in said.items() if value is not None}
    compiler_options = {**(options.pop("compiler_options", None) or {}), **said}
    return jax.jit(function, compiler_options=compiler_options or None, **options)


def profile(function, *arguments, arith=None, swamping=64, semantics=None, seed=None, **keywords):
    """What `function(*arguments, **keywords)` computes inside on binade, by operation and named scope, as a `Profile`.

    The function is evaluated as `jit(function, arith=…)` would be, to the same bits, each operation as a step by itself. `swamping` is how
    many results of each product are followed, one multiply-add after the other; 0 follows none. Rules of the environment do not hold
    here, and a function that calls Python back cannot be profiled.

        >>> import jax, jax.numpy as jnp, binade.jax
        >>> found = binade.jax.profile(lambda x: jnp.exp(x @ x), 9 * jnp.ones((2, 2)))
        >>> [(row["operation"], row["births"]) for row in found.births()]
        [('exponential', 4)]
    """
    import jax
    import numpy as np

    from binade._profile import profile_program

    initialize()
    # Arguments that the function does not read are parameters of the program all the same.
    jitted = jax.jit(function, keep_unused=True)
    lowered = jitted.trace(*arguments, **keywords).lower(lowering_platforms=(PLATFORM,))

    def array(leaf, dtype):
        leaf = jax.numpy.asarray(leaf)
        if jax.numpy.issubdtype(dtype, jax.dtypes.prng_key):
            return np.asarray(jax.random.key_data(leaf))
        return np.asarray(leaf).astype(dtype, copy=False)

    types = [leaf.dtype for leaf in jax.tree.leaves(lowered.in_avals)]
    inputs = list(map(array, jax.tree.leaves((arguments, keywords)), types))
    options = [f"--semantics={semantics}"] if semantics else []
    options += [f"--seed={seed}"] if seed is not None else []
    return profile_program(lowered.as_text(debug_info=True), inputs, arith, swamping, options)


def _register_lowerings():
    """What JAX has for other platforms only as calls of their libraries: factorizations, here in JAX itself."""
    from jax._src.interpreters import mlir
    from jax._src.lax import ann, linalg

    for primitive, function in [
        (linalg.geqrf_p, _geqrf),
        (linalg.householder_product_p, _householder_product),
        (linalg.eigh_p, _eigh),
        (linalg.svd_p, _svd),
        (linalg.tridiagonal_p, _tridiagonal),
        (ann.approx_top_k_p, _approx_top_k),
    ]:
        lowering = mlir.lower_fun(_promoting(function), multiple_results=primitive.multiple_results)
        mlir.register_lowering(primitive, lowering, platform=PLATFORM)


def _promoting(function):
    """A function whose types are promoted by JAX's rules, whatever the program asks for itself."""

    @functools.wraps(function)
    def promoting(*arguments, **options):
        import jax

        with jax.numpy_dtype_promotion("standard"):
            return function(*arguments, **options)

    return promoting


def _approx_top_k(operand, *, reduction_dimension, is_max_k, **options):
    """`approx_max_k` and `approx_min_k`, exactly: as many as JAX says that there are, in order."""
    import jax
    import jax.numpy as jnp
    from jax._src.lax import ann

    options = dict(options, reduction_dimension=reduction_dimension, is_max_k=is_max_k)
    shape = jax.eval_shape(functools.partial(ann.approx_top_k_p.bind, **options), operand)[0].shape
    last = jnp.moveaxis(operand, reduction_dimension, -1)
    values, indices = jax.lax.top_k(last if is_max_k else -last, shape[reduction_dimension])
    values = values if is_max_k else -values
    return [jnp.moveaxis(x, -1, reduction_dimension) for x in (values, indices)]


# Functions that compiled programs call, by the names that the programs have of them. Who holds a program holds its functions.
_callbacks: weakref.WeakValueDictionary[str, "_Callback"] = weakref.WeakValueDictionary()
_callback_names = (f"{uuid.uuid4().hex}-{index}" for index in itertools.count())
_CALLBACK_TARGET = "binade_python_callback"


class _Callback:
    """A function of arrays, with shapes and types of its operands and of its results."""

    def __init__(self, function, operands, results):
        self.function, self.operands, self.results = function, operands, results
        self.name = next(_callback_names)
        _callbacks[self.name] = self

    def call(self, operands, results):
        """Calls the function on the elements at some addresses, and writes what it gives to others."""
        import ctypes

        import numpy as np
        from jax._src import dtypes

        def memory(place, shape, dtype):
            address, size = place
            whole = np.empty(shape, dtype)
            if whole.nbytes != size:
                raise ValueError(f"{size} bytes for {dtype}{list(shape)}")
            # No elements have no address.
            return np.ndarray(shape, dtype, (ctypes.c_char * size).from_address(address)) if size else whole

        places = zip(operands, self.operands, strict=True)
        arguments = [memory(place, shape, dtype).copy() for place, (shape, dtype) in places]
        found = self.function(*arguments)
        if len(found) != len(self.results):
            raise RuntimeError(
                f"Mismatched number of outputs from callback. Expected: {len(self.results)}, Actual: {len(found)}")
        canonicalize = getattr(dtypes, "canonicalize_value", None) or (lambda x: x.astype(dtypes.canonicalize_dtype(x.dtype)))
        for index, (value, place, (shape, dtype)) in enumerate(zip(found, results, self.results, strict=True)):
            value = np.asarray(canonicalize(np.asarray(value)))
            if value.shape != tuple(shape):
                raise RuntimeError(
                    f"Incorrect output shape for return value #{index}: Expected: {tuple(shape)}, Actual: {value.shape}")
            if value.dtype != dtype:
                raise RuntimeError(
                    f"Incorrect output dtype for return value #{index}: Expected: {dtype}, Actual: {value.dtype}")
            memory(place, shape, dtype)[...] = value


def _call_back(name, operands, operand_sizes, operand_count, results, result_sizes, result_count, message, room):
    """What the library calls: 0, or the length of what went wrong, which is written to `message` as far as there is room."""
    import ctypes

    try:
        callback = _callbacks.get(name.decode())
        if callback is None:
            raise LookupError("a program's function that does not exist in this process")
        callback.call(
            [(operands[i], operand_sizes[i]) for i in range(operand_count)],
            [(results[i], result_sizes[i]) for i in range(result_count)])
        return 0
    except BaseException:
        text = traceback.format_exc().encode()[-room:]
        ctypes.memmove(message, text, len(text))
        return len(text)


@functools.cache
def _callback_pointer():
    import ctypes

    size, addresses, sizes = ctypes.c_size_t, ctypes.POINTER(ctypes.c_void_p), ctypes.POINTER(ctypes.c_size_t)
    signature = ctypes.CFUNCTYPE(
        size, ctypes.c_char_p, addresses, sizes, size, addresses, sizes, size, ctypes.c_void_p, size)
    return signature(_call_back)


def _callback_address():
    import ctypes

    return ctypes.cast(_callback_pointer(), ctypes.c_void_p).value


class _WithProcessor:
    """JAX's module of backends, in which binade's device stands for the processor where that is not there: callbacks get
    their arrays on it."""

    def __init__(self, module):
        self._module = module

    def __getattr__(self, name):
        return getattr(self._module, name)

    def local_devices(self, *arguments, backend=None, **options):
        try:
            return self._module.local_devices(*arguments, backend=backend, **options)
        except RuntimeError:
            if backend != "cpu":
                raise
            return self._module.local_devices(*arguments, backend=PLATFORM, **options)


def _register_callbacks():
    """`pure_callback`, `io_callback`, `debug.callback` and `debug.print`: JAX has them for its own platforms alone."""
    import numpy as np
    from jax._src import callback as callbacks
    from jax._src import core, debugging, xla_bridge
    from jax._src.interpreters import mlir
    from jaxlib.mlir import ir
    from jaxlib.mlir.dialects import stablehlo

    home = callbacks if hasattr(callbacks, "emit_python_callback") else mlir
    original = home.emit_python_callback

    def kind(aval):
        aval = core.physical_aval(aval)
        dtype = np.dtype(bool) if aval.dtype.name == "float0" else np.dtype(aval.dtype)
        return aval.shape, dtype

    @functools.wraps(original)
    def emit(ctx, callback, token, operands, operand_avals, result_avals, *rest, **options):
        if tuple(ctx.module_context.platforms) != (PLATFORM,):
            return original(ctx, callback, token, operands, operand_avals, result_avals, *rest, **options)
        kinds = [kind(aval) for aval in result_avals]
        held = _Callback(callback, [kind(aval) for aval in operand_avals], kinds)
        ctx.module_context.add_keepalive(held)
        types = [ir.RankedTensorType.get(shape, mlir.dtype_to_ir_type(dtype)) for shape, dtype in kinds]
        tokens = [token] if token else []
        call = mlir.custom_call(
            _CALLBACK_TARGET,
            result_types=[*(stablehlo.TokenType.get() for _ in tokens), *types],
            operands=[*tokens, *operands],
            backend_config=held.name,
            has_side_effect=options["has_side_effect"],
            api_version=2,
        )
        results = list(call.results)
        token = results.pop(0) if token else None
        return results, token, held

    setattr(home, "emit_python_callback", emit)
    setattr(callbacks, "xb", _WithProcessor(xla_bridge))
    setattr(debugging, "xla_bridge", _WithProcessor(xla_bridge))
    # A lowering that holds a function is not shared by programs; before JAX 0.7 none was.
    uncached = {"cacheable": False} if "cacheable" in inspect.signature(mlir.register_lowering).parameters else {}
    for primitive, lowering in [
        ("debug_callback_p", "debug_callback_lowering"),
        ("debug_print_p", "debug_print_lowering_rule"),
    ]:
        # Other versions have no primitive of its own for printing.
        if hasattr(debugging, primitive):
            rule = getattr(debugging, lowering)
            mlir.register_lowering(getattr(debugging, primitive), rule, platform=PLATFORM, **uncached)


def _over_batches(function, rank=2):
    """A function of matrices over all dimensions before their last ones."""

    @functools.wraps(function)
    def batched(first, *others, **options):
        import jax

        apply = functools.partial(function, **options)
        for _ in range(first.ndim - rank):
            apply = jax.vmap(apply)
        return apply(first, *others)

    return batched


def _reflector(column, at):
    """LAPACK's larfg: v with v[at] = 1 and zeros before, τ and a real β, with which (I − τ·v·vᴴ)ᴴ makes β of the column's elements
    from `at` on, and zeros."""
    import jax.numpy as jnp

    rows = jnp.arange(column.shape[0])
    below = rows > at
    alpha = column[at]
    tail = jnp.where(below, column, 0)
    # Scaled, so that squares neither overflow nor vanish.
    scale = jnp.maximum(jnp.abs(tail).max(initial=0), jnp.abs(alpha))
    safe = jnp.where(scale == 0, 1, scale)
    norm = scale * jnp.sqrt(jnp.sum(jnp.abs(tail / safe) ** 2) + jnp.abs(alpha / safe) ** 2)
    nothing = (jnp.abs(tail).max(initial=0) == 0) & (jnp.imag(alpha) == 0)
    beta = jnp.where(jnp.signbit(jnp.real(alpha)), norm, -norm).astype(column.dtype)
    beta = jnp.where(nothing, alpha, beta)
    tau = jnp.where(nothing, 0, (beta - alpha) / jnp.where(beta == 0, 1, beta))
    v = jnp.where(below, column / jnp.where(nothing, 1, alpha - beta), 0)
    return jnp.where(rows == at, 1, v).astype(column.dtype), tau, beta


@_over_batches
def _geqrf(a):
    """LAPACK's geqrf: R above the vectors of the reflectors I − τ·v·vᴴ, v[0] = 1, whose product is Q; and τ."""
    import jax.numpy as jnp
    from jax import lax

    m, n = a.shape
    count = min(m, n)
    rows = jnp.arange(m)

    def step(i, state):
        a, taus = state
        column = a[:, i]
        v, tau, beta = _reflector(column, i)
        after = jnp.arange(n) > i
        change = jnp.conj(tau) * jnp.outer(v, jnp.conj(v) @ a)
        a = jnp.where(after[None, :], a - change, a)
        packed = jnp.where(rows > i, v, jnp.where(rows == i, beta, column))
        return a.at[:, i].set(packed), taus.at[i].set(tau)

    return lax.fori_loop(0, count, step, (a, jnp.zeros(count, a.dtype)))


@_over_batches
def _householder_product(a, taus):
    """The first columns of the product of reflectors that `_geqrf` gives."""
    import jax.numpy as jnp
    from jax import lax

    m, n = a.shape
    rows = jnp.arange(m)

    def step(k, q):
        i = taus.shape[0] - 1 - k
        v = jnp.where(rows > i, a[:, i], 0)
        v = jnp.where(rows == i, 1, v).astype(a.dtype)
        return q - taus[i] * jnp.outer(v, jnp.conj(v) @ q)

    return lax.fori_loop(0, taus.shape[0], step, jnp.eye(m, n, dtype=a.dtype))


@_over_batches
def _tridiagonal_lower(a):
    """LAPACK's sytrd and hetrd of the lower triangle: the tridiagonal matrix with the reflectors' vectors below it, its diagonal, what is
    below that, and τ."""
    import jax.numpy as jnp
    from jax import lax

    n = a.shape[0]
    rows = jnp.arange(n)
    below = jnp.tril(a, -1)
    whole = below + jnp.conj(below).T + jnp.diag(jnp.real(jnp.diagonal(a))).astype(a.dtype)

    def step(i, state):
        whole, packed, taus = state
        column = whole[:, i]
        v, tau, beta = _reflector(column, i + 1)
        y = jnp.where(rows > i, tau * (whole @ v), 0)
        w = y - tau / 2 * jnp.vdot(y, v) * v
        whole = whole - jnp.outer(v, jnp.conj(w)) - jnp.outer(w, jnp.conj(v))
        kept = jnp.where(rows == i + 1, beta, v)
        packed = packed.at[:, i].set(jnp.where(rows > i, kept, packed[:, i]))
        return whole, packed, taus.at[i].set(tau)

    state = (whole, a, jnp.zeros(n - 1, a.dtype))
    # A loop is traced even if it takes no step.
    whole, packed, taus = lax.fori_loop(0, n - 1, step, state) if n > 1 else state
    diagonal = jnp.real(jnp.diagonal(whole))
    packed = jnp.where(jnp.eye(n, dtype=bool), diagonal.astype(a.dtype), packed)
    return packed, diagonal, jnp.real(jnp.diagonal(packed, -1)), taus


def _tridiagonal(a, *, lower):
    """The same of either triangle: the upper one is the lower one of the matrix with its rows and columns in reverse."""
    import jax.numpy as jnp

    if lower:
        return _tridiagonal_lower(a)
    packed, *others = _tridiagonal_lower(jnp.flip(a, (-2, -1)))
    return jnp.flip(packed, (-2, -1)), *(jnp.flip(other, -1) for other in others)


def _rounds(n):
    """Partners of all indices in each round of a tournament in which everybody meets everybody once. Who has none is its own
    partner."""
    import numpy as np

    size = n + n % 2
    order = list(range(size))
    rounds = []
    for _ in range(max(size - 1, 1)):
        partner = np.arange(n)
        for a, b in zip(order[: size // 2], reversed(order[size // 2 :])):
            if a < n and b < n:
                partner[a], partner[b] = b, a
        rounds.append(partner)
        order = [order[0], order[-1], *order[1:-1]]
    return np.stack(rounds).astype(np.int32)


def _rotations(p, q, off, smaller):
    """Cosines and sines with phases that make a 2×2 matrix [[p, off], [conj off, q]] diagonal, by the smaller angle; for
    every index those of its row, where `smaller` says that it is the first of its pair."""
    import jax.numpy as jnp

    size = jnp.abs(off)
    safe = jnp.where(size == 0, 1, size)
    phase = jnp.where(size == 0, 1, off / safe)
    zeta = (q - p) / (2 * safe)
    tangent = jnp.where(zeta >= 0, 1, -1) / (jnp.abs(zeta) + jnp.sqrt(1 + zeta * zeta))
    tangent = jnp.where(size == 0, 0, tangent)
    cosine = 1 / jnp.sqrt(1 + tangent * tangent)
    sine = tangent * cosine
    # [x_p, x_q] becomes [c·x_p − s·conj(phase)·x_q, s·phase·x_p + c·x_q].
    return cosine, jnp.where(smaller, -sine, sine) * jnp.where(smaller, jnp.conj(phase), phase)


_MOST_SWEEPS = 60


@_over_batches
def _eigh_jacobi(a):
    """Eigenvectors and eigenvalues of a Hermitian matrix, by rotations of disjoint pairs in rounds."""
    import jax.numpy as jnp
    from jax import lax

    n = a.shape[0]
    if n == 0:
        return a, jnp.zeros(0, jnp.real(a).dtype)
    rounds = jnp.asarray(_rounds(n))
    indices = jnp.arange(n)
    eps = jnp.finfo(a.dtype).eps
    own = jnp.eye(n, dtype=bool)

    def turn(k, state):
        a, v = state
        partner = rounds[k]
        smaller = indices < partner
        first, second = jnp.minimum(indices, partner), jnp.maximum(indices, partner)
        diagonal = jnp.real(jnp.diagonal(a))
        off = jnp.where(indices == partner, 0, a[first, second])
        cosine, sine = _rotations(diagonal[first], diagonal[second], off, smaller)
        cosine = cosine.astype(a.dtype)
        # Columns by the rotations, rows by their conjugates.
        a = a * cosine[None, :] + a[:, partner] * sine[None, :]
        a = a * cosine[:, None] + a[partner, :] * jnp.conj(sine)[:, None]
        # What the rotations made zero is zero.
        gone = (indices[None, :] == partner[:, None]) & ~own
        a = jnp.where(gone, 0, a)
        return a, v * cosine[None, :] + v[:, partner] * sine[None, :]

    def rest(a):
        return jnp.max(jnp.where(own, 0, jnp.abs(a)))

    def unfinished(state):
        sweep, a, _ = state
        return (sweep < _MOST_SWEEPS) & (rest(a) > eps * eps * jnp.max(jnp.abs(a)))

    def sweep(state):
        count, a, v = state
        return (count + 1, *lax.fori_loop(0, rounds.shape[0], turn, (a, v)))

    _, a, v = lax.while_loop(unfinished, sweep, (0, a, jnp.eye(n, dtype=a.dtype)))
    return v, jnp.real(jnp.diagonal(a))


def _eigh(a, *, lower, sort_eigenvalues, subset_by_index=None, **_):
    import jax.numpy as jnp

    if subset_by_index is not None and subset_by_index != (0, a.shape[-1]):
        raise NotImplementedError("subset_by_index")
    half = jnp.tril(a) if lower else jnp.triu(a)
    other = jnp.conj(jnp.swapaxes(half, -1, -2))
    whole = jnp.where(jnp.eye(a.shape[-1], dtype=bool), jnp.real(half).astype(a.dtype), half + other)
    v, w = _eigh_jacobi(whole)
    # NaN and infinity go everywhere.
    finite = jnp.isfinite(whole).all((-1, -2))
    v, w = jnp.where(finite[..., None, None], v, jnp.nan), jnp.where(finite[..., None], w, jnp.nan)
    if sort_eigenvalues:
        order = jnp.argsort(w, axis=-1)
        w = jnp.take_along_axis(w, order, axis=-1)
        v = jnp.take_along_axis(v, order[..., None, :], axis=-1)
    return v, w


@_over_batches
def _svd_jacobi(a):
    """U·diag(s), s and V of a matrix that is no wider than high, by rotations that make its columns orthogonal."""
    import jax.numpy as jnp
    from jax import lax

    n = a.shape[1]
    rounds = jnp.asarray(_rounds(n))
    indices = jnp.arange(n)
    eps = jnp.finfo(a.dtype).eps

    def turn(k, state):
        a, v, worst = state
        partner = rounds[k]
        smaller = indices < partner
        first, second = jnp.minimum(indices, partner), jnp.maximum(indices, partner)
        squares = jnp.sum(jnp.abs(a) ** 2, axis=0)
        p, q = squares[first], squares[second]
        off = jnp.where(indices == partner, 0, jnp.sum(jnp.conj(a[:, first]) * a[:, second], axis=0))
        bound = jnp.sqrt(p) * jnp.sqrt(q)
        ratio = jnp.abs(off) / jnp.where(bound == 0, 1, bound)
        off = jnp.where(ratio <= eps, 0, off)
        cosine, sine = _rotations(p, q, off, smaller)
        cosine = cosine.astype(a.dtype)
        a = a * cosine[None, :] + a[:, partner] * sine[None, :]
        v = v * cosine[None, :] + v[:, partner] * sine[None, :]
        return a, v, jnp.maximum(worst, jnp.max(jnp.where(bound == 0, 0, ratio)))

    def unfinished(state):
        count, _, _, worst = state
        return (count < _MOST_SWEEPS) & (worst > eps)

    def sweep(state):
        count, a, v, worst = state
        return (count + 1, *lax.fori_loop(0, rounds.shape[0], turn, (a, v, jnp.zeros_like(worst))))

    start = (0, a, jnp.eye(n, dtype=a.dtype), jnp.ones((), jnp.real(a).dtype))
    _, a, v, _ = lax.while_loop(unfinished, sweep, start)
    s = jnp.sqrt(jnp.sum(jnp.abs(a) ** 2, axis=0))
    order = jnp.argsort(-s)
    return a[:, order], s[order], v[:, order]


def _svd(a, *, full_matrices, compute_uv, subset_by_index=None, **_):
    import jax.numpy as jnp
    from jax._src.lax import linalg

    m, n = a.shape[-2:]
    if subset_by_index is not None and subset_by_index != (0, min(m, n)):
        raise NotImplementedError("subset_by_index")
    adjoint = lambda x: jnp.conj(jnp.swapaxes(x, -1, -2))
    if m < n:
        results = _svd(adjoint(a), full_matrices=full_matrices, compute_uv=compute_uv)
        return (results[0], adjoint(results[2]), adjoint(results[1])) if compute_uv else results
    if n == 0:
        s = jnp.zeros((*a.shape[:-2], 0), jnp.real(a).dtype)
        u = jnp.broadcast_to(jnp.eye(m, m if full_matrices else 0, dtype=a.dtype), (*a.shape[:-1], m if full_matrices else 0))
        return (s, u, jnp.zeros((*a.shape[:-2], 0, 0), a.dtype)) if compute_uv else (s,)
    # Squares of scaled elements neither overflow nor vanish.
    largest = jnp.max(jnp.abs(a), axis=(-1, -2), keepdims=True)
    scale = jnp.where((largest == 0) | ~jnp.isfinite(largest), 1, largest)
    us, s, v = _svd_jacobi(a / scale.astype(a.dtype))
    finite = jnp.isfinite(a).all((-1, -2))
    s = jnp.where(finite[..., None], s * scale[..., 0], jnp.nan)
    if not compute_uv:
        return (s,)
    lengths = jnp.sqrt(jnp.sum(jnp.abs(us) ** 2, axis=-2, keepdims=True))
    u = us / jnp.where(lengths == 0, 1, lengths).astype(a.dtype)
    # Columns that are missing, because there are more or their singular values are zero, are those of a QR factorization; its
    # others are the ones that there are, up to a phase.
    q, r = linalg.qr(u, full_matrices=full_matrices)
    diagonal = jnp.diagonal(r, axis1=-2, axis2=-1)[..., :n]
    phase = jnp.where(jnp.abs(diagonal) < 0.5, 1, diagonal / jnp.where(diagonal == 0, 1, jnp.abs(diagonal)))
    phases = jnp.concatenate([phase, jnp.ones((*a.shape[:-2], q.shape[-1] - n), a.dtype)], axis=-1)
    u = jnp.where(finite[..., None, None], q * phases[..., None, :], jnp.nan)
    v = jnp.where(finite[..., None, None], v, jnp.nan)
    return s, u, adjoint(v)
