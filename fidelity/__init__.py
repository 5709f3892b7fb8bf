"""The campaign that proves recording exact and harmless: ``python -m fidelity.campaign``.

There is one module for each thing to prove, all of the same shape: `run` tests one interpreter and returns a `Report`,
`tables` turns the reports of all interpreters into the tables of docs/explanation/fidelity.md. Code that runs inside
the compared programs is in ``inside`` and uses nothing of the campaign. The campaign itself uses the recorder only as a
user does, by its command.
"""
