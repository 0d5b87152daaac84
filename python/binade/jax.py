"""binade as a device of JAX: JAX's programs, evaluated by binade, with the arithmetic of other hardware where asked.

    import jax, binade.jax

    @binade.jax.jit(arith="dot_general=bf16:f32")
    def loss(weights, x, y): ...

JAX finds the plugin by itself where this package is installed (the entry-point group `jax_plugins`); `JAX_PLATFORMS=binade`
makes it the platform of everything.

Options for all programs come from the environment: BINADE_ARITH (rules between semicolons), BINADE_SEMANTICS (xla, wide or
reference), BINADE_SEED, BINADE_THREADS, BINADE_DEVICES, BINADE_MEMORY_LIMIT, and BINADE_ASYNC_DISPATCH (0: a call returns when its
program has run). After `jax.distributed.initialize`, each process has BINADE_DEVICES devices; BINADE_ADDRESS and BINADE_TIMEOUT are
for their connections.
"""

import collections.abc
import functools
import inspect
import itertools
import os
import traceback
import types
import uuid
import weakref
from typing import Any

PLATFORM = "binade"


def library():
    """The path of the plugin's library: BINADE_PJRT_LIBRARY, or this package's extension module."""
    path = os.environ.get("BINADE_PJRT_LIBRARY")
    if path:
        return path
    try:
        from binade import _binade
    except ImportError as error:
        raise ImportError(
            "binade's extension module is missing: `pip install ./python` in the repository's root, "
            "or set BINADE_PJRT_LIBRARY to libbinade_pjrt.so"
        ) from error
    return _binade.__file__


class _Options(collections.abc.Mapping[str, str | int]):
    """The options of a client, computed when JAX creates it. JAX before 0.6 does not accept a function for this."""

    def __init__(self, said):
        self._said = said

    def _found(self):
        from jax._src import distributed

        # Processes find each other by their address on the route to the coordinator.
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
    # Priority below GPUs, TPUs and the CPU: binade is used only on request.
    said = _Options({name: str(value) for name, value in options.items()})
    xla_bridge.register_plugin(PLATFORM, priority=-100, library_path=library(), options=said)
    # JAX has no other list of platforms that can donate inputs.
    if PLATFORM not in mlir._platforms_with_donation:
        mlir._platforms_with_donation.append(PLATFORM)
    _register_lowerings()
    _register_callbacks()
    _name_initializers()


def jit(function=None, *, arith=None, semantics=None, seed=None, **options):
    """`jax.jit` on binade's device, with options for this function: rules of arithmetic (`"dot_general=bf16:f32"`), `"xla"`, `"wide"`
    or `"reference"` semantics, and the seed of `rng` and of stochastic rounding.

    `arith` may be a recipe (`"nvfp4-training"`), whose roles are told by where products are in the program: a product under
    `transpose(…)` is backward. A scope `input_gradient` or `weight_gradient` (`jax.named_scope`) names the role instead. Random words
    are keyed by the seed and by the number of the run. Each function that this returns for a seed counts its own runs, so that the same
    calls give the same bits.

    They hold for all that the function does: `jit(jax.grad(loss), arith=…)`, and `vmap` or `scan` within. Where JAX's default
    platform is another one, arguments are copied to binade's device, and results stay there."""
    import jax

    if function is None:
        return functools.partial(jit, arith=arith, semantics=semantics, seed=seed, **options)
    initialize()
    if arith is not None and not isinstance(arith, str):
        arith = ";".join(arith)
    said = {"binade_arith": arith, "binade_semantics": semantics}
    if seed is not None:
        # Functions with different options share no executable, and so no count of runs.
        said |= {"binade_seed": str(seed), "binade_instance": str(next(_INSTANCES))}
    said = {name: value for name, value in said.items() if value is not None}
    compiler_options = {**(options.pop("compiler_options", None) or {}), **said}
    return _Jitted(function, jax.jit(function, compiler_options=compiler_options or None, **options), bool(said))


_INSTANCES = itertools.count()


