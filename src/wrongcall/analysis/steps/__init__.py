"""The steps of a call, in the order in which a person reads them."""
