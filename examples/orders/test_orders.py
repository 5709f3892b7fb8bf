from orders import read_order, total

ORDER = """
    tea; 2.5; 4
    mug; 7.25; 12
"""


def test_an_order_is_summed_up():
    order = read_order(ORDER)
    assert total(order) == 4 * 250 + 11 * 725


def test_an_empty_order_costs_nothing():
    assert total(read_order("")) == 0