class _Jitted:
    """A function of `jax.jit` that runs on binade's device, whatever JAX's default device is."""

    def __init__(self, function, jitted, has_options):
        functools.update_wrapper(self, function)
        self._jitted, self._has_options = jitted, has_options

    def __call__(self, *arguments, **keywords):
        import jax

        # JAX 0.5 silently drops the options of a function within a program.
        if self._has_options and any(map(_is_staged, jax.tree.leaves((arguments, keywords)))):
            raise ValueError(_OUTERMOST)
        return _on_device(self._jitted, arguments, keywords)

    def lower(self, *arguments, **keywords):
        return _on_device(self._jitted.lower, arguments, keywords)

    def trace(self, *arguments, **keywords):
        return _on_device(self._jitted.trace, arguments, keywords)

    def __get__(self, instance, owner=None):
        return self if instance is None else types.MethodType(self, instance)

    def __getattr__(self, name):
        if name in ("_jitted", "_has_options"):
            raise AttributeError(name)
        return getattr(self._jitted, name)

    def __repr__(self):
        return f"<binade.jax.jit of {self._jitted!r}>"


def _on_device(function, arguments, keywords):
    """Calls a function on binade's device. Arguments on another device are copied."""
    import jax

    try:
        if _is_default():
            try:
                return function(*arguments, **keywords)
            except Exception as error:
                # Arrays that were put on another device are computed on there.
                if "No such compile option: 'binade_" not in str(error):
                    raise
        device = _device()
        copied = functools.partial(_copied, device=device)
        arguments, keywords = jax.tree.map(copied, (arguments, keywords))
        with jax.default_device(device):
            return function(*arguments, **keywords)
    except ValueError as error:
        if "`compiler_options` can only be passed to top-level" not in str(error):
            raise
        raise ValueError(_OUTERMOST) from error


_OUTERMOST = (
    "arithmetic is said of a whole program: write binade.jax.jit(jax.grad(f), arith=…) for jax.grad(binade.jax.jit(f, arith=…)), "
    "and so for scan and for another jit")


def _is_staged(leaf):
    """Returns true for a tracer: a value of a program that is being traced."""
    from jax._src.interpreters import partial_eval

    return isinstance(leaf, partial_eval.DynamicJaxprTracer)


def _is_default():
    """Returns true if binade is JAX's default platform."""
    import jax

    default = getattr(jax.config, "jax_default_device")
    platform = default if isinstance(default, str) else getattr(default, "platform", None) or jax.default_backend()
    return platform == PLATFORM


def _device():
    """binade's first device."""
    import jax

    try:
        return jax.devices(PLATFORM)[0]
    except RuntimeError as error:
        chosen = getattr(jax.config, "jax_platforms")
        if chosen and PLATFORM not in chosen.split(","):
            advice = f"JAX_PLATFORMS={chosen} leaves it out: add {PLATFORM} to it"
        else:
            advice = "call binade.jax.initialize() before JAX is first used"
        raise RuntimeError(f"binade.jax.jit needs binade's device; {advice} ({error})") from error


def _copied(leaf, device):
    """An array on a device. A value that is not an array is returned as it is."""
    import jax
    from jax._src import core

    # A program that is being traced is compiled for one device, with all that it calls.
    if not isinstance(leaf, jax.Array) or _is_staged(leaf):
        return leaf
    is_there = not isinstance(leaf, core.Tracer) and all(place.platform == PLATFORM for place in leaf.devices())
    return leaf if is_there else jax.device_put(leaf, device)


