import pytest
from sums import calculate, tokens


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 + 2 * 3", (7, 2)),
        ("(1 + 2) * 3", (9, 2)),
        ("2 ^ 3 ^ 2", (512, 2)),
        ("100 / 7 - 4", (10, 2)),
        ("-5 + 12 * (3 - 1)", (19, 3)),
        ("8 - 3 - 2", (3, 2)),
    ],
)
def test_calculate(text, expected):
    assert calculate(text) == expected


def test_tokens():
    assert tokens("12+(3)") == [12, "+", "(", 3, ")"]
    with pytest.raises(SyntaxError):
        tokens("1 & 2")
