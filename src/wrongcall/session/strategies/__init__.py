"""Strategies: which question to ask next. One file each; `base` tells how to add one."""

from __future__ import annotations

from wrongcall.session.strategies.base import Strategy, strategies, strategy

__all__ = ["Strategy", "strategies", "strategy"]
