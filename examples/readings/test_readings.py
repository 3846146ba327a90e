import unittest

from readings import LOG, latest, parse


class LatestTest(unittest.TestCase):
    def test_latest(self):
        newest = latest(parse(LOG))
        self.assertEqual(newest.celsius, 11.7)
