"""The campaign that proves recording exact and harmless: ``python -m fidelity.campaign``.

One module for each thing that is proved, all of the same shape: `run` puts one interpreter to the
test and gives a `Report`, `tables` turns the reports of all interpreters into the tables of
docs/explanation/fidelity.md. What runs inside the compared programs lies in ``inside`` and uses nothing of the
campaign. The campaign itself may use the recorder only as a user does, by its command.
"""
