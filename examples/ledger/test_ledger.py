import unittest

from ledger import MOVEMENTS, Ledger, busiest_day


class LedgerTest(unittest.TestCase):
    def setUp(self):
        self.ledger = Ledger(MOVEMENTS)
        self.ledger.close()

    def test_last_evening(self):
        self.assertEqual(self.ledger.evenings[3], {"bolts": 30})

    def test_turnover(self):
        self.assertEqual(self.ledger.turnover("bolts"), [(1, 40), (2, -15), (3, 5)])

    def test_busiest_day(self):
        self.assertEqual(busiest_day(self.ledger, "nuts"), 1)


if __name__ == "__main__":
    unittest.main()
