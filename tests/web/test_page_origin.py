"""The page in a browser: what a value depended on as a tree, and its history as a chart."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.web import pages
from tests.web.conftest import Open

pytestmark = pytest.mark.once


def origin_of_the_amount(page: Page) -> None:
    pages.search(page, "settle", 1).click()
    page.get_by_role("tab", name="Variables").click()
    page.get_by_role("button", name="amount = ").click()
    page.get_by_role("tab", name="Origin").click()
    pages.settle(page)


def test_the_origin_is_a_tree_of_operands_and_conditions(open_page: Open) -> None:
    page = open_page("shop")
    origin_of_the_amount(page)
    tree = page.get_by_test_id("origin-tree")
    nodes = tree.get_by_test_id("origin-node")
    expect(nodes.filter(has_text="subtotal(item)").first).to_be_visible()
    condition = tree.locator("[data-role=condition]").first
    expect(condition).to_contain_text("because for item in")
    expect(condition).to_contain_text("took another element")


def test_a_node_of_the_origin_leads_to_its_call(open_page: Open) -> None:
    page = open_page("shop")
    origin_of_the_amount(page)
    tree = page.get_by_test_id("origin-tree")
    node = tree.locator("[data-role=operand]", has_text="subtotal(item)").last
    node.get_by_role("button", name="line").first.click()
    expect(page.locator("[data-kind=looked-at] [data-testid=call-title]")).to_contain_text(
        "subtotal("
    )
    # The tree of the same value stays, so that the next node can be followed.
    expect(tree.get_by_test_id("origin-node").first).to_be_visible()


def test_a_node_opens_what_it_came_from(open_page: Open) -> None:
    page = open_page("shop")
    origin_of_the_amount(page)
    tree = page.get_by_test_id("origin-tree")
    before = tree.get_by_test_id("origin-node").count()
    tree.get_by_role("button", name="Expand what for item in").first.click()
    pages.settle(page)
    expect(tree.get_by_test_id("origin-node").nth(before)).to_be_visible()
    pages.shoot(page, "origin-tree")


def test_the_history_of_a_number_has_a_chart(open_page: Open) -> None:
    page = open_page("shop")
    origin_of_the_amount(page)
    page.get_by_role("tab", name="History").click()
    chart = page.get_by_test_id("chart")
    expect(chart.get_by_role("img", name="amount over time, from 0 to 100")).to_be_visible()
    expect(chart.locator("circle")).to_have_count(3)
