"""Tests of the peer checks' own helpers: `python -m unittest discover peers`."""

import contextlib
import io
import unittest

import gmpy2
import numpy as np

import check_mpfr
from command import bits32, edges32, lines, random_codes
from check_ml_dtypes import ties_of_e8m0, to_odd32
from tally import Tally


def closed(tally):
    """Exit code and last line of a finished tally."""
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        try:
            tally.close()
        except SystemExit as end:
            return end.code, text.getvalue().splitlines()[-1]
    raise AssertionError("close() did not end the script")


class TallyTests(unittest.TestCase):
    def test_agreement(self):
        tally = Tally({})
        tally.compare("x", [1, 2], [1, 2], [[0, 0]])
        self.assertEqual(closed(tally), (0, "2 agreed, 0 listed quirks, 0 unexplained"))

    def test_disagreement_fails(self):
        tally = Tally({})
        with contextlib.redirect_stdout(io.StringIO()) as text:
            tally.compare("x", [1, 2], [1, 3], [[16, 17]])
        self.assertEqual(text.getvalue(), "UNEXPLAINED x 0x11: binade 0x2, peer 0x3\n")
        self.assertEqual(closed(tally), (1, "1 agreed, 0 listed quirks, 1 unexplained"))

    def test_a_quirk_passes_only_with_the_stated_answer(self):
        tally = Tally({"q": "why"})
        with contextlib.redirect_stdout(io.StringIO()):
            tally.compare("x", [1, 2, 4], [1, 3, 5], [[0, 0, 0]], [("q", np.array([False, True, True]), 2)])
        self.assertEqual(closed(tally), (1, "1 agreed, 1 listed quirks, 1 unexplained"))

    def test_an_unseen_quirk_fails(self):
        tally = Tally({"q": "why"})
        tally.compare("x", [1], [1], [[0]])
        self.assertEqual(closed(tally)[0], 1)

    def test_nothing_compared_fails(self):
        self.assertEqual(closed(Tally({}))[0], 1)


class NumberTests(unittest.TestCase):
    def test_lines(self):
        made = lines("add", ["f16", "f16"], "bf16", [[1, 255], [2, 3]], random=([5, 6], 7))
        self.assertEqual(made[1], "add f16,f16 bf16 nearest_even overflow 0xff 0x3 random=6/7")

    def test_edges_hold_every_exponent_and_ties(self):
        edges = set(edges32().tolist())
        for exponent in range(256):
            self.assertIn(exponent << 23, edges)
            self.assertIn((exponent << 23 | 1 << 19) + 1, edges)
            self.assertIn((exponent << 23 | 1 << 19) - 1, edges)

    def test_random_codes_cover_the_width(self):
        codes = random_codes(64, 1000, 1)
        self.assertGreater(int(codes.max()), 1 << 63)
        self.assertEqual(random_codes(5, 1000, 1).max(), 31)

    def test_to_odd(self):
        exact = np.array([1.0, -1.5, 0.0, np.inf])
        self.assertEqual(to_odd32(exact).tolist(), exact.tolist())
        above, below = np.float64(1 + 2**-40), np.float64(1 - 2**-40)
        self.assertEqual(bits32(to_odd32(np.array([above, below, -above, 1e300]))).tolist(),
                         [0x3F800001, 0x3F7FFFFF, 0xBF800001, 0x7F7FFFFF])

    def test_ties_of_e8m0(self):
        tie, code = ties_of_e8m0(np.array([1.5, 3.0, 1.25]))
        self.assertEqual(tie.tolist(), [True, True, False])
        # 1.5 lies between codes 127 and 128, 3.0 between 128 and 129.
        self.assertEqual(code[:2].tolist(), [128, 128])

    def test_mpfr_formats_hold_their_codes(self):
        for kind in check_mpfr.FORMATS:
            codes = range(1 << kind.width) if kind.width <= 12 else random_codes(kind.width, 2000, 1).tolist()
            for code in codes:
                value = kind.value(code)
                if gmpy2.is_nan(value) or code == kind.sign and not kind.negative_zero:
                    continue
                with kind.contexts["nearest_even"]:
                    self.assertEqual(kind.code(+value, "nearest_even"), code, f"{kind.name} {code:#x}")

    def test_mpfr_overflow_follows_the_mode(self):
        kind = check_mpfr.FORMATS[0]
        for mode, positive, negative in [
            ("nearest_even", 0x7F, 0xFF),
            ("toward_zero", 0x7E, 0xFE),
            ("toward_positive", 0x7F, 0xFE),
            ("toward_negative", 0x7E, 0xFF),
        ]:
            big = gmpy2.mpfr(1e6)
            self.assertEqual((kind.code(big, mode), kind.code(-big, mode)), (positive, negative))


if __name__ == "__main__":
    unittest.main()
