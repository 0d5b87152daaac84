"""`binade.quantize_file` with a layout and a calibration."""

import json
import struct

import binade
import numpy as np
import pytest

FILE = {
    "kind": "binade calibration",
    "tokens": 4,
    "inputs": {"fc": {"elements": 8, "not_finite": 0, "largest": 448.0, "percentiles": {"99.9": 224.0}, "mse": {"float8_e4m3fn": 112.0}}},
}


def write_model(path):
    """A safetensors file with one matrix of binary32, `fc.weight`."""
    weight = np.random.default_rng(1).standard_normal((16, 32)).astype("<f4")
    header = json.dumps({"fc.weight": {"dtype": "F32", "shape": [16, 32], "data_offsets": [0, weight.nbytes]}}).encode()
    path.write_bytes(struct.pack("<Q", len(header)) + header + weight.tobytes())


def scalar(path, name):
    data = path.read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    entry = json.loads(data[8 : 8 + length])[name]
    assert entry["dtype"] == "F32" and entry["shape"] == [1]
    return struct.unpack("<f", data[8 + length + entry["data_offsets"][0] :][:4])[0]


def test_static_scale_is_written_from_a_file_and_from_a_calibration(tmp_path):
    write_model(tmp_path / "m.safetensors")
    (tmp_path / "c.json").write_text(json.dumps(FILE))

    class Calibration:
        def save(self, path):
            with open(path, "w") as file:
                json.dump(FILE, file)

    for at, (given, clip, expected) in enumerate(
        [(tmp_path / "c.json", None, 1.0), (str(tmp_path / "c.json"), "percentile=99.9", 0.5), (Calibration(), "mse", 0.25)]
    ):
        out = tmp_path / f"{at}.safetensors"
        said = binade.quantize_file(tmp_path / "m.safetensors", out, layout="ct-fp8-static", calibration=given, clip=clip)
        assert said.startswith("quantised to ct-fp8-static")
        assert scalar(out, "fc.input_scale") == expected
    out = tmp_path / "nvfp4.safetensors"
    binade.quantize_file(tmp_path / "m.safetensors", out, layout="ct-nvfp4", calibration=tmp_path / "c.json", kv="none")
    assert scalar(out, "fc.input_global_scale") == 6.0


def test_layout_and_format_exclude_each_other(tmp_path):
    for more in [{}, {"format": "bf16", "layout": "ct-fp8"}]:
        with pytest.raises(ValueError, match="takes a format or a layout"):
            binade.quantize_file(tmp_path / "m.safetensors", tmp_path / "o.safetensors", **more)
    write_model(tmp_path / "m.safetensors")
    with pytest.raises(binade.BinadeError, match="layout ct-fp8-static without --calibration FILE"):
        binade.quantize_file(tmp_path / "m.safetensors", tmp_path / "o.safetensors", layout="ct-fp8-static")
