"""Strategies: which question to ask next. One file each; `base` tells how to add one."""

from __future__ import annotations

from wrongcall.session.strategies.base import Strategy, descriptions, strategies, strategy

__all__ = ["Strategy", "descriptions", "strategies", "strategy"]
