"""Questions, findings and source as lines: pure functions of view models and the size of the screen."""