def profile(function, *arguments, arith=None, swamping=64, semantics=None, seed=None, **keywords):
    """The `Profile` of `function(*arguments, **keywords)` on binade, by operation and named scope.

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
    # Arguments that the function does not read are parameters of the program, too.
    jitted = jax.jit(function, keep_unused=True)
    lowered = jitted.trace(*arguments, **keywords).lower(lowering_platforms=(PLATFORM,))

    def array(leaf, dtype):
        leaf = jax.numpy.asarray(leaf)
        if jax.numpy.issubdtype(dtype, jax.dtypes.prng_key):
            return np.asarray(jax.random.key_data(leaf))
        return np.asarray(leaf).astype(dtype, copy=False)

    types = [leaf.dtype for leaf in jax.tree.leaves(lowered.in_avals)]
    inputs = list(map(array, jax.tree.leaves((arguments, keywords)), types))
    options = [f"--semantics={semantics or 'xla'}"]
    options += [f"--seed={seed}"] if seed is not None else []
    return profile_program(lowered.as_text(debug_info=True), inputs, arith, swamping, options)


# Primitives that JAX has only as calls of LAPACK, or would lower to loops. binade computes the calls.
_FACTORIZATIONS = (
    "lu_p", "geqrf_p", "geqp3_p", "householder_product_p", "eigh_p", "svd_p", "eig_p", "schur_p", "hessenberg_p", "tridiagonal_p",
    "tridiagonal_solve_p", "ormqr_p",
)


def _register_lowerings():
    """Factorizations as JAX lowers them for the CPU: as calls of LAPACK."""
    from jax._src.interpreters import mlir
    from jax._src.lax import linalg

    mlir._platform_specific_lowerings[PLATFORM] = _Lowerings(mlir._platform_specific_lowerings[PLATFORM])
    of_processor: Any = mlir._platform_specific_lowerings["cpu"]
    for name in _FACTORIZATIONS:
        # Other versions of JAX have fewer of them, or none for the CPU.
        primitive: Any = getattr(linalg, name, None)
        if primitive in of_processor:
            rule = of_processor[primitive]
            mlir.register_lowering(primitive, getattr(rule, "rule", rule), platform=PLATFORM)


class _Lowerings(dict[Any, Any]):
    """binade's lowerings by primitive. Modules that import slowly are imported when a program has their primitive."""

    def __contains__(self, primitive):
        if not super().__contains__(primitive):
            _register_late(primitive)
        return super().__contains__(primitive)

    def get(self, primitive, default=None):
        return self[primitive] if primitive in self else default


def _register_late(primitive):
    """Lowers primitives that JAX has for some platforms only: a check, sparse algebra, and products of scaled blocks."""
    from jax._src.interpreters import mlir

    name = getattr(primitive, "name", None)
    if name == "check":
        from jax._src import checkify

        if primitive is checkify.check_p:
            # As on the CPU: a `debug_check` does nothing; another check raises if errors at run time are enabled.
            mlir.register_lowering(primitive, checkify.check_lowering_rule, platform=PLATFORM, **_uncached())
    elif name in ("csr_spmv", "csr_spmm"):
        from jax.experimental.sparse import csr

        formula = csr._csr_matvec_impl if name == "csr_spmv" else csr._csr_matmat_impl
        mlir.register_lowering(primitive, mlir.lower_fun(formula, multiple_results=False), platform=PLATFORM)
    elif name == "scaled_matmul":
        from jax._src.cudnn import scaled_matmul_stablehlo as home

        if primitive is home._scaled_matmul_p:
            mlir.register_lowering(primitive, _scaled_matmul, platform=PLATFORM)
    elif name == "spsolve":
        mlir.register_lowering(primitive, _solve_sparse, platform=PLATFORM, **_uncached())


def _scaled_matmul(ctx, a, b, a_scales, b_scales, **_):
    """`jax.nn.scaled_matmul` as the custom call that XLA has for GPUs."""
    from jax._src.interpreters import mlir
    from jaxlib.mlir import ir

    (aval,) = ctx.avals_out
    result = ir.RankedTensorType.get(aval.shape, mlir.dtype_to_ir_type(aval.dtype))
    return mlir.custom_call(_SCALED_DOT_TARGET, result_types=[result], operands=[a, b, a_scales, b_scales]).results


