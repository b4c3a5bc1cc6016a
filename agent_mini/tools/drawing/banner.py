"""Large letters of ``#``: a table of five rows a letter, and how letters are set side by side. No package is needed."""

from collections.abc import Sequence

Glyph = tuple[str, ...]
"""Rows of one width, from top to bottom."""

# A character, a space, its rows. What is missing at the right and below is blank.
_TABLE = r"""
A  ## |#  #|####|#  #|#  #
B ### |#  #|### |#  #|###
C  ###|#|#|#| ###
D ### |#  #|#  #|#  #|###
E ####|#|###|#|####
F ####|#|###|#|#
G  ###|#|# ##|#  #| ###
H #  #|#  #|####|#  #|#  #
I ###| #| #| #|###
J   ##|   #|   #|#  #| ##
K #  #|# #|##|# #|#  #
L #|#|#|#|####
M #   #|## ##|# # #|#   #|#   #
N #   #|##  #|# # #|#  ##|#   #
O  ## |#  #|#  #|#  #| ##
P ### |#  #|###|#|#
Q  ## |#  #|#  #|# ##| ###
R ### |#  #|###|# #|#  #
S  ###|#| ##|   #|###
T #####|  #|  #|  #|  #
U #  #|#  #|#  #|#  #| ##
V #   #|#   #|#   #| # #|  #
W #   #|#   #|# # #|## ##|#   #
X #   #| # #|  #| # #|#   #
Y #   #| # #|  #|  #|  #
Z #####|   #|  #| #|#####
0  ## |# ##|## #|#  #| ##
1  #|##| #| #|###
2 ###|   #| ##|#|####
3 ###|   #| ##|   #|###
4 #  #|#  #|####|   #|   #
5 ####|#|###|   #|###
6  ##|#|###|#  #| ##
7 ####|   #|  #| #| #
8  ##|#  #| ##|#  #| ##
9  ##|#  #| ###|   #| ##
! #|#|#||#
? ###|   #| ##|| #
. ||||#
, |||| #|#
: |#||#
; |#||| #|#
' #|#
" # #|# #
- ||###
+ | #|###| #
* |# #| #|# #
/     #|   #|  #| #|#
\ #| #|  #|   #|    #
= |###||###
_ ||||####
( | #|#|#|#| #
) #| #| #| #|#
[ ##|#|#|#|##
] ##| #| #| #|##
{  ##| #|#| #| ##
} ##| #|  #| #|##
< |  #| #|#| #|  #
> #| #|  #| #|#
@  ###|# # #|# ###|#| ###
#  # #|#####| # #|#####| # #
$  ####|# #| ###|  # #|####
% #  #|  #| #|#  #
& | ##|#| ## #|#  #| ## #
^  #|# #
~ | # #|# #
` #| #
| #|#|#|#|#
"""
_ROWS = 5
_SPACE: Glyph = ("   ",) * _ROWS


def _read_table() -> dict[str, Glyph]:
    glyphs = {" ": _SPACE}
    for line in _TABLE.strip("\n").splitlines():
        rows = line[2:].split("|") + [""] * _ROWS
        glyphs[line[0]] = even(rows[:_ROWS])
    return glyphs


def even(rows: Sequence[str]) -> Glyph:
    """``rows`` made as wide as the widest of them."""
    width = max(map(len, rows))
    return tuple(row.ljust(width) for row in rows)


GLYPHS = _read_table()
"""The characters there are; a small letter is drawn as a capital."""


def set_banner(words: Sequence[Sequence[Glyph]], width: int) -> str:
    """Set letters side by side, words in lines no wider than ``width``; a word that is wider is broken anywhere."""
    lines: list[list[Glyph]] = [[]]
    for word in words:
        if lines[-1] and _width([*lines[-1], _SPACE, *word]) <= width:
            lines[-1] += [_SPACE, *word]
            continue
        if lines[-1]:
            lines.append([])
        for glyph in word:
            if lines[-1] and _width([*lines[-1], glyph]) > width:
                lines.append([])
            lines[-1].append(glyph)
    return "\n\n".join(_set_line(line) for line in lines if line)


def _width(glyphs: Sequence[Glyph]) -> int:
    return sum(len(glyph[0]) + 1 for glyph in glyphs) - 1


def _set_line(glyphs: Sequence[Glyph]) -> str:
    height = max(map(len, glyphs))
    standing = [(" " * len(glyph[0]),) * (height - len(glyph)) + glyph for glyph in glyphs]
    return "\n".join(" ".join(row).rstrip() for row in zip(*standing, strict=True))
