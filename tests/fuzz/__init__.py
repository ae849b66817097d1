"""Bytes of all kinds, fed to everything that reads what others have sent.

    changing     how an input is made of one that is good
    readers      the readers: what they are given, and good inputs to begin with
    judging      the judge of transcripts, as a reader that is held against its own speed
    driving      feeding, counting, and what must not happen
    guided       the same readers under a fuzzer that is guided by coverage, where it is installed

    .venv/bin/python -m tests.fuzz --inputs 10000000
    .venv/bin/python -m tests.fuzz --judged 20000
    .venv/bin/python -m tests.fuzz --guided 600 --reader lobby

Nothing but a refusal may come of an input, quickly, and nothing of it may stay.
"""
