import numpy as np

from poolscope.diagnosis.meaning import grouped


def test_one_pick_above_the_first_split_is_no_group() -> None:
    # One alternative resembles the picks more than they resemble each other.
    similarities = np.full((3, 5), 0.2)
    similarities[np.arange(3), np.arange(3)] = 1.0
    similarities[:, 3] = 0.9
    assert grouped(similarities, [0, 1, 2], [3, 4]) is None


def test_alike_picks_part_from_alternatives_of_another_meaning() -> None:
    similarities = np.full((4, 7), 0.8)
    similarities[:, 4:] = 0.3
    similarities[np.arange(4), np.arange(4)] = 1.0
    found = grouped(similarities, [0, 1, 2, 3], [6, 8, 9])
    assert found is not None
    assert found.alike == (0, 1, 2, 3)
    assert found.others == (6, 8, 9)
    assert np.allclose((found.within, found.across), (0.8, 0.3))
