from ledger import TEXT, balances, interest, overdrawn, parse, running, statement


def test_balances_start_from_the_opening_ones():
    opening = {"rent": 500, "savings": 100000}
    totals = balances(parse(TEXT), opening)
    assert totals == {"rent": -139500, "savings": 100000, "wages": 210050, "food": -10135}
    assert opening == {"rent": 500, "savings": 100000}


def test_overdrawn():
    totals = balances(parse(TEXT))
    assert overdrawn(totals, 10000) == ["food", "rent"]
    assert overdrawn(totals, 10135) == ["rent"]


def test_running():
    assert running(parse(TEXT), "food") == ([-8225, -11335, -10135], -11335)
    assert running(parse(TEXT), "rent") == ([-70000, -140000], -140000)


def test_interest():
    assert interest(100000, 5, 12) == 105110
    assert interest(100, 5, 3) == 100


def test_statement():
    assert statement({"rent": -139500, "savings": 100000, "food": -5}) == [
        "food ..... -0.05",
        "rent ..... -1395.00",
        "savings .. 1000.00",
    ]
