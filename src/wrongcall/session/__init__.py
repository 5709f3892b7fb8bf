"""The debugging session: suspects, strategies, answers. It never prints or prompts."""