def _solve_sparse(ctx, data, indices, indptr, b, **_):
    """`spsolve` as JAX has it for the CPU: by SciPy."""

    def solve(data, indices, indptr, b):
        import scipy.sparse.linalg

        matrix = scipy.sparse.csr_matrix((data, indices, indptr), shape=(b.size, b.size))
        return (scipy.sparse.linalg.spsolve(matrix, b).astype(b.dtype),)

    results, _, _ = _callback_home().emit_python_callback(
        ctx, solve, None, [data, indices, indptr, b], ctx.avals_in, ctx.avals_out, has_side_effect=False,
        returns_token=False)
    return results


def _callback_home():
    """JAX's module of callbacks in programs."""
    from jax._src import callback
    from jax._src.interpreters import mlir

    return callback if hasattr(callback, "emit_python_callback") else mlir


def _uncached():
    """The option for lowerings that refer to a Python function, which programs must not share. JAX before 0.7 shares none."""
    from jax._src.interpreters import mlir

    return {"cacheable": False} if "cacheable" in inspect.signature(mlir.register_lowering).parameters else {}


# Functions of jax.nn.initializers that create initialisers; glorot_normal and similar ones call variance_scaling.
_INITIALIZERS = ("uniform", "normal", "truncated_normal", "variance_scaling", "orthogonal", "delta_orthogonal")


def _name_initializers():
    """Makes each initialiser a function `_initializer` of the program. Rules of arithmetic do not apply to it, as they do not to
    `jax.random`; without this it would be ordinary operations."""
    import jax
    from jax._src.nn import initializers

    def naming(make):
        @functools.wraps(make)
        def named(*arguments, **keywords):
            initializer = make(*arguments, **keywords)

            @functools.wraps(initializer)
            def init(key, *about, **options):
                def _initializer(key):
                    return initializer(key, *about, **options)

                return jax.jit(_initializer)(key) if _is_default() else initializer(key, *about, **options)

            return init

        return named

    for name in _INITIALIZERS:
        make = naming(getattr(initializers, name))
        setattr(initializers, name, make)
        setattr(jax.nn.initializers, name, make)


# Python functions that compiled programs call, by name. A program keeps its functions alive.
_callbacks: weakref.WeakValueDictionary[str, "_Callback"] = weakref.WeakValueDictionary()
_CALLBACK_TARGET = "binade_python_callback"
_SCALED_DOT_TARGET = "__op$block_scaled_dot"


class _Callback:
    """A function of arrays, with shapes and types of its operands and of its results."""

    def __init__(self, function, operands, results):
        self.function, self.operands, self.results = function, operands, results
        self.name = uuid.uuid4().hex
        _callbacks[self.name] = self

    def call(self, operands, results):
        """Calls the function on the elements at addresses, and writes its results to other addresses."""
        import ctypes

        import numpy as np
        from jax._src import dtypes

        def memory(place, shape, dtype):
            address, size = place
            whole = np.empty(shape, dtype)
            if whole.nbytes != size:
                raise ValueError(f"{size} bytes for {dtype}{list(shape)}")
            # An empty array has no address.
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
    """The function that the library calls. Returns 0, or the length of the error text that is written to `message`, at most its size."""
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
    """JAX's module of backends. Without a CPU platform, binade's device takes its place: callbacks get their arrays there."""

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
    """Lowers `pure_callback`, `io_callback`, `debug.callback` and `debug.print`, which JAX has for its own platforms only."""
    import numpy as np
    from jax._src import callback as callbacks
    from jax._src import core, debugging, xla_bridge
    from jax._src.interpreters import mlir
    from jaxlib.mlir import ir
    from jaxlib.mlir.dialects import stablehlo

    home = _callback_home()
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
    for primitive, lowering in [
        ("debug_callback_p", "debug_callback_lowering"),
        ("debug_print_p", "debug_print_lowering_rule"),
    ]:
        # Other versions of JAX have no primitive for printing.
        if hasattr(debugging, primitive):
            rule = getattr(debugging, lowering)
            mlir.register_lowering(getattr(debugging, primitive), rule, platform=PLATFORM, **_uncached())
