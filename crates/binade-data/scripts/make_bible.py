#!/usr/bin/env python3
"""Makes data/bible.zz, the King James Bible as a text for language models, in the manner of the Penn Treebank's.

It reads the text from the command `bible` of Debian's packages bible-kjv and bible-kjv-text (elsewhere: --program and
--folder). A line of the text is a verse without its reference. Rules:

- letters are made lower-case;
- a word is letters with single apostrophes or hyphens inside, and perhaps one apostrophe behind (fathers'); every other
  mark, such as a comma, is a word by itself; words stand one space apart;
- of the chapters, counted from 0 at Genesis 1, those with a number that ends in 8 are for validation, in 9 for testing;
- the 9,998 words that are most frequent in the training part (equally frequent ones in the order of their bytes) are kept, others
  become <unk>. With <unk> and <eos> that is a vocabulary of 10,000.

The file is one zlib stream: a line with the numbers of tokens for training, validation and testing; the vocabulary, a
word a line, <eos> and <unk> first and then the most frequent one; and the tokens, each the number of its word: below 192 one
byte, else, less 192, two bytes, the first of which is 192 more than the high one. Every verse ends with <eos>.

`--check` compares what the committed file holds with what would be made: contents, not packed bytes, since versions of
zlib differ.
"""

import argparse
import collections
import pathlib
import re
import subprocess
import sys
import zlib

FILE = pathlib.Path(__file__).parent.parent / "data" / "bible.zz"
VERSES = 31_102
CHAPTERS = 1_189
KEPT = 9_998
ONE_BYTE = 192
REFERENCE = re.compile(r"(\w+):\d+ (.*)")
WORD = re.compile(r"[a-z]+(?:['-][a-z]+)*'?|\S")


def verses(program, folder):
    """Chapter and text of each verse."""
    line = [program, "-p", str(folder), "-f", "-l100000", "gen1:1-rev22:21"]
    text = subprocess.run(line, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=True, encoding="ascii").stdout
    found = [REFERENCE.fullmatch(line).groups() for line in text.splitlines() if line]
    chapters = len({chapter for chapter, _ in found})
    if (len(found), chapters) != (VERSES, CHAPTERS):
        sys.exit(f"{program}: {len(found)} verses in {chapters} chapters, not {VERSES} in {CHAPTERS}")
    return found


def code(number):
    if number < ONE_BYTE:
        return bytes([number])
    high, low = divmod(number - ONE_BYTE, 256)
    return bytes([ONE_BYTE + high, low])


def contents(program, folder):
    parts = [], [], []
    number, last = -1, None
    for chapter, text in verses(program, folder):
        number, last = number + (chapter != last), chapter
        part = {8: 1, 9: 2}.get(number % 10, 0)
        parts[part].append(WORD.findall(text.lower()))
    counts = collections.Counter(word for verse in parts[0] for word in verse)
    words = ["<eos>", "<unk>", *sorted(counts, key=lambda word: (-counts[word], word))[:KEPT]]
    codes = {word: code(number) for number, word in enumerate(words)}
    lengths = [sum(len(verse) + 1 for verse in part) for part in parts]
    header = "\n".join([" ".join(map(str, lengths)), *words, ""])
    tokens = (codes.get(word, codes["<unk>"]) for part in parts for verse in part for word in [*verse, "<eos>"])
    return header.encode("ascii") + b"".join(tokens)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--program", default="bible", help="the command")
    arguments.add_argument("--folder", default="/usr/lib", help="where bible.data is")
    arguments.add_argument("--check", action="store_true", help="compare, write nothing")
    chosen = arguments.parse_args()
    made = contents(chosen.program, chosen.folder)
    if chosen.check:
        if zlib.decompress(FILE.read_bytes()) != made:
            sys.exit(f"{FILE} is not what this script makes of the text of {chosen.program}")
        print(f"{FILE.name} is what this script makes of the text of {chosen.program}")
        return
    FILE.write_bytes(zlib.compress(made, 9))
    print(f"{FILE.name}: {len(made)} bytes, packed {FILE.stat().st_size}")


main()
