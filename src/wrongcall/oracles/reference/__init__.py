"""The reference oracle: another version of the program repeats a call, and the outcomes are compared.

    with Reference(recording, Path("good-version")) as oracle:
        oracle.opinion((12,))        right, wrong (with what the reference does instead), or None
        oracle.undecided             how often there was no opinion, by cause
        oracle.reasons[12,]          why, for one question

``version``     where the reference comes from: a folder, a file, a git revision, a release of a package
``oracle``      the oracle; it asks a ``worker`` process, started and watched by ``worker_process``
``unchanged``   calls during which no changed code ran, which need not be repeated
``changes``     what is different in the reference; ``other_files`` looks at what was not recorded
``same_run``    the same run with the reference's code, in an ``overlay``; ``run_outcomes`` compares the calls of both
``repetition``  makes a recorded call once more, in the worker
``program``     the reference's modules and the code in them
``anchors``     pairs what modules hold in the recorded run with what they hold in the reference
``rebuild``     makes live objects from recorded ones; ``known_values`` and ``frames`` those of some library types
``compare``     compares recorded objects with live ones; ``effects`` compares what was changed
``guard``       keeps repeated calls away from the network, other processes and the user's files
"""
