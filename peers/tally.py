"""Counts agreement with a peer and explains every disagreement, or fails."""

import sys

import numpy as np


class Tally:
    """What a check has found so far.

    A disagreement passes only as a listed quirk: where the quirk applies and binade's answer is the one that the
    list states. A quirk that is never seen is a failure too, so that the list stays true.
    """

    def __init__(self, quirks):
        self.quirks = {name: 0 for name in quirks}
        self.explanations = dict(quirks)
        self.agreed = 0
        self.unexplained = 0

    def compare(self, what, ours, theirs, inputs, quirks=()):
        """Compares arrays of codes. `quirks` lists (name, where it applies, what binade must answer there)."""
        ours, theirs = np.asarray(ours, dtype=np.uint64), np.asarray(theirs, dtype=np.uint64)
        assert ours.shape == theirs.shape, f"{what}: {ours.shape} answers against {theirs.shape}"
        differ = ours != theirs
        self.agreed += int(np.count_nonzero(~differ))
        for name, applies, expected in quirks:
            explained = differ & np.broadcast_to(applies, ours.shape) & (ours == expected)
            self.quirks[name] += int(np.count_nonzero(explained))
            differ = differ & ~explained
        self.unexplained += int(np.count_nonzero(differ))
        for index in np.flatnonzero(differ)[:5]:
            shown = " ".join(hex(int(column[index])) for column in inputs)
            print(f"UNEXPLAINED {what} {shown}: binade {int(ours[index]):#x}, peer {int(theirs[index]):#x}")

    def close(self):
        """Prints the summary and ends the script."""
        for name, count in self.quirks.items():
            print(f"quirk {name}: {count}: {self.explanations[name]}")
        unseen = [name for name, count in self.quirks.items() if count == 0]
        if unseen:
            print(f"no longer seen, so take them off the list: {', '.join(unseen)}")
        quirks = sum(self.quirks.values())
        print(f"{self.agreed} agreed, {quirks} listed quirks, {self.unexplained} unexplained")
        sys.exit(1 if self.unexplained or unseen or not self.agreed else 0)
